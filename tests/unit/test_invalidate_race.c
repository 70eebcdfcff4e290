/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What happens at the barriers of an invalidation: one serves all queues, and a worker begins a
 * section at the worst moment, after the invalidator saw that nobody is in one and before it looks
 * again.
 */
#ifndef VQM_HEADER_ONLY
#define VQM_HEADER_ONLY
#endif
#undef VQM_DEBUG /* one thread plays both parts */
#define VQM_ENV_HEADER "race_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/map.h>

enum {
	QUEUES = 64,
	FEW = 3,
	SIZE = 0x1000,
	UVA = 0x40000,
};

static uint8_t mem[SIZE] __attribute__((__aligned__(4096)));
static struct vqm_dev dev;
static struct vqm_map map[QUEUES];
static uint32_t late; /* the queue whose worker begins late */

static void begin_late(void)
{
	vqm_guard_begin(&map[late].guard);
}

static bool is_mapped(uint32_t i)
{
	const struct vqm_view *v = (const struct vqm_view *)vqm_env_load_ptr_acquire(&map[i].live);

	return v->direct && v->area[VQM_AREA_DESC] == mem && v->area[VQM_AREA_USED] == mem + 0x200;
}

/* Queues on the same ring memory, all of it mapped and nothing left to drain. */
static void set_up(uint32_t queues, const enum vqm_sync *sync)
{
	const struct vqm_area_addr addr[VQM_AREA_COUNT] = {
		{{UVA}, 0x100}, {{UVA + 0x100}, 0x100}, {{UVA + 0x200}, 0x100}};
	struct vqm_region r = {{0}, {UVA}, SIZE, mem, NULL};
	struct vqm_regions *t = NULL;
	uint32_t i;

	assert_int_equal(vqm_dev_init(&dev), 0);
	for (i = 0; i < queues; i++) {
		assert_int_equal(vqm_map_init(&map[i], &dev, sync[i % 2]), 0);
		vqm_map_set_addr(&map[i], addr);
	}
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	vqm_dev_set_regions(&dev, t);
	race_hook = begin_late;
}

static void finish(uint32_t queues)
{
	uint32_t i;

	for (i = 0; i < queues; i++)
		assert_int_equal(vqm_map_fini(&map[i]), 0);
	assert_int_equal(vqm_dev_fini(&dev), 0);
}

static int take_away(enum vqm_wait wait)
{
	return vqm_invalidate(&dev, vqm_uva_of(UVA + 0x280), 1, wait);
}

static uint32_t barriers_of(int (*what)(enum vqm_wait wait))
{
	uint32_t before = race_barriers;

	assert_int_equal(what(VQM_MAY_WAIT), 0);
	return race_barriers - before;
}

static int change_table(enum vqm_wait wait)
{
	struct vqm_region r = {{0}, {UVA}, SIZE, mem, NULL};
	struct vqm_regions *t = NULL;
	int err = vqm_regions_build(&t, &r, 1);

	(void)wait;
	if (!err)
		vqm_dev_set_regions(&dev, t);
	return err;
}

/* However many queues are affected, and whether they were mapped anew just before or not. */
static void one_barrier_of_each_strategy_serves_all_queues(void **state)
{
	static const enum vqm_sync pair[][2] = {
		{VQM_SYNC_COUNTER, VQM_SYNC_COUNTER},
		{VQM_SYNC_ASYM, VQM_SYNC_ASYM},
		{VQM_SYNC_ASYM, VQM_SYNC_SEQCOUNT},
	};
	static const uint32_t queues[] = {2, 8, QUEUES};
	uint32_t p, n, i, round;

	(void)state;
	for (p = 0; p < 3; p++) {
		uint32_t expected = pair[p][0] == pair[p][1] ? 1 : 2;

		for (n = 0; n < 3; n++) {
			set_up(queues[n], pair[p]);
			for (round = 0; round < 3; round++) {
				assert_int_equal(barriers_of(take_away), expected);
				assert_int_equal(barriers_of(take_away), 0); /* nothing to take */
				for (i = 0; i < queues[n]; i++)
					assert_int_equal(vqm_map_prefetch(&map[i]), 0);
				assert_int_equal(barriers_of(change_table), expected);
			}
			finish(queues[n]);
		}
	}
}

static int take_part_away(enum vqm_wait wait)
{
	return vqm_invalidate_begin(&dev, vqm_uva_of(UVA), 0x80, wait);
}

static int prefetch_in_vain(enum vqm_wait wait)
{
	(void)wait;
	return vqm_map_prefetch(&map[0]) == -EAGAIN ? 0 : -EINVAL;
}

/* A worker that tries again and again does not pay for it, nor do the others. */
static void mapping_nothing_costs_nothing(void **state)
{
	static const enum vqm_sync sync[] = {VQM_SYNC_ASYM, VQM_SYNC_ASYM};

	(void)state;
	set_up(FEW, sync);
	assert_int_equal(barriers_of(take_part_away), 1);
	assert_int_equal(barriers_of(prefetch_in_vain), 0);
	assert_int_equal(vqm_invalidate_end(&dev, vqm_uva_of(UVA), 0x80), 0);
	assert_int_equal(vqm_map_prefetch(&map[0]), 0);
	assert_true(is_mapped(0));
	finish(FEW);
}

/* What may not wait does not wait for the lock either, at no point. */
static void a_try_takes_no_lock_that_it_has_to_wait_for(void **state)
{
	static const enum vqm_sync sync[] = {VQM_SYNC_COUNTER, VQM_SYNC_ASYM};
	uint32_t before;

	(void)state;
	set_up(FEW, sync);
	before = race_locks;
	assert_int_equal(take_away(VQM_NO_WAIT), 0);
	assert_int_equal(vqm_invalidate(&dev, vqm_uva_of(UVA + 0x800), 1, VQM_NO_WAIT), 0);
	vqm_guard_begin(&map[0].guard);
	assert_int_equal(vqm_invalidate(&dev, vqm_uva_of(UVA), 1, VQM_NO_WAIT), -EAGAIN);
	vqm_guard_end(&map[0].guard);
	assert_int_equal(race_locks, before);
	finish(FEW);
}

/* Queues elsewhere cost nothing: no barrier, no wait for the section that one of them is in. */
static void queues_elsewhere_cost_nothing(void **state)
{
	static const enum vqm_sync sync[] = {VQM_SYNC_ASYM, VQM_SYNC_COUNTER};
	uint32_t before;

	(void)state;
	set_up(QUEUES, sync);
	vqm_guard_begin(&map[1].guard);
	before = race_barriers;
	assert_int_equal(vqm_invalidate(&dev, vqm_uva_of(UVA + 0x300), 0x1000, VQM_NO_WAIT), 0);
	assert_int_equal(vqm_invalidate(&dev, vqm_uva_of(UVA + 0x300), 0x1000, VQM_MAY_WAIT), 0);
	assert_int_equal(race_barriers, before);
	vqm_guard_end(&map[1].guard);
	finish(QUEUES);
}

static const enum vqm_sync sync_pairs[][2] = {
	{VQM_SYNC_COUNTER, VQM_SYNC_COUNTER},
	{VQM_SYNC_SEQCOUNT, VQM_SYNC_SEQCOUNT},
	{VQM_SYNC_FLAG, VQM_SYNC_FLAG},
	{VQM_SYNC_ASYM, VQM_SYNC_ASYM},
};

enum { PAIRS = sizeof(sync_pairs) / sizeof(sync_pairs[0]) };

static void begin_late_once(const enum vqm_sync *sync, uint32_t other)
{
	uint32_t i, round;

	set_up(FEW, sync);
	if (other < FEW)
		vqm_map_set_addr(&map[other], NULL); /* not affected */
	for (round = 0; round < 4; round++) {
		race_at = 1;
		assert_int_equal(take_away(VQM_NO_WAIT), -EAGAIN);
		assert_int_equal(race_at, 0);
		vqm_guard_end(&map[late].guard);
		for (i = 0; i < FEW; i++)
			assert_int_equal(is_mapped(i), i != other);
		assert_int_equal(vqm_invalidate_end(&dev, vqm_uva_of(UVA + 0x280), 1), -EINVAL);
	}
	assert_int_equal(take_away(VQM_NO_WAIT), 0);
	assert_false(is_mapped(late));
	finish(FEW);
}

/* P3: queues that were hidden before get their mappings back, and so does the late one. */
static void a_section_that_begins_late_undoes_the_invalidation(void **state)
{
	uint32_t other, p;

	(void)state;
	for (p = 0; p < PAIRS; p++) {
		for (late = 0; late < FEW; late++) {
			for (other = 0; other <= FEW; other++) {
				if (other != late)
					begin_late_once(sync_pairs[p], other);
			}
		}
	}
}

/* The section of before may still use the view that the next change would write to. */
static void after_a_late_section_the_views_are_still_sound(void **state)
{
	const struct vqm_view *v;
	struct vqm_view before;
	uint32_t p;

	(void)state;
	late = 1;
	for (p = 0; p < PAIRS; p++) {
		set_up(FEW, sync_pairs[p]);
		race_at = 1;
		assert_int_equal(take_away(VQM_NO_WAIT), -EAGAIN);
		v = &map[1].view[map[1].former]; /* what the late section saw */
		before = *v;
		assert_int_equal(vqm_invalidate(&dev, vqm_uva_of(UVA), 1, VQM_NO_WAIT), -EAGAIN);
		assert_memory_equal(v, &before, sizeof(before));
		vqm_guard_end(&map[1].guard);
		assert_true(is_mapped(0) && is_mapped(1) && is_mapped(2));
		finish(FEW);
	}
}

/* No view is to spare, and the section begins when one is about to be freed. */
static void without_a_spare_view_a_late_section_is_respected_too(void **state)
{
	uint32_t p;

	(void)state;
	for (p = 0; p < PAIRS; p++) {
		for (late = 0; late < FEW; late++) {
			set_up(FEW, sync_pairs[p]);
			assert_int_equal(take_away(VQM_MAY_WAIT), 0);
			assert_int_equal(vqm_map_prefetch(&map[late]), 0);
			race_at = 1;
			assert_int_equal(take_away(VQM_NO_WAIT), -EAGAIN);
			vqm_guard_end(&map[late].guard);
			assert_int_equal(map[late].stale | 1u << map[late].current, 7);
			assert_int_equal(vqm_map_prefetch(&map[(late + 1) % FEW]), 0);
			race_at = 1;
			assert_int_equal(take_away(VQM_NO_WAIT), -EAGAIN);
			vqm_guard_end(&map[late].guard);
			assert_true(is_mapped(late) && is_mapped((late + 1) % FEW));
			assert_false(is_mapped((late + 2) % FEW));
			assert_int_equal(take_away(VQM_NO_WAIT), 0);
			assert_false(is_mapped(late) || is_mapped((late + 1) % FEW));
			finish(FEW);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_barrier_of_each_strategy_serves_all_queues),
		cmocka_unit_test(mapping_nothing_costs_nothing),
		cmocka_unit_test(a_try_takes_no_lock_that_it_has_to_wait_for),
		cmocka_unit_test(queues_elsewhere_cost_nothing),
		cmocka_unit_test(a_section_that_begins_late_undoes_the_invalidation),
		cmocka_unit_test(after_a_late_section_the_views_are_still_sound),
		cmocka_unit_test(without_a_spare_view_a_late_section_is_respected_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
