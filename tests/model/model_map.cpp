// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bursts of a queue against invalidations of its ring, through the functions that users call.
 *
 * The contents of each view have a simulated twin, written when the view is published and read by
 * every burst that uses it. The memory of an area is overwritten when the library reports that it
 * was taken away.
 */
#include <vqmeta/queue.h>

#include "driver.h"

enum {
	OBJECTS = 3, /* what stands for the memory of the descriptor area, one after the other */
	BURSTS = 3,
	POISON = 0xdead,
	AREA_SIZE = 64,
};

static const uint64_t AREA_AT = 0x10000;

struct map_suite : rl::test_suite<map_suite, 2> {
	struct model_memory memory;
	struct vqm_dev dev;
	struct vqm_queue q;
	rl::var<int> twin[VQM_VIEWS];
	rl::var<int> object[OBJECTS];
	alignas(16) char host[OBJECTS][AREA_SIZE];
	int published; /* in this call */
	bool trying;
	static map_suite *self;

	/* The second one of a call that may not wait puts back what it took, as it was. */
	static void publishing(void *view)
	{
		if (++self->published == 1 || !self->trying)
			self->twin[(struct vqm_view *)view - self->q.map.view]($) = 1;
	}

	/* Area 0 only: the other two stay where they are. */
	static void unmapped(void *, struct vqm_map *, enum vqm_area area, void *at, uint64_t)
	{
		RL_ASSERT(area == VQM_AREA_DESC);
		self->object[((char *)at - self->host[0]) / AREA_SIZE]($) = POISON;
	}

	static void expect(int value, int wanted)
	{
		RL_ASSERT(value == wanted);
	}

	void before()
	{
		struct vqm_area_addr addr[VQM_AREA_COUNT];
		int i;

		self = this;
		trying = false;
		model_now = &memory;
		model_publishing = publishing;
		memset(&dev, 0, sizeof(dev));
		memset(&q, 0, sizeof(q));
		for (i = 0; i < OBJECTS; i++)
			object[i]($) = 0;
		for (i = 0; i < VQM_VIEWS; i++)
			twin[i]($) = 0;
		expect(vqm_dev_init(&dev), 0);
		expect(vqm_queue_init(&q, &dev, 0, (enum vqm_sync)model_variant), 0);
		model_add_cell(&q.map.guard.word, q.map.guard.word);
		model_add_cell(&q.map.guard.next, q.map.guard.next);
		model_add_cell(&q.map.live, (uintptr_t)q.map.live);
		for (i = 0; i < VQM_AREA_COUNT; i++)
			addr[i] = {{AREA_AT * (i + 1)}, AREA_SIZE};
		vqm_map_set_addr(&q.map, addr);
		for (i = 0; i < VQM_AREA_COUNT; i++)
			expect(vqm_map_publish(&q.map, (enum vqm_area)i, host[0]), 0);
		vqm_dev_set_unmapped(&dev, unmapped, NULL);
		q.started = true;
		q.plain = true;
		model_flush();
	}

	void after()
	{
		model_publishing = NULL;
		vqm_dev_set_unmapped(&dev, NULL, NULL);
		vqm_queue_fini(&q);
		vqm_dev_fini(&dev);
		model_now = NULL;
	}

	void use(void *at)
	{
		rl::var<int> &o = object[((char *)at - host[0]) / AREA_SIZE];

		model_interrupt();
		RL_ASSERT(o($) != POISON);
		if (rl::rand(2))
			o($) = 1;
		model_interrupt();
	}

	void worker()
	{
		int i;

		for (i = 0; i < BURSTS; i++) {
			vqm_begin(&q);
			RL_ASSERT(twin[q.view - q.map.view]($) == 1);
			if (q.fast)
				use(q.fast->area[VQM_AREA_DESC]);
			vqm_end(&q);
		}
	}

	void invalidate(int n)
	{
		struct vqm_uva at = vqm_uva_of(AREA_AT);
		int err = -EAGAIN;

		published = 0;
		trying = rl::rand(2);
		if (trying)
			err = vqm_invalidate_begin(&dev, at, AREA_SIZE, VQM_NO_WAIT);
		trying = false;
		if (err)
			err = vqm_invalidate_begin(&dev, at, AREA_SIZE, VQM_MAY_WAIT);
		expect(err, 0);
		expect(vqm_invalidate_end(&dev, at, AREA_SIZE), 0);
		expect(vqm_map_publish(&q.map, VQM_AREA_DESC, host[n + 1]), 0);
	}

	void thread(unsigned int index)
	{
		int i;

		model_thread_begin();
		if (index == 0)
			worker();
		for (i = 0; index == 1 && i + 1 < OBJECTS; i++)
			invalidate(i);
		model_thread_end();
	}
};

map_suite *map_suite::self;

static const struct model_run runs[] = {
	{"spin", rl::simulate<map_suite>, VQM_SYNC_SPIN, 300000, NULL},
	{"flag", rl::simulate<map_suite>, VQM_SYNC_FLAG, 300000, NULL},
	{"counter", rl::simulate<map_suite>, VQM_SYNC_COUNTER, 300000, NULL},
	{"seqcount", rl::simulate<map_suite>, VQM_SYNC_SEQCOUNT, 300000, NULL},
	{"asym", rl::simulate<map_suite>, VQM_SYNC_ASYM, 300000, NULL},
	{NULL, NULL, 0, 0, NULL},
};

int main(int argc, char **argv)
{
	return model_main(runs, argc, argv);
}
