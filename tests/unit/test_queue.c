/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Starting and stopping a queue, and what survives it. */
#include "rig.h"

#include <string.h>

/* SR-30, cases 2.20 and 9.12: nothing is read before the start and after the stop. */
static void a_stopped_queue_is_not_connected(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t i;

	for (i = 0; i < 2; i++) {
		assert_int_equal(rig_pop(r), -ENOTCONN);
		rig_expect_fault(r, VQM_RULE_NOT_STARTED);
		assert_int_equal(rig_publish(r, 0, 0), -ENOTCONN);
		assert_true(rig_need_notify(r));
		assert_true(rig_arm(r));
		rig_disarm(r);
		if (i == 0) {
			rig_start(r, 8, 0);
			rig_expect_service(r, 3);
			vqm_queue_stop(&r->q);
			guest_offer(&r->g, 3);
		}
	}
	assert_int_equal(guest_used_idx(&r->g), 1);
}

static void starting_twice_is_busy_and_changes_nothing(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_queue_config second;

	rig_start(r, 8, 0);
	second = r->config;
	second.num = 4;
	assert_int_equal(vqm_queue_start(&r->q, &second), -EBUSY);
	rig_expect_service(r, 7);
}

/* cases 2.12 and 2.16, SR-43: the used index is what memory says. */
static void the_used_index_is_taken_from_the_ring(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	rig_restart_at(r, 103, 100);
	assert_int_equal(rig_publish(r, 6, 11), 0);
	assert_int_equal(guest_used_idx(&r->g), 101);
	assert_int_equal(guest_used_id(&r->g, 4), 6);
	assert_int_equal(guest_used_len(&r->g, 4), 11);
	assert_int_equal(rig_publish(r, 5, 0), 0);
	assert_int_equal(rig_publish(r, 4, 0), 0);
	assert_int_equal(rig_publish(r, 3, 0), -EINVAL); /* three were in flight */
	rig_restart_at(r, 3, 65533);
	guest_set_avail_idx(&r->g, 5);
	assert_int_equal(rig_pop_batch(r, 8), 2);
	guest_set_avail_idx(&r->g, 6); /* 6 + 3 = 9 would be outstanding */
	assert_int_equal(rig_pop_batch(r, 8), -ENOTRECOVERABLE);
}

/* The indices of another session do not fit together: nothing is taken to be in flight. */
static void a_used_index_that_makes_no_sense_gives_nothing_in_flight(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	rig_restart_at(r, 9, 0);
	assert_int_equal(rig_publish(r, 0, 0), -EINVAL);
	rig_expect_service(r, 1);
	rig_restart_at(r, 8, 0);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	rig_restart_at(r, 0, 1);
	assert_int_equal(rig_publish(r, 0, 0), -EINVAL);
	rig_expect_service(r, 2);
}

/* case 2.09 */
static void the_next_index_may_exceed_the_queue_size(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 256, 0);
	rig_restart_at(r, 1000, 1000);
	guest_desc(&r->g, 77, 0x1000, 24, GUEST_W, 0);
	guest_offer(&r->g, 77);
	assert_int_equal(guest_get(&r->g, r->g.avail + 4 + 2 * 232, 2), 77);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].head, 77);
	assert_int_equal(rig_publish(r, 77, 0), 0);
	assert_int_equal(guest_used_id(&r->g, 232), 77);
	assert_int_equal(guest_used_idx(&r->g), 1001);
}

/* case 2.14 */
static void stop_gives_the_next_available_index_every_time(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;

	assert_int_equal(vqm_queue_stop(&r->q), 0);
	rig_start(r, 8, 0);
	for (i = 0; i < 5; i++)
		guest_offer(&r->g, i);
	assert_int_equal(rig_pop_batch(r, 8), 5);
	for (i = 0; i < 3; i++)
		assert_int_equal(rig_publish(r, i, 0), 0);
	assert_int_equal(vqm_queue_stop(&r->q), 5);
	assert_int_equal(rig_pop(r), -ENOTCONN);
	assert_int_equal(vqm_queue_stop(&r->q), 5);
	r->config.next = 5;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	rig_go_copy(r);
	assert_int_equal(rig_publish(r, 3, 0), 0);
	assert_int_equal(rig_publish(r, 4, 0), 0);
	assert_int_equal(rig_publish(r, 5, 0), -EINVAL);
}

/* SR-32, cases 2.20 and 9.12 */
static void a_fresh_start_forgets_indices_chains_and_the_last_look(void **state)
{
	struct rig *r = rig_of(state);
	uint16_t i;

	rig_start(r, 8, 0);
	for (i = 0; i < 5; i++)
		guest_offer(&r->g, i);
	assert_int_equal(rig_pop_batch(r, 2), 2);
	assert_int_equal(rig_publish(r, 8, 0), -EINVAL);
	rig_restart_at(r, 0, 0);
	assert_int_equal(vqm_queue_fault(&r->q)->rule, VQM_RULE_NONE);
	assert_int_equal(rig_pop(r), 0);
	assert_int_equal(rig_publish(r, 0, 0), -EINVAL);
	assert_int_equal(vqm_unpop(&r->q, 1), -EINVAL);
	for (i = 0; i < 8; i++)
		guest_offer(&r->g, i);
	assert_int_equal(rig_pop_batch(r, 64), 8);
}

static void a_broken_queue_works_again_after_stop_and_start(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	guest_set_avail_idx(&r->g, 9);
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
	rig_restart_at(r, 0, 0);
	rig_expect_service(r, 0);
}

/* case 2.19: a bad index of the guest does not fail the start, but the first look. */
static void a_bad_available_index_is_found_by_the_first_pop(void **state)
{
	struct rig *r = rig_of(state);

	rig_configure(r, 256, 0);
	guest_set_avail_idx(&r->g, 1000);
	rig_start(r, 256, 0);
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
	rig_expect_fault(r, VQM_RULE_AVAIL_AHEAD);
	assert_int_equal(rig_pop(r), -ENOTRECOVERABLE);
}

/* cases 8.01, SR-100, SR-101 */
static void the_byte_order_follows_the_features(void **state)
{
	struct rig *r = rig_of(state);
	uint8_t *idx;

	rig_configure(r, 8, 0);
	rig_set_regions(r);
	idx = guest_at(&r->g, r->g.avail + 2);
	/* VERSION_1 means little-endian whatever else was said. */
	r->config.order = VQM_BIG_ENDIAN;
	r->config.features = 1ull << VQM_F_VERSION_1;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	rig_go_copy(r);
	idx[0] = 1;
	assert_int_equal(rig_pop_batch(r, 8), 1);
	vqm_queue_stop(&r->q);
	/* Without it the order of the guest counts: 0x0100 is too many. */
	r->config.features = 0;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	rig_go_copy(r);
	assert_int_equal(rig_pop_batch(r, 8), -ENOTRECOVERABLE);
	assert_int_equal(vqm_queue_fault(&r->q)->value, 0x100);
	vqm_queue_stop(&r->q);
	r->config.order = VQM_LITTLE_ENDIAN;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	rig_go_copy(r);
	assert_int_equal(rig_pop_batch(r, 8), 1);
	idx[0] = 0;
}

/* SR-09, cases 3.11 and 8.06: the event word belongs to an area only with EVENT_IDX. */
static void areas_may_end_with_the_region(void **state)
{
	static const struct {
		uint64_t features, avail, used;
		int err;
	} v[] = {
		{0, 0x20000 - 516, RIG_USED, 0},
		{0, 0x20000 - 514, RIG_USED, -EFAULT},
		{RIG_EVENT_IDX, 0x20000 - 518, RIG_USED, 0},
		{RIG_EVENT_IDX, 0x20000 - 516, RIG_USED, -EFAULT},
		{0, RIG_AVAIL, 0x20000 - 2052, 0},
		{0, RIG_AVAIL, 0x20000 - 2048, -EFAULT},
		{RIG_EVENT_IDX, RIG_AVAIL, 0x20000 - 2056, 0},
		{RIG_EVENT_IDX, RIG_AVAIL, 0x20000 - 2052, -EFAULT},
	};
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_set_regions(r);
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		r->g.desc = RIG_DESC;
		r->g.avail = v[i].avail;
		r->g.used = v[i].used;
		rig_configure(r, 256, v[i].features);
		r->config.backend = NULL;
		assert_int_equal(vqm_queue_start(&r->q, &r->config), v[i].err);
		if (v[i].err)
			rig_expect_fault(r, VQM_RULE_AREA_UNMAPPED);
		vqm_queue_stop(&r->q);
	}
	r->g.num = 0; /* the places differ: nothing was written */
}

/* The whole area counts, also where a backend has to reach it. */
static void an_area_that_the_backend_cannot_reach_is_refused(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t a;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		static const uint64_t place[] = {RIG_DESC, RIG_AVAIL, RIG_USED};
		static const uint64_t size[] = {128, 22, 70};

		rig_configure(r, 8, RIG_EVENT_IDX); /* no table: all goes through the backend */
		r->config.backend = &r->backend.backend;
		assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
		vqm_queue_stop(&r->q);
		r->backend.deaf = guest_uva(&r->g, place[a]);
		r->backend.deaf_size = size[a];
		assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
		rig_expect_fault(r, VQM_RULE_AREA_UNMAPPED);
		assert_int_equal(vqm_queue_fault(&r->q)->area, a);
		r->backend.deaf = guest_uva(&r->g, place[a] + size[a] - 2);
		r->backend.deaf_size = 2;
		assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
		r->backend.deaf_size = 0;
	}
}

static void a_queue_of_an_unknown_strategy_is_refused(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_queue q;

	memset(&q, 0x5a, sizeof(q));
	assert_int_equal(vqm_queue_init(&q, &r->dev, 0, VQM_SYNC_COUNT), -EINVAL);
	if (STRATEGIES == 1) {
		enum vqm_sync wrong =
			r->v.strategy->sync == VQM_SYNC_NONE ? VQM_SYNC_SPIN : VQM_SYNC_NONE;

		assert_int_equal(vqm_queue_init(&q, &r->dev, 0, wrong), -EINVAL);
	}
	assert_int_equal(q.index, 0x5a5a);
	rig_start(r, 8, 0);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_stopped_queue_is_not_connected),
		RIG_TEST(starting_twice_is_busy_and_changes_nothing),
		RIG_TEST(the_used_index_is_taken_from_the_ring),
		RIG_TEST(a_used_index_that_makes_no_sense_gives_nothing_in_flight),
		RIG_TEST(the_next_index_may_exceed_the_queue_size),
		RIG_TEST(stop_gives_the_next_available_index_every_time),
		RIG_TEST(a_fresh_start_forgets_indices_chains_and_the_last_look),
		RIG_TEST(a_broken_queue_works_again_after_stop_and_start),
		RIG_TEST(a_bad_available_index_is_found_by_the_first_pop),
		RIG_TEST(the_byte_order_follows_the_features),
		RIG_TEST(areas_may_end_with_the_region),
		RIG_TEST(an_area_that_the_backend_cannot_reach_is_refused),
		RIG_TEST(a_queue_of_an_unknown_strategy_is_refused),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
