/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every illegal indirect table. */
#include "rig.h"

/* SR-72 */
static void a_table_without_the_feature_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_desc(&r->g, 2, 0x2000, 16, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, 0, 0);
	rig_expect_bad_chain(r, 2, VQM_RULE_INDIRECT_FEATURE);
	guest_desc(&r->g, 1, 0x1000, 8, GUEST_N, 2);
	rig_expect_bad_chain(r, 1, VQM_RULE_INDIRECT_FEATURE);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 2);
	rig_expect_service(r, 2);
}

/* SR-76, case 1.12 */
static void indirect_together_with_next_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x2000, 16, GUEST_I | GUEST_N, 1);
	guest_desc(&r->g, 1, 0x1000, 8, 0, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, 0, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_NEXT);
	guest_desc(&r->g, 0, 0x2000, 16, GUEST_I | GUEST_N | GUEST_W, 1);
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_NEXT);
	rig_expect_service(r, 0);
}

/* SR-75 */
static void a_table_inside_a_table_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x3000, 16, GUEST_I, 0);
	guest_desc_at(&r->g, 0x3000, 0, 0x1000, 8, 0, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_NESTED);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0x3000, 16, GUEST_I | GUEST_W, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_NESTED);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 1);
	assert_true(vqm_queue_fault(&r->q)->table);
	guest_desc_at(&r->g, 0x2000, 0, 0x2000, 32, GUEST_I, 0); /* itself */
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_NESTED);
	rig_expect_service(r, 0);
}

/* The place of a fault is its own, not that of an earlier one. */
static void a_fault_has_nothing_of_the_last_one(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0x3000, 16, GUEST_I, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_NESTED);
	assert_int_equal(rig_publish(r, 8, 0), -EINVAL);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 0);
	assert_false(vqm_queue_fault(&r->q)->table);
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_NESTED);
	guest_desc(&r->g, 5, 0x1000, 8, GUEST_N, 300);
	rig_expect_bad_chain(r, 5, VQM_RULE_NEXT_RANGE);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 5);
	assert_false(vqm_queue_fault(&r->q)->table);
}

/* SR-74, case 1.31 */
static void a_table_of_an_impossible_length_is_a_bad_chain(void **state)
{
	static const uint32_t len[] = {0,	   1,	       15,	   17,		 24,
				       31,	   0x100001,   0x100008,   0x100010,	 0x7ffffff0,
				       0x80000000, 0xfffffff0, 0xffffffff, 0x10001 * 16u};
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, 0, 0);
	for (i = 0; i < sizeof(len) / sizeof(len[0]); i++) {
		guest_desc(&r->g, 0, 0x2000, len[i], GUEST_I, 0);
		rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_LEN);
		assert_int_equal(vqm_queue_fault(&r->q)->value, len[i]);
		assert_false(vqm_queue_fault(&r->q)->table);
	}
	guest_desc(&r->g, 0, 0x2000, 16, GUEST_I, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	rig_expect_service(r, 0);
}

/* case 1.10: the bound of a table is its own; the read stays inside. */
static void a_next_beyond_the_table_is_a_bad_chain(void **state)
{
	static const uint16_t next[] = {2, 3, 255, 256, 0x7fff, 0xffff};
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 256, RIG_INDIRECT);
	guest_desc(&r->g, 9, 0x2000, 32, GUEST_I, 0);
	for (i = 2; i < 8; i++)
		guest_desc_at(&r->g, 0x2000, i, 0x1000, 8, 0, 0);
	for (i = 0; i < sizeof(next) / sizeof(next[0]); i++) {
		guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N, next[i]);
		rig_expect_bad_chain(r, 9, VQM_RULE_NEXT_RANGE);
		assert_int_equal(vqm_queue_fault(&r->q)->limit, 2);
		guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N, 1);
		guest_desc_at(&r->g, 0x2000, 1, 0x1000, 8, GUEST_N, next[i]);
		rig_expect_bad_chain(r, 9, VQM_RULE_NEXT_RANGE);
		assert_int_equal(vqm_queue_fault(&r->q)->desc, 1);
		assert_true(vqm_queue_fault(&r->q)->table);
	}
	rig_expect_line(r, "queue 5, head 9, table desc 1: next 65535 >= 2 (2.7.5)");
	rig_expect_service(r, 9);
}

/* SR-74, case 1.17: as many steps as the table has entries. */
static void a_loop_in_a_table_ends_after_its_entries(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t len, copies;
	uint16_t i;

	rig_start(r, 4, RIG_INDIRECT);
	guest_desc(&r->g, 1, 0x2000, 128, GUEST_I, 0);
	for (len = 0; len < 2; len++) {
		for (i = 0; i < 8; i++)
			guest_desc_at(&r->g, 0x2000, i, 0x1000, len, GUEST_N, (i + 1) & 7);
		copies = r->backend.count;
		rig_expect_bad_chain(r, 1, VQM_RULE_LOOP);
		copies = r->backend.count - copies;
		assert_in_range(copies, 0, r->v.copy ? 3 + 8 + 2 : 0);
		assert_int_equal(vqm_queue_fault(&r->q)->limit, 8);
		assert_true(vqm_queue_fault(&r->q)->table);
		guest_desc_at(&r->g, 0x2000, 0, 0x1000, len, GUEST_N, 0);
		rig_expect_bad_chain(r, 1, VQM_RULE_LOOP);
	}
	rig_expect_service(r, 1);
}

/* SR-79: across the direct part and the table, and inside the table. */
static void readable_after_writable_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_N | GUEST_W, 1);
	guest_desc(&r->g, 1, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1100, 8, 0, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_WRITE_ORDER);
	assert_true(vqm_queue_fault(&r->q)->table);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 0);
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 0, 0x1100, 8, GUEST_W | GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0x1200, 8, 0, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_WRITE_ORDER);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 1);
	rig_expect_service(r, 0);
}

static void a_buffer_of_a_table_outside_of_memory_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0x1fff9, 8, GUEST_W, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_UNMAPPED);
	rig_expect_line(
		r, "queue 5, head 0, table desc 1: address 0x20000 is not in guest memory (2.7.5)");
	rig_expect_service(r, 0);
}

/* A table behind the end, over the end, over 2^64, in a hole. Entry 0 is good where it exists. */
static void a_table_outside_of_memory_is_a_bad_chain(void **state)
{
	static const struct {
		uint64_t addr;
		uint32_t len;
	} v[] = {
		{0x20000, 16},
		{0x1fff8, 16},
		{0x1fff0, 32},
		{0x1fff0, 0x100000},
		{1ull << 40, 16},
		{UINT64_MAX, 16},
		{0xfffffffffffffff8, 32},
		{0xfffffffffffffff0, 16},
	};
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc_at(&r->g, 0x1fff0, 0, 0x1000, 8, GUEST_N, 1);
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		guest_desc(&r->g, 0, v[i].addr, v[i].len, GUEST_I, 0);
		rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_UNMAPPED);
		assert_true(vqm_queue_fault(&r->q)->table);
	}
	rig_expect_service(r, 0);
}

/* case 1.24: the second entry would be at address 0, where there is memory too. */
static void a_table_does_not_wrap(void **state)
{
	struct rig *r = rig_of(state);

	guest_add_bank(&r->g, 0xfffffffffffff000, 0x1000);
	rig_start(r, 8, RIG_INDIRECT);
	guest_desc_at(&r->g, 0xfffffffffffffff0, 0, 0x1000, 8, 0, 0);
	guest_desc(&r->g, 0, 0xfffffffffffffff0, 16, GUEST_I, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1); /* it may end at 2^64 */
	assert_int_equal(rig_publish(r, 0, 0), 0);
	guest_desc_at(&r->g, 0xfffffffffffffff0, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc_at(&r->g, 0, 0, 0x1100, 8, 0, 0);
	guest_desc(&r->g, 0, 0xfffffffffffffff0, 32, GUEST_I, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_UNMAPPED);
}

/* SR-27 in a table */
static void a_table_of_more_than_4_gib_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_region in[2];
	struct vqm_regions *t = NULL;

	rig_start(r, 8, RIG_INDIRECT);
	in[0] = guest_region(&r->g, 0);
	in[1] = in[0];
	in[1].gpa.v = 1ull << 32;
	in[1].uva.v = 1ull << 33;
	in[1].size = 1ull << 31; /* never touched */
	assert_int_equal(vqm_regions_build(&t, in, 2), 0);
	vqm_dev_set_regions(&r->dev, t);
	rig_go_copy(r);
	guest_desc(&r->g, 1, 1ull << 32, 1u << 31, GUEST_N, 0);
	guest_desc(&r->g, 0, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 1ull << 32, 1u << 31, 0, 0);
	guest_offer(&r->g, 1);
	assert_int_equal(rig_pop(r), 1);
	assert_true(r->chain[0].out_len == 1ull << 32);
	assert_int_equal(rig_publish(r, 1, 0), 0);
	guest_desc_at(&r->g, 0x2000, 0, 1ull << 32, 1u << 31, GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0x1000, 1, 0, 0);
	rig_expect_bad_chain(r, 1, VQM_RULE_TOO_LONG);
	rig_set_regions(r);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_table_without_the_feature_is_a_bad_chain),
		RIG_TEST(indirect_together_with_next_is_a_bad_chain),
		RIG_TEST(a_table_inside_a_table_is_a_bad_chain),
		RIG_TEST(a_fault_has_nothing_of_the_last_one),
		RIG_TEST(a_table_of_an_impossible_length_is_a_bad_chain),
		RIG_TEST(a_next_beyond_the_table_is_a_bad_chain),
		RIG_TEST(a_loop_in_a_table_ends_after_its_entries),
		RIG_TEST(readable_after_writable_is_a_bad_chain),
		RIG_TEST(a_buffer_of_a_table_outside_of_memory_is_a_bad_chain),
		RIG_TEST(a_table_outside_of_memory_is_a_bad_chain),
		RIG_TEST(a_table_does_not_wrap),
		RIG_TEST(a_table_of_more_than_4_gib_is_a_bad_chain),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
