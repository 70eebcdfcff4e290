/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * An invalidation that must not wait, and a worker that begins a section at the worst moment: after
 * the invalidator saw that nobody is in one, and before it looks again.
 */
#ifndef VQM_HEADER_ONLY
#define VQM_HEADER_ONLY
#endif
#define VQM_ENV_HEADER "race_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/map.h>

enum {
	QUEUES = 3,
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

static void set_up(void)
{
	const struct vqm_area_addr addr[VQM_AREA_COUNT] = {
		{{UVA}, 0x100}, {{UVA + 0x100}, 0x100}, {{UVA + 0x200}, 0x100}};
	struct vqm_region r = {{0}, {UVA}, SIZE, mem, NULL};
	struct vqm_regions *t = NULL;
	uint32_t i;

	assert_int_equal(vqm_dev_init(&dev), 0);
	for (i = 0; i < QUEUES; i++) {
		assert_int_equal(vqm_map_init(&map[i], &dev, VQM_SYNC_COUNTER), 0);
		vqm_map_set_addr(&map[i], addr);
	}
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	vqm_dev_set_regions(&dev, t); /* maps all areas, and leaves nothing to drain */
	race_hook = begin_late;
}

static void finish(void)
{
	uint32_t i;

	for (i = 0; i < QUEUES; i++)
		vqm_map_fini(&map[i]);
	vqm_dev_fini(&dev);
}

/* P3: queues that were hidden before get their mappings back, and so does the late one. */
static void a_section_that_begins_late_undoes_the_invalidation(void **state)
{
	uint32_t other, i, round, barriers;

	(void)state;
	for (late = 0; late < QUEUES; late++) {
		for (other = 0; other <= QUEUES; other++) {
			if (other == late)
				continue;
			set_up();
			if (other < QUEUES)
				vqm_map_set_addr(&map[other], NULL); /* not affected */
			for (round = 0; round < 4; round++) {
				/* Each queue has one barrier; the last that was added comes first.
				 */
				barriers = QUEUES - late - (other < QUEUES && other > late);
				race_at = barriers;
				assert_int_equal(vqm_invalidate_begin(&dev, vqm_uva_of(UVA + 0x280),
								      1, VQM_NO_WAIT),
						 -EAGAIN);
				assert_int_equal(race_at, 0);
				vqm_guard_end(&map[late].guard);
				for (i = 0; i < QUEUES; i++)
					assert_int_equal(is_mapped(i), i != other);
				assert_int_equal(vqm_invalidate_end(&dev), -EINVAL);
			}
			assert_int_equal(
				vqm_invalidate(&dev, vqm_uva_of(UVA + 0x280), 1, VQM_NO_WAIT), 0);
			assert_false(is_mapped(late));
			finish();
		}
	}
}

/* The section of before may still use the view that the next change would write to. */
static void after_a_late_section_the_views_are_still_sound(void **state)
{
	const struct vqm_view *v;
	struct vqm_view before;

	(void)state;
	set_up();
	late = 1;
	race_at = 2;
	assert_int_equal(vqm_invalidate(&dev, vqm_uva_of(UVA + 0x280), 1, VQM_NO_WAIT), -EAGAIN);
	v = &map[1].view[!map[1].current]; /* what the late section saw */
	before = *v;
	assert_int_equal(vqm_invalidate(&dev, vqm_uva_of(UVA), 1, VQM_NO_WAIT), -EAGAIN);
	assert_memory_equal(v, &before, sizeof(before));
	vqm_guard_end(&map[1].guard);
	assert_true(is_mapped(0) && is_mapped(1) && is_mapped(2));
	finish();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_section_that_begins_late_undoes_the_invalidation),
		cmocka_unit_test(after_a_late_section_the_views_are_still_sound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
