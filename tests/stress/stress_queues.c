/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Several workers, each with a queue and a strategy of its own, and one invalidator that takes
 * rings away: one at a time, or all at once. What was taken away is poisoned or inaccessible at
 * once. Each worker also plays the driver of its queue and checks every answer.
 *
 * usage: stress_queues	VQM_STRESS_SECONDS (3), VQM_STRESS_SEED (the time)
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <vqmeta/mock.h>
#include <vqmeta/queue.h>

#include "common.h"
#include "moving.h"
#include "strategies.h"

enum {
	LANES = STRATEGIES > 1 ? STRATEGIES - 1 : 2, /* all but "none", where there is a choice */
	NUM = 16,
	RING_SIZE = 0x2000,
	BUFFERS = 0x1000, /* in the memory of the ring */
	STEP = 0x10000,	  /* from lane to lane */
	BATCH = 4,
};

#define UVA	 0x40000000ull
#define FEATURES (1ull << VQM_F_VERSION_1 | 1ull << VQM_F_EVENT_IDX)

/* A queue, its ring, and what its worker counts. */
struct lane {
	uint32_t index;
	const struct strategy *s;
	struct vqm_queue q;
	struct vqm_mock m;
	struct moving ring;
	struct alias *now; /* in force */
	unsigned long chains, stale;
} VQM_CACHE_ALIGNED;

static struct lane lane[LANES];
static struct vqm_dev dev;
static uint64_t seed;
static uint32_t stop;

static void fail(uint32_t index, const char *what)
{
	printf("stress_queues: seed %llu, queue %u (%s): FAILED: %s\n", (unsigned long long)seed,
	       index, lane[index].s->name, what);
	fflush(stdout);
	_exit(1);
}

static uint64_t gpa_of(const struct lane *l)
{
	return (uint64_t)(l->index + 1) * STEP;
}

/* The memory of each lane, at @fresh where there is one. */
static struct vqm_regions *make_table(struct alias *const *fresh)
{
	struct vqm_region r[LANES];
	struct vqm_regions *t = NULL;
	uint32_t i;

	for (i = 0; i < LANES; i++) {
		struct alias *a = fresh[i] ? fresh[i] : lane[i].now;

		r[i].gpa.v = gpa_of(&lane[i]);
		r[i].uva = vqm_uva_of(UVA + gpa_of(&lane[i]));
		r[i].size = RING_SIZE;
		r[i].host = a->base;
		r[i].mapping = &a->mapping;
	}
	if (vqm_regions_build(&t, r, LANES))
		fail(0, "no table");
	return t;
}

/* One ring moves, or all of them at one stroke. */
static void move(uint64_t *state)
{
	uint32_t i, first = dice(state, LANES + 1), last = first;
	struct alias *fresh[LANES] = {NULL};
	struct vqm_uva at;
	uint64_t len;

	if (first == LANES) {
		first = 0;
		last = LANES - 1;
	}
	at = vqm_uva_of(UVA + gpa_of(&lane[first]));
	len = (uint64_t)(last - first) * STEP + RING_SIZE;
	for (i = first; i <= last; i++) {
		fresh[i] = moving_take(&lane[i].ring);
		if (!fresh[i])
			fail(i, "all addresses are in use");
	}
	vqm_invalidate_begin(&dev, at, len, VQM_MAY_WAIT);
	for (i = first; i <= last; i++)
		moving_kill(lane[i].now);
	vqm_dev_set_regions(&dev, make_table(fresh));
	vqm_invalidate_end(&dev, at, len);
	for (i = first; i <= last; i++) {
		vqm_mapping_release(&lane[i].now->mapping);
		lane[i].now = fresh[i];
	}
}

static void post(struct lane *l, uint64_t *state)
{
	uint64_t request = *state;
	uint32_t slot = dice(state, 8) * 64;
	struct vqm_mock_buf out = {{gpa_of(l) + BUFFERS + slot}, 8};
	struct vqm_mock_buf in = {{gpa_of(l) + BUFFERS + slot + 16}, 8};

	memcpy(l->ring.home + BUFFERS + slot, &request, 8);
	if (vqm_mock_post(&l->m, &out, 1, &in, 1, l->ring.home + BUFFERS + slot) < 0)
		fail(l->index, "post");
}

static void reap(struct lane *l)
{
	struct vqm_mock_used used;
	uint64_t pair[3];

	while (vqm_mock_reap(&l->m, &used) > 0) {
		memcpy(pair, used.token, sizeof(pair));
		if (used.len != 8 || pair[2] != ~pair[0])
			fail(l->index, "a wrong answer");
		l->chains++;
	}
	if (l->m.complaint)
		fail(l->index, l->m.complaint);
}

static void serve(struct lane *l, struct vqm_chain *c, int n)
{
	struct vqm_done done[BATCH];
	uint64_t request;
	int i;

	for (i = 0; i < n; i++) {
		memcpy(&request, c[i].frag[0].base, 8);
		request = ~request;
		memcpy(c[i].frag[1].base, &request, 8);
		done[i] = vqm_chain_done(&c[i], 8);
	}
	if (vqm_publish(&l->q, done, (uint32_t)n))
		fail(l->index, "publish");
}

static bool is_alive(const struct lane *l)
{
	return !l->q.view->direct ||
	       alias_is_alive(alias_of(&l->q.view->regions->region[l->index]));
}

/* One burst; what vqm_pop_batch() said. */
static int burst(struct lane *l, struct vqm_chain *c, uint32_t max)
{
	int n;

	vqm_begin(&l->q);
	if (!is_alive(l))
		fail(l->index, "memory gone at the begin of a burst");
	n = vqm_pop_batch(&l->q, c, max);
	if (n > 0)
		serve(l, c, n);
	vqm_need_notify(&l->q);
	if (!is_alive(l))
		fail(l->index, "memory gone at the end of a burst");
	vqm_end(&l->q);
	vqm_sync_quiescent(l->s->sync);
	return n;
}

static void *worker(void *arg)
{
	static struct vqm_frag frag[LANES][BATCH][2];
	struct lane *l = (struct lane *)arg;
	uint64_t state = seed ^ (l->index + 3);
	struct vqm_chain c[BATCH];
	uint32_t i, k;
	int n;

	if (vqm_sync_attach(l->s->sync))
		fail(l->index, "attach");
	for (i = 0; i < BATCH; i++)
		vqm_chain_init(&c[i], frag[l->index][i], 2);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		for (k = 1 + dice(&state, 3), i = 0; i < k; i++)
			post(l, &state);
		do {
			n = burst(l, c, BATCH);
			if (n == -ESTALE) {
				vqm_prefetch(&l->q);
				l->stale++;
			} else if (n < 0)
				fail(l->index, "a fault, though the driver is honest");
		} while (n != 0);
		reap(l);
	}
	vqm_sync_detach(l->s->sync);
	return NULL;
}

static void set_up(struct lane *l, uint32_t index, const struct strategy *s)
{
	struct vqm_mock_config mc = {NULL, RING_SIZE, {0}, 0, NUM, FEATURES, VQM_LITTLE_ENDIAN};

	l->index = index;
	l->s = s;
	moving_init(&l->ring, RING_SIZE, false);
	l->now = moving_take(&l->ring);
	mc.mem = l->ring.home;
	mc.base.v = gpa_of(l);
	if (vqm_queue_init(&l->q, &dev, (uint16_t)index, s->sync) || vqm_mock_init(&l->m, &mc))
		fail(index, "set-up");
}

static void start(struct lane *l)
{
	struct vqm_queue_config qc = {NUM, FEATURES, {{0}}, VQM_LITTLE_ENDIAN, 0, 0, NULL};

	qc.addr[VQM_AREA_DESC].v = UVA + l->m.desc_gpa.v;
	qc.addr[VQM_AREA_AVAIL].v = UVA + l->m.avail_gpa.v;
	qc.addr[VQM_AREA_USED].v = UVA + l->m.used_gpa.v;
	if (vqm_queue_start(&l->q, &qc))
		fail(l->index, "start");
}

static void open_lanes(void)
{
	struct alias *none[LANES] = {NULL};
	uint32_t i, s = 0;

	if (vqm_dev_init(&dev))
		exit(1);
	for (i = 0; i < LANES; i++, s++) {
		while (!strategies[s % STRATEGIES].waits ||
		       !strategy_runs(&strategies[s % STRATEGIES]))
			s++;
		set_up(&lane[i], i, &strategies[s % STRATEGIES]);
	}
	vqm_dev_set_regions(&dev, make_table(none));
}

static void close_lanes(void)
{
	uint32_t i;

	for (i = 0; i < LANES; i++) {
		vqm_queue_fini(&lane[i].q);
		vqm_mock_fini(&lane[i].m);
	}
	vqm_dev_fini(&dev);
	for (i = 0; i < LANES; i++) {
		vqm_mapping_release(&lane[i].now->mapping);
		moving_fini(&lane[i].ring);
	}
}

int main(void)
{
	unsigned long moves = 0;
	pthread_t t[LANES];
	uint64_t state;
	uint32_t i;

	if (!strategies[STRATEGIES - 1].waits)
		return 77;
	state = seed = stress_seed();
	catch_faults();
	open_lanes();
	for (i = 0; i < LANES; i++) {
		start(&lane[i]);
		pthread_create(&t[i], NULL, worker, &lane[i]);
	}
	for (set_deadline(stress_seconds()); !time_is_up(); moves++)
		move(&state);
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	printf("stress_queues: seed %llu: %lu moves\n", (unsigned long long)seed, moves);
	for (i = 0; i < LANES; i++) {
		pthread_join(t[i], NULL);
		printf("  queue %u (%s): %lu chains, %lu mapped again\n", i, lane[i].s->name,
		       lane[i].chains, lane[i].stale);
		if (lane[i].chains == 0)
			fail(i, "no progress");
	}
	close_lanes();
	return 0;
}
