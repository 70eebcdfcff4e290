/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * P2 without chance: at every look that an invalidator takes, the reader has gone through its
 * section and is in the next one already. A wait for "nobody inside" would never end.
 */
#ifndef VQM_HEADER_ONLY
#define VQM_HEADER_ONLY
#endif
#undef VQM_DEBUG /* one thread plays both parts */
#define VQM_ENV_HEADER "relax_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/map.h>

enum { LIMIT = 1000 };

static struct vqm_guard guard;
static uint32_t turns; /* looks so far */
static uint32_t inner; /* sections open inside the outermost one */

/* The section ends and the next one begins, between two looks. */
static void next_section(void)
{
	assert_true(turns++ < LIMIT);
	vqm_guard_end(&guard);
	vqm_guard_begin(&guard);
}

static void the_wait_ends_with_the_section_that_ran(void **state)
{
	static const enum vqm_sync sync[] = {VQM_SYNC_FLAG, VQM_SYNC_COUNTER, VQM_SYNC_SEQCOUNT,
					     VQM_SYNC_ASYM};
	uint32_t i, round;

	(void)state;
	relax_hook = next_section;
	for (i = 0; i < sizeof(sync) / sizeof(sync[0]); i++) {
		assert_int_equal(vqm_guard_init(&guard, sync[i]), 0);
		vqm_guard_begin(&guard);
		for (round = 0; round < 300; round++) {
			turns = 0;
			vqm_guard_barrier(&guard);
			assert_int_equal(vqm_guard_wait(&guard, true), 0);
			assert_int_equal(turns, 1);
		}
		vqm_guard_end(&guard);
	}
}

/* Inner sections come and go; only the end of the outermost counts. */
static void inner_section(void)
{
	assert_true(turns++ < LIMIT);
	if (turns < 50) {
		if (inner++ % 2)
			vqm_guard_end(&guard);
		else
			vqm_guard_begin(&guard);
		return;
	}
	while (inner % 2 == 1) {
		vqm_guard_end(&guard);
		inner++;
	}
	vqm_guard_end(&guard);
	vqm_guard_begin(&guard);
}

static void a_counter_waits_for_the_outermost_section(void **state)
{
	(void)state;
	relax_hook = inner_section;
	assert_int_equal(vqm_guard_init(&guard, VQM_SYNC_COUNTER), 0);
	vqm_guard_begin(&guard);
	turns = inner = 0;
	assert_int_equal(vqm_guard_wait(&guard, true), 0);
	assert_int_equal(turns, 50);
	vqm_guard_end(&guard);
}

/* The reader lets go, and would be back if it were not for the ticket of the invalidator. */
static void leave_and_queue_up(void)
{
	assert_true(turns++ < LIMIT);
	vqm_guard_end(&guard);
	assert_int_equal(guard.next - guard.word, 1); /* the invalidator is next, alone */
}

static void a_ticket_lock_serves_the_invalidator_before_the_next_section(void **state)
{
	uint32_t round;

	(void)state;
	relax_hook = leave_and_queue_up;
	assert_int_equal(vqm_guard_init(&guard, VQM_SYNC_SPIN), 0);
	for (round = 0; round < 300; round++) {
		vqm_guard_begin(&guard);
		turns = 0;
		assert_int_equal(vqm_guard_wait(&guard, true), 0);
		assert_int_equal(turns, 1);
	}
}

/* Two invalidators of one reader: each has its wait end with the section that it found. */
static uint32_t second_turns;

static void another_waits_meanwhile(void)
{
	relax_hook = next_section;
	turns = 0;
	assert_int_equal(vqm_guard_wait(&guard, true), 0);
	second_turns = turns;
	turns = 0;
	relax_hook = next_section;
}

static void a_second_invalidator_does_not_starve_the_first(void **state)
{
	static const enum vqm_sync sync[] = {VQM_SYNC_FLAG, VQM_SYNC_COUNTER, VQM_SYNC_SEQCOUNT,
					     VQM_SYNC_ASYM};
	uint32_t i;

	(void)state;
	for (i = 0; i < sizeof(sync) / sizeof(sync[0]); i++) {
		assert_int_equal(vqm_guard_init(&guard, sync[i]), 0);
		vqm_guard_begin(&guard);
		relax_hook = another_waits_meanwhile;
		assert_int_equal(vqm_guard_wait(&guard, true), 0);
		assert_int_equal(second_turns, 1);
		assert_int_equal(turns, 0); /* the section of the other's wait was its own too */
		vqm_guard_end(&guard);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_wait_ends_with_the_section_that_ran),
		cmocka_unit_test(a_counter_waits_for_the_outermost_section),
		cmocka_unit_test(a_ticket_lock_serves_the_invalidator_before_the_next_section),
		cmocka_unit_test(a_second_invalidator_does_not_starve_the_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
