/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Buffers and indirect tables across regions, and arrays that are too small. */
#include "rig.h"

#include <string.h>

/* Memory in banks whose host sides are not neighbours; the ring lies in the last one. */
static void use_banks(struct rig *r, uint32_t count, uint64_t size)
{
	uint32_t i;

	guest_fini(&r->g);
	for (i = 0; i < count; i++)
		guest_add_bank(&r->g, i * size, size);
	guest_add_bank(&r->g, count * size, 0x20000 - count * size);
}

/* case 4.01, SR-33 */
static void a_buffer_over_two_regions_is_two_fragments(void **state)
{
	struct rig *r = rig_of(state);

	use_banks(r, 1, 0x10000);
	rig_start(r, 8, 0);
	guest_desc(&r->g, 0, 0xfff0, 32, GUEST_N, 1);
	guest_desc(&r->g, 1, 0xfff8, 16, GUEST_W, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 2);
	assert_int_equal(r->chain[0].n_in, 2);
	assert_int_equal(r->chain[0].out_len, 32);
	assert_int_equal(r->chain[0].in_len, 16);
	rig_expect_frag(r, 0, 0xfff0, 16);
	rig_expect_frag(r, 1, 0x10000, 16);
	rig_expect_frag(r, 2, 0xfff8, 8);
	rig_expect_frag(r, 3, 0x10000, 8);
}

/* case 1.34 */
static void bytes_written_run_on_in_the_next_fragment(void **state)
{
	struct rig *r = rig_of(state);
	uint8_t byte = 0;
	uint32_t i, k;

	use_banks(r, 1, 0x10000);
	rig_start(r, 8, 0);
	guest_desc(&r->g, 0, 0xfff8, 16, GUEST_W, 0);
	guest_offer(&r->g, 0);
	vqm_begin(&r->q);
	assert_int_equal(vqm_pop(&r->q, &r->chain[0]), 1);
	for (i = 0; i < r->chain[0].n_in; i++) {
		for (k = 0; k < r->chain[0].frag[i].len; k++)
			((uint8_t *)r->chain[0].frag[i].base)[k] = byte++;
	}
	vqm_end(&r->q);
	assert_int_equal(byte, 16);
	for (i = 0; i < 16; i++)
		assert_int_equal(guest_get(&r->g, 0xfff8 + i, 1), i);
	guest_accept(&r->g, 0xfff8, 16);
}

/* case 1.25 */
static void a_buffer_may_end_with_the_last_byte_of_memory(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_desc(&r->g, 0, 0x1ff00, 0x100, 0, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	rig_expect_frag(r, 0, 0x1ff00, 0x100);
	guest_desc(&r->g, 1, 0x1ff00, 0x101, 0, 0);
	rig_expect_bad_chain(r, 1, VQM_RULE_UNMAPPED);
	assert_int_equal(vqm_queue_fault(&r->q)->value, 0x20000);
	guest_desc(&r->g, 2, 0x4000, 1u << 30, GUEST_W, 0);
	rig_expect_bad_chain(r, 2, VQM_RULE_UNMAPPED);
}

/* case 1.27: one descriptor of eight fragments is no loop in a queue of two. */
static void fragments_are_not_descriptors(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t i;

	use_banks(r, 7, 0x1000);
	rig_start(r, 2, 0);
	guest_desc(&r->g, 0, 0, 0x8000, 0, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 8);
	assert_int_equal(r->chain[0].out_len, 0x8000);
	for (i = 0; i < 8; i++)
		rig_expect_frag(r, i, 0x1000 * i, 0x1000);
}

/* case 1.29, SR-81: also with an entry that is itself split. */
static void a_table_may_cross_two_regions(void **state)
{
	struct rig *r = rig_of(state);
	static const uint64_t at[] = {0xfff0, 0xfff8, 0xfff1, 0xffff, 0xffe8};
	uint32_t i;

	use_banks(r, 1, 0x10000);
	rig_start(r, 8, RIG_INDIRECT);
	for (i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		guest_desc(&r->g, 0, at[i], 32, GUEST_I, 0);
		guest_desc_at(&r->g, at[i], 0, 0x1000, 8, GUEST_N, 1);
		guest_desc_at(&r->g, at[i], 1, 0x11100, 8, GUEST_W, 0);
		guest_offer(&r->g, 0);
		r->backend.logged = 0;
		assert_int_equal(rig_pop(r), 1);
		assert_false(guest_backend_read_twice(&r->backend));
		rig_expect_frag(r, 0, 0x1000, 8);
		rig_expect_frag(r, 1, 0x11100, 8);
	}
}

/* case 1.28: nothing is consumed, nothing is written behind the array. */
static void an_array_that_is_too_small_can_be_retried(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_frag *f = r->frag[0], canary;
	uint16_t i;

	use_banks(r, 1, 0x10000);
	rig_start(r, 8, RIG_INDIRECT);
	for (i = 0; i < 5; i++)
		guest_desc(&r->g, i, 0x1000 + 0x100u * i, 8, i < 4 ? GUEST_N : 0,
			   (uint16_t)(i + 1));
	memset(f, 0x5a, sizeof(r->frag[0]));
	canary = f[4];
	vqm_chain_init(&r->chain[0], f, 4);
	guest_offer(&r->g, 1); /* four descriptors */
	guest_offer(&r->g, 0); /* five */
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 4);
	for (i = 0; i < 3; i++) {
		assert_int_equal(rig_pop(r), -ENOBUFS);
		rig_expect_fault(r, VQM_RULE_NO_ROOM);
		assert_memory_equal(&f[4], &canary, sizeof(canary));
		assert_int_equal(r->chain[0].cap, 4);
		assert_ptr_equal(r->chain[0].frag, f);
		assert_int_equal(r->chain[0].n_out, 0);
	}
	vqm_chain_init(&r->chain[0], f, 5);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 5);
	assert_int_equal(r->chain[0].head, 0);
	assert_int_equal(rig_pop(r), 0);
}

/* The fourth descriptor splits in two; also in a table, and in an array without room. */
static void a_split_buffer_counts_twice_against_the_array(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t cap;
	uint16_t i;

	use_banks(r, 1, 0x10000);
	rig_start(r, 8, RIG_INDIRECT);
	for (i = 0; i < 4; i++) {
		guest_desc(&r->g, i, i < 3 ? 0x1000 : 0xfffc, 8, i < 3 ? GUEST_N : 0,
			   (uint16_t)(i + 1));
		guest_desc_at(&r->g, 0x2000, i, i < 3 ? 0x1000 : 0xfffc, 8, i < 3 ? GUEST_N : 0,
			      (uint16_t)(i + 1));
	}
	guest_desc(&r->g, 7, 0x2000, 64, GUEST_I, 0);
	guest_offer(&r->g, 0);
	guest_offer(&r->g, 7);
	for (i = 0; i < 2; i++) {
		for (cap = 0; cap < 5; cap++) {
			vqm_chain_init(&r->chain[0], r->frag[0], cap);
			assert_int_equal(rig_pop(r), -ENOBUFS);
		}
		vqm_chain_init(&r->chain[0], r->frag[0], 5);
		assert_int_equal(rig_pop(r), 1);
		assert_int_equal(r->chain[0].n_out, 5);
		rig_expect_frag(r, 3, 0xfffc, 4);
		rig_expect_frag(r, 4, 0x10000, 4);
	}
}

/* Also for the shortest chain, whose address was translated before. */
static void an_array_without_room_is_too_small_for_one_fragment(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	rig_expect_service(r, 0);
	guest_offer(&r->g, 0);
	vqm_chain_init(&r->chain[0], r->frag[0], 0);
	memset(r->frag[0], 0x5a, sizeof(r->frag[0]));
	assert_int_equal(rig_pop(r), -ENOBUFS);
	rig_expect_fault(r, VQM_RULE_NO_ROOM);
	assert_int_equal(r->frag[0][0].len, 0x5a5a5a5a5a5a5a5a);
	guest_desc(&r->g, 0, 0, 0, 0, 0); /* no bytes need no room */
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->frag[0][0].len, 0x5a5a5a5a5a5a5a5a);
}

static void a_line_tells_the_room_of_the_array(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_desc(&r->g, 3, 0x1000, 8, GUEST_N, 4);
	guest_desc(&r->g, 4, 0x1000, 8, 0, 0);
	guest_offer(&r->g, 3);
	vqm_chain_init(&r->chain[0], r->frag[0], 1);
	assert_int_equal(rig_pop(r), -ENOBUFS);
	rig_expect_line(r, "queue 5, head 3, desc 4: more than the caller's 1 fragments");
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_buffer_over_two_regions_is_two_fragments),
		RIG_TEST(bytes_written_run_on_in_the_next_fragment),
		RIG_TEST(a_buffer_may_end_with_the_last_byte_of_memory),
		RIG_TEST(fragments_are_not_descriptors),
		RIG_TEST(a_table_may_cross_two_regions),
		RIG_TEST(an_array_that_is_too_small_can_be_retried),
		RIG_TEST(a_split_buffer_counts_twice_against_the_array),
		RIG_TEST(an_array_without_room_is_too_small_for_one_fragment),
		RIG_TEST(a_line_tells_the_room_of_the_array),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
