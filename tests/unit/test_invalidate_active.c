/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Invalidations that last: what can be mapped meanwhile, and how long taking away waits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "maps.h"

/* case 9.02 */
static void nothing_is_mapped_while_an_invalidation_is_active(void **state)
{
	struct maps *m = maps_of(state);
	void *used = guest_at(&m->g, MAPS_USED);

	assert_int_equal(vqm_invalidate_begin(&m->dev, maps_uva(MAPS_USED + 8), 1, VQM_MAY_WAIT),
			 0);
	assert_int_equal(vqm_map_publish(&m->map[0], VQM_AREA_USED, used), -EAGAIN);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), -EAGAIN);
	assert_true(maps_has(m, 0, DESC | AVAIL));
	/* What does not touch the range can be mapped, and another table does not help. */
	vqm_map_set_addr(&m->map[1], m->addr);
	assert_int_equal(vqm_map_publish(&m->map[1], VQM_AREA_DESC, guest_at(&m->g, MAPS_DESC)), 0);
	assert_int_equal(vqm_map_prefetch(&m->map[1]), -EAGAIN);
	assert_true(maps_has(m, 1, DESC | AVAIL));
	vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
	assert_true(maps_has(m, 2, DESC | AVAIL));
	assert_int_equal(vqm_invalidate_end(&m->dev, maps_uva(MAPS_USED + 8), 1), 0);
	assert_true(maps_has(m, 0, DESC | AVAIL));
	assert_int_equal(vqm_map_publish(&m->map[0], VQM_AREA_USED, used), 0);
	assert_true(maps_has(m, 0, ALL));
	assert_int_equal(vqm_map_prefetch(&m->map[1]), 0);
	assert_true(maps_has(m, 1, ALL));
}

/* case 9.01 */
static void addresses_set_during_an_invalidation_do_not_stay_blocked(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_area_addr addr[VQM_AREA_COUNT] = {m->addr[0], m->addr[1], m->addr[2]};

	assert_int_equal(vqm_invalidate_begin(&m->dev, maps_uva(MAPS_AVAIL), 8, maps_no_wait(m)),
			 0);
	addr[VQM_AREA_AVAIL].uva = maps_uva(0x6000);
	vqm_map_set_addr(&m->map[0], addr);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), 0);
	assert_true(maps_view(&m->map[0]).direct);
	assert_int_equal(vqm_invalidate_end(&m->dev, maps_uva(MAPS_AVAIL), 8), 0);
	assert_int_equal(vqm_invalidate_end(&m->dev, maps_uva(MAPS_AVAIL), 8), -EINVAL);
	assert_int_equal(vqm_invalidate_end(&m->dev, maps_uva(MAPS_AVAIL), 8), -EINVAL);
	vqm_map_set_addr(&m->map[0], m->addr);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), 0);
	assert_true(maps_has(m, 0, ALL));
	assert_int_equal(vqm_map_prefetch(&m->map[1]), 0);
}

/* There is nothing to wait for: an area without an address touches no range. */
static void an_area_without_an_address_is_missing_not_blocked(void **state)
{
	struct maps *m = maps_of(state);

	assert_int_equal(vqm_invalidate_begin(&m->dev, vqm_uva_of(0), UINT64_MAX, VQM_MAY_WAIT), 0);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), -EAGAIN);
	vqm_map_set_addr(&m->map[0], NULL);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), -EFAULT);
	assert_int_equal(vqm_invalidate_end(&m->dev, vqm_uva_of(0), UINT64_MAX), 0);
}

struct worker {
	struct vqm_map *map;
	uint32_t inside, leave;
	void *seen, *later;
};

static void *hold_a_section(void *arg)
{
	struct worker *w = (struct worker *)arg;
	enum vqm_sync sync = vqm_sync_of(&w->map->guard);
	const struct vqm_view *v;

	assert_int_equal(vqm_sync_attach(sync), 0);
	vqm_guard_begin(&w->map->guard);
	v = (const struct vqm_view *)vqm_env_load_ptr_acquire(&w->map->live);
	w->seen = v->area[VQM_AREA_USED];
	__atomic_store_n(&w->inside, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&w->leave, __ATOMIC_ACQUIRE))
		sched_yield();
	w->later = v->area[VQM_AREA_USED];
	vqm_guard_end(&w->map->guard);
	vqm_sync_detach(sync);
	return NULL;
}

struct taker {
	struct maps *m;
	uint32_t what, done;
};

static void *take_away(void *arg)
{
	struct taker *t = (struct taker *)arg;

	if (t->what == 0)
		vqm_invalidate(&t->m->dev, maps_uva(MAPS_USED), 1, VQM_MAY_WAIT);
	else if (t->what == 1)
		vqm_map_set_addr(&t->m->map[0], NULL);
	else
		vqm_dev_set_regions(&t->m->dev, maps_table(t->m, NULL));
	__atomic_store_n(&t->done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* P1: invalidate, set_addr and set_regions come back only when the section is over. */
static void taking_away_waits_for_the_section_that_runs(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t what, i;

	for (what = 0; what < 3 && m->s->waits; what++) {
		struct worker w = {&m->map[0], 0, 0, NULL, NULL};
		struct taker t = {m, what, 0};
		pthread_t worker, taker;

		/* Nothing is left to drain: it is this section that is waited for. */
		vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
		assert_int_equal(pthread_create(&worker, NULL, hold_a_section, &w), 0);
		while (!__atomic_load_n(&w.inside, __ATOMIC_ACQUIRE))
			sched_yield();
		assert_int_equal(pthread_create(&taker, NULL, take_away, &t), 0);
		for (i = 0; i < 100; i++) {
			assert_int_equal(__atomic_load_n(&t.done, __ATOMIC_ACQUIRE), 0);
			sched_yield();
		}
		__atomic_store_n(&w.leave, 1, __ATOMIC_RELEASE);
		pthread_join(worker, NULL);
		pthread_join(taker, NULL);
		assert_ptr_equal(w.seen, guest_at(&m->g, MAPS_USED));
		assert_ptr_equal(w.later, w.seen);
		assert_null(maps_view(&m->map[0]).area[VQM_AREA_USED]);
		vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
		vqm_map_set_addr(&m->map[0], m->addr);
		assert_int_equal(vqm_map_prefetch(&m->map[0]), 0);
	}
}

/* A section without a ring still holds the table: what fragments it popped before point into. */
static void another_table_waits_for_sections_without_a_ring(void **state)
{
	struct maps *m = maps_of(state);
	struct worker w = {&m->map[1], 0, 0, NULL, NULL};
	struct taker t = {m, 2, 0};
	pthread_t worker, taker;
	uint32_t i;

	for (i = 0; i < MAPS; i++)
		vqm_map_set_addr(&m->map[i], NULL); /* and nothing is left to drain */
	if (!m->s->waits)
		return;
	assert_int_equal(pthread_create(&worker, NULL, hold_a_section, &w), 0);
	while (!__atomic_load_n(&w.inside, __ATOMIC_ACQUIRE))
		sched_yield();
	assert_int_equal(pthread_create(&taker, NULL, take_away, &t), 0);
	for (i = 0; i < 100; i++) {
		assert_int_equal(__atomic_load_n(&t.done, __ATOMIC_ACQUIRE), 0);
		sched_yield();
	}
	__atomic_store_n(&w.leave, 1, __ATOMIC_RELEASE);
	pthread_join(worker, NULL);
	pthread_join(taker, NULL);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, maps_setup, maps_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(nothing_is_mapped_while_an_invalidation_is_active),
		TEST(addresses_set_during_an_invalidation_do_not_stay_blocked),
		TEST(an_area_without_an_address_is_missing_not_blocked),
		TEST(taking_away_waits_for_the_section_that_runs),
		TEST(another_table_waits_for_sections_without_a_ring),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
