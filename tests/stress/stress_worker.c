/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The worker of the stress test: serves what the driver posts, and looks out for poison. */
#include <string.h>

#include "stress.h"

/* Inside a burst: is all that it may use still there? */
static void check_memory(const char *when)
{
	const struct vqm_view *v = st.q.view;
	const struct vqm_regions *t = v ? v->regions : st.q.held;

	if (!alias_is_alive(alias_of(&t->region[1])) ||
	    (v && v->direct && !alias_is_alive(alias_of(&t->region[0]))))
		fail(when);
}

static struct vqm_done serve(const struct vqm_chain *c)
{
	uint64_t request;

	if (c->n_out != 1 || c->n_in != 1 || c->out_len != 8 || c->in_len != 8)
		fail("a chain of another shape");
	memcpy(&request, c->frag[0].base, 8);
	request = answer_to(request);
	memcpy(c->frag[1].base, &request, 8);
	return vqm_chain_done(c, 8);
}

static void begin(void)
{
	exclude(true);
	vqm_begin(&st.q);
	check_memory("memory gone at the begin of a burst");
}

static void end(void)
{
	check_memory("memory gone at the end of a burst");
	vqm_end(&st.q);
	exclude(false);
	vqm_sync_quiescent(st.s->sync);
}

static void map_again(void)
{
	exclude(true);
	vqm_prefetch(&st.q);
	exclude(false);
	st.stale++;
	sched_yield();
}

/* Serves outside of the section, on a held table, and publishes in another one. */
static void serve_later(struct vqm_chain *chain, struct vqm_done *done, int n)
{
	struct vqm_regions *t = vqm_queue_hold(&st.q);
	int i, err = -ESTALE;

	end();
	for (i = 0; i < n; i++)
		done[i] = serve(&chain[i]);
	if (!alias_is_alive(alias_of(&t->region[1])))
		fail("memory of a held table is gone");
	vqm_regions_release(t);
	st.held++;
	while (err == -ESTALE) {
		begin();
		err = vqm_publish(&st.q, done, (uint32_t)n);
		if (err != -ESTALE)
			break;
		end();
		map_again();
	}
	if (err)
		fail("publish");
}

void *worker(void *arg)
{
	static struct vqm_frag frag[BATCH][4];
	uint64_t seed = st.seed ^ 1;
	struct vqm_chain chain[BATCH];
	struct vqm_done done[BATCH];
	bool call, more;
	int n, i;

	if (vqm_sync_attach(st.s->sync))
		fail("attach");
	for (i = 0; i < BATCH; i++)
		vqm_chain_init(&chain[i], frag[i], 4);
	while (!__atomic_load_n(&st.stop, __ATOMIC_ACQUIRE)) {
		begin();
		n = vqm_pop_batch(&st.q, chain, 1 + dice(&seed, BATCH));
		if (n > 0 && dice(&seed, 16) == 0)
			serve_later(chain, done, n);
		else if (n > 0) {
			for (i = 0; i < n; i++)
				done[i] = serve(&chain[i]);
			if (vqm_publish(&st.q, done, (uint32_t)n))
				fail("publish");
		}
		call = vqm_need_notify(&st.q);
		more = n != 0 || vqm_arm(&st.q);
		end();
		if (call)
			sem_post(&st.call);
		if (n == -ESTALE)
			map_again();
		else if (n < 0)
			fail("a fault, though the driver is honest");
		if (!more) {
			vqm_sync_offline(st.s->sync);
			doze(&st.kick, "a kick was lost");
			vqm_sync_online(st.s->sync);
		}
	}
	vqm_sync_detach(st.s->sync);
	return arg;
}
