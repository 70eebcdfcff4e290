/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What every strategy promises (P1, P2, P3), run through whatever this build has of them. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "strategies.h"

enum {
	ROUNDS = 2000,
	READER_STEPS = 8,
};

struct object {
	uint32_t alive; /* 1 while it is published or may be in use */
};

struct shared {
	const struct strategy *s;
	struct vqm_guard guard;
	void *live; /* the object in force */
	struct object object[2];
	pthread_mutex_t excluded; /* what the caller of "none" does */
	uint32_t inside;
	uint32_t stop;
	uint32_t hold;
	uint32_t dead_seen;
};

static struct shared *new_shared(const struct strategy *s)
{
	static struct shared sh;

	memset(&sh, 0, sizeof(sh));
	sh.s = s;
	assert_int_equal(vqm_guard_init(&sh.guard, s->sync), 0);
	pthread_mutex_init(&sh.excluded, NULL);
	sh.object[0].alive = 1;
	sh.live = &sh.object[0];
	return &sh;
}

static void enter(struct shared *sh)
{
	if (!sh->s->waits)
		pthread_mutex_lock(&sh->excluded);
	vqm_guard_begin(&sh->guard);
}

static void leave(struct shared *sh)
{
	vqm_guard_end(&sh->guard);
	if (!sh->s->waits)
		pthread_mutex_unlock(&sh->excluded);
	vqm_sync_quiescent(sh->s->sync);
}

/* Sections without a pause; each looks at its object several times. */
static void *reader(void *arg)
{
	struct shared *sh = (struct shared *)arg;
	uint32_t i;

	vqm_sync_attach(sh->s->sync);
	while (!__atomic_load_n(&sh->stop, __ATOMIC_RELAXED)) {
		struct object *o;

		enter(sh);
		o = (struct object *)vqm_env_load_ptr_acquire(&sh->live);
		for (i = 0; i < READER_STEPS; i++)
			sh->dead_seen += __atomic_load_n(&o->alive, __ATOMIC_RELAXED) != 1;
		leave(sh);
	}
	vqm_sync_detach(sh->s->sync);
	return NULL;
}

/* Unpublish, barrier, wait; then the old object is dead. */
static void replace(struct shared *sh, uint32_t round)
{
	struct object *fresh = &sh->object[(round + 1) & 1], *old = &sh->object[round & 1];

	if (!sh->s->waits)
		pthread_mutex_lock(&sh->excluded);
	__atomic_store_n(&fresh->alive, 1, __ATOMIC_RELAXED);
	vqm_env_store_ptr_release(&sh->live, fresh);
	vqm_guard_barrier(&sh->guard);
	assert_int_equal(vqm_guard_wait(&sh->guard, true), 0);
	__atomic_store_n(&old->alive, 0, __ATOMIC_RELAXED);
	if (!sh->s->waits)
		pthread_mutex_unlock(&sh->excluded);
}

/* P1 */
static void after_the_wait_no_reader_holds_the_old_object(void **state)
{
	struct shared *sh = new_shared((const struct strategy *)*state);
	pthread_t t;
	uint32_t i;

	assert_int_equal(pthread_create(&t, NULL, reader, sh), 0);
	for (i = 0; i < ROUNDS; i++)
		replace(sh, i);
	__atomic_store_n(&sh->stop, 1, __ATOMIC_RELAXED);
	pthread_join(t, NULL);
	assert_int_equal(sh->dead_seen, 0);
}

struct waiter {
	struct shared *sh;
	uint32_t done;
};

static void *waiter(void *arg)
{
	struct waiter *w = (struct waiter *)arg;

	vqm_guard_barrier(&w->sh->guard);
	vqm_guard_wait(&w->sh->guard, true);
	__atomic_store_n(&w->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* P2: long sections with next to nothing between them; the wait ends with the one that runs. */
static void a_reader_without_pause_does_not_hold_up_the_wait(void **state)
{
	struct shared *sh = new_shared((const struct strategy *)*state);
	const struct timespec nap = {0, 1000000};
	struct waiter w;
	pthread_t t;
	uint32_t i, n;

	for (i = 0; i < 10 && sh->s->waits; i++) {
		w.sh = sh;
		w.done = 0;
		vqm_sync_online(sh->s->sync);
		vqm_guard_begin(&sh->guard);
		assert_int_equal(pthread_create(&t, NULL, waiter, &w), 0);
		for (n = 0; n < 100 && !__atomic_load_n(&w.done, __ATOMIC_ACQUIRE); n++) {
			nanosleep(&nap, NULL);
			vqm_guard_end(&sh->guard);
			vqm_sync_quiescent(sh->s->sync);
			vqm_guard_begin(&sh->guard);
		}
		vqm_guard_end(&sh->guard);
		vqm_sync_offline(sh->s->sync);
		pthread_join(t, NULL);
		assert_in_range(n, 1, 99);
	}
}

/* Stays in a section until told to leave, then stays out. */
static void *holder(void *arg)
{
	struct shared *sh = (struct shared *)arg;

	vqm_sync_attach(sh->s->sync);
	vqm_guard_begin(&sh->guard);
	__atomic_store_n(&sh->inside, 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&sh->hold, __ATOMIC_ACQUIRE))
		sched_yield();
	vqm_guard_end(&sh->guard);
	vqm_sync_detach(sh->s->sync);
	__atomic_store_n(&sh->inside, 0, __ATOMIC_RELEASE);
	return NULL;
}

/* P1, P3 */
static void a_wait_lasts_as_long_as_the_section_and_a_try_gives_eagain(void **state)
{
	struct shared *sh = new_shared((const struct strategy *)*state);
	struct waiter w = {sh, 0};
	pthread_t r, t;
	uint32_t i;

	if (!sh->s->waits)
		return;
	sh->hold = 1;
	assert_int_equal(vqm_guard_wait(&sh->guard, false), sh->s->tells ? 0 : -EAGAIN);
	assert_int_equal(pthread_create(&r, NULL, holder, sh), 0);
	while (!__atomic_load_n(&sh->inside, __ATOMIC_ACQUIRE))
		sched_yield();
	for (i = 0; i < 3 && sh->s->tells; i++) {
		vqm_guard_barrier(&sh->guard);
		assert_int_equal(vqm_guard_wait(&sh->guard, false), -EAGAIN);
	}
	assert_int_equal(pthread_create(&t, NULL, waiter, &w), 0);
	for (i = 0; i < 100; i++) {
		assert_int_equal(__atomic_load_n(&w.done, __ATOMIC_ACQUIRE), 0);
		sched_yield();
	}
	__atomic_store_n(&sh->hold, 0, __ATOMIC_RELEASE);
	pthread_join(t, NULL);
	pthread_join(r, NULL);
	assert_int_equal(w.done, 1);
	assert_int_equal(vqm_guard_wait(&sh->guard, false), sh->s->tells ? 0 : -EAGAIN);
}

/* Several invalidators of one reader; each wait comes back. */
static void several_may_wait_at_once(void **state)
{
	struct shared *sh = new_shared((const struct strategy *)*state);
	struct waiter w[4];
	pthread_t r, t[4];
	uint32_t i;

	assert_int_equal(pthread_create(&r, NULL, reader, sh), 0);
	for (i = 0; i < 4; i++) {
		w[i].sh = sh;
		w[i].done = 0;
		assert_int_equal(pthread_create(&t[i], NULL, waiter, &w[i]), 0);
	}
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	__atomic_store_n(&sh->stop, 1, __ATOMIC_RELAXED);
	pthread_join(r, NULL);
	assert_int_equal(w[0].done + w[1].done + w[2].done + w[3].done, 4);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_the_wait_no_reader_holds_the_old_object),
		cmocka_unit_test(a_reader_without_pause_does_not_hold_up_the_wait),
		cmocka_unit_test(a_wait_lasts_as_long_as_the_section_and_a_try_gives_eagain),
		cmocka_unit_test(several_may_wait_at_once),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
