/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which areas are mapped where: publishing, prefetching, other addresses, other tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "maps.h"

static uint8_t other[0x8000] __attribute__((__aligned__(4096)));

static void prefetch_maps_what_is_missing_and_nothing_else(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_map *map = &m->map[0];

	assert_int_equal(vqm_map_prefetch(map), 0);
	assert_true(maps_has(m, 0, ALL));
	vqm_map_set_addr(map, m->addr);
	assert_true(maps_has(m, 0, 0));
	assert_int_equal(vqm_map_publish(map, VQM_AREA_AVAIL, other), 0);
	assert_int_equal(vqm_map_prefetch(map), 0);
	assert_ptr_equal(maps_view(map).area[VQM_AREA_AVAIL], other);
	assert_ptr_equal(maps_view(map).area[VQM_AREA_USED], guest_at(&m->g, MAPS_USED));
	assert_true(maps_view(map).direct);
	assert_true(maps_has(m, 1, ALL));
}

static void publish_makes_one_area_reachable(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_map *map = &m->map[1];

	vqm_map_set_addr(map, m->addr);
	assert_int_equal(vqm_map_publish(map, VQM_AREA_USED, guest_at(&m->g, MAPS_USED)), 0);
	assert_true(maps_has(m, 1, USED));
	assert_int_equal(vqm_map_publish(map, VQM_AREA_DESC, guest_at(&m->g, MAPS_DESC)), 0);
	assert_true(maps_has(m, 1, USED | DESC));
	assert_int_equal(vqm_map_publish(map, VQM_AREA_AVAIL, guest_at(&m->g, MAPS_AVAIL)), 0);
	assert_true(maps_has(m, 1, ALL));
}

static void publish_refuses_nonsense(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_map *map = &m->map[0];
	uint32_t a;

	vqm_map_set_addr(map, m->addr);
	assert_int_equal(vqm_map_publish(map, VQM_AREA_COUNT, other), -EINVAL);
	assert_int_equal(vqm_map_publish(map, (enum vqm_area)UINT32_MAX, other), -EINVAL);
	for (a = 0; a < VQM_AREA_COUNT; a++) {
		uint32_t align = vqm_area_align(a);

		assert_int_equal(vqm_map_publish(map, (enum vqm_area)a, NULL), -EINVAL);
		assert_int_equal(vqm_map_publish(map, (enum vqm_area)a, other + align / 2),
				 -EINVAL);
		assert_true(maps_has(m, 0, 0));
	}
	vqm_map_set_addr(map, NULL);
	for (a = 0; a < VQM_AREA_COUNT; a++)
		assert_int_equal(vqm_map_publish(map, (enum vqm_area)a, other), -EINVAL);
	assert_true(maps_has(m, 0, 0));
}

static void publish_over_a_live_mapping_is_busy(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t a;

	for (a = 0; a < VQM_AREA_COUNT; a++)
		assert_int_equal(vqm_map_publish(&m->map[2], (enum vqm_area)a, other), -EBUSY);
	assert_true(maps_has(m, 2, ALL));
}

static void without_addresses_nothing_is_mapped(void **state)
{
	struct maps *m = maps_of(state);

	vqm_map_set_addr(&m->map[0], NULL);
	assert_true(maps_has(m, 0, 0));
	assert_int_equal(vqm_map_prefetch(&m->map[0]), -EFAULT);
	assert_true(maps_has(m, 0, 0));
	vqm_map_set_addr(&m->map[0], m->addr);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), 0);
	assert_true(maps_has(m, 0, ALL));
}

/* cases 4.04 and 8.04, and a hole; the other areas are mapped all the same. */
static void an_area_must_lie_within_one_mapped_region(void **state)
{
	struct maps *m = maps_of(state);
	static const uint64_t bad[] = {0x8000, 0x7fff, 0x7fe0, 0xfff0};
	struct vqm_map *map = &m->map[0];
	uint32_t i, a;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		struct vqm_area_addr addr[VQM_AREA_COUNT];

		for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			memcpy(addr, m->addr, sizeof(addr));
			addr[a].uva = maps_uva(bad[i]);
			addr[a].size = 0x40;
			vqm_map_set_addr(map, addr);
			assert_int_equal(vqm_map_prefetch(map), -EFAULT);
			assert_true(maps_has(m, 0, ALL & ~(1u << a)));
		}
		addr[a].uva = maps_uva(0x7fc0);
		vqm_map_set_addr(map, addr);
		assert_int_equal(vqm_map_prefetch(map), 0);
		addr[a].uva = maps_uva(0x4000 + vqm_area_align(a) / 2);
		vqm_map_set_addr(map, addr);
		assert_int_equal(vqm_map_prefetch(map), -EFAULT);
	}
	vqm_dev_set_regions(&m->dev, maps_table(m, NULL));
	assert_true(maps_has(m, 1, 0));
	assert_int_equal(vqm_map_prefetch(&m->map[1]), -EFAULT);
}

/* cases 4.16 and 4.17: never the old mapping, whoever made it. */
static void another_table_moves_every_area(void **state)
{
	struct maps *m = maps_of(state);
	unsigned long epoch = maps_view(&m->map[0]).epoch;
	struct vqm_view v;

	vqm_map_set_addr(&m->map[1], m->addr);
	assert_int_equal(vqm_map_publish(&m->map[1], VQM_AREA_USED, m->g.bank[0].mem), 0);
	vqm_dev_set_regions(&m->dev, maps_table(m, other));
	v = maps_view(&m->map[0]);
	assert_ptr_equal(v.area[VQM_AREA_DESC], other + MAPS_DESC);
	assert_ptr_equal(v.area[VQM_AREA_AVAIL], other + MAPS_AVAIL);
	assert_ptr_equal(v.area[VQM_AREA_USED], other + MAPS_USED);
	assert_ptr_equal(v.regions, m->dev.regions);
	assert_true(v.direct);
	assert_true(v.epoch != epoch);
	v = maps_view(&m->map[1]);
	assert_ptr_equal(v.area[VQM_AREA_USED], other + MAPS_USED);
	assert_true(v.direct);
	vqm_dev_set_regions(&m->dev, maps_table(m, other + 1));
	assert_null(maps_view(&m->map[0]).area[VQM_AREA_DESC]);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), -EFAULT);
}

/* case 4.34 */
static void a_region_that_moves_takes_only_its_area_along(void **state)
{
	struct maps *m = maps_of(state);
	uint8_t *mem = m->g.bank[0].mem;
	struct vqm_region in[] = {{{0}, maps_uva(0), MAPS_USED, mem, NULL},
				  {{MAPS_USED}, maps_uva(MAPS_USED), 0x1000, other, NULL}};
	struct vqm_regions *t = NULL;
	struct vqm_view v;

	assert_int_equal(vqm_regions_build(&t, in, 2), 0);
	vqm_dev_set_regions(&m->dev, t);
	v = maps_view(&m->map[0]);
	assert_ptr_equal(v.area[VQM_AREA_DESC], mem + MAPS_DESC);
	assert_ptr_equal(v.area[VQM_AREA_AVAIL], mem + MAPS_AVAIL);
	assert_ptr_equal(v.area[VQM_AREA_USED], other);
	assert_int_equal(vqm_regions_build(&t, in, 1), 0);
	vqm_dev_set_regions(&m->dev, t);
	assert_true(maps_has(m, 0, DESC | AVAIL));
	assert_int_equal(vqm_regions_build(&t, in, 0), 0);
	vqm_dev_set_regions(&m->dev, t);
	assert_true(maps_has(m, 0, 0));
	vqm_dev_set_regions(&m->dev, maps_table(m, mem));
	assert_true(maps_has(m, 0, ALL));
}

static void only_another_table_changes_the_epoch(void **state)
{
	struct maps *m = maps_of(state);
	unsigned long epoch = maps_view(&m->map[0]).epoch;

	assert_int_equal(vqm_invalidate(&m->dev, maps_uva(MAPS_USED), 1, VQM_MAY_WAIT), 0);
	assert_int_equal(vqm_map_prefetch(&m->map[0]), 0);
	vqm_map_set_addr(&m->map[0], m->addr);
	assert_true(maps_view(&m->map[0]).epoch == epoch);
}

struct counted {
	struct vqm_mapping mapping;
	struct vqm_dev *dev;
	uint32_t freed;
	int lock;
};

/* case 9.13: called with no lock of the device held. */
static void count_free(struct vqm_mapping *mapping)
{
	struct counted *c = (struct counted *)(void *)mapping;

	c->freed++;
	if (c->dev)
		c->lock = vqm_invalidate(c->dev, vqm_uva_of(1), 1, VQM_NO_WAIT);
}

/* T7, case 5.02 */
static void a_table_lives_as_long_as_its_last_holder(void **state)
{
	struct maps *m = maps_of(state);
	struct counted c = {{1, count_free}, &m->dev, 0, -1};
	struct vqm_region r = guest_region(&m->g, 0);
	struct vqm_regions *t = NULL, *held;

	r.mapping = &c.mapping;
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	vqm_mapping_release(&c.mapping);
	vqm_dev_set_regions(&m->dev, t);
	held = vqm_dev_regions(&m->dev);
	assert_ptr_equal(held, t);
	vqm_dev_set_regions(&m->dev, maps_table(m, other));
	assert_int_equal(c.freed, 0);
	assert_ptr_equal(vqm_regions_find(held, vqm_gpa_of(0))->host, m->g.bank[0].mem);
	vqm_regions_release(held);
	assert_int_equal(c.freed, 1);
	assert_int_equal(c.lock, 0);
	assert_ptr_equal(maps_view(&m->map[0]).area[VQM_AREA_DESC], other + MAPS_DESC);
}

static void a_map_that_is_gone_is_left_alone(void **state)
{
	static const uint32_t gone[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
	struct maps *m = maps_of(state);
	struct vqm_map saved;
	uint32_t k, i;

	for (k = 0; k < 4; k++) {
		for (i = 0; i < MAPS; i++) {
			struct vqm_map *map = &m->map[gone[k][i]];

			vqm_map_fini(map);
			memset(map, 0x5a, sizeof(*map));
			memcpy(&saved, map, sizeof(saved));
			vqm_dev_set_regions(&m->dev,
					    maps_table(m, i & 1 ? other : m->g.bank[0].mem));
			vqm_invalidate(&m->dev, maps_uva(0), 0x8000, VQM_MAY_WAIT);
			assert_memory_equal(map, &saved, sizeof(saved));
		}
		vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
		for (i = 0; i < MAPS; i++) {
			assert_int_equal(vqm_map_init(&m->map[i], &m->dev, m->s->sync), 0);
			vqm_map_set_addr(&m->map[i], m->addr);
			assert_int_equal(vqm_map_prefetch(&m->map[i]), 0);
			assert_true(maps_has(m, i, ALL));
		}
	}
}

static void a_map_of_an_unknown_strategy_is_refused(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_map map;

	assert_int_equal(vqm_map_init(&map, &m->dev, VQM_SYNC_COUNT), -EINVAL);
	if (STRATEGIES == 1) {
		enum vqm_sync wrong = m->s->sync == VQM_SYNC_NONE ? VQM_SYNC_SPIN : VQM_SYNC_NONE;

		assert_int_equal(vqm_map_init(&map, &m->dev, wrong), -EINVAL);
	}
	vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem)); /* walks the maps */
	assert_true(maps_has(m, 0, ALL));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, maps_setup, maps_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(prefetch_maps_what_is_missing_and_nothing_else),
		TEST(publish_makes_one_area_reachable),
		TEST(publish_refuses_nonsense),
		TEST(publish_over_a_live_mapping_is_busy),
		TEST(without_addresses_nothing_is_mapped),
		TEST(an_area_must_lie_within_one_mapped_region),
		TEST(another_table_moves_every_area),
		TEST(a_region_that_moves_takes_only_its_area_along),
		TEST(only_another_table_changes_the_epoch),
		TEST(a_table_lives_as_long_as_its_last_holder),
		TEST(a_map_that_is_gone_is_left_alone),
		TEST(a_map_of_an_unknown_strategy_is_refused),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
