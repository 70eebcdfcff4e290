/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables of regions: how they change, and who holds what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tables.h"

struct counted {
	struct vqm_mapping mapping; /* first: free gets a pointer to it */
	uint32_t freed;
};

static void count_free(struct vqm_mapping *m)
{
	((struct counted *)(void *)m)->freed++;
}

static struct vqm_region mapped(uint64_t gpa, struct counted *m)
{
	struct vqm_region r = table_region(gpa, 0x1000);

	r.mapping = &m->mapping;
	return r;
}

static void a_mapping_is_freed_once_by_its_last_holder(void **state)
{
	struct counted m = {{1, count_free}, 0};
	struct vqm_region a = mapped(0, &m), b = mapped(0x4000, &m);
	struct vqm_regions *one = table_built(&a, 1), *two = NULL, *three = NULL;

	(void)state;
	assert_int_equal(m.mapping.refs, 2);
	vqm_mapping_release(&m.mapping);
	assert_int_equal(vqm_regions_add(&two, one, &b), 0);
	assert_int_equal(m.mapping.refs, 3);
	vqm_regions_release(one);
	assert_int_equal(vqm_regions_remove(&three, two, &a), 0);
	vqm_regions_hold(three);
	vqm_regions_release(two);
	vqm_regions_release(three);
	assert_int_equal(m.mapping.refs, 1);
	assert_int_equal(m.freed, 0);
	vqm_regions_release(three);
	assert_int_equal(m.freed, 1);
}

static void a_refused_table_takes_no_reference(void **state)
{
	struct counted m = {{1, count_free}, 0};
	struct vqm_region in[] = {mapped(0, &m), mapped(0xfff, &m)};
	struct vqm_regions *t = table_built(in, 1), *out = NULL;

	(void)state;
	table_refused(in, 2);
	assert_int_equal(vqm_regions_add(&out, t, &in[1]), -EINVAL);
	assert_int_equal(vqm_regions_remove(&out, t, &in[1]), -ENOENT);
	assert_null(out);
	assert_int_equal(m.mapping.refs, 2);
	vqm_regions_release(t);
	assert_int_equal(m.mapping.refs, 1);
	assert_int_equal(m.freed, 0);
}

static void add_makes_a_new_table_and_leaves_the_old(void **state)
{
	struct vqm_region a = table_region(0x4000, 0x1000), b = table_region(0, 0x1000),
			  bad = table_region(0x4fff, 1);
	struct vqm_regions *one = NULL, *two = NULL, *none = NULL;

	(void)state;
	assert_int_equal(vqm_regions_add(&one, NULL, &a), 0);
	assert_int_equal(one->count, 1);
	assert_int_equal(vqm_regions_add(&two, one, &b), 0);
	assert_int_equal(one->count, 1);
	assert_int_equal(two->count, 2);
	assert_true(two->region[0].gpa.v == 0 && two->region[1].gpa.v == 0x4000);
	assert_int_equal(vqm_regions_add(&none, two, &bad), -EINVAL);
	assert_null(none);
	vqm_regions_release(one);
	vqm_regions_release(two);
}

/* cases 4.14, 4.15 */
static void remove_takes_a_whole_region_named_exactly(void **state)
{
	struct vqm_region in[] = {table_region(0, 0x4000), table_region(0x4000, 0x1000),
				  table_region(0x8000, 0x1000)};
	struct vqm_region wrong[] = {table_region(0x1000, 0x1000),
				     table_region(0, 0x2000),
				     table_region(0, 0x5000),
				     table_region(0x4000, 0xfff),
				     table_region(0x6000, 1),
				     table_region(1, 0x4000),
				     in[0]};
	struct vqm_regions *t = table_built(in, 3), *out = NULL;
	uint32_t i;

	(void)state;
	wrong[6].uva.v++;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(vqm_regions_remove(&out, t, &wrong[i]), -ENOENT);
	assert_null(out);
	assert_int_equal(t->count, 3);
	in[1].host = NULL; /* does not matter */
	assert_int_equal(vqm_regions_remove(&out, t, &in[1]), 0);
	assert_int_equal(t->count, 3);
	assert_int_equal(out->count, 2);
	assert_true(out->region[0].gpa.v == 0 && out->region[1].gpa.v == 0x8000);
	assert_ptr_equal(out->region[1].host, table_host);
	vqm_regions_release(t);
	assert_int_equal(vqm_regions_remove(&t, out, &in[0]), 0);
	vqm_regions_release(out);
	assert_int_equal(vqm_regions_remove(&out, t, &in[2]), 0);
	assert_int_equal(out->count, 0);
	vqm_regions_release(t);
	assert_int_equal(vqm_regions_remove(&t, out, &in[2]), -ENOENT);
	vqm_regions_release(out);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mapping_is_freed_once_by_its_last_holder),
		cmocka_unit_test(a_refused_table_takes_no_reference),
		cmocka_unit_test(add_makes_a_new_table_and_leaves_the_old),
		cmocka_unit_test(remove_takes_a_whole_region_named_exactly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
