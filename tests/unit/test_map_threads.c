/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Control threads: they take turns, and never change a view that a section still uses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "maps.h"

enum call {
	CALL_PUBLISH,
	CALL_PREFETCH,
	CALL_SET_ADDR,
	CALL_SET_REGIONS,
	CALL_INVALIDATE,
	CALL_END,
	CALL_REGIONS,
	CALL_AREAS,
	CALL_UNMAPPED,
	CALL_INIT,
	CALL_FINI,
	CALL_COUNT,
};

struct caller {
	struct maps *m;
	enum call call;
	uint32_t done;
};

static void call(struct maps *m, enum call what)
{
	switch (what) {
	case CALL_PUBLISH:
		vqm_map_publish(&m->map[0], VQM_AREA_AVAIL, guest_at(&m->g, MAPS_AVAIL));
		break;
	case CALL_PREFETCH: vqm_map_prefetch(&m->map[0]); break;
	case CALL_SET_ADDR: vqm_map_set_addr(&m->map[0], m->addr); break;
	case CALL_SET_REGIONS: vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem)); break;
	case CALL_INVALIDATE: vqm_invalidate(&m->dev, maps_uva(MAPS_USED), 1, VQM_MAY_WAIT); break;
	case CALL_END: vqm_invalidate_end(&m->dev, maps_uva(MAPS_USED), 1); break;
	case CALL_REGIONS: vqm_regions_release(vqm_dev_regions(&m->dev)); break;
	case CALL_AREAS: vqm_map_areas(&m->map[0]); break;
	case CALL_UNMAPPED: vqm_dev_set_unmapped(&m->dev, NULL, NULL); break;
	case CALL_INIT: vqm_map_init(&m->map[2], &m->dev, m->s->sync); break;
	case CALL_FINI: vqm_map_fini(&m->map[2]); break;
	case CALL_COUNT: break;
	}
}

static void *caller(void *arg)
{
	struct caller *c = (struct caller *)arg;

	call(c->m, c->call);
	__atomic_store_n(&c->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void start(struct caller *c, struct maps *m, enum call what, pthread_t *t)
{
	c->m = m;
	c->call = what;
	c->done = 0;
	assert_int_equal(pthread_create(t, NULL, caller, c), 0);
}

/* Gives the other thread time to do what it must not do. */
static bool is_done_soon(struct caller *c)
{
	uint32_t i;

	for (i = 0; i < 100; i++) {
		if (__atomic_load_n(&c->done, __ATOMIC_ACQUIRE))
			return true;
		sched_yield();
	}
	return false;
}

static void every_call_takes_its_turn(void **state)
{
	static const enum call order[] = {CALL_FINI,	   CALL_INIT,	  CALL_PUBLISH,
					  CALL_PREFETCH,   CALL_SET_ADDR, CALL_SET_REGIONS,
					  CALL_INVALIDATE, CALL_END,	  CALL_REGIONS,
					  CALL_AREAS,	   CALL_UNMAPPED};
	struct maps *m = maps_of(state);
	struct caller c;
	pthread_t t;
	uint32_t i;

	for (i = 0; i < CALL_COUNT; i++) {
		vqm_env_lock(&m->dev.lock);
		start(&c, m, order[i], &t);
		assert_false(is_done_soon(&c));
		vqm_env_unlock(&m->dev.lock);
		pthread_join(t, NULL);
	}
}

/*
 * A section sees a view that was replaced without waiting; whatever comes next has to wait before
 * it writes to that view.
 */
static void a_view_in_use_is_never_written_to(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_map *map = &m->map[0];
	const struct vqm_view *v;
	struct vqm_view before;
	struct caller c;
	pthread_t t;
	uint32_t i;

	for (i = 0; i <= CALL_INVALIDATE && m->s->waits; i++) {
		/* Two areas are missing, and nothing is left to drain. */
		vqm_map_set_addr(map, m->addr);
		vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
		assert_int_equal(
			vqm_invalidate(&m->dev, maps_uva(MAPS_AVAIL), 0x1001, VQM_MAY_WAIT), 0);
		vqm_sync_online(m->s->sync);
		vqm_guard_begin(&map->guard);
		v = (const struct vqm_view *)vqm_env_load_ptr_acquire(&map->live);
		before = *v;
		assert_int_equal(maps_publish_elsewhere(m, 0), 0);
		start(&c, m, (enum call)i, &t);
		assert_false(is_done_soon(&c));
		assert_memory_equal(v, &before, sizeof(before));
		vqm_guard_end(&map->guard);
		vqm_sync_offline(m->s->sync);
		pthread_join(t, NULL);
	}
}

static void *hammer(void *arg)
{
	struct caller *c = (struct caller *)arg;
	uint32_t i;

	for (i = 0; i < 300; i++)
		call(c->m, (enum call)((i * 7 + (uint32_t)c->call) % (CALL_UNMAPPED + 1)));
	return NULL;
}

static void calls_may_overlap(void **state)
{
	struct maps *m = maps_of(state);
	struct caller c[3];
	pthread_t t[3];
	uint32_t i;

	for (i = 0; i < 3; i++) {
		c[i].m = m;
		c[i].call = (enum call)i;
		assert_int_equal(pthread_create(&t[i], NULL, hammer, &c[i]), 0);
	}
	for (i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	while (vqm_invalidate_end(&m->dev, maps_uva(MAPS_USED), 1) == 0)
		;
	vqm_map_set_addr(&m->map[0], m->addr);
	for (i = 0; i < MAPS; i++) {
		vqm_map_prefetch(&m->map[i]);
		assert_true(maps_has(m, i, ALL));
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, maps_setup, maps_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(every_call_takes_its_turn),
		TEST(a_view_in_use_is_never_written_to),
		TEST(calls_may_overlap),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
