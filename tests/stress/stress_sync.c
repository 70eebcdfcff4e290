/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A worker serves a driver while an invalidator takes the ring and the guest memory away from
 * under it, again and again. What was taken away is poisoned at once: the worker must never see
 * it, and every chain must come back once, with the right answer.
 *
 * usage: stress_sync [strategy]	VQM_STRESS_SECONDS (3), VQM_STRESS_SEED (the time)
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "stress.h"

struct stress st;

void fail(const char *what)
{
	printf("stress_sync %s: seed %llu: FAILED: %s\n", st.s->name, (unsigned long long)st.seed,
	       what);
	fflush(stdout);
	_exit(1);
}

void exclude(bool on)
{
	if (!st.s->waits)
		(on ? pthread_mutex_lock : pthread_mutex_unlock)(&st.excluded);
}

static uint8_t *other_at(struct vqm_uva a, size_t len)
{
	uint64_t off = a.v - UVA - RING;

	if (off < RING_SIZE && len <= RING_SIZE - off)
		return st.ring.other + off;
	off = a.v - UVA - DATA;
	return off < DATA_SIZE && len <= DATA_SIZE - off ? st.data.other + off : NULL;
}

static int copy(void *dst, const void *src, size_t len)
{
	if (!dst || !src)
		return -EFAULT;
	if (len == 2)
		__atomic_store_n((uint16_t *)dst,
				 __atomic_load_n((const uint16_t *)src, __ATOMIC_ACQUIRE),
				 __ATOMIC_RELEASE);
	else
		memcpy(dst, src, len);
	return 0;
}

static int copy_from(const struct vqm_backend *b, void *dst, struct vqm_uva src, size_t len)
{
	(void)b;
	return copy(dst, other_at(src, len), len);
}

static int copy_to(const struct vqm_backend *b, struct vqm_uva dst, const void *src, size_t len)
{
	(void)b;
	return copy(other_at(dst, len), src, len);
}

static struct vqm_regions *make_table(struct alias *ring, struct alias *data)
{
	struct vqm_region r[] = {
		{{RING}, {UVA + RING}, RING_SIZE, ring->base, &ring->mapping},
		{{DATA}, {UVA + DATA}, DATA_SIZE, data->base, &data->mapping},
	};
	struct vqm_regions *t = NULL;

	if (vqm_regions_build(&t, r, 2))
		fail("no table");
	return t;
}

/* The ring goes away: what it was in is poisoned while nothing can be mapped. */
static void move_ring(uint64_t *seed)
{
	struct alias *fresh = moving_take(&st.ring), *old = st.ring_now;
	enum vqm_wait wait = dice(seed, 3) ? VQM_MAY_WAIT : VQM_NO_WAIT;

	if (!fresh)
		return;
	exclude(true);
	if (vqm_invalidate_begin(&st.dev, vqm_uva_of(UVA + RING), RING_SIZE, wait) == 0) {
		moving_kill(old);
		vqm_dev_set_regions(&st.dev, make_table(fresh, st.data_now));
		vqm_invalidate_end(&st.dev, vqm_uva_of(UVA + RING), RING_SIZE);
		st.ring_now = fresh;
		fresh = old;
		st.taken++;
	} else {
		st.busy++;
	}
	exclude(false);
	vqm_mapping_release(&fresh->mapping);
}

/* Another table: the memory of the guest is elsewhere, and so is the ring sometimes. */
static void move_all(uint64_t *seed)
{
	struct alias *data = moving_take(&st.data), *old_data = st.data_now,
		     *old_ring = st.ring_now;
	struct alias *ring = dice(seed, 2) ? moving_take(&st.ring) : NULL;

	if (!data)
		fail("all addresses are in use");
	exclude(true);
	vqm_dev_set_regions(&st.dev, make_table(ring ? ring : old_ring, data));
	if (ring)
		moving_kill(old_ring);
	exclude(false);
	st.data_now = data;
	st.ring_now = ring ? ring : old_ring;
	st.tables++;
	vqm_mapping_release(&old_data->mapping);
	if (ring)
		vqm_mapping_release(&old_ring->mapping);
}

/* An area is unreachable for a moment, or none is even touched. */
static void blink(uint64_t *seed)
{
	struct vqm_uva at = {UVA + RING + dice(seed, RING_SIZE)};
	enum vqm_wait wait = dice(seed, 2) ? VQM_MAY_WAIT : VQM_NO_WAIT;
	int err;

	exclude(true);
	err = vqm_invalidate(&st.dev, at, 1, wait);
	exclude(false);
	if (err == -EAGAIN)
		st.busy++;
	else
		st.taken++;
}

/* The ring is gone for a moment, many times in a row: short windows are hit by their number. */
static void flicker(uint64_t *seed)
{
	uint32_t n, i;

	for (n = 0; n < 64; n++) {
		exclude(true);
		vqm_invalidate_begin(&st.dev, vqm_uva_of(UVA + RING), RING_SIZE, VQM_MAY_WAIT);
		__atomic_store_n(&st.ring_now->dead, 1, __ATOMIC_RELAXED);
		for (i = dice(seed, 32); i > 0; i--)
			vqm_env_relax(0);
		__atomic_store_n(&st.ring_now->dead, 0, __ATOMIC_RELAXED);
		vqm_invalidate_end(&st.dev, vqm_uva_of(UVA + RING), RING_SIZE);
		exclude(false);
		st.taken++;
		for (i = dice(seed, 256); i > 0; i--)
			vqm_env_relax(0);
	}
}

static void *invalidator(void *arg)
{
	uint64_t seed = st.seed ^ 2;
	uint32_t i;

	while (!__atomic_load_n(&st.stop, __ATOMIC_ACQUIRE)) {
		uint32_t what = dice(&seed, 8);

		if (what < 3)
			move_ring(&seed);
		else if (what < 5)
			move_all(&seed);
		else if (what < 7)
			blink(&seed);
		else
			flicker(&seed);
		for (i = dice(&seed, 4000); i > 0; i--)
			vqm_env_relax(0);
		if (dice(&seed, 64) == 0)
			sched_yield();
	}
	return arg;
}

static void set_up(const struct strategy *s, uint64_t seed)
{
	struct vqm_mock_config mc = {NULL, RING_SIZE, {RING}, 0, NUM, FEATURES, VQM_LITTLE_ENDIAN};

	memset(&st, 0, sizeof(st));
	st.s = s;
	st.seed = seed;
	st.backend.copy_from = copy_from;
	st.backend.copy_to = copy_to;
	pthread_mutex_init(&st.excluded, NULL);
	sem_init(&st.kick, 0, 0);
	sem_init(&st.call, 0, 0);
	moving_init(&st.ring, RING_SIZE, false);
	moving_init(&st.data, DATA_SIZE, true);
	mc.mem = st.ring.home;
	st.ring_now = moving_take(&st.ring);
	st.data_now = moving_take(&st.data);
	if (vqm_dev_init(&st.dev) || vqm_queue_init(&st.q, &st.dev, 0, s->sync) ||
	    vqm_mock_init(&st.m, &mc))
		fail("set-up");
	vqm_dev_set_regions(&st.dev, make_table(st.ring_now, st.data_now));
}

static void run(const struct vqm_backend *backend, double seconds)
{
	struct vqm_queue_config qc = {NUM, FEATURES, {{0}}, VQM_LITTLE_ENDIAN, 0, 0, backend};
	void *(*const main_of[])(void *) = {driver, worker, invalidator};
	pthread_t t[3];
	int i;

	qc.addr[VQM_AREA_DESC].v = UVA + st.m.desc_gpa.v;
	qc.addr[VQM_AREA_AVAIL].v = UVA + st.m.avail_gpa.v;
	qc.addr[VQM_AREA_USED].v = UVA + st.m.used_gpa.v;
	qc.next = vqm_queue_stop(&st.q);
	if (vqm_queue_start(&st.q, &qc))
		fail("start");
	set_deadline(seconds);
	st.stop = 0;
	for (i = 0; i < 3; i++) {
		if (pthread_create(&t[i], NULL, main_of[i], NULL))
			fail("thread");
	}
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
}

static void stress(const struct strategy *s, uint64_t seed, double seconds)
{
	set_up(s, seed);
	run(NULL, seconds / 2);
	run(&st.backend, seconds / 2);
	printf("stress_sync %s: seed %llu: %lu chains (%lu bursts on held memory, %lu by copying), "
	       "%lu taken away, %lu tables, %lu busy, %lu mapped again\n",
	       s->name, (unsigned long long)seed, st.chains, st.held, st.q.bursts_copied, st.taken,
	       st.tables, st.busy, st.stale);
	if (st.chains == 0 || st.taken == 0 || st.tables == 0)
		fail("no progress");
	vqm_queue_fini(&st.q);
	vqm_dev_fini(&st.dev);
	vqm_mock_fini(&st.m);
	vqm_mapping_release(&st.ring_now->mapping);
	vqm_mapping_release(&st.data_now->mapping);
	moving_fini(&st.ring);
	moving_fini(&st.data);
}

int main(int argc, char **argv)
{
	double total = stress_seconds();
	uint64_t start = stress_seed();
	uint32_t i, ran = 0;

	catch_faults();
	for (i = 0; i < STRATEGIES; i++) {
		if (argc > 1 && strcmp(argv[1], strategies[i].name) != 0)
			continue;
		ran++;
		if (strategy_runs(&strategies[i]))
			stress(&strategies[i], start, argc > 1 ? total : total / STRATEGIES);
		else
			printf("skipped: this build cannot run %s\n", strategies[i].name);
	}
	if (ran == 0)
		fprintf(stderr, "stress_sync: no strategy %s\n", argv[1]);
	return ran ? 0 : 2;
}
