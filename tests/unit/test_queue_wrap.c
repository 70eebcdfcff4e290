/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rings of all sizes, run round until every counter has wrapped. */
#include "rig.h"

#include <string.h>

/* SR-16: parts anywhere and in any order; enough memory for the largest ring. */
static void lay_large(struct rig *r)
{
	guest_fini(&r->g);
	guest_add_bank(&r->g, 0, 0x8000);
	guest_add_bank(&r->g, 0x100000, 0x100000);
	r->g.used = 0x100004;
	r->g.desc = 0x180000;
	r->g.avail = 0x141002;
}

/* SR-12, SR-13, case 2.03: @total chains of one descriptor, @burst at a time. */
static void run_round(struct rig *r, uint32_t num, uint32_t total, uint32_t burst, uint16_t start)
{
	struct vqm_done done[RIG_CHAINS];
	uint32_t served = 0, i;
	uint16_t at = start;

	rig_start(r, num, RIG_EVENT_IDX);
	rig_restart_at(r, start, start);
	for (i = 0; i < num; i++)
		guest_desc(&r->g, i, 0x1000, 16 + (i & 0xff), i & 1 ? GUEST_W : 0, 0xffff);
	while (served < total) {
		for (i = 0; i < burst; i++)
			guest_offer(&r->g, (uint16_t)((at + i) * 7u % num));
		assert_int_equal(rig_pop_batch(r, RIG_CHAINS), burst);
		for (i = 0; i < burst; i++) {
			uint16_t head = (uint16_t)((at + i) * 7u % num);

			assert_int_equal(r->chain[i].head, head);
			assert_int_equal(r->chain[i].slots, 1);
			assert_int_equal(r->chain[i].n_in, head & 1);
			assert_int_equal(r->chain[i].n_out, !(head & 1));
			assert_int_equal(r->chain[i].in_len, head & 1 ? 16 + (head & 0xff) : 0);
			assert_int_equal(r->chain[i].out_len, head & 1 ? 0 : 16 + (head & 0xff));
			assert_int_equal(r->chain[i].frag[0].len, 16 + (head & 0xff));
			done[i] = vqm_chain_done(&r->chain[i], 16);
		}
		vqm_begin(&r->q);
		assert_int_equal(vqm_publish(&r->q, done, burst), 0);
		vqm_end(&r->q);
		for (i = 0; i < burst; i++, at++) {
			assert_int_equal(guest_used_id(&r->g, at % num), at * 7u % num);
			assert_int_equal(guest_used_len(&r->g, at % num), (at * 7u % num & 1) * 16);
		}
		assert_int_equal(guest_used_idx(&r->g), at);
		assert_false(rig_arm(r));
		assert_int_equal(guest_avail_event(&r->g), at);
		served += burst;
	}
	assert_int_equal(vqm_queue_stop(&r->q), at);
}

static void a_ring_of_one_runs_round(void **state)
{
	run_round(rig_of(state), 1, 200, 1, 65400);
}

static void a_ring_of_8_serves_70000_buffers(void **state)
{
	struct rig *r = rig_of(state);

	/* All of them once; the other ways differ in how a word is reached only. */
	run_round(r, 8, r->v.copy || r->v.big ? 700 : 70000, 7, r->v.copy || r->v.big ? 65200 : 0);
}

static void a_ring_of_256_runs_round(void **state)
{
	run_round(rig_of(state), 256, 1024, 64, 65280);
}

static void a_ring_of_32768_runs_round(void **state)
{
	struct rig *r = rig_of(state);

	lay_large(r);
	run_round(r, 32768, 512, 64, 65300);
}

/* SR-15, case 2.04: full and empty stay apart in the largest ring; one more is too many. */
static void all_32768_may_be_outstanding(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t taken = 0, i;
	int n;

	lay_large(r);
	rig_start(r, 32768, 0);
	rig_restart_at(r, 40000, 40000);
	assert_int_equal(rig_pop(r), 0);
	for (i = 0; i < 32768; i++)
		guest_put(&r->g, r->g.avail + 4 + 2 * i, i, 2);
	guest_set_avail_idx(&r->g, 7232);
	while ((n = rig_pop_batch(r, RIG_CHAINS)) > 0) {
		for (i = 0; i < (uint32_t)n; i++)
			assert_int_equal(r->chain[i].head, (40000u + taken + i) & 32767);
		taken += (uint32_t)n;
	}
	assert_int_equal(n, 0);
	assert_int_equal(taken, 32768);
	assert_int_equal(rig_publish(r, 77, 0), 0);
	assert_int_equal(guest_used_id(&r->g, 40000 & 32767), 77);
	guest_set_avail_idx(&r->g, 7234); /* one came back, two are offered */
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
	rig_restart_at(r, 40000, 40000);
	guest_set_avail_idx(&r->g, 7233);
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
	rig_expect_line(r, "queue 5: avail.idx offers 32769 buffers, room for 32768 (2.7.6)");
}

/* max_chain is the larger of 1024 and the size, or what the user says. */
static void a_chain_through_all_descriptors_of_a_large_ring(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t i;

	lay_large(r);
	rig_start(r, 4096, 0);
	for (i = 0; i < 4096; i++)
		guest_desc(&r->g, i, 0x1000, i < 4090 ? 0 : 1, i < 4095 ? GUEST_N : 0,
			   (uint16_t)((i + 1) & 4095));
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].n_out, 6);
	guest_desc(&r->g, 4095, 0x1000, 1, GUEST_N, 0);
	rig_expect_bad_chain(r, 0, VQM_RULE_LOOP);
}

/* The largest table that is legal, and the two settings of max_chain. */
static void a_table_may_have_max_chain_entries(void **state)
{
	static const struct {
		uint32_t max_chain, entries;
		enum vqm_rule rule;
	} v[] = {
		{0, 1024, VQM_RULE_NONE},      {0, 1025, VQM_RULE_LOOP},
		{8, 8, VQM_RULE_NONE},	       {8, 9, VQM_RULE_LOOP},
		{1500, 1500, VQM_RULE_NONE},   {1500, 1501, VQM_RULE_LOOP},
		{65536, 65536, VQM_RULE_NONE},
	};
	struct rig *r = rig_of(state);
	uint32_t i, k;

	guest_fini(&r->g);
	guest_add_bank(&r->g, 0, 0x20000);
	guest_add_bank(&r->g, 0x100000, 0x100000);
	for (k = 0; k < sizeof(v) / sizeof(v[0]); k++) {
		uint32_t n = v[k].entries;

		if (n > 4096 && (r->v.copy || r->v.big))
			continue;
		for (i = 0; i < n; i++)
			guest_desc_at(&r->g, 0x100000, i, 0x1000, i + 4 < n ? 0 : 1,
				      i + 1 < n ? GUEST_N : 0, (uint16_t)(i + 1));
		r->config.max_chain = v[k].max_chain;
		rig_start(r, 8, RIG_INDIRECT);
		rig_restart_at(r, 0, 0);
		guest_desc(&r->g, 0, 0x100000, 16 * n, GUEST_I, 0);
		if (v[k].rule == VQM_RULE_NONE) {
			guest_offer(&r->g, 0);
			assert_int_equal(rig_pop(r), 1);
			assert_int_equal(r->chain[0].out_len, 4);
		} else {
			r->backend.logged = GUEST_LOG;
			guest_offer(&r->g, 0);
			assert_int_equal(rig_pop(r), -EINVAL);
			rig_expect_fault(r, v[k].rule);
		}
		/* A direct descriptor before the table counts as well. */
		guest_desc(&r->g, 1, 0x1000, 1, GUEST_N, 0);
		guest_offer(&r->g, 1);
		assert_int_equal(rig_pop(r),
				 n >= (v[k].max_chain ? v[k].max_chain : 1024) ? -EINVAL : 1);
		vqm_queue_stop(&r->q);
	}
}

/* The default is the size of the queue where that is more than 1024. */
static void a_large_queue_takes_tables_as_long_as_itself(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t n, i;

	lay_large(r);
	guest_add_bank(&r->g, 0x200000, 0x20000);
	rig_start(r, 2048, RIG_INDIRECT);
	for (n = 2048; n <= 2049; n++) {
		for (i = 0; i < n; i++)
			guest_desc_at(&r->g, 0x200000, i, 0x1000, i < 3, i + 1 < n ? GUEST_N : 0,
				      (uint16_t)(i + 1));
		guest_desc(&r->g, 0, 0x200000, 16 * n, GUEST_I, 0);
		guest_offer(&r->g, 0);
		assert_int_equal(rig_pop(r), n == 2048 ? 1 : -EINVAL);
	}
	rig_expect_fault(r, VQM_RULE_LOOP);
	assert_int_equal(vqm_queue_fault(&r->q)->limit, 2048);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_ring_of_one_runs_round),
		RIG_TEST(a_ring_of_8_serves_70000_buffers),
		RIG_TEST(a_ring_of_256_runs_round),
		RIG_TEST(a_ring_of_32768_runs_round),
		RIG_TEST(all_32768_may_be_outstanding),
		RIG_TEST(a_chain_through_all_descriptors_of_a_large_ring),
		RIG_TEST(a_table_may_have_max_chain_entries),
		RIG_TEST(a_large_queue_takes_tables_as_long_as_itself),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
