/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables of regions: what is accepted, and what is found in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tables.h"

static void refused_pair(struct vqm_region a, struct vqm_region b)
{
	struct vqm_region in[] = {a, b}, swapped[] = {b, a};

	table_refused(in, 2);
	table_refused(swapped, 2);
}

static void accepted_pair(struct vqm_region a, struct vqm_region b)
{
	struct vqm_region in[] = {b, a};
	struct vqm_regions *t = table_built(in, 2);

	assert_true(t->region[0].gpa.v == a.gpa.v);
	assert_true(t->region[1].gpa.v == b.gpa.v);
	vqm_regions_release(t);
}

/* T2, case 4.08 */
static void an_empty_region_is_refused(void **state)
{
	struct vqm_region r = table_region(0x1000, 0);

	(void)state;
	table_refused(&r, 1);
	refused_pair(table_region(0, 0x1000), r);
	refused_pair(table_region(0, 0), table_region(0x1000, 0x1000));
}

/* T2, case 4.07 */
static void a_region_may_end_at_the_end_of_the_address_space_but_not_wrap(void **state)
{
	struct vqm_region last = table_region(0xffffffffffff0000, 0x10000);
	struct vqm_region over = table_region(0xffffffffffff0000, 0x10001);
	struct vqm_region far = table_region(UINT64_MAX, UINT64_MAX);
	struct vqm_region byte = table_region(UINT64_MAX, 1);

	(void)state;
	vqm_regions_release(table_built(&last, 1));
	vqm_regions_release(table_built(&byte, 1));
	table_refused(&over, 1);
	table_refused(&far, 1);
	last.uva.v = 0xffffffffffff0001;
	table_refused(&last, 1);
	last.uva.v = 0xffffffffffff0000;
	vqm_regions_release(table_built(&last, 1));
	accepted_pair(table_region(0, 0x10000), table_region(0xffffffffffff0000, 0x10000));
	accepted_pair(table_region(0, 0xffffffffffff0000),
		      table_region(0xffffffffffff0000, 0x10000));
	refused_pair(table_region(0, 0xffffffffffff0001),
		     table_region(0xffffffffffff0000, 0x10000));
}

/* T2 */
static void one_common_byte_is_an_overlap_and_adjacency_is_not(void **state)
{
	(void)state;
	accepted_pair(table_region(0x1000, 0x1000), table_region(0x2000, 0x1000));
	refused_pair(table_region(0x1000, 0x1001), table_region(0x2000, 0x1000));
	refused_pair(table_region(0x1000, 0x1000), table_region(0x1fff, 0x1000));
	refused_pair(table_region(0x1000, 0x1000), table_region(0x1000, 0x1000));
	refused_pair(table_region(0x1000, 0x1000), table_region(0x1000, 1));
	refused_pair(table_region(0x1000, 0x3000), table_region(0x2000, 0x1000));
	refused_pair(table_region(0, UINT64_MAX), table_region(0x2000, 1));
	accepted_pair(table_region(0, 1), table_region(1, UINT64_MAX));
}

static void regions_are_sorted_whatever_the_order(void **state)
{
	static const uint32_t counts[] = {1, 2, 3, 4, 5, 53, 509, 4096};
	static struct vqm_region in[4096];
	struct vqm_regions *t;
	uint32_t c, i, k, order;

	(void)state;
	srand(1);
	for (c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		for (order = 0; order < 3; order++) {
			for (i = 0; i < counts[c]; i++) {
				k = order == 1 ? counts[c] - 1 - i : i;
				in[i] = table_region(0x10000ull * k, 0x8000);
			}
			for (i = counts[c]; order == 2 && i-- > 1;) {
				struct vqm_region tmp = in[i];

				k = (uint32_t)rand() % (i + 1);
				in[i] = in[k];
				in[k] = tmp;
			}
			t = table_built(in, counts[c]);
			for (i = 0; i < counts[c]; i++) {
				assert_true(t->region[i].gpa.v == 0x10000ull * i);
				assert_true(t->region[i].uva.v == (0x10000ull * i ^ 0x40000000));
			}
			vqm_regions_release(t);
		}
	}
}

/* case 4.36 */
static void a_table_without_regions_holds_nothing(void **state)
{
	struct vqm_regions *t = table_built(NULL, 0);

	(void)state;
	assert_null(vqm_regions_find(t, vqm_gpa_of(0)));
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(0), 1));
	vqm_regions_release(t);
	vqm_regions_release(NULL);
}

static void find_gives_the_region_of_every_edge(void **state)
{
	static const uint32_t counts[] = {1, 3, 53, 509, 4096};
	static struct vqm_region in[4096];
	uint32_t c, i;

	(void)state;
	for (c = 0; c < sizeof(counts) / sizeof(counts[0]); c++) {
		struct vqm_regions *t;

		for (i = 0; i < counts[c]; i++)
			in[i] = table_region(0x10000 + 0x10000ull * i, 0x8000);
		t = table_built(in, counts[c]);
		for (i = 0; i < counts[c]; i++) {
			uint64_t gpa = 0x10000 + 0x10000ull * i;

			assert_null(vqm_regions_find(t, vqm_gpa_of(gpa - 1)));
			assert_ptr_equal(vqm_regions_find(t, vqm_gpa_of(gpa)), &t->region[i]);
			assert_ptr_equal(vqm_regions_find(t, vqm_gpa_of(gpa + 0x7fff)),
					 &t->region[i]);
			assert_null(vqm_regions_find(t, vqm_gpa_of(gpa + 0x8000)));
		}
		assert_null(vqm_regions_find(t, vqm_gpa_of(0)));
		assert_null(vqm_regions_find(t, vqm_gpa_of(UINT64_MAX)));
		vqm_regions_release(t);
	}
}

static void find_uva_wants_the_whole_range_in_one_region(void **state)
{
	struct vqm_region in[] = {
		{{0}, {0x70000}, 0x1000, table_host, NULL},
		{{0x1000}, {0x71000}, 0x1000, table_host, NULL},
		{{0x5000}, {0xfffffffffffff000}, 0x1000, table_host, NULL},
	};
	struct vqm_regions *t = table_built(in, 3);

	(void)state;
	assert_ptr_equal(vqm_regions_find_uva(t, vqm_uva_of(0x70000), 0x1000), &t->region[0]);
	assert_ptr_equal(vqm_regions_find_uva(t, vqm_uva_of(0x70fff), 1), &t->region[0]);
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(0x70fff), 2));
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(0x70000), 0x1001));
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(0x6ffff), 1));
	assert_ptr_equal(vqm_regions_find_uva(t, vqm_uva_of(0x71000), 0x1000), &t->region[1]);
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(0x72000), 1));
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(0x70001), UINT64_MAX));
	assert_ptr_equal(vqm_regions_find_uva(t, vqm_uva_of(UINT64_MAX), 1), &t->region[2]);
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(UINT64_MAX), 2));
	assert_null(vqm_regions_find_uva(t, vqm_uva_of(0x1000), 1)); /* that is a gpa */
	vqm_regions_release(t);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_region_is_refused),
		cmocka_unit_test(a_region_may_end_at_the_end_of_the_address_space_but_not_wrap),
		cmocka_unit_test(one_common_byte_is_an_overlap_and_adjacency_is_not),
		cmocka_unit_test(regions_are_sorted_whatever_the_order),
		cmocka_unit_test(a_table_without_regions_holds_nothing),
		cmocka_unit_test(find_gives_the_region_of_every_edge),
		cmocka_unit_test(find_uva_wants_the_whole_range_in_one_region),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
