/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * P8: a worker that sleeps, blocks or is gone never holds up an invalidation, whatever the
 * strategy, if it makes the calls of sync/thread.h; and the ones that matter are not forgotten.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include "maps.h"

struct worker {
	struct maps *m;
	sem_t asleep, wake;
	uint32_t stop, blocked;
};

/* Sleeps where a worker sleeps: after its section, announced. */
static void *sleeper(void *arg)
{
	struct worker *w = (struct worker *)arg;
	enum vqm_sync sync = w->m->s->sync;

	if (vqm_sync_attach(sync))
		return arg;
	while (!__atomic_load_n(&w->stop, __ATOMIC_ACQUIRE)) {
		maps_view(&w->m->map[0]);
		vqm_sync_quiescent(sync);
		vqm_sync_offline(sync);
		sem_post(&w->asleep);
		sem_wait(&w->wake);
		vqm_sync_online(sync);
	}
	vqm_sync_detach(sync);
	return NULL;
}

static void start(struct worker *w, struct maps *m, void *(*main_of)(void *), pthread_t *t)
{
	w->m = m;
	w->stop = w->blocked = 0;
	sem_init(&w->asleep, 0, 0);
	sem_init(&w->wake, 0, 0);
	assert_int_equal(pthread_create(t, NULL, main_of, w), 0);
}

static void take_all_away(struct maps *m)
{
	assert_int_equal(vqm_invalidate(&m->dev, maps_uva(MAPS_USED), 1, VQM_MAY_WAIT), 0);
	vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
	vqm_map_set_addr(&m->map[0], m->addr);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), 0);
}

static void a_worker_that_sleeps_is_not_waited_for(void **state)
{
	struct maps *m = maps_of(state);
	struct worker w;
	pthread_t t;
	uint32_t i;

	start(&w, m, sleeper, &t);
	for (i = 0; i < 20; i++) {
		sem_wait(&w.asleep);
		take_all_away(m);
		take_all_away(m);
		sem_post(&w.wake);
	}
	sem_wait(&w.asleep);
	__atomic_store_n(&w.stop, 1, __ATOMIC_RELEASE);
	sem_post(&w.wake);
	pthread_join(t, NULL);
	take_all_away(m); /* nor one that is gone */
}

/* Prefetching takes the lock that an invalidator holds while it waits for sections. */
static void *prefetcher(void *arg)
{
	struct worker *w = (struct worker *)arg;
	enum vqm_sync sync = w->m->s->sync;

	if (vqm_sync_attach(sync))
		return arg;
	maps_view(&w->m->map[0]);
	__atomic_store_n(&w->blocked, 1, __ATOMIC_RELEASE);
	vqm_map_prefetch(&w->m->map[0]); /* goes offline by itself */
	vqm_sync_detach(sync);
	return NULL;
}

static void a_worker_that_waits_for_the_lock_is_not_waited_for(void **state)
{
	struct maps *m = maps_of(state);
	struct worker w;
	pthread_t t;
	uint32_t i;

	vqm_env_lock(&m->dev.lock);
	start(&w, m, prefetcher, &t);
	while (!__atomic_load_n(&w.blocked, __ATOMIC_ACQUIRE))
		sched_yield();
	for (i = 0; i < 20; i++) {
		vqm_guard_barrier(&m->map[0].guard);
		assert_int_equal(vqm_guard_wait(&m->map[0].guard, true), 0);
	}
	vqm_env_unlock(&m->dev.lock);
	pthread_join(t, NULL);
}

/* Bursts without a pause, and nothing but the call between them. */
static void *busy(void *arg)
{
	struct worker *w = (struct worker *)arg;
	enum vqm_sync sync = w->m->s->sync;

	if (vqm_sync_attach(sync))
		return arg;
	while (!__atomic_load_n(&w->stop, __ATOMIC_ACQUIRE)) {
		maps_view(&w->m->map[1]);
		vqm_sync_quiescent(sync);
	}
	vqm_sync_detach(sync);
	return NULL;
}

static void a_worker_that_never_sleeps_is_not_waited_for(void **state)
{
	struct maps *m = maps_of(state);
	struct worker w;
	pthread_t t;
	uint32_t i;

	if (!m->s->waits)
		return;
	start(&w, m, busy, &t);
	for (i = 0; i < 100; i++)
		take_all_away(m);
	__atomic_store_n(&w.stop, 1, __ATOMIC_RELEASE);
	pthread_join(t, NULL);
}

static void *changer(void *arg)
{
	struct worker *w = (struct worker *)arg;
	enum vqm_sync sync = w->m->s->sync;
	uint32_t i;

	if (vqm_sync_attach(sync))
		return arg;
	for (i = 0; i < 50; i++) {
		maps_view(&w->m->map[1]);
		vqm_dev_set_regions(&w->m->dev, maps_table(w->m, w->m->g.bank[0].mem));
		vqm_map_set_addr(&w->m->map[1], w->m->addr);
	}
	vqm_sync_detach(sync);
	return NULL;
}

/* Workers may call the device while they are online: who waits for them holds its lock. */
static void *controller(void *arg)
{
	struct worker *w = (struct worker *)arg;
	enum vqm_sync sync = w->m->s->sync;
	uint32_t i;

	if (vqm_sync_attach(sync))
		return arg;
	for (i = 0; i < 50; i++) {
		maps_view(&w->m->map[2]);
		vqm_map_set_addr(&w->m->map[0], w->m->addr);
		vqm_map_prefetch(&w->m->map[0]);
		vqm_invalidate(&w->m->dev, maps_uva(MAPS_USED), 1, VQM_MAY_WAIT);
	}
	vqm_sync_detach(sync);
	return NULL;
}

static void workers_may_change_mappings_while_online(void **state)
{
	struct maps *m = maps_of(state);
	struct worker w[2];
	pthread_t t[2];
	uint32_t i;

	if (!m->s->waits)
		return;
	/* Sections of one reader are one thread's at a time. */
	for (i = 0; i < 2; i++)
		start(&w[i], m, i ? changer : controller, &t[i]);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

struct late {
	struct maps *m;
	sem_t inside;
	uint32_t leave;
};

static void *slow_reader(void *arg)
{
	struct late *l = (struct late *)arg;

	vqm_sync_attach(l->m->s->sync);
	vqm_guard_begin(&l->m->map[0].guard);
	sem_post(&l->inside);
	while (!__atomic_load_n(&l->leave, __ATOMIC_ACQUIRE))
		sched_yield();
	vqm_guard_end(&l->m->map[0].guard);
	vqm_sync_detach(l->m->s->sync);
	return NULL;
}

/* case 9.11: who stops limits the wait by trying, and tries again later. */
static void a_slow_section_does_not_hold_a_control_thread(void **state)
{
	const struct timespec nap = {0, 1000000};
	struct maps *m = maps_of(state);
	struct late l = {m, {{0}}, 0};
	pthread_t t;
	uint32_t i;

	if (!m->s->waits)
		return;
	sem_init(&l.inside, 0, 0);
	assert_int_equal(pthread_create(&t, NULL, slow_reader, &l), 0);
	sem_wait(&l.inside);
	for (i = 0; i < 20; i++) {
		assert_int_equal(vqm_invalidate(&m->dev, maps_uva(0), 0x8000, VQM_NO_WAIT),
				 -EAGAIN);
		nanosleep(&nap, NULL);
	}
	__atomic_store_n(&l.leave, 1, __ATOMIC_RELEASE);
	pthread_join(t, NULL);
	assert_true(maps_has(m, 0, ALL));
	assert_int_equal(vqm_invalidate(&m->dev, maps_uva(0), 0x8000, maps_no_wait(m)), 0);
	vqm_map_set_addr(&m->map[0], NULL);
}

static void the_calls_are_accepted_for_every_strategy(void **state)
{
	enum vqm_sync sync = maps_of(state)->s->sync;

	vqm_sync_online(sync);
	vqm_sync_quiescent(sync);
	vqm_sync_offline(sync);
	assert_int_equal(vqm_sync_supported(sync), 0);
	assert_int_equal(vqm_sync_supported(VQM_SYNC_COUNT), -EINVAL);
	assert_int_equal(vqm_sync_attach(VQM_SYNC_COUNT), -EINVAL);
	assert_int_equal(vqm_sync_attach((enum vqm_sync)UINT32_MAX), -EINVAL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, maps_setup, maps_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_worker_that_sleeps_is_not_waited_for),
		TEST(a_worker_that_waits_for_the_lock_is_not_waited_for),
		TEST(a_worker_that_never_sleeps_is_not_waited_for),
		TEST(workers_may_change_mappings_while_online),
		TEST(a_slow_section_does_not_hold_a_control_thread),
		TEST(the_calls_are_accepted_for_every_strategy),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
