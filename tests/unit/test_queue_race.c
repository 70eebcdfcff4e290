/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * case 9.09: whatever a worker may call, while another thread takes rings, tables and addresses
 * away: a value or a typed error, and nothing that is gone is touched.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "rig.h"

enum { ROUNDS = 100 };

struct race {
	struct rig *r;
	pthread_mutex_t excluded; /* what the caller of "none" does */
	uint32_t stop;
	unsigned long served;
};

static void exclude(struct race *race, bool on)
{
	if (!race->r->v.strategy->waits)
		(on ? pthread_mutex_lock : pthread_mutex_unlock)(&race->excluded);
}

/* A good chain, and one with more fragments than there is room for; by the worker alone. */
static void offer(struct rig *r)
{
	guest_offer(&r->g, 0);
	guest_offer(&r->g, 1);
}

static void expect_one_of(int got, const int *known, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count && known[i] != got; i++)
		;
	if (i == count)
		abort(); /* cmocka cannot fail in a thread */
}

static void one_burst(struct race *race, uint32_t round)
{
	static const int popped[] = {0, 1, 2, -ESTALE, -ENOBUFS};
	static const int published[] = {0, -ESTALE, -EINVAL};
	struct vqm_queue *q = &race->r->q;
	struct vqm_done done[2] = {{0, 1, 0}, {1, 1, 0}};
	struct vqm_regions *held;
	int n;

	vqm_begin(q);
	vqm_is_direct(q);
	n = vqm_pop_batch(q, race->r->chain, 2);
	expect_one_of(n, popped, 5);
	held = vqm_queue_hold(q);
	if (n == -ENOBUFS && vqm_skip(q))
		abort();
	if (n == 1 && *(volatile uint8_t *)race->r->chain[0].frag[0].base == 0xff)
		abort();
	if (round % 3 == 0)
		vqm_unpop(q, q->inflight);
	expect_one_of(vqm_publish(q, done, q->inflight < 2 ? q->inflight : 2), published, 3);
	vqm_need_notify(q);
	vqm_arm(q);
	vqm_disarm(q);
	vqm_end(q);
	if (held)
		vqm_regions_release(held);
	__atomic_fetch_add(&race->served, n > 0, __ATOMIC_RELAXED);
	if (n == 0 && q->inflight == 0)
		offer(race->r);
}

static void *worker(void *arg)
{
	struct race *race = (struct race *)arg;
	enum vqm_sync sync = race->r->v.strategy->sync;
	uint32_t round = 0;

	vqm_sync_attach(sync);
	vqm_chain_init(&race->r->chain[0], race->r->frag[0], 1);
	vqm_chain_init(&race->r->chain[1], race->r->frag[1], 1);
	while (!__atomic_load_n(&race->stop, __ATOMIC_ACQUIRE)) {
		exclude(race, true);
		one_burst(race, round++);
		exclude(race, false);
		vqm_sync_quiescent(sync);
		if (round % 7)
			continue;
		exclude(race, true);
		vqm_prefetch(&race->r->q);
		vqm_queue_area(&race->r->q, VQM_AREA_DESC);
		exclude(race, false);
	}
	vqm_sync_detach(sync);
	return NULL;
}

static void take_away(struct race *race, uint32_t round)
{
	struct rig *r = race->r;
	struct vqm_uva at = r->config.addr[round % VQM_AREA_COUNT];

	exclude(race, true);
	switch (round % 4) {
	case 0: vqm_invalidate(&r->dev, at, 1, VQM_MAY_WAIT); break;
	case 1: vqm_invalidate(&r->dev, at, 0x1000, VQM_NO_WAIT); break;
	case 2: rig_set_regions(r); break;
	default: vqm_map_areas(&r->q.map); break;
	}
	exclude(race, false);
}

static void every_call_of_a_worker_is_guarded(void **state)
{
	const struct timespec nap = {0, 100000};
	struct race race;
	pthread_t t;
	uint32_t i;

	memset(&race, 0, sizeof(race));
	race.r = rig_of(state);
	pthread_mutex_init(&race.excluded, NULL);
	rig_start(race.r, 8, RIG_INDIRECT);
	guest_desc(&race.r->g, 0, 0x1000, 16, 0, 0);
	guest_desc(&race.r->g, 1, 0x1000, 16, GUEST_N, 2);
	guest_desc(&race.r->g, 2, 0x1000, 16, GUEST_W, 0);
	assert_int_equal(pthread_create(&t, NULL, worker, &race), 0);
	for (i = 0; i < ROUNDS; i++) {
		take_away(&race, i);
		sched_yield();
	}
	while (__atomic_load_n(&race.served, __ATOMIC_RELAXED) < 10)
		nanosleep(&nap, NULL);
	__atomic_store_n(&race.stop, 1, __ATOMIC_RELEASE);
	pthread_join(t, NULL);
	assert_false(race.r->q.broken);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(every_call_of_a_worker_is_guarded),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
