/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every illegal value of what a guest writes into a ring: the typed fault, and what still works. */
#include "rig.h"

/* Ring errors are latched: pops fail for good, chains of before can be given back. */
static void expect_broken(struct rig *r, enum vqm_rule rule)
{
	uint16_t next = r->q.next, used = guest_used_idx(&r->g);
	uint32_t i;

	for (i = 0; i < 3; i++) {
		assert_int_equal(rig_pop_batch(r, i == 2 ? 8 : 1), -ENOTRECOVERABLE);
		rig_expect_fault(r, rule);
		assert_int_equal(vqm_queue_fault(&r->q)->err, -ENOTRECOVERABLE);
		assert_int_equal(r->q.next, next);
		guest_set_avail_idx(&r->g, next); /* it is too late to behave */
	}
	assert_int_equal(guest_used_idx(&r->g), used);
}

/* Latched at once, also for the rest of the burst. */
static void a_broken_ring_stays_broken_within_the_burst(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_set_avail_idx(&r->g, 9);
	vqm_begin(&r->q);
	assert_int_equal(vqm_pop(&r->q, &r->chain[0]), -ENOTRECOVERABLE);
	guest_set_avail_idx(&r->g, 1);
	assert_int_equal(vqm_pop(&r->q, &r->chain[0]), -ENOTRECOVERABLE);
	assert_int_equal(vqm_publish(&r->q, NULL, 0), 0);
	vqm_end(&r->q);
	assert_int_equal(rig_publish(r, 0, 0), -EINVAL);
	rig_expect_fault(r, VQM_RULE_DONE_UNKNOWN);
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
	rig_expect_fault(r, VQM_RULE_AVAIL_AHEAD); /* the reason is told again */
	vqm_queue_stop(&r->q);
	assert_int_equal(rig_pop(r), -ENOTCONN);
}

/* SR-14, case 2.01 */
static void an_available_index_too_far_ahead_breaks_the_ring(void **state)
{
	static const uint16_t ahead[] = {17, 18, 255, 32768, 65535};
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 16, 0);
	for (i = 0; i < sizeof(ahead) / sizeof(ahead[0]); i++) {
		rig_restart_at(r, 65530, 65530);
		guest_set_avail_idx(&r->g, (uint16_t)(65530 + 16));
		assert_int_equal(rig_pop_batch(r, 16), 16);
		rig_restart_at(r, 65530, 65530);
		guest_set_avail_idx(&r->g, (uint16_t)(65530 + ahead[i]));
		expect_broken(r, VQM_RULE_AVAIL_AHEAD);
		assert_int_equal(vqm_queue_fault(&r->q)->value, ahead[i]);
		assert_int_equal(vqm_queue_fault(&r->q)->limit, 16);
	}
}

/* SR-42: what is in flight leaves that much less room. Earlier chains can still be completed. */
static void chains_in_flight_count_against_the_available_index(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;

	rig_start(r, 8, 0);
	for (i = 0; i < 5; i++)
		guest_offer(&r->g, i);
	assert_int_equal(rig_pop_batch(r, 5), 5);
	guest_set_avail_idx(&r->g, 8);
	assert_int_equal(rig_pop_batch(r, 1), 1);
	guest_set_avail_idx(&r->g, 9); /* 6 in flight, 3 more offered */
	assert_int_equal(rig_pop_batch(r, 8), -ENOTRECOVERABLE);
	rig_expect_line(r, "queue 5: avail.idx offers 3 buffers, room for 2 (2.7.6)");
	for (i = 0; i < 5; i++)
		assert_int_equal(rig_publish(r, i, i), 0);
	assert_int_equal(guest_used_idx(&r->g), 5);
	assert_true(rig_need_notify(r));
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
	rig_restart_at(r, 0, 0);
	rig_expect_service(r, 3);
}

/* SR-20, case 1.05 */
static void a_head_beyond_the_table_breaks_the_ring(void **state)
{
	static const uint16_t head[] = {256, 257, 0x7fff, 0x8000, 0xff00, 0xffff};
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 256, 0);
	for (i = 0; i < sizeof(head) / sizeof(head[0]); i++) {
		rig_restart_at(r, 0, 0);
		rig_expect_service(r, 255);
		guest_offer(&r->g, 7);
		guest_offer(&r->g, head[i]);
		assert_int_equal(rig_pop_batch(r, 8), 1); /* what came before is served */
		assert_int_equal(r->chain[0].head, 7);
		expect_broken(r, VQM_RULE_HEAD_RANGE);
		assert_int_equal(vqm_queue_fault(&r->q)->value, head[i]);
		assert_int_equal(vqm_queue_fault(&r->q)->limit, 256);
		assert_int_equal(rig_publish(r, head[i], 0), -EINVAL);
		assert_int_equal(rig_publish(r, 7, 0), 0);
	}
}

/* SR-22, cases 1.04 and 1.36: the head comes back with length 0, the next chain is served. */
static void a_next_beyond_the_table_is_a_bad_chain(void **state)
{
	static const uint16_t next[] = {8, 9, 255, 0x7fff, 0x8000, 0xffff};
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 8, 0);
	for (i = 0; i < sizeof(next) / sizeof(next[0]); i++) {
		guest_desc(&r->g, 3, 0x1000, 8, GUEST_N, next[i]);
		rig_expect_bad_chain(r, 3, VQM_RULE_NEXT_RANGE);
		assert_int_equal(vqm_queue_fault(&r->q)->value, next[i]);
		assert_int_equal(vqm_queue_fault(&r->q)->limit, 8);
		assert_int_equal(vqm_queue_fault(&r->q)->desc, 3);
		assert_false(vqm_queue_fault(&r->q)->table);
		guest_desc(&r->g, 6, 0x1000, 8, GUEST_N, 3); /* in the second descriptor */
		rig_expect_bad_chain(r, 6, VQM_RULE_NEXT_RANGE);
		assert_int_equal(vqm_queue_fault(&r->q)->desc, 3);
		guest_desc(&r->g, 6, 0x1000, 8, GUEST_N, 7);
		guest_desc(&r->g, 7, 0x1000, 8, 0, 0);
		guest_offer(&r->g, 6);
		assert_int_equal(rig_pop(r), 1);
		assert_int_equal(rig_publish(r, 6, 0), 0);
		rig_expect_service(r, 3);
	}
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_N, 300);
	rig_expect_bad_chain(r, 0, VQM_RULE_NEXT_RANGE);
	rig_expect_line(r, "queue 5, head 0, desc 0: next 300 >= 8 (2.7.5)");
}

/* SR-23, case 1.03: at most n descriptors are read, however many bytes they have. */
static void a_loop_ends_after_n_descriptors(void **state)
{
	static const uint32_t len[] = {8, 0, 1};
	struct rig *r = rig_of(state);
	uint32_t i;
	uint16_t k;

	rig_start(r, 8, 0);
	for (i = 0; i < 3; i++) {
		guest_desc(&r->g, 5, 0x1000, len[i], GUEST_N, 5); /* to itself */
		rig_expect_bad_chain(r, 5, VQM_RULE_LOOP);
		assert_int_equal(vqm_queue_fault(&r->q)->limit, 8);
	}
	for (i = 0; i < 3; i++) {
		uint32_t copies = r->backend.count;

		guest_desc(&r->g, 0, 0x1000, len[i], GUEST_N, 1);
		guest_desc(&r->g, 1, 0x1000, len[i], GUEST_N, 0);
		guest_offer(&r->g, 0);
		assert_int_equal(rig_pop(r), -EINVAL);
		rig_expect_fault(r, VQM_RULE_LOOP);
		copies = r->backend.count - copies;
		assert_true(r->v.copy ? copies == 2 + 8 : copies == 0);
		assert_int_equal(rig_publish(r, 0, 0), 0);
	}
	for (k = 0; k < 8; k++)
		guest_desc(&r->g, k, 0x1000, k & 1, GUEST_N | (k < 4 ? 0 : GUEST_W), (k + 1) & 7);
	rig_expect_bad_chain(r, 0, VQM_RULE_LOOP);
	guest_desc(&r->g, 7, 0x1000, 8, GUEST_W, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
}

static void the_only_descriptor_may_not_refer_to_itself(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 1, 0);
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_N, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), -EINVAL);
	rig_expect_fault(r, VQM_RULE_LOOP);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	rig_expect_service(r, 0);
}

/* SR-24, case 1.18; nothing is delivered, and the next chain is judged by itself. */
static void readable_after_writable_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_W | GUEST_N, 1);
	guest_desc(&r->g, 1, 0x1100, 8, 0, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_WRITE_ORDER);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 1);
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc(&r->g, 1, 0x1100, 8, GUEST_W | GUEST_N, 2);
	guest_desc(&r->g, 2, 0x1000, 0, GUEST_N, 3); /* does not hide it */
	guest_desc(&r->g, 3, 0x1100, 8, 0, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_WRITE_ORDER);
	assert_int_equal(vqm_queue_fault(&r->q)->desc, 3);
	guest_desc(&r->g, 4, 0x1000, 8, 0, 0);
	guest_offer(&r->g, 4);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 1);
	rig_expect_service(r, 0);
}

/* SR-33, cases 1.24, 1.26 and 1.43: no byte outside is touched, none inside is written. */
static void a_buffer_outside_of_memory_is_a_bad_chain(void **state)
{
	static const struct {
		uint64_t addr;
		uint32_t len;
		uint64_t missing;
	} v[] = {
		{0x20000, 1, 0x20000},
		{0x1ffff, 2, 0x20000},
		{0x30000, 0xffffffff, 0x30000},
		{0x4000, 1u << 30, 0x20000},
		{0, 0xffffffff, 0x20000},
		{0xffffffffffffff00, 512, 0xffffffffffffff00},
		{0xffffffffffffff00, 256, 0xffffffffffffff00},
		{0xffffffffffffffff, 1, 0xffffffffffffffff},
		{0xffffffffffffffff, 0xffffffff, 0xffffffffffffffff},
		{1ull << 63, 8, 1ull << 63},
		{1ull << 32, 8, 1ull << 32},
		{GUEST_UVA + 0x1000, 8, GUEST_UVA + 0x1000}, /* that is another space */
	};
	struct rig *r = rig_of(state);
	uint32_t i, k, flags;

	rig_start(r, 8, 0);
	guest_desc(&r->g, 1, 0x1000, 8, 0, 0);
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		for (k = 0; k < 4; k++) {
			flags = k & 1 ? GUEST_W : 0;
			vqm_queue_set_cache(&r->q, k & 2);
			guest_desc(&r->g, 0, v[i].addr, v[i].len, (uint16_t)(flags | GUEST_N), 2);
			guest_desc(&r->g, 2, 0x1000, 8, GUEST_W, 0);
			rig_expect_bad_chain(r, 0, VQM_RULE_UNMAPPED);
			assert_true(vqm_queue_fault(&r->q)->value == v[i].missing);
			guest_desc(&r->g, 3, 0x1000, 8, GUEST_N, 0); /* behind a good one */
			rig_expect_bad_chain(r, 3, VQM_RULE_UNMAPPED);
			assert_int_equal(vqm_queue_fault(&r->q)->desc, 0);
			rig_expect_service(r, 5);
		}
	}
}

/* SR-27: 2^32 bytes are legal, one more is not; the sum does not wrap in 32 bits. */
static void a_chain_of_more_than_4_gib_is_a_bad_chain(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_region in[2];
	struct vqm_regions *t = NULL;

	rig_configure(r, 8, 0);
	rig_start(r, 8, 0);
	in[0] = guest_region(&r->g, 0);
	in[1] = in[0];
	in[1].gpa.v = 1ull << 32;
	in[1].uva.v = 1ull << 33;
	in[1].size = 1ull << 31; /* never touched, so it may lie anywhere */
	assert_int_equal(vqm_regions_build(&t, in, 2), 0);
	vqm_dev_set_regions(&r->dev, t);
	rig_go_copy(r);
	guest_desc(&r->g, 0, 1ull << 32, 1u << 31, GUEST_N, 1);
	guest_desc(&r->g, 1, 1ull << 32, 1u << 31, GUEST_N | GUEST_W, 2);
	guest_desc(&r->g, 2, 0x1000, 0, GUEST_W, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_true(r->chain[0].out_len == 1ull << 31 && r->chain[0].in_len == 1ull << 31);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	guest_desc(&r->g, 2, 0x1000, 1, GUEST_W, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_TOO_LONG);
	assert_true(vqm_queue_fault(&r->q)->value == (1ull << 32) + 1);
	guest_desc(&r->g, 0, 1ull << 32, 1u << 31, GUEST_N | GUEST_W, 1);
	rig_expect_bad_chain(r, 0, VQM_RULE_TOO_LONG);
	rig_expect_service(r, 0);
	rig_set_regions(r);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_broken_ring_stays_broken_within_the_burst),
		RIG_TEST(an_available_index_too_far_ahead_breaks_the_ring),
		RIG_TEST(chains_in_flight_count_against_the_available_index),
		RIG_TEST(a_head_beyond_the_table_breaks_the_ring),
		RIG_TEST(a_next_beyond_the_table_is_a_bad_chain),
		RIG_TEST(a_loop_ends_after_n_descriptors),
		RIG_TEST(the_only_descriptor_may_not_refer_to_itself),
		RIG_TEST(readable_after_writable_is_a_bad_chain),
		RIG_TEST(a_buffer_outside_of_memory_is_a_bad_chain),
		RIG_TEST(a_chain_of_more_than_4_gib_is_a_bad_chain),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
