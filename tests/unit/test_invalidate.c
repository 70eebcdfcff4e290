/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Taking mappings away: which areas a range touches, which queues are waited for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "maps.h"

static int hit(struct maps *m, uint64_t gpa, uint64_t len)
{
	return vqm_invalidate(&m->dev, maps_uva(gpa), len, maps_no_wait(m));
}

static int try_to_hit(struct maps *m, uint64_t gpa, uint64_t len)
{
	return vqm_invalidate(&m->dev, maps_uva(gpa), len, VQM_NO_WAIT);
}

/* Invalidates a range, says what map 0 has left, and maps everything again. */
static uint32_t left_after(struct maps *m, uint64_t gpa, uint64_t len)
{
	uint32_t areas, i;

	assert_int_equal(hit(m, gpa, len), 0);
	for (areas = 0; areas < ALL && !maps_has(m, 0, areas); areas++)
		;
	for (i = 0; i < MAPS; i++) {
		assert_true(maps_has(m, i, areas));
		assert_int_equal(vqm_map_prefetch(&m->map[i]), 0);
		assert_true(maps_has(m, i, ALL));
	}
	return areas;
}

/* P4, case 9.03 */
static void one_common_byte_is_enough_and_none_is_not(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t a;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		uint64_t first = m->addr[a].uva.v - GUEST_UVA, end = first + m->addr[a].size;

		assert_int_equal(left_after(m, end, 0x1000 - (end & 0xfff)), ALL);
		assert_int_equal(left_after(m, end, 1), ALL);
		assert_int_equal(left_after(m, first - 1, 1), ALL);
		assert_int_equal(left_after(m, first - 0x10, 0x10), ALL);
		assert_int_equal(left_after(m, first - 0x10, 0x11), ALL & ~(1u << a));
		assert_int_equal(left_after(m, first, 1), ALL & ~(1u << a));
		assert_int_equal(left_after(m, end - 1, 1), ALL & ~(1u << a));
		assert_int_equal(left_after(m, end - 1, 0x10), ALL & ~(1u << a));
		assert_int_equal(left_after(m, first + 2, 1), ALL & ~(1u << a));
		assert_int_equal(left_after(m, first - 0x10, m->addr[a].size + 0x20),
				 ALL & ~(1u << a));
	}
}

static void a_range_may_touch_several_areas_and_reach_the_end(void **state)
{
	struct maps *m = maps_of(state);

	assert_int_equal(left_after(m, 0x107f, 0x1000), USED);
	assert_int_equal(left_after(m, 0, 0x8000), 0);
	assert_int_equal(left_after(m, 0x2000, 0ull - (GUEST_UVA + 0x2000)), DESC);
	assert_int_equal(left_after(m, 0ull - GUEST_UVA, UINT64_MAX), 0);
	assert_int_equal(left_after(m, 0ull - GUEST_UVA, GUEST_UVA + 0x1001), AVAIL | USED);
	assert_int_equal(left_after(m, 0ull - GUEST_UVA, GUEST_UVA + 0x1000), ALL);
}

static void empty_and_wrapping_ranges_are_refused(void **state)
{
	struct maps *m = maps_of(state);
	enum vqm_wait wait;

	for (wait = VQM_MAY_WAIT; wait <= VQM_NO_WAIT; wait++) {
		assert_int_equal(vqm_invalidate(&m->dev, maps_uva(MAPS_USED), 0, wait), -EINVAL);
		assert_int_equal(vqm_invalidate_begin(&m->dev, maps_uva(MAPS_USED), 0, wait),
				 -EINVAL);
		assert_int_equal(vqm_invalidate_begin(&m->dev, vqm_uva_of(UINT64_MAX), 2, wait),
				 -EINVAL);
		assert_int_equal(vqm_invalidate_begin(&m->dev, vqm_uva_of(2), UINT64_MAX, wait),
				 -EINVAL);
	}
	assert_true(maps_has(m, 0, ALL));
	assert_int_equal(vqm_invalidate_end(&m->dev, maps_uva(MAPS_USED), 1), -EINVAL);
}

/* Area by area, map by map: what does not lie there stays. */
static void only_queues_that_have_the_area_are_affected(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_area_addr addr[VQM_AREA_COUNT] = {m->addr[0], m->addr[1], m->addr[2]};

	addr[VQM_AREA_USED].uva = maps_uva(0x5000);
	vqm_map_set_addr(&m->map[1], addr);
	assert_int_equal(vqm_map_prefetch(&m->map[1]), 0);
	assert_int_equal(hit(m, MAPS_USED, 0x1000), 0);
	assert_true(maps_has(m, 0, DESC | AVAIL));
	assert_ptr_equal(maps_view(&m->map[1]).area[VQM_AREA_USED], guest_at(&m->g, 0x5000));
	assert_true(maps_view(&m->map[1]).direct);
	assert_true(maps_has(m, 2, DESC | AVAIL));
}

/* P3: the view, its areas and the claim on the range are as before, also for the next section. */
static void a_busy_queue_is_not_waited_for_and_nothing_changes(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t busy, i, n;

	for (busy = 0; busy < MAPS && m->s->waits; busy++) {
		for (n = 0; n < 5; n++) {
			vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
			vqm_guard_begin(&m->map[busy].guard);
			assert_int_equal(try_to_hit(m, MAPS_AVAIL, 1), -EAGAIN);
			assert_int_equal(try_to_hit(m, MAPS_DESC, 0x8000 - MAPS_DESC), -EAGAIN);
			assert_int_equal(try_to_hit(m, 0x5000, 0x1000),
					 0); /* not touched: not waited for */
			vqm_guard_end(&m->map[busy].guard);
			for (i = 0; i < MAPS; i++) {
				assert_true(maps_has(m, i, ALL));
				/* Not even hidden and put back, which another worker could see. */
				assert_int_equal(m->map[i].stale, 0);
			}
			assert_int_equal(vqm_invalidate_end(&m->dev, maps_uva(MAPS_USED), 1),
					 -EINVAL);
		}
		assert_int_equal(left_after(m, MAPS_AVAIL, 1), DESC | USED);
	}
}

/* P3: each busy queue at its place in the list, others hidden before it or not touched at all. */
static void queues_before_a_busy_one_get_their_mappings_back(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t busy, off, i;

	for (busy = 0; busy < MAPS && m->s->waits; busy++) {
		for (off = 0; off < MAPS; off++) {
			uint32_t before = off == busy ? ALL : 0;

			if (!before)
				vqm_map_set_addr(&m->map[off], NULL);
			vqm_guard_begin(&m->map[busy].guard);
			assert_int_equal(try_to_hit(m, MAPS_USED, 1), -EAGAIN);
			vqm_guard_end(&m->map[busy].guard);
			for (i = 0; i < MAPS; i++)
				assert_true(maps_has(m, i, i == off ? before : ALL));
			vqm_map_set_addr(&m->map[off], m->addr);
			assert_int_equal(vqm_map_prefetch(&m->map[off]), 0);
			assert_int_equal(left_after(m, MAPS_USED, 1), DESC | AVAIL);
		}
	}
}

/* A view that was swapped out just before counts too. */
static void a_section_of_a_former_view_is_busy(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_map *map = &m->map[0];

	if (!m->s->waits)
		return;
	vqm_map_set_addr(map, m->addr);
	vqm_guard_begin(&map->guard);
	assert_int_equal(maps_publish_elsewhere(m, 0), 0);
	assert_int_equal(try_to_hit(m, MAPS_USED, 1), -EAGAIN);
	vqm_guard_end(&map->guard);
	assert_true(maps_has(m, 0, USED));
	assert_int_equal(hit(m, MAPS_USED, 1), 0);
	assert_true(maps_has(m, 0, 0));
}

static void a_held_lock_is_not_waited_for(void **state)
{
	struct maps *m = maps_of(state);

	vqm_env_lock(&m->dev.lock);
	assert_int_equal(try_to_hit(m, MAPS_USED, 1), -EAGAIN);
	vqm_env_unlock(&m->dev.lock);
	assert_true(maps_has(m, 0, ALL));
	assert_int_equal(hit(m, MAPS_USED, 1), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, maps_setup, maps_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(one_common_byte_is_enough_and_none_is_not),
		TEST(a_range_may_touch_several_areas_and_reach_the_end),
		TEST(empty_and_wrapping_ranges_are_refused),
		TEST(only_queues_that_have_the_area_are_affected),
		TEST(a_busy_queue_is_not_waited_for_and_nothing_changes),
		TEST(queues_before_a_busy_one_get_their_mappings_back),
		TEST(a_section_of_a_former_view_is_busy),
		TEST(a_held_lock_is_not_waited_for),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
