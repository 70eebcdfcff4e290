/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Giving up: on a chain that the caller has no room for, and on a ring that is broken. */
#include "rig.h"

/* A guest may make chains of any length: the head can be given back unseen. */
static void a_chain_without_room_can_be_skipped(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	assert_int_equal(vqm_skip(&r->q), -EINVAL); /* nothing was refused */
	guest_offer(&r->g, 0);
	assert_int_equal(vqm_skip(&r->q), -EINVAL);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	guest_desc(&r->g, 3, 0x1000, 8, GUEST_N, 4);
	guest_desc(&r->g, 4, 0x1000, 8, 0, 0);
	guest_offer(&r->g, 3);
	vqm_chain_init(&r->chain[0], r->frag[0], 1);
	assert_int_equal(rig_pop(r), -ENOBUFS);
	assert_int_equal(vqm_skip(&r->q), 0);
	assert_int_equal(vqm_skip(&r->q), -EINVAL); /* once */
	assert_int_equal(rig_publish(r, r->chain[0].head, 0), 0);
	assert_int_equal(guest_used_id(&r->g, 1), 3);
	assert_int_equal(rig_pop(r), 0);
	assert_int_equal(vqm_skip(&r->q), -EINVAL);
	rig_expect_service(r, 3);
	guest_desc(&r->g, 3, 0x1000, 8, GUEST_N, 4);
	guest_offer(&r->g, 3);
	assert_int_equal(rig_pop(r), -ENOBUFS);
	vqm_queue_stop(&r->q);
	assert_int_equal(vqm_skip(&r->q), -EINVAL);
	rig_restart_at(r, 0, 0);
	guest_offer(&r->g, 5); /* good */
	guest_offer(&r->g, 3); /* refused */
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(rig_pop(r), -ENOBUFS);
	assert_int_equal(vqm_unpop(&r->q, 1), 0);
	assert_int_equal(vqm_skip(&r->q), -EINVAL); /* the next one is the good one again */
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].head, 5);
}

/* Whatever else fails in between: what the last pop said is what counts. */
static void the_last_pop_decides_what_can_be_skipped(void **state)
{
	struct vqm_done unknown = {3, 1, 0};
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_desc(&r->g, 3, 0x1000, 8, GUEST_N, 4);
	guest_desc(&r->g, 4, 0x1000, 8, 0, 0);
	guest_offer(&r->g, 3);
	vqm_chain_init(&r->chain[0], r->frag[0], 1);
	assert_int_equal(rig_pop(r), -ENOBUFS);
	vqm_begin(&r->q);
	assert_int_equal(vqm_publish(&r->q, &unknown, 1), -EINVAL);
	vqm_end(&r->q);
	assert_int_equal(vqm_skip(&r->q), 0); /* the refused publish is another matter */
	assert_int_equal(rig_publish(r, 3, 0), 0);

	guest_offer(&r->g, 3);
	assert_int_equal(rig_pop(r), -ENOBUFS);
	vqm_chain_init(&r->chain[0], r->frag[0], RIG_FRAGS);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(vqm_skip(&r->q), -EINVAL);
	assert_int_equal(vqm_unpop(&r->q, 1), 0);
	assert_int_equal(vqm_skip(&r->q), -EINVAL); /* put back is not refused */
	vqm_chain_init(&r->chain[0], r->frag[0], 1);
	assert_int_equal(rig_pop(r), -ENOBUFS);
	if (!r->v.copy) {
		vqm_invalidate(&r->dev, r->config.addr[0], 1, VQM_MAY_WAIT);
		assert_int_equal(rig_pop(r), -ESTALE);
		assert_int_equal(vqm_skip(&r->q), -EINVAL);
	}
}

/* Its worker has nothing to wait for: it may sleep, and the guest is not written to any more. */
static void the_worker_of_a_broken_ring_may_sleep(void **state)
{
	struct rig *r = rig_of(state);
	uint64_t features = 0;
	uint32_t i;

	for (i = 0; i < 2; i++, features = RIG_EVENT_IDX) {
		uint16_t flags, event;

		rig_start(r, 8, features);
		rig_disarm(r);
		flags = guest_used_flags(&r->g);
		event = guest_avail_event(&r->g);
		guest_set_avail_idx(&r->g, 9);
		assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
		assert_false(rig_arm(r));
		assert_int_equal(guest_used_flags(&r->g), flags);
		assert_int_equal(guest_avail_event(&r->g), event);
		vqm_queue_stop(&r->q);
		assert_true(rig_arm(r)); /* stopped is not broken */
		guest_set_avail_idx(&r->g, 0);
		assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
		rig_go_copy(r);
		assert_false(rig_arm(r)); /* whole again: asks for a kick */
		if (!features)
			assert_int_equal(guest_used_flags(&r->g), 0);
		vqm_queue_stop(&r->q);
	}
}

/* Nor does it ask for silence on a ring that it does not look at. */
static void a_broken_ring_is_not_written_to(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_set_avail_idx(&r->g, 9);
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
	rig_disarm(r);
	assert_int_equal(guest_used_flags(&r->g), 0);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_chain_without_room_can_be_skipped),
		RIG_TEST(the_last_pop_decides_what_can_be_skipped),
		RIG_TEST(the_worker_of_a_broken_ring_may_sleep),
		RIG_TEST(a_broken_ring_is_not_written_to),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
