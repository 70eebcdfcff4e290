/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Guest addresses to pieces of host memory, and copies out of guest memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/regions.h>

#include "guest.h"

enum {
	ROOM = 16,
};

static struct vqm_frag frag[ROOM + 1];
static struct vqm_gpa missing;

static struct vqm_regions *table_of(const struct guest *g)
{
	struct vqm_region in[GUEST_BANKS];
	struct vqm_regions *t = NULL;
	uint32_t i;

	for (i = 0; i < g->banks; i++)
		in[i] = guest_region(g, i);
	assert_int_equal(vqm_regions_build(&t, in, g->banks), 0);
	return t;
}

/* The translation with a canary behind the array and in @missing. */
static int translate(const struct vqm_regions *t, uint64_t gpa, uint64_t len, uint32_t max)
{
	int n;

	memset(frag, 0x5a, sizeof(frag));
	missing.v = 0x5a5a;
	n = vqm_regions_translate(t, vqm_gpa_of(gpa), len, frag, max, &missing);
	assert_true(n <= (int)max);
	assert_int_equal(frag[max].len, 0x5a5a5a5a5a5a5a5a);
	if (n >= 0 || n == -ENOBUFS)
		assert_int_equal(missing.v, 0x5a5a);
	assert_int_equal(vqm_regions_translate(t, vqm_gpa_of(gpa), len, frag, max, NULL), n);
	return n;
}

static void assert_piece(uint32_t i, const struct guest *g, uint64_t gpa, uint64_t len)
{
	assert_ptr_equal(frag[i].base, guest_at(g, gpa));
	assert_int_equal(frag[i].len, len);
}

static void assert_missing(const struct vqm_regions *t, uint64_t gpa, uint64_t len, uint64_t first)
{
	assert_int_equal(translate(t, gpa, len, ROOM), -EFAULT);
	assert_true(missing.v == first);
}

static int two_banks(void **state)
{
	static struct guest g;

	memset(&g, 0, sizeof(g));
	guest_add_bank(&g, 0, 0x10000);
	guest_add_bank(&g, 0x10000, 0x10000);
	*state = &g;
	return 0;
}

static int far_banks(void **state)
{
	static struct guest g;

	memset(&g, 0, sizeof(g));
	guest_add_bank(&g, 0, 0x1000);
	guest_add_bank(&g, 0xffffffffffff0000, 0x10000);
	guest_add_bank(&g, 0x100000, 0x2000);
	guest_add_bank(&g, 0x8000, 0x800);
	*state = &g;
	return 0;
}

static int no_bank(void **state)
{
	static struct guest g;

	memset(&g, 0, sizeof(g));
	*state = &g;
	return 0;
}

static int done(void **state)
{
	guest_fini((struct guest *)*state);
	return 0;
}

/* T3, case 4.01 */
static void a_range_over_two_regions_is_two_pieces(void **state)
{
	const struct guest *g = (const struct guest *)*state;
	struct vqm_regions *t = table_of(g);

	assert_int_equal(translate(t, 0xfff0, 32, ROOM), 2);
	assert_piece(0, g, 0xfff0, 16);
	assert_piece(1, g, 0x10000, 16);
	assert_int_equal(translate(t, 0, 0x20000, 2), 2);
	assert_piece(0, g, 0, 0x10000);
	assert_piece(1, g, 0x10000, 0x10000);
	assert_int_equal(translate(t, 0xfff0, 16, 1), 1);
	assert_int_equal(translate(t, 0x10000, 16, 1), 1);
	assert_piece(0, g, 0x10000, 16);
	assert_int_equal(translate(t, 0xfff0, 17, 1), -ENOBUFS);
	assert_missing(t, 0x1fff0, 17, 0x20000); /* behind the last region */
	assert_missing(t, 0xfff0, 0x10011, 0x20000);
	vqm_regions_release(t);
}

/* cases 4.03, 4.06, 4.33, 1.25 */
static void the_last_byte_is_in_and_the_next_one_is_out(void **state)
{
	const struct guest *g = (const struct guest *)*state;
	struct vqm_regions *t = table_of(g);

	assert_int_equal(translate(t, 0x101000, 0x1000, ROOM), 1);
	assert_missing(t, 0x101000, 0x1001, 0x102000);
	assert_int_equal(translate(t, 0x87ff, 1, ROOM), 1);
	assert_missing(t, 0x87ff, 2, 0x8800);
	assert_missing(t, 0xfff, 0x8000, 0x1000);
	assert_missing(t, 0xfffff, 1, 0xfffff);
	assert_missing(t, 0x1000, 0x7000, 0x1000);
	assert_missing(t, 0x1000, 0xfff, 0x1000);
	assert_missing(t, 0x8000, 1ull << 30, 0x8800);
	vqm_regions_release(t);
}

/* cases 4.07, 1.24 */
static void a_range_may_end_at_the_end_of_the_address_space_but_not_wrap(void **state)
{
	const struct guest *g = (const struct guest *)*state;
	struct vqm_regions *t = table_of(g);

	assert_int_equal(translate(t, 0xfffffffffffffff0, 16, ROOM), 1);
	assert_piece(0, g, 0xfffffffffffffff0, 16);
	assert_int_equal(translate(t, UINT64_MAX, 1, ROOM), 1);
	assert_int_equal(translate(t, 0xfffffffffffffff0, 17, ROOM), -EFAULT);
	assert_int_equal(translate(t, UINT64_MAX, 2, ROOM), -EFAULT);
	assert_int_equal(translate(t, 0xffffffffffff0000, 0x10001, ROOM), -EFAULT);
	assert_int_equal(translate(t, 0, UINT64_MAX, ROOM), -EFAULT);
	assert_int_equal(translate(t, UINT64_MAX, UINT64_MAX, ROOM), -EFAULT);
	vqm_regions_release(t);
}

/* case 4.08 */
static void no_bytes_are_no_pieces_wherever_they_lie(void **state)
{
	const struct guest *g = (const struct guest *)*state;
	struct vqm_regions *t = table_of(g);
	static const uint64_t gpa[] = {0, 0x1000, 0xffff, 0x20000, 0x20001, UINT64_MAX};
	uint32_t i;

	for (i = 0; i < sizeof(gpa) / sizeof(gpa[0]); i++) {
		assert_int_equal(translate(t, gpa[i], 0, ROOM), 0);
		assert_int_equal(translate(t, gpa[i], 0, 0), 0);
		assert_int_equal(vqm_regions_copy_from(t, NULL, NULL, vqm_gpa_of(gpa[i]), 0), 0);
	}
	vqm_regions_release(t);
}

/* case 4.36 */
static void an_empty_table_translates_nothing(void **state)
{
	struct vqm_regions *t = table_of((const struct guest *)*state);
	uint8_t byte;

	assert_missing(t, 0, 1, 0);
	assert_missing(t, 0x1234, 0x1000, 0x1234);
	assert_int_equal(vqm_regions_copy_from(t, NULL, &byte, vqm_gpa_of(0), 1), -EFAULT);
	vqm_regions_release(t);
}

/* Pieces of regions that look adjacent on the host are not merged (T2, case 4.11). */
static void adjacent_host_memory_is_not_merged(void **state)
{
	static uint8_t mem[0x2000];
	struct vqm_region in[] = {{{0x1000}, {0x9000}, 0x1000, mem + 0x1000, NULL},
				  {{0}, {0x8000}, 0x1000, mem, NULL}};
	struct vqm_regions *t = NULL;

	(void)state;
	assert_int_equal(vqm_regions_build(&t, in, 2), 0);
	assert_int_equal(translate(t, 0, 0x2000, ROOM), 2);
	assert_ptr_equal(frag[1].base, mem + 0x1000);
	vqm_regions_release(t);
}

static void a_region_that_is_not_mapped_here_is_a_hole(void **state)
{
	static uint8_t mem[0x1000];
	struct vqm_region in[] = {{{0}, {0x8000}, 0x1000, mem, NULL},
				  {{0x1000}, {0x9000}, 0x1000, NULL, NULL}};
	struct vqm_regions *t = NULL;
	uint8_t buf[2];

	(void)state;
	assert_int_equal(vqm_regions_build(&t, in, 2), 0);
	assert_missing(t, 0xfff, 2, 0x1000);
	assert_missing(t, 0x1000, 1, 0x1000);
	assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(0xfff), 2), -EFAULT);
	assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(0xfff), 1), 0);
	vqm_regions_release(t);
}

static void copies_run_across_regions_with_and_without_a_backend(void **state)
{
	struct guest *g = (struct guest *)*state;
	struct vqm_regions *t = table_of(g);
	struct guest_backend b;
	uint8_t buf[64], expected[64];
	uint32_t len, i;

	guest_backend_init(&b, g);
	for (i = 0; i < 64; i++) {
		expected[i] = (uint8_t)(i + 1);
		guest_put(g, 0xfff0 + i, expected[i], 1);
	}
	for (len = 0; len <= 64; len++) {
		memset(buf, 0, sizeof(buf));
		assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(0xfff0), len), 0);
		assert_memory_equal(buf, expected, len);
		assert_true(len == 64 || buf[len] == 0);
		memset(buf, 0, sizeof(buf));
		b.logged = 0;
		assert_int_equal(vqm_regions_copy_from(t, &b.backend, buf, vqm_gpa_of(0xfff0), len),
				 0);
		assert_memory_equal(buf, expected, len);
		assert_true(len == 64 || buf[len] == 0);
		assert_false(guest_backend_read_twice(&b));
	}
	b.fail_at = b.count + 2;
	assert_int_equal(vqm_regions_copy_from(t, &b.backend, buf, vqm_gpa_of(0xfff0), 64),
			 -EFAULT);
	assert_int_equal(vqm_regions_copy_from(t, &b.backend, buf, vqm_gpa_of(0x1fff0), 17),
			 -EFAULT);
	assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(0x1fff0), 17), -EFAULT);
	assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(0x1fff0), 16), 0);
	vqm_regions_release(t);
}

/* case 1.24: not a hit on region 0 */
static void a_copy_does_not_wrap(void **state)
{
	struct vqm_regions *t = table_of((const struct guest *)*state);
	uint8_t buf[64];

	assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(UINT64_MAX - 15), 16), 0);
	assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(UINT64_MAX - 15), 17),
			 -EFAULT);
	assert_int_equal(vqm_regions_copy_from(t, NULL, buf, vqm_gpa_of(UINT64_MAX), 2), -EFAULT);
	vqm_regions_release(t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_range_over_two_regions_is_two_pieces, two_banks,
						done),
		cmocka_unit_test_setup_teardown(the_last_byte_is_in_and_the_next_one_is_out,
						far_banks, done),
		cmocka_unit_test_setup_teardown(
			a_range_may_end_at_the_end_of_the_address_space_but_not_wrap, far_banks,
			done),
		cmocka_unit_test_setup_teardown(no_bytes_are_no_pieces_wherever_they_lie, two_banks,
						done),
		cmocka_unit_test_setup_teardown(an_empty_table_translates_nothing, no_bank, done),
		cmocka_unit_test(adjacent_host_memory_is_not_merged),
		cmocka_unit_test(a_region_that_is_not_mapped_here_is_a_hole),
		cmocka_unit_test_setup_teardown(
			copies_run_across_regions_with_and_without_a_backend, two_banks, done),
		cmocka_unit_test_setup_teardown(a_copy_does_not_wrap, far_banks, done),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
