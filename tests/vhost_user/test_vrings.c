/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rings from set-up to stop. Numbers are those of the collected defects, ids of the checklist. */
#define _GNU_SOURCE
#include "ring.h"

#include <string.h>
#include <unistd.h>

/* Reads, publishes and tells: the whole way of one chain. VU-47, VU-79, 3.20 */
static void a_chain_goes_from_guest_memory_to_the_device_and_back(void **state)
{
	struct frontend *f = *state;
	uint8_t byte = 0;

	ring_prepare(f);
	ring_place(f, 1, 256, 0);
	ring_put(f, RING_DATA, 0xab, 1);
	ring_offer(f, 1, 256, 0, 7, RING_GPA + RING_DATA); /* and never a kick */
	ring_go(f, 1);
	assert_int_equal(ring_pop(f, 1, &byte), 7);
	assert_int_equal(byte, 0xab);
	assert_int_equal(ring_pop(f, 1, &byte), -EAGAIN);
	assert_int_equal(ring_publish(f, 1, 7), 0);
	assert_int_equal(ring_used_idx(f, 1), 1);
	assert_int_equal(ring_get(f, RING_STRIDE + RING_USED + 4, 4), 7);
	ring_signals(f->call[1]);
	vqm_vhost_user_notify(f->server, 1);
	assert_int_equal(ring_signals(f->call[1]), 1);
	assert_int_equal(ring_signals(f->err[1]), 0);
	vqm_vhost_user_error(f->server, 1);
	assert_int_equal(ring_signals(f->err[1]), 1);
}

/* 3.21: NUM, ADDR, CALL, KICK, ENABLE in any order in which KICK comes after NUM and ADDR */
static void set_up(struct frontend *f, uint32_t step)
{
	struct addr a = ring_addr(0);

	switch (step) {
	case 0: assert_int_equal(frontend_tell_state(f, SET_VRING_NUM, 0, 256), 0); break;
	case 1:
		assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
		break;
	case 2: assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, 0, f->call[0]), 0); break;
	case 3: assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0); break;
	case 4: assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0); break;
	}
}

static void run_in_order(struct frontend *f, const uint32_t *order)
{
	uint32_t i;

	frontend_negotiate(f);
	assert_int_equal(frontend_set_table(f, 1), 0);
	for (i = 0; i < 5; i++) {
		assert_false(f->running[0]);
		set_up(f, order[i]);
		if (i == 3)
			f->log[0] = '\0';
	}
	/* The last of KICK and ENABLE starts it, nothing after that disturbs it. */
	assert_true(f->running[0]);
	ring_put(f, RING_USED, 0, 4);
	ring_offer(f, 0, 256, 0, 3, RING_GPA + RING_DATA);
	assert_int_equal(ring_pop(f, 0, NULL), 3);
	ring_signals(f->call[0]);
	vqm_vhost_user_notify(f->server, 0);
	assert_int_equal(ring_signals(f->call[0]), 1);
	frontend_hang_up(f);
	frontend_pump(f);
	frontend_connect(f);
}

static void the_order_of_set_up_does_not_matter(void **state)
{
	static const uint32_t orders[][5] = {
		{0, 1, 2, 3, 4}, {0, 1, 3, 2, 4}, {0, 1, 2, 4, 3}, {2, 1, 0, 4, 3},
		{3, 0, 1, 2, 4}, {1, 3, 2, 0, 4}, {2, 3, 1, 0, 4}, {1, 0, 2, 4, 3},
	};
	struct frontend *f = *state;
	uint32_t i;

	frontend_add_bank(f, 0, RING_GPA, RING_BANK, 0);
	for (i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		run_in_order(f, orders[i]);
}

/* A server with the features that make the number 30, as a mask, look set. */
static void offer_low_bits(struct frontend *f)
{
	struct vqm_vhost_user_config config = frontend_config(f);

	config.features = 0x1e;
	vqm_vhost_user_free(f->server);
	frontend_hang_up(f);
	assert_int_equal(vqm_vhost_user_new(&f->server, &config), 0);
	frontend_connect(f);
	ring_prepare(f);
}

static void enabled_without_protocol_features(struct frontend *f, uint64_t low)
{
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, low | BIT(F_PROTOCOL)), 0);
	ring_place(f, 0, 256, 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_false(f->running[0]);
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, low), 0);
	assert_true(f->running[0]);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 0), 0);
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, low | BIT(F_PROTOCOL)), 0);
	assert_true(f->running[0]);
	assert_int_equal(frontend_tell(f, RESET_DEVICE, NULL, 0, NULL, 0), 0);
}

/* VU-33, VU-34: bit 30 is tested, whatever the low bits are */
static void without_protocol_features_rings_are_enabled_at_once(void **state)
{
	struct frontend *f = *state;

	offer_low_bits(f);
	enabled_without_protocol_features(f, 0);
	enabled_without_protocol_features(f, 0x1e);
}

/* VU-36, VU-85 */
static void a_running_ring_is_not_disturbed(void **state)
{
	struct frontend *f = *state;
	struct addr a = ring_addr(0);
	uint64_t features;

	ring_start(f, 0, 256, 0);
	features = frontend_ask_u64(f, GET_FEATURES);
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, features), 0);
	assert_int_not_equal(frontend_tell_u64(f, SET_FEATURES, features & ~BIT(29)), 0);
	assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
	a.used += 4;
	assert_int_not_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_NUM, 0, 128), 0); /* VU-56 */
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_BASE, 0, 5), 0);	/* VU-69 */
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0);
	assert_string_equal(f->log, "");
	ring_offer(f, 0, 256, 0, 1, RING_GPA + RING_DATA);
	assert_int_equal(ring_pop(f, 0, NULL), 1);
}

/* VU-77, VU-80 */
static void a_ring_runs_while_it_is_started_and_enabled(void **state)
{
	struct frontend *f = *state;

	ring_start(f, 0, 256, 0);
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 0), 0);
	assert_string_equal(f->log, "e0");
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0);
	assert_int_equal(ring_get_base(f, 0), 0);
	assert_string_equal(f->log, "e0s0e0");
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 0), 0);
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0);
	assert_string_equal(f->log, "e0s0e0");
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_string_equal(f->log, "e0s0e0s0");
	assert_int_not_equal(frontend_tell_fd(f, SET_VRING_KICK, 1, f->kick[1]), 0);
}

/* 2.14, VU-64, VU-65, VU-67 */
static void the_base_is_what_would_be_taken_next(void **state)
{
	struct frontend *f = *state;
	uint16_t i;

	ring_start(f, 0, 256, 0);
	for (i = 0; i < 7; i++)
		ring_offer(f, 0, 256, i, i, RING_GPA + RING_DATA);
	for (i = 0; i < 5; i++)
		assert_int_equal(ring_pop(f, 0, NULL), i);
	for (i = 0; i < 3; i++)
		assert_int_equal(ring_publish(f, 0, i), 0);
	assert_int_equal(ring_get_base(f, 0), 5);
	assert_string_equal(f->log, "e0");
	assert_int_equal(ring_pop(f, 0, NULL), -ENOTCONN);
	assert_int_equal(ring_get_base(f, 0), 5);
	assert_int_equal(vqm_vhost_user_kick_fd(f->server, 0), -1); /* VU-74 */
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_int_equal(ring_pop(f, 0, NULL), 5);
	assert_int_equal(ring_get_base(f, 1), 0);
}

/* 2.09, 2.10, 2.12, VU-60 */
static void the_base_is_16_bits_and_may_exceed_the_size(void **state)
{
	struct frontend *f = *state;

	ring_prepare(f);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_BASE, 0, 0x10001), 0);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_BASE, 0, 0x80008000), 0);
	ring_place(f, 0, 256, 1000);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_BASE, 0, 0x10000), 0);
	ring_put(f, RING_USED + 2, 997, 2);
	ring_offer(f, 0, 256, 1000, 9, RING_GPA + RING_DATA);
	assert_int_equal(ring_get(f, RING_AVAIL + 4 + 2 * 232, 2), 9);
	ring_go(f, 0);
	assert_int_equal(ring_pop(f, 0, NULL), 9);
	assert_int_equal(ring_publish(f, 0, 9), 0);
	assert_int_equal(ring_get(f, RING_USED + 4 + 8 * (997 % 256), 4), 9);
	assert_int_equal(ring_used_idx(f, 0), 998);
	assert_int_equal(ring_get_base(f, 0), 1001);
	assert_int_equal(frontend_tell_state(f, SET_VRING_BASE, 0, 0xffff), 0);
	assert_int_equal(ring_get_base(f, 0), 0xffff);
}

/* VU-52, 4.16: the new file has other bytes at the same addresses */
static void a_new_table_moves_running_rings(void **state)
{
	struct frontend *f = *state;
	struct bank old;
	uint8_t byte = 0;

	ring_start(f, 0, 256, 0);
	ring_put(f, RING_DATA, 0x11, 1);
	ring_offer(f, 0, 256, 0, 1, RING_GPA + RING_DATA);
	old = f->bank[0];
	frontend_add_bank(f, 0, RING_GPA, RING_BANK, 0x800);
	memcpy(f->bank[0].file + 0x800, old.file, RING_BANK);
	ring_put(f, RING_DATA, 0x22, 1);
	ring_offer(f, 0, 256, 0, 2, RING_GPA + RING_DATA);
	assert_int_equal(frontend_set_table(f, 1), 0);
	assert_string_equal(f->log, "m");
	assert_int_equal(frontend_count_maps(), f->maps + 3);
	assert_int_equal(ring_pop(f, 0, &byte), 2);
	assert_int_equal(byte, 0x22);
	f->bank[1] = old; /* for the clean-up */
}

/* VU-52 */
static void a_ring_whose_memory_goes_waits_until_it_is_back(void **state)
{
	struct frontend *f = *state;

	ring_start(f, 0, 256, 0);
	ring_offer(f, 0, 256, 0, 1, RING_GPA + RING_DATA);
	assert_int_equal(ring_pop(f, 0, NULL), 1);
	assert_int_equal(frontend_rem_mem(f, &f->bank[0].as), 0);
	assert_int_equal(ring_pop(f, 0, NULL), -ESTALE);
	assert_int_equal(vqm_prefetch(vqm_vhost_user_queue(f->server, 0)), -EFAULT);
	assert_int_equal(frontend_add_mem(f, &f->bank[0].as, f->bank[0].fd), 0);
	assert_string_equal(f->log, "mm");
	assert_int_equal(vqm_prefetch(vqm_vhost_user_queue(f->server, 0)), 0);
	assert_int_equal(ring_publish(f, 0, 1), 0);
	assert_int_equal(ring_used_idx(f, 0), 1);
	assert_int_equal(frontend_rem_mem(f, &f->bank[0].as), 0);
	assert_int_equal(ring_get_base(f, 0), 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, frontend_setup, frontend_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_chain_goes_from_guest_memory_to_the_device_and_back),
		TEST(the_order_of_set_up_does_not_matter),
		TEST(without_protocol_features_rings_are_enabled_at_once),
		TEST(a_running_ring_is_not_disturbed),
		TEST(a_ring_runs_while_it_is_started_and_enabled),
		TEST(the_base_is_what_would_be_taken_next),
		TEST(the_base_is_16_bits_and_may_exceed_the_size),
		TEST(a_new_table_moves_running_rings),
		TEST(a_ring_whose_memory_goes_waits_until_it_is_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
