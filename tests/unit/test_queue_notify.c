/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Who wants to hear about what, in both directions, with flags and with EVENT_IDX. */
#include "rig.h"

/* Lets the queue decide once, so that the next decision is by the rule. */
static void settle(struct rig *r)
{
	rig_need_notify(r);
}

static void complete(struct rig *r, uint16_t n)
{
	uint16_t i;

	for (i = 0; i < n; i++) {
		guest_offer(&r->g, 0);
		assert_int_equal(rig_pop(r), 1);
		assert_int_equal(rig_publish(r, 0, 0), 0);
	}
}

/* SR-44 */
static void the_flag_of_the_driver_decides_without_event_idx(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	settle(r);
	guest_put(&r->g, r->g.avail + 4 + 16, 0xffff, 2); /* no used_event there */
	complete(r, 1);
	assert_true(rig_need_notify(r));
	assert_false(rig_need_notify(r)); /* nothing new */
	guest_set_avail_flags(&r->g, 1);
	complete(r, 1);
	assert_false(rig_need_notify(r));
	guest_set_avail_flags(&r->g, 0xfffe); /* only bit 0 counts */
	assert_false(rig_need_notify(r));
	complete(r, 1);
	assert_true(rig_need_notify(r));
	guest_set_avail_flags(&r->g, 0x8001);
	complete(r, 1);
	assert_false(rig_need_notify(r));
}

/* SR-45, SR-46, SR-48, case 3.14: decided by used_event only, after the index moved. */
static void the_event_of_the_driver_decides_with_event_idx(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_EVENT_IDX);
	settle(r);
	guest_set_avail_flags(&r->g, 1); /* means nothing */
	guest_set_used_event(&r->g, 0);
	assert_false(rig_need_notify(r));
	complete(r, 1);
	assert_true(rig_need_notify(r));
	complete(r, 1);
	assert_false(rig_need_notify(r)); /* 0 is past */
	guest_set_used_event(&r->g, 4);
	complete(r, 2);
	assert_false(rig_need_notify(r)); /* 2, 3 */
	guest_set_avail_flags(&r->g, 0);
	complete(r, 3);
	assert_true(rig_need_notify(r)); /* 4, 5, 6 */
	guest_set_used_event(&r->g, 6);	 /* told already: the "no" before counts as a decision */
	assert_false(rig_need_notify(r));
	complete(r, 1);
	assert_false(rig_need_notify(r));
}

/* SR-49, case 3.02 */
static void the_first_answer_after_a_start_is_yes(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_EVENT_IDX);
	guest_set_used_event(&r->g, 505);
	rig_restart_at(r, 500, 500);
	complete(r, 1);
	assert_true(rig_need_notify(r));
	complete(r, 1);
	assert_false(rig_need_notify(r));
	complete(r, 4);
	assert_true(rig_need_notify(r));
	rig_restart_at(r, 500, 500);
	assert_true(rig_need_notify(r));
	assert_false(rig_need_notify(r));
}

/* SR-50, SR-51: a lap or more without a question is answered with yes. */
static void a_lap_between_two_questions_is_yes(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_EVENT_IDX);
	settle(r);
	complete(r, 10);
	settle(r);
	guest_set_used_event(&r->g, 9); /* just missed */
	complete(r, 1);
	assert_false(rig_need_notify(r));
	if (r->v.copy || r->v.big)
		return; /* the same arithmetic, 65536 times slower */
	complete(r, 65535);
	assert_true(rig_need_notify(r)); /* 9 again, as the last of 65535 */
	guest_set_used_event(&r->g, 9);
	complete(r, 65535);
	assert_false(rig_need_notify(r)); /* all indices but 9 */
	complete(r, 65535);
	complete(r, 5);
	guest_set_used_event(&r->g, 2000);
	assert_true(rig_need_notify(r));
}

/* SR-60: notified when the device runs out of buffers, though the driver did not want to be. */
static void running_empty_notifies_in_spite_of_the_flag(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_NOTIFY_ON_EMPTY);
	settle(r);
	guest_set_avail_flags(&r->g, 1);
	guest_offer(&r->g, 0);
	guest_offer(&r->g, 1);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	assert_false(rig_need_notify(r)); /* one more is there */
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(rig_publish(r, 1, 0), 0);
	assert_true(rig_need_notify(r));
	assert_false(rig_need_notify(r));
}

static void without_the_feature_running_empty_means_nothing(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	settle(r);
	guest_set_avail_flags(&r->g, 1);
	complete(r, 1);
	assert_false(rig_need_notify(r));
}

/* SR-60: the used_event field does not suppress it either. */
static void running_empty_notifies_in_spite_of_the_event(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_NOTIFY_ON_EMPTY | RIG_EVENT_IDX);
	settle(r);
	guest_set_used_event(&r->g, 1000);
	complete(r, 1);
	assert_true(rig_need_notify(r));
}

/* SR-56, SR-59, cases 3.13 and 3.18 */
static void arming_asks_for_the_next_buffer_and_tells_what_is_new(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_EVENT_IDX);
	assert_false(rig_arm(r));
	assert_int_equal(guest_avail_event(&r->g), 0);
	guest_offer(&r->g, 0);
	assert_true(rig_arm(r));
	assert_false(rig_arm(r)); /* seen now: new since the last look, not "not empty" */
	assert_int_equal(guest_avail_event(&r->g), 1);
	guest_offer(&r->g, 1);
	guest_offer(&r->g, 2);
	assert_true(rig_arm(r));
	assert_int_equal(rig_pop(r), 1);
	assert_false(rig_arm(r)); /* seen 3, took 1 */
	assert_int_equal(guest_avail_event(&r->g), 3);
	guest_offer(&r->g, 3);
	assert_true(vqm_need_event(guest_avail_event(&r->g), 4, 1)); /* the driver kicks */
	assert_true(rig_arm(r));
	assert_int_equal(rig_pop_batch(r, 8), 3);
	assert_int_equal(guest_used_flags(&r->g), 0);
}

/* SR-54, SR-55 */
static void flags_ask_for_kicks_without_event_idx(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	rig_disarm(r);
	assert_int_equal(guest_used_flags(&r->g), 1);
	assert_int_equal(guest_avail_event(&r->g), 0);
	assert_false(rig_arm(r));
	assert_int_equal(guest_used_flags(&r->g), 0);
	rig_disarm(r);
	guest_offer(&r->g, 0);
	assert_true(rig_arm(r));
	assert_false(rig_arm(r));
	assert_int_equal(guest_used_flags(&r->g), 0);
	assert_int_equal(guest_get(&r->g, r->g.used + 4 + 64, 2), 0);
	rig_expect_service(r, 0);
}

/* SR-54, SR-58: with EVENT_IDX there is no "off", and NO_NOTIFY is never written. */
static void disarming_with_event_idx_writes_nothing(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_EVENT_IDX);
	guest_put(&r->g, r->g.used + 4 + 64, 0x1234, 2);
	rig_disarm(r);
	assert_int_equal(guest_used_flags(&r->g), 0);
	assert_int_equal(guest_avail_event(&r->g), 0x1234);
}

/* The second look does not believe an index that cannot be; the next pop breaks the queue. */
static void arming_does_not_adopt_an_impossible_index(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_EVENT_IDX);
	guest_set_avail_idx(&r->g, 9);
	assert_true(rig_arm(r));
	assert_int_equal(rig_pop_batch(r, 1), -ENOTRECOVERABLE);
	rig_expect_fault(r, VQM_RULE_AVAIL_AHEAD);
	rig_restart_at(r, 0, 0);
	guest_offer(&r->g, 0);
	assert_int_equal(rig_pop(r), 1);
	guest_set_avail_idx(&r->g, 9); /* eight more than taken: one is in flight */
	assert_true(rig_arm(r));
	assert_int_equal(rig_pop_batch(r, 1), -ENOTRECOVERABLE);
	rig_restart_at(r, 0, 0);
	guest_set_avail_idx(&r->g, 8); /* just possible */
	assert_true(rig_arm(r));
	assert_false(rig_arm(r));
	assert_int_equal(rig_pop_batch(r, 8), 8);
}

/* SR-31 */
static void a_kick_without_a_buffer_is_harmless(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	assert_int_equal(rig_pop(r), 0);
	assert_int_equal(rig_pop_batch(r, 8), 0);
	assert_int_equal(guest_used_idx(&r->g), 0);
	rig_expect_service(r, 0);
}

/* A word that cannot be read or written: rather a notification or a look too many. */
static void a_copy_that_fails_errs_on_the_safe_side(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t i;

	if (!r->v.copy)
		return;
	for (i = 0; i < 2; i++) {
		rig_start(r, 8, i ? RIG_EVENT_IDX : 0);
		settle(r);
		guest_set_avail_flags(&r->g, 1);
		guest_set_used_event(&r->g, 1000);
		complete(r, 1);
		r->backend.fail_at = r->backend.count + 1;
		assert_true(rig_need_notify(r));
		assert_false(rig_arm(r));
		r->backend.fail_at = r->backend.count + 1; /* the store */
		assert_true(rig_arm(r));
		r->backend.fail_at = r->backend.count + 2; /* the second look */
		assert_true(rig_arm(r));
		assert_false(rig_arm(r));
		guest_set_avail_flags(&r->g, 0);
		guest_set_used_event(&r->g, 0);
		vqm_queue_stop(&r->q);
		guest_set_avail_idx(&r->g, 0);
		guest_set_used_idx(&r->g, 0);
		r->config.next = 0;
	}
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(the_flag_of_the_driver_decides_without_event_idx),
		RIG_TEST(the_event_of_the_driver_decides_with_event_idx),
		RIG_TEST(the_first_answer_after_a_start_is_yes),
		RIG_TEST(a_lap_between_two_questions_is_yes),
		RIG_TEST(running_empty_notifies_in_spite_of_the_flag),
		RIG_TEST(without_the_feature_running_empty_means_nothing),
		RIG_TEST(running_empty_notifies_in_spite_of_the_event),
		RIG_TEST(arming_asks_for_the_next_buffer_and_tells_what_is_new),
		RIG_TEST(flags_ask_for_kicks_without_event_idx),
		RIG_TEST(disarming_with_event_idx_writes_nothing),
		RIG_TEST(arming_does_not_adopt_an_impossible_index),
		RIG_TEST(a_kick_without_a_buffer_is_harmless),
		RIG_TEST(a_copy_that_fails_errs_on_the_safe_side),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
