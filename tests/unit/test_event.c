/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Arithmetic on free-running indices, against sets that are written out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/event.h>

static uint8_t marked[65536];

/* The definition: event is one of idx - count .. idx - 1 (SR-46). */
static void check_all_events(uint16_t idx, uint32_t count)
{
	uint32_t i, wrong = 0;

	memset(marked, 0, sizeof(marked));
	for (i = 0; i < count && i < 65536; i++)
		marked[(uint16_t)(idx - 1 - i)] = 1;
	for (i = 0; i < 65536; i++)
		wrong += vqm_need_event((uint16_t)i, idx, count) != marked[i];
	assert_int_equal(wrong, 0);
}

static void need_event_equals_the_set_definition(void **state)
{
	static const uint16_t idx[] = {0,     1,     2,	    7,	   255,	  256,
				       32767, 32768, 32769, 65534, 65535, 4711};
	static const uint32_t count[] = {0,	1,     2,     3,     8,	    255,   256,
					 32767, 32768, 32769, 65534, 65535, 65536, 65537};
	uint32_t i, j;

	(void)state;
	for (i = 0; i < sizeof(idx) / sizeof(idx[0]); i++) {
		for (j = 0; j < sizeof(count) / sizeof(count[0]); j++)
			check_all_events(idx[i], count[j]);
	}
}

struct vector {
	uint16_t old, new, event;
	bool yes;
};

static void check_vectors(const struct vector *v, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		assert_int_equal(
			vqm_need_event(v[i].event, v[i].new, (uint16_t)(v[i].new - v[i].old)),
			v[i].yes);
}

/* SR-47 */
static void need_event_has_the_vectors_of_the_specification(void **state)
{
	static const struct vector v[] = {
		{0, 1, 0, 1},	      {0, 1, 1, 0},	    {5, 5, 5, 0},     {5, 5, 4, 0},
		{65535, 0, 65535, 1}, {65535, 0, 0, 0},	    {65534, 2, 1, 1}, {65534, 2, 2, 0},
		{10, 20, 9, 0},	      {10, 20, 10, 1},	    {10, 20, 19, 1},  {10, 20, 20, 0},
		{0, 32768, 32767, 1}, {0, 32768, 32768, 0},
	};

	(void)state;
	check_vectors(v, sizeof(v) / sizeof(v[0]));
}

/* case 3.01 */
static void need_event_is_right_at_its_corners(void **state)
{
	static const struct vector v[] = {
		{4, 5, 4, 1},	  {4, 5, 5, 0},		{4, 5, 3, 0},	  {65534, 1, 65535, 1},
		{65534, 1, 1, 0}, {65534, 1, 65533, 0}, {65534, 1, 0, 1}, {7, 7, 7, 0},
	};

	(void)state;
	check_vectors(v, sizeof(v) / sizeof(v[0]));
}

static void need_event_says_yes_after_a_lap(void **state)
{
	uint32_t event;

	(void)state;
	for (event = 0; event < 65536; event++) {
		assert_true(vqm_need_event((uint16_t)event, 1234, 65536));
		assert_true(vqm_need_event((uint16_t)event, 1234, UINT32_MAX));
		assert_false(vqm_need_event((uint16_t)event, 1234, 0));
	}
}

/* SR-14, cases 2.01 to 2.04 and 2.16 */
static void pending_is_a_difference_of_16_bits(void **state)
{
	static const struct {
		uint16_t next, idx;
		uint32_t num;
		int n;
	} v[] = {
		{0, 0, 16, 0},
		{0, 16, 16, 16},
		{0, 17, 16, -EINVAL},
		{0, 65535, 16, -EINVAL},
		{5, 4, 16, -EINVAL},
		{65534, 2, 8, 4},
		{65534, 6, 8, 8},
		{65534, 7, 8, -EINVAL},
		{65535, 0, 1, 1},
		{65535, 1, 1, -EINVAL},
		{40000, 7232, 32768, 32768},
		{40000, 7233, 32768, -EINVAL},
		{0, 32768, 32768, 32768},
		{65533, 3, 8, 6},
	};
	uint32_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		assert_int_equal(vqm_pending(v[i].next, v[i].idx, v[i].num), v[i].n);
}

static void pending_accepts_0_to_num_for_every_index(void **state)
{
	uint32_t next, wrong = 0;

	(void)state;
	for (next = 0; next < 65536; next++) {
		uint16_t n = (uint16_t)next;

		wrong += vqm_pending(n, n, 8) != 0;
		wrong += vqm_pending(n, (uint16_t)(n + 8), 8) != 8;
		wrong += vqm_pending(n, (uint16_t)(n + 9), 8) != -EINVAL;
		wrong += vqm_pending(n, (uint16_t)(n - 1), 8) != -EINVAL;
	}
	assert_int_equal(wrong, 0);
}

/* SR-11 */
static void queue_size_is_a_power_of_two_up_to_32768(void **state)
{
	static const uint32_t refused[] = {0,	  3,	 5,	6,	 24576,	     32767,
					   32769, 65535, 65536, 0x10100, 0x80000000, UINT32_MAX};
	uint32_t num, valid = 0;

	(void)state;
	for (num = 1; num <= 32768; num *= 2)
		assert_true(vqm_queue_num_valid(num));
	for (num = 0; num < sizeof(refused) / sizeof(refused[0]); num++)
		assert_false(vqm_queue_num_valid(refused[num]));
	for (num = 0; num <= 200000; num++)
		valid += vqm_queue_num_valid(num);
	assert_int_equal(valid, 16);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(need_event_equals_the_set_definition),
		cmocka_unit_test(need_event_has_the_vectors_of_the_specification),
		cmocka_unit_test(need_event_is_right_at_its_corners),
		cmocka_unit_test(need_event_says_yes_after_a_lap),
		cmocka_unit_test(pending_is_a_difference_of_16_bits),
		cmocka_unit_test(pending_accepts_0_to_num_for_every_index),
		cmocka_unit_test(queue_size_is_a_power_of_two_up_to_32768),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
