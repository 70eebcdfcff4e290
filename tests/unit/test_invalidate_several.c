/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Several invalidations at a time: what each of them blocks, and for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "maps.h"

static int claim(struct maps *m, uint64_t gpa, uint64_t len)
{
	return vqm_invalidate_begin(&m->dev, maps_uva(gpa), len, maps_no_wait(m));
}

static int unclaim(struct maps *m, uint64_t gpa, uint64_t len)
{
	return vqm_invalidate_end(&m->dev, maps_uva(gpa), len);
}

/* Maps what it can; which areas does map 0 have then? */
static uint32_t mapped_again(struct maps *m)
{
	int err = vqm_map_prefetch(&m->map[0]);
	uint32_t areas = vqm_map_areas(&m->map[0]);

	assert_int_equal(err, areas == ALL ? 0 : -EAGAIN);
	assert_true(maps_has(m, 0, areas));
	return areas;
}

/* case 9.14: in whatever order they end, each counts until its own end, and nothing else does. */
static void each_of_several_invalidations_counts_until_its_end(void **state)
{
	static const uint64_t place[] = {MAPS_DESC, MAPS_AVAIL, MAPS_USED};
	struct maps *m = maps_of(state);
	uint32_t one, two;

	for (one = 0; one < VQM_AREA_COUNT; one++) {
		for (two = 0; two < VQM_AREA_COUNT; two++) {
			assert_int_equal(claim(m, place[one] + 4, 4), 0);
			assert_int_equal(claim(m, place[two], 8), 0);
			assert_int_equal(mapped_again(m), ALL & ~(1u << one) & ~(1u << two));
			assert_int_equal(unclaim(m, place[one], 4), -EINVAL);
			assert_int_equal(unclaim(m, place[one] + 4, 4), 0);
			assert_int_equal(mapped_again(m), ALL & ~(1u << two));
			assert_int_equal(unclaim(m, place[one] + 4, 4), -EINVAL);
			assert_int_equal(unclaim(m, place[two], 8), 0);
			assert_int_equal(mapped_again(m), ALL);
			assert_int_equal(unclaim(m, place[two], 8), -EINVAL);
		}
	}
	assert_int_equal(unclaim(m, MAPS_USED, 0), -EINVAL);
	assert_int_equal(vqm_invalidate_end(&m->dev, vqm_uva_of(UINT64_MAX), 2), -EINVAL);
}

/* The same range twice needs two ends. */
static void equal_invalidations_are_counted(void **state)
{
	struct maps *m = maps_of(state);

	assert_int_equal(claim(m, MAPS_USED, 8), 0);
	assert_int_equal(claim(m, MAPS_USED, 8), 0);
	assert_int_equal(unclaim(m, MAPS_USED, 8), 0);
	assert_int_equal(mapped_again(m), DESC | AVAIL);
	assert_int_equal(unclaim(m, MAPS_USED, 8), 0);
	assert_int_equal(mapped_again(m), ALL);
}

/* More than are told apart: the surplus blocks all it encloses until all of it is over. */
static void a_surplus_of_invalidations_is_joined(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t i;

	for (i = 0; i < VQM_DEV_RANGES; i++)
		assert_int_equal(claim(m, 0x5000 + i, 1), 0);
	assert_int_equal(mapped_again(m), ALL);
	assert_int_equal(claim(m, MAPS_AVAIL, 8), 0);
	assert_int_equal(mapped_again(m), DESC | USED);
	assert_int_equal(claim(m, MAPS_USED + 0x800, 8), 0);
	assert_int_equal(claim(m, MAPS_DESC + 0x10, 8), 0);
	assert_int_equal(mapped_again(m), 0);
	/* Those told apart end for themselves, whatever the others do. */
	for (i = 0; i < VQM_DEV_RANGES; i++)
		assert_int_equal(unclaim(m, 0x5000 + i, 1), 0);
	assert_int_equal(unclaim(m, 0x5000, 1), -EINVAL);
	assert_int_equal(unclaim(m, MAPS_AVAIL, 8), 0);
	assert_int_equal(mapped_again(m), 0);
	/* A new one is told apart again. */
	assert_int_equal(claim(m, MAPS_USED, 1), 0);
	assert_int_equal(unclaim(m, MAPS_DESC + 0x10, 8), 0);
	assert_int_equal(unclaim(m, MAPS_DESC - 1, 8), -EINVAL);
	assert_int_equal(unclaim(m, MAPS_USED + 0x801, 8), -EINVAL);
	assert_int_equal(mapped_again(m), 0);
	assert_int_equal(unclaim(m, MAPS_USED + 0x800, 8), 0);
	assert_int_equal(mapped_again(m), DESC | AVAIL);
	assert_int_equal(unclaim(m, MAPS_USED, 1), 0);
	assert_int_equal(mapped_again(m), ALL);
	assert_int_equal(unclaim(m, MAPS_USED + 0x800, 8), -EINVAL);
}

/* A joined span of the past does not count, be it lower or higher. */
static void a_joined_span_is_forgotten(void **state)
{
	static const uint64_t where[][2] = {{0x7000, 0x800}, {0x800, 0x7000}};
	struct maps *m = maps_of(state);
	uint32_t i, k;

	for (i = 0; i < VQM_DEV_RANGES; i++)
		assert_int_equal(claim(m, 0x6000, 1), 0);
	for (k = 0; k < 2; k++) {
		assert_int_equal(claim(m, where[k][0], 1), 0);
		assert_int_equal(unclaim(m, where[k][0], 1), 0);
		assert_int_equal(claim(m, where[k][1], 1), 0);
		vqm_map_set_addr(&m->map[0], m->addr);
		assert_int_equal(mapped_again(m), ALL);
		assert_int_equal(unclaim(m, where[k][1], 1), 0);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, maps_setup, maps_teardown)

/* What is over at once blocks nothing, though others are joined at that moment. */
static void an_invalidation_in_one_call_leaves_no_trace(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t i;

	for (i = 0; i <= VQM_DEV_RANGES; i++)
		assert_int_equal(claim(m, 0x7000 + i, 1), 0);
	assert_int_equal(mapped_again(m), ALL);
	assert_int_equal(vqm_invalidate(&m->dev, maps_uva(0), 16, maps_no_wait(m)), 0);
	vqm_map_set_addr(&m->map[0], m->addr);
	assert_int_equal(mapped_again(m), ALL);
	for (i = 0; i <= VQM_DEV_RANGES; i++)
		assert_int_equal(unclaim(m, 0x7000 + i, 1), 0);
	assert_int_equal(unclaim(m, 0, 16), -EINVAL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(each_of_several_invalidations_counts_until_its_end),
		TEST(equal_invalidations_are_counted),
		TEST(a_surplus_of_invalidations_is_joined),
		TEST(a_joined_span_is_forgotten),
		TEST(an_invalidation_in_one_call_leaves_no_trace),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
