/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One reader and its strategy, without other threads: init, sections, what a try finds out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "strategies.h"

static void a_wait_outside_a_section_is_over_at_once_every_time(void **state)
{
	const struct strategy *s = (const struct strategy *)*state;
	struct vqm_guard g;
	uint32_t i;

	assert_int_equal(vqm_guard_init(&g, s->sync), 0);
	for (i = 0; i < 1000; i++) {
		vqm_guard_barrier(&g);
		assert_int_equal(vqm_guard_wait(&g, i & 1 || !s->tells), 0);
		vqm_guard_begin(&g);
		if (s->waits)
			assert_int_equal(vqm_guard_wait(&g, false), -EAGAIN);
		vqm_guard_end(&g);
	}
}

static void a_strategy_is_recorded_and_an_unknown_one_is_refused(void **state)
{
	const struct strategy *s = (const struct strategy *)*state;
	struct vqm_guard g, before;
	uint32_t i;

	memset(&g, 0x5a, sizeof(g));
	before = g;
	assert_int_equal(vqm_guard_init(&g, VQM_SYNC_COUNT), -EINVAL);
	assert_int_equal(vqm_guard_init(&g, (enum vqm_sync)(VQM_SYNC_COUNT + 1)), -EINVAL);
	assert_int_equal(vqm_guard_init(&g, (enum vqm_sync)UINT32_MAX), -EINVAL);
	assert_memory_equal(&g, &before, sizeof(g));
	for (i = 0; i < VQM_SYNC_COUNT && STRATEGIES == 1; i++) {
		if (i != (uint32_t)s->sync)
			assert_int_equal(vqm_guard_init(&g, (enum vqm_sync)i), -EINVAL);
	}
	assert_int_equal(vqm_guard_init(&g, s->sync), 0);
	assert_int_equal(g.sync, s->sync);
	assert_int_equal(g.reserved, 0);
	assert_int_equal(vqm_sync_of(&g), s->sync);
}

/* The words of the strategies wrap like all others: a section across the end of the range. */
static void a_section_may_run_over_the_end_of_the_counters(void **state)
{
	const struct strategy *s = (const struct strategy *)*state;
	struct vqm_guard g;
	uint32_t i;

	assert_int_equal(vqm_guard_init(&g, s->sync), 0);
	if (s->sync == VQM_SYNC_COUNTER)
		g.word = ~0ul << 8;
	else if (s->sync != VQM_SYNC_FLAG)
		g.word = g.next = 0ul - 4;
	for (i = 0; i < 16; i++) {
		vqm_guard_begin(&g);
		if (s->waits)
			assert_int_equal(vqm_guard_wait(&g, false), -EAGAIN);
		vqm_guard_end(&g);
		if (s->tells)
			assert_int_equal(vqm_guard_wait(&g, false), 0);
		assert_int_equal(vqm_guard_wait(&g, true), 0);
	}
}

/* Sections of different readers nest, in any order, and each counts for itself. */
static void sections_of_two_readers_may_cross(void **state)
{
	const struct strategy *s = (const struct strategy *)*state;
	struct vqm_guard a, b;

	if (!s->waits || !s->tells)
		return;
	assert_int_equal(vqm_guard_init(&a, s->sync), 0);
	assert_int_equal(vqm_guard_init(&b, s->sync), 0);
	vqm_guard_begin(&a);
	assert_int_equal(vqm_guard_wait(&b, false), 0);
	vqm_guard_begin(&b);
	vqm_guard_end(&a);
	assert_int_equal(vqm_guard_wait(&a, false), 0);
	assert_int_equal(vqm_guard_wait(&b, false), -EAGAIN);
	vqm_guard_end(&b);
	assert_int_equal(vqm_guard_wait(&b, false), 0);
}

static void sections_of_a_counter_nest(void **state)
{
	const struct strategy *s = (const struct strategy *)*state;
	struct vqm_guard g;
	uint32_t depth, i;

	if (s->sync != VQM_SYNC_COUNTER)
		return;
	assert_int_equal(vqm_guard_init(&g, s->sync), 0);
	for (depth = 1; depth < 100; depth++) {
		for (i = 0; i < depth; i++)
			vqm_guard_begin(&g);
		for (i = 0; i < depth; i++) {
			assert_int_equal(vqm_guard_wait(&g, false), -EAGAIN);
			vqm_guard_end(&g);
		}
		assert_int_equal(vqm_guard_wait(&g, false), 0);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_outside_a_section_is_over_at_once_every_time),
		cmocka_unit_test(a_strategy_is_recorded_and_an_unknown_one_is_refused),
		cmocka_unit_test(a_section_may_run_over_the_end_of_the_counters),
		cmocka_unit_test(sections_of_two_readers_may_cross),
		cmocka_unit_test(sections_of_a_counter_nest),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
