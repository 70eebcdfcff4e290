/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Giving chains back: used elements, the used index, and what is refused. */
#include "rig.h"

#include <string.h>

static int publish(struct rig *r, const struct vqm_done *done, uint32_t n)
{
	int err;

	vqm_begin(&r->q);
	err = vqm_publish(&r->q, done, n);
	vqm_end(&r->q);
	return err;
}

static void take(struct rig *r, uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n; i++)
		guest_offer(&r->g, (uint16_t)(i & (r->g.num - 1)));
	assert_int_equal(rig_pop_batch(r, n), n);
}

/* case 2.32, SR-35, SR-38 */
static void an_element_has_the_head_and_the_bytes_written(void **state)
{
	static const uint8_t little[] = {5, 0, 0, 0, 33, 0, 0, 0};
	static const uint8_t big[] = {0, 0, 0, 5, 0, 0, 0, 33};
	struct rig *r = rig_of(state);
	struct vqm_done done;

	rig_start(r, 8, 0);
	guest_desc(&r->g, 5, 0x1000, 20, GUEST_N, 6);
	guest_desc(&r->g, 6, 0x1100, 60, GUEST_N | GUEST_W, 7);
	guest_desc(&r->g, 7, 0x1200, 40, GUEST_W, 0);
	guest_offer(&r->g, 5);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].in_len, 100);
	done = vqm_chain_done(&r->chain[0], 33);
	assert_int_equal(publish(r, &done, 1), 0);
	assert_memory_equal(guest_at(&r->g, r->g.used + 4), r->v.big ? big : little, 8);
	assert_int_equal(guest_used_idx(&r->g), 1);
	assert_int_equal(guest_used_flags(&r->g), 0);
}

/* SR-35: also of a chain through a table */
static void an_indirect_chain_is_one_element(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	guest_desc(&r->g, 3, 0x2000, 32, GUEST_I, 0);
	guest_desc_at(&r->g, 0x2000, 0, 0x1000, 8, GUEST_N, 1);
	guest_desc_at(&r->g, 0x2000, 1, 0x1100, 8, GUEST_W, 0);
	guest_offer(&r->g, 3);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(rig_publish(r, r->chain[0].head, 8), 0);
	assert_int_equal(guest_used_id(&r->g, 0), 3);
	assert_int_equal(guest_used_idx(&r->g), 1);
}

/* SR-38, SR-39: a driver believes the length, so it is never more than was writable. */
static void the_length_is_clamped_to_what_is_writable(void **state)
{
	struct vqm_chain c;
	struct vqm_done d;

	(void)state;
	vqm_chain_init(&c, NULL, 0);
	c.head = 7;
	c.slots = 1;
	c.out_len = 100;
	assert_int_equal(vqm_chain_done(&c, 50).len, 0);
	c.in_len = 40;
	d = vqm_chain_done(&c, 39);
	assert_true(d.head == 7 && d.slots == 1 && d.len == 39);
	assert_int_equal(vqm_chain_done(&c, 40).len, 40);
	assert_int_equal(vqm_chain_done(&c, 41).len, 40);
	c.in_len = 1ull << 32;
	assert_int_equal(vqm_chain_done(&c, 1ull << 32).len, UINT32_MAX);
	assert_int_equal(vqm_chain_done(&c, UINT64_MAX).len, UINT32_MAX);
	assert_int_equal(vqm_chain_done(&c, 0).len, 0);
}

/* SR-36, SR-40, SR-41: any order, in one batch, across the end of the ring. */
static void a_batch_runs_over_the_end_of_the_ring(void **state)
{
	static const uint16_t order[] = {7, 0, 6, 1, 5, 2, 4, 3};
	struct rig *r = rig_of(state);
	struct vqm_done done[8];
	uint16_t i;

	rig_start(r, 8, 0);
	rig_restart_at(r, 65535, 65535);
	take(r, 8);
	for (i = 0; i < 8; i++) {
		done[i].head = order[i];
		done[i].slots = 1;
		done[i].len = 0x01020300u + i;
	}
	assert_int_equal(publish(r, done, 8), 0);
	assert_int_equal(guest_used_idx(&r->g), 7);
	for (i = 0; i < 8; i++) {
		assert_int_equal(guest_used_id(&r->g, (7u + i) & 7), order[i]);
		assert_int_equal(guest_used_len(&r->g, (7u + i) & 7), 0x01020300u + i);
	}
}

static void a_batch_leaves_the_other_elements_alone(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_done done[2] = {{1, 1, 11}, {0, 1, 22}};
	uint32_t i;

	rig_start(r, 8, RIG_EVENT_IDX);
	guest_fill(&r->g, r->g.used + 4, 66, 0x5a);
	rig_restart_at(r, 6, 6);
	take(r, 3);
	assert_int_equal(publish(r, done, 2), 0);
	for (i = 0; i < 6; i++)
		assert_int_equal(guest_used_id(&r->g, i), 0x5a5a5a5a);
	assert_int_equal(guest_used_id(&r->g, 6), 1);
	assert_int_equal(guest_used_len(&r->g, 7), 22);
	assert_int_equal(guest_avail_event(&r->g), 0x5a5a);
	assert_int_equal(guest_used_idx(&r->g), 8);
	assert_int_equal(publish(r, done, 0), 0);
	assert_int_equal(guest_used_idx(&r->g), 8);
	assert_int_equal(guest_used_id(&r->g, 0), 0x5a5a5a5a);
}

/* SR-42, case 1.05 */
static void what_is_not_outstanding_cannot_be_published(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_done done[3] = {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}};

	rig_start(r, 8, 0);
	assert_int_equal(publish(r, done, 0), 0);
	assert_int_equal(publish(r, done, 1), -EINVAL);
	rig_expect_fault(r, VQM_RULE_DONE_UNKNOWN);
	rig_expect_line(r, "queue 5: completion 1 is not outstanding, limit 0");
	take(r, 2);
	assert_int_equal(publish(r, done, 3), -EINVAL);
	assert_int_equal(guest_used_idx(&r->g), 0);
	done[1].head = 8;
	assert_int_equal(publish(r, done, 2), -EINVAL);
	rig_expect_fault(r, VQM_RULE_DONE_UNKNOWN);
	rig_expect_line(r, "queue 5: completion 8 is not outstanding, limit 8");
	assert_int_equal(guest_used_idx(&r->g), 0);
	done[0].head = 0xffff;
	assert_int_equal(publish(r, done, 1), -EINVAL);
	done[0].head = 7;
	done[1].head = 6;
	assert_int_equal(publish(r, done, 2), 0);
	assert_int_equal(guest_used_idx(&r->g), 2);
	assert_int_equal(guest_used_id(&r->g, 0), 7);
	assert_int_equal(guest_used_id(&r->g, 1), 6);
	assert_int_equal(publish(r, done, 1), -EINVAL);
}

/* A refused publish decides nothing: the next good one is where it would have been. */
static void a_refused_publish_leaves_indices_and_notifications(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_done bad = {8, 1, 0};

	rig_start(r, 8, 0);
	take(r, 3);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	assert_true(rig_need_notify(r));
	assert_int_equal(publish(r, &bad, 1), -EINVAL);
	assert_false(rig_need_notify(r));
	assert_int_equal(rig_publish(r, 2, 0), 0);
	assert_true(rig_need_notify(r));
	assert_int_equal(guest_used_id(&r->g, 1), 2);
	assert_int_equal(guest_used_idx(&r->g), 2);
}

/* The ring goes away between pop and publish: everything can be done later. */
static void without_a_ring_nothing_is_lost(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t a;

	rig_start(r, 8, 0);
	if (r->v.copy)
		return;
	for (a = 0; a < VQM_AREA_COUNT; a++) {
		uint16_t used = guest_used_idx(&r->g);

		take(r, 2);
		assert_int_equal(vqm_invalidate(&r->dev, r->config.addr[a], 1, VQM_MAY_WAIT), 0);
		assert_int_equal(rig_publish(r, 1, 5), -ESTALE);
		rig_expect_fault(r, VQM_RULE_RING_GONE);
		assert_int_equal(rig_pop(r), -ESTALE);
		assert_true(rig_need_notify(r));
		assert_true(rig_arm(r));
		rig_disarm(r);
		assert_int_equal(guest_used_idx(&r->g), used);
		assert_int_equal(vqm_prefetch(&r->q), 0);
		assert_int_equal(rig_publish(r, 1, 5), 0);
		assert_int_equal(rig_publish(r, 0, 6), 0);
		assert_int_equal(guest_used_len(&r->g, used), 5);
		assert_int_equal(guest_used_idx(&r->g), (uint16_t)(used + 2));
		assert_int_equal(rig_pop(r), 0);
	}
}

/* Every copy may fail: a pop or publish that failed is as if it had not been tried. */
static void a_copy_that_fails_can_be_repeated(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_done done[2] = {{4, 1, 44}, {2, 1, 22}};
	static const uint32_t fail[] = {1, 2, 1, 2, 3};
	uint32_t k;

	rig_start(r, 8, 0);
	if (!r->v.copy)
		return;
	guest_desc(&r->g, 4, 0x1000, 8, GUEST_N, 5);
	guest_desc(&r->g, 5, 0x1100, 8, GUEST_W, 0);
	guest_offer(&r->g, 4);
	guest_offer(&r->g, 2);
	/* The index; then it is known, and the head, two descriptors. */
	for (k = 0; k < 5; k++) {
		r->backend.fail_at = r->backend.count + fail[k];
		assert_int_equal(rig_pop(r), -ESTALE);
		rig_expect_fault(r, VQM_RULE_RING_GONE);
		assert_int_equal(vqm_queue_fault(&r->q)->err, -ESTALE);
		assert_int_equal(vqm_skip(&r->q), -EINVAL); /* it was not refused */
	}
	r->backend.fail_at = 0;
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].head, 4);
	assert_int_equal(r->chain[0].n_out + r->chain[0].n_in, 2);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(rig_pop(r), 0);
	for (k = 1; k < 4; k++) {
		r->backend.fail_at = r->backend.count + k;
		assert_int_equal(publish(r, done, 2), -ESTALE);
		assert_int_equal(guest_used_idx(&r->g), 0);
	}
	r->backend.fail_at = 0;
	assert_int_equal(publish(r, done, 2), 0);
	assert_int_equal(guest_used_idx(&r->g), 2);
	assert_int_equal(guest_used_id(&r->g, 0), 4);
	assert_int_equal(guest_used_id(&r->g, 1), 2);
}

/* P10: the section is left before anything is copied; bursts on the copy way do not block. */
static void a_burst_on_the_copy_way_is_no_section(void **state)
{
	struct rig *r = rig_of(state);
	unsigned long bursts;

	rig_start(r, 8, 0);
	guest_offer(&r->g, 0);
	bursts = r->q.bursts_copied;
	vqm_begin(&r->q);
	assert_int_equal(vqm_pop(&r->q, &r->chain[0]), 1);
	if (!r->v.strategy->tells)
		assert_int_equal(r->q.view == NULL, r->v.copy);
	else if (r->v.copy || !r->v.strategy->waits)
		assert_int_equal(vqm_guard_wait(&r->q.map.guard, false), 0);
	else
		assert_int_equal(vqm_guard_wait(&r->q.map.guard, false), -EAGAIN);
	vqm_end(&r->q);
	if (r->v.strategy->tells)
		assert_int_equal(vqm_guard_wait(&r->q.map.guard, false), 0);
	assert_int_equal(r->q.bursts_copied, bursts + r->v.copy);
	assert_int_equal(vqm_prefetch(&r->q), 0);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	assert_int_equal(r->q.bursts_copied, bursts + r->v.copy); /* mapped again: no more copies */
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(an_element_has_the_head_and_the_bytes_written),
		RIG_TEST(an_indirect_chain_is_one_element),
		RIG_TEST(the_length_is_clamped_to_what_is_writable),
		RIG_TEST(a_batch_runs_over_the_end_of_the_ring),
		RIG_TEST(a_batch_leaves_the_other_elements_alone),
		RIG_TEST(what_is_not_outstanding_cannot_be_published),
		RIG_TEST(a_refused_publish_leaves_indices_and_notifications),
		RIG_TEST(without_a_ring_nothing_is_lost),
		RIG_TEST(a_copy_that_fails_can_be_repeated),
		RIG_TEST(a_burst_on_the_copy_way_is_no_section),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
