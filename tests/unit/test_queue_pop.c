/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Good chains: what comes out of the ring, one by one and in batches. */
#include "rig.h"

#include <string.h>

/* case 1.02, SR-23 */
static void a_chain_of_exactly_n_descriptors_is_legal(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;

	rig_start(r, 4, 0);
	for (i = 0; i < 4; i++)
		guest_desc(&r->g, i, 0x1000 + 0x100u * i, 64, i < 3 ? GUEST_N : 0, (i + 1) & 3);
	guest_offer(&r->g, 0);
	r->backend.logged = 0;
	assert_int_equal(rig_pop(r), 1);
	assert_false(guest_backend_read_twice(&r->backend));
	assert_int_equal(r->chain[0].n_out, 4);
	assert_int_equal(r->chain[0].n_in, 0);
	assert_int_equal(r->chain[0].out_len, 256);
	assert_int_equal(r->chain[0].slots, 1);
	for (i = 0; i < 4; i++)
		rig_expect_frag(r, i, 0x1000 + 0x100u * i, 64);
}

/* SR-21: next means nothing without NEXT, other flags mean nothing at all (SR-02). */
static void garbage_in_unused_bits_is_ignored(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_desc(&r->g, 2, 0x1000, 8, 0xfff8 | GUEST_N, 5);
	guest_desc(&r->g, 5, 0x1100, 8, 0xfff8 | GUEST_W, 0xffff);
	guest_offer(&r->g, 2);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 1);
	assert_int_equal(r->chain[0].n_in, 1);
	rig_expect_frag(r, 0, 0x1000, 8);
	rig_expect_frag(r, 1, 0x1100, 8);
}

/* case 1.13, SR-78, SR-79 */
static void direct_descriptors_may_be_followed_by_a_table(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc(&r->g, 1, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1100, 8, GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0x1200, 8, GUEST_W, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 2);
	assert_int_equal(r->chain[0].n_in, 1);
	assert_int_equal(r->chain[0].out_len, 16);
	assert_int_equal(r->chain[0].in_len, 8);
	rig_expect_frag(r, 0, 0x1000, 8);
	rig_expect_frag(r, 1, 0x1100, 8);
	rig_expect_frag(r, 2, 0x1200, 8);
}

/* case 1.14, SR-77 */
static void write_on_the_referring_descriptor_means_nothing(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x2000, 16, GUEST_I | GUEST_W, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, 0, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 1);
	assert_int_equal(r->chain[0].out_len, 8);
	assert_int_equal(r->chain[0].in_len, 0);
}

/* case 1.08 */
static void a_table_may_lie_at_any_address(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t off;

	rig_start(r, 16, RIG_INDIRECT);
	for (off = 0; off < 16; off++) {
		guest_desc(&r->g, 0, 0x7000 + off, 32, GUEST_I, 0);
		guest_desc_at(&r->g, 0x7000 + off, 0, 0x1000, 8, GUEST_N, 1);
		guest_desc_at(&r->g, 0x7000 + off, 1, 0x1100, 8, 0, 0);
		guest_offer(&r->g, 0);
		assert_int_equal(rig_pop(r), 1);
		assert_int_equal(r->chain[0].n_out, 2);
		rig_expect_frag(r, 0, 0x1000, 8);
		rig_expect_frag(r, 1, 0x1100, 8);
	}
}

/* cases 1.15 and 1.17, SR-73, SR-74, SR-80: a table has its own bound, for itself only. */
static void a_table_may_be_longer_than_the_queue(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;

	rig_start(r, 4, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x2000, 128, GUEST_I, 0);
	/* Entry 0, then 7 down to 1. */
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 1, GUEST_N, 7);
	for (i = 7; i > 0; i--)
		guest_desc_at(&r->g, 0x2000, i, 0x1000 + i, 1, i > 1 ? GUEST_N : 0,
			      (uint16_t)(i - 1));
	guest_desc(&r->g, 1, 0x1000, 8, GUEST_N, 6);
	guest_offer(&r->g, 0);
	guest_offer(&r->g, 1);
	assert_int_equal(rig_pop_batch(r, 8), 1);
	assert_int_equal(r->chain[0].n_out, 8);
	assert_int_equal(r->chain[0].out_len, 8);
	assert_int_equal(rig_pop(r), -EINVAL);
	rig_expect_fault(r, VQM_RULE_NEXT_RANGE);
	assert_int_equal(r->chain[0].head, 1);
	assert_int_equal(vqm_queue_fault(&r->q)->limit, 4);
}

/* SR-74: entries behind the end of the chain are legal, also bad ones. */
static void a_table_may_have_unused_entries(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 4, RIG_INDIRECT);
	guest_desc(&r->g, 3, 0x2000, 48, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N, 2);
	guest_desc_at(&r->g, 0x2000, 1, 0xdead0000, 8, GUEST_I | GUEST_N, 77);
	guest_desc_at(&r->g, 0x2000, 2, 0x1100, 8, 0, 0);
	guest_offer(&r->g, 3);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 2);
	rig_expect_frag(r, 1, 0x1100, 8);
}

/* cases 1.19 and 1.35: nothing of the last chain is left in the objects. */
static void a_chain_has_nothing_of_the_last_one(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 8, 0);
	guest_desc(&r->g, 0, 0x1000, 64, GUEST_N, 1);
	guest_desc(&r->g, 1, 0x1100, 32, GUEST_W, 0);
	guest_desc(&r->g, 2, 0x1200, 64, 0, 0);
	for (i = 0; i < 2; i++) {
		guest_offer(&r->g, 0);
		guest_offer(&r->g, 2);
		assert_int_equal(rig_pop(r), 1);
		assert_int_equal(r->chain[0].out_len, 64);
		assert_int_equal(r->chain[0].in_len, 32);
		assert_int_equal(rig_pop(r), 1);
		assert_int_equal(r->chain[0].head, 2);
		assert_int_equal(r->chain[0].n_out, 1);
		assert_int_equal(r->chain[0].n_in, 0);
		assert_int_equal(r->chain[0].out_len, 64);
		assert_int_equal(r->chain[0].in_len, 0);
	}
}

/* case 1.21: skipped, before the order test; no empty fragment. */
static void a_descriptor_of_no_bytes_adds_nothing(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc(&r->g, 1, 0xdead0000dead0000, 0, GUEST_W | GUEST_N, 2);
	guest_desc(&r->g, 2, 0x1100, 8, 0, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 2);
	assert_int_equal(r->chain[0].n_in, 0);
	rig_expect_frag(r, 0, 0x1000, 8);
	rig_expect_frag(r, 1, 0x1100, 8);
	guest_desc(&r->g, 3, 0x1000, 0, 0, 0);
	guest_offer(&r->g, 3);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].head, 3);
	assert_int_equal(r->chain[0].n_out + r->chain[0].n_in, 0);
	assert_int_equal(r->chain[0].out_len + r->chain[0].in_len, 0);
	guest_desc(&r->g, 4, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N | GUEST_W, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0, 0, 0, 0);
	guest_offer(&r->g, 4);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 0);
	assert_int_equal(r->chain[0].n_in, 1);
	assert_int_equal(r->chain[0].in_len, 8);
}

/* SR-25: the same bytes whatever the framing; readable and writable counted apart. */
static void one_byte_pieces_are_kept_in_order(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;

	rig_start(r, 16, 0);
	for (i = 0; i < 13; i++)
		guest_desc(&r->g, i, 0x1000 + i, 1, (i < 12 ? GUEST_N : 0) | (i < 5 ? 0 : GUEST_W),
			   (uint16_t)(i + 1));
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 5);
	assert_int_equal(r->chain[0].n_in, 8);
	assert_int_equal(r->chain[0].out_len, 5);
	assert_int_equal(r->chain[0].in_len, 8);
	for (i = 0; i < 13; i++)
		rig_expect_frag(r, i, 0x1000 + i, 1);
}

/* SR-13 to SR-15, cases 2.01, 2.03 and 2.28: a full ring, never more than it holds. */
static void a_batch_takes_what_is_there_and_no_more(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;
	int n;

	rig_start(r, 16, 0);
	rig_restart_at(r, 65530, 65530);
	for (i = 0; i < 16; i++) {
		guest_desc(&r->g, i, 0x1000 + 0x10u * i, 16, i & 1 ? GUEST_W : 0, 0);
		guest_offer(&r->g, 15 - i);
	}
	assert_int_equal(rig_pop_batch(r, 0), 0);
	assert_int_equal(rig_pop_batch(r, 5), 5);
	for (n = 0; n < 5; n++)
		assert_int_equal(r->chain[n].head, 15 - n);
	assert_int_equal(rig_pop_batch(r, RIG_CHAINS), 11);
	for (n = 0; n < 11; n++)
		assert_int_equal(r->chain[n].head, 10 - n);
	assert_int_equal(rig_pop_batch(r, RIG_CHAINS), 0);
	assert_int_equal(rig_pop(r), 0);
	assert_int_equal(vqm_queue_fault(&r->q)->rule, VQM_RULE_NONE);
}

/* SR-34 */
static void unpop_gives_back_the_last_chains(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;

	rig_start(r, 8, 0);
	rig_restart_at(r, 65534, 65534);
	for (i = 0; i < 4; i++)
		guest_offer(&r->g, i);
	assert_int_equal(vqm_unpop(&r->q, 1), -EINVAL);
	assert_int_equal(rig_pop_batch(r, 4), 4);
	assert_int_equal(vqm_unpop(&r->q, 5), -EINVAL);
	assert_int_equal(vqm_unpop(&r->q, 3), 0);
	assert_int_equal(rig_pop_batch(r, 8), 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(r->chain[i].head, i + 1);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	assert_int_equal(vqm_unpop(&r->q, 4), -EINVAL);
	assert_int_equal(vqm_unpop(&r->q, 0), 0);
	assert_int_equal(vqm_unpop(&r->q, 3), 0);
	assert_int_equal(vqm_queue_stop(&r->q), 65535);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_chain_of_exactly_n_descriptors_is_legal),
		RIG_TEST(garbage_in_unused_bits_is_ignored),
		RIG_TEST(direct_descriptors_may_be_followed_by_a_table),
		RIG_TEST(write_on_the_referring_descriptor_means_nothing),
		RIG_TEST(a_table_may_lie_at_any_address),
		RIG_TEST(a_table_may_be_longer_than_the_queue),
		RIG_TEST(a_table_may_have_unused_entries),
		RIG_TEST(a_chain_has_nothing_of_the_last_one),
		RIG_TEST(a_descriptor_of_no_bytes_adds_nothing),
		RIG_TEST(one_byte_pieces_are_kept_in_order),
		RIG_TEST(a_batch_takes_what_is_there_and_no_more),
		RIG_TEST(unpop_gives_back_the_last_chains),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
