// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Sections of a reader against invalidations, one strategy at a time.
 *
 * The reader uses what the published pointer leads to; the invalidator publishes another object,
 * waits, and overwrites the old one. Relacy reports any use that does not come before that, and
 * the reader sees the poison of an object that is gone.
 */
#include <vqmeta/sync.h>

#include "driver.h"

enum {
	OBJECTS = 3, /* one more than invalidations */
	SECTIONS = 3,
	POISON = 0xdead,
};

template <int readers> struct target {
	rl::var<int> value;
	rl::var<int> mark[readers]; /* written by one reader each */

	void set(int v)
	{
		value($) = v;
		for (rl::var<int> &m : mark)
			m($) = v;
	}

	void use(int reader)
	{
		model_interrupt();
		RL_ASSERT(value($) != POISON);
		if (rl::rand(2))
			mark[reader]($) = 1;
		model_interrupt();
	}
};

template <int readers> struct sync_suite : rl::test_suite<sync_suite<readers>, readers + 1> {
	struct model_memory memory;
	struct vqm_guard guard[readers];
	struct target<readers> object[OBJECTS];
	void *live;

	void before()
	{
		model_now = &memory;
		for (struct vqm_guard &g : guard) {
			RL_ASSERT(vqm_guard_init(&g, (enum vqm_sync)model_variant) == 0);
			model_add_cell(&g.word, g.word);
			model_add_cell(&g.next, g.next);
		}
		for (auto &o : object)
			o.set(0);
		live = &object[0];
		model_add_cell(&live, (uintptr_t)live);
	}

	void section(int reader, bool nested)
	{
		struct target<readers> *o;

		vqm_guard_begin(&guard[reader]);
		o = (struct target<readers> *)vqm_env_load_ptr_acquire(&live);
		o->use(reader);
		if (nested) {
			section(reader, false);
			o->use(reader);
		}
		vqm_guard_end(&guard[reader]);
	}

	void reader(int index)
	{
		int i;

		for (i = 0; i < SECTIONS; i++)
			section(index, model_variant == VQM_SYNC_COUNTER && rl::rand(3) == 0);
	}

	/* One barrier for all readers. */
	void invalidate(int n)
	{
		vqm_env_store_ptr_release(&live, &object[n + 1]);
		vqm_guard_barrier(&guard[0]);
		for (struct vqm_guard &g : guard) {
			if (rl::rand(2) && vqm_guard_wait(&g, false) == 0)
				continue;
			RL_ASSERT(vqm_guard_wait(&g, true) == 0);
		}
		object[n].set(POISON);
	}

	void thread(unsigned int index)
	{
		int i;

		model_thread_begin();
		if (index < readers)
			reader((int)index);
		for (i = 0; index == readers && i + 1 < OBJECTS; i++)
			invalidate(i);
		model_thread_end();
	}
};

static const struct model_run runs[] = {
	{"spin", rl::simulate<sync_suite<1>>, VQM_SYNC_SPIN, 500000, NULL},
	{"flag", rl::simulate<sync_suite<1>>, VQM_SYNC_FLAG, 500000, NULL},
	{"counter", rl::simulate<sync_suite<1>>, VQM_SYNC_COUNTER, 500000, NULL},
	{"seqcount", rl::simulate<sync_suite<1>>, VQM_SYNC_SEQCOUNT, 500000, NULL},
	{"asym", rl::simulate<sync_suite<1>>, VQM_SYNC_ASYM, 500000, NULL},
	{"spin.2", rl::simulate<sync_suite<2>>, VQM_SYNC_SPIN, 200000, NULL},
	{"flag.2", rl::simulate<sync_suite<2>>, VQM_SYNC_FLAG, 200000, NULL},
	{"counter.2", rl::simulate<sync_suite<2>>, VQM_SYNC_COUNTER, 200000, NULL},
	{"seqcount.2", rl::simulate<sync_suite<2>>, VQM_SYNC_SEQCOUNT, 200000, NULL},
	{"asym.2", rl::simulate<sync_suite<2>>, VQM_SYNC_ASYM, 200000, NULL},
	{"none", rl::simulate<sync_suite<1>>, VQM_SYNC_NONE, 1000, NULL},
	{NULL, NULL, 0, 0, NULL},
};

int main(int argc, char **argv)
{
	return model_main(runs, argc, argv);
}
