/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Negotiation, answers, configuration space. Ids are those of the conformance checklist. */
#define _GNU_SOURCE
#include "ring.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const uint64_t ring_features = BIT(28) | BIT(29) | BIT(32);

/* VR-01..03, 05, 08..18, 21, 24, 37; VU-31, VU-32, VU-43, VU-90 */
static void a_front_end_sets_up_two_queues_as_qemu_does(void **state)
{
	struct frontend *f = *state;
	uint32_t i;

	assert_string_equal(f->log, "C");
	assert_int_equal(frontend_ask_u64(f, GET_FEATURES),
			 ring_features | BIT(F_PROTOCOL) | BIT(FLUSH));
	assert_int_equal(frontend_ask_u64(f, GET_PROTOCOL_FEATURES), ALL_PROTOCOL);
	frontend_send(f, SET_PROTOCOL_FEATURES, PLAIN, &(uint64_t){ALL_PROTOCOL}, 8, NULL, 0);
	frontend_expect_silence(f);
	assert_int_equal(frontend_ask_u64(f, GET_QUEUE_NUM), QUEUES);
	assert_int_equal(frontend_ask_u64(f, GET_MAX_MEM_SLOTS), 509);
	assert_int_equal(frontend_tell(f, SET_OWNER, NULL, 0, NULL, 0), 0);
	for (i = 0; i < QUEUES; i++)
		assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, i, f->call[i]), 0);
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, ring_features | BIT(F_PROTOCOL)), 0);
	assert_int_equal(f->features, ring_features);
	frontend_add_bank(f, 0, RING_GPA, RING_BANK, 0);
	assert_int_equal(frontend_add_mem(f, &f->bank[0].as, f->bank[0].fd), 0);
	for (i = 0; i < QUEUES; i++) {
		ring_place(f, i, 256, 0);
		assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, i, f->kick[i]), 0);
		assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, i, f->call[i]), 0);
	}
	assert_false(f->running[0]);
	for (i = 0; i < QUEUES; i++)
		assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, i, 1), 0);
	assert_string_equal(f->log, "Cfms0s1");
	for (i = 0; i < QUEUES; i++) {
		assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, i, 0), 0);
		assert_int_equal(ring_get_base(f, i), 0);
	}
	assert_string_equal(f->log, "Cfms0s1e0e1");
	assert_int_equal(f->complaints, 0);
}

/* It asks for an acknowledgement of the very request that negotiates them, and sends room for more
 * regions than it has. */
static void a_front_end_sets_up_a_queue_as_user_mode_linux_does(void **state)
{
	struct frontend *f = *state;
	uint64_t protocol = BIT(3) | BIT(5) | BIT(9);
	struct table t = {.count = 1};
	int pair[2];

	assert_int_equal(frontend_tell_u64(f, SET_PROTOCOL_FEATURES, protocol), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(frontend_tell(f, SET_BACKEND_REQ_FD, NULL, 0, &pair[1], 1), 0);
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, BIT(32) | BIT(F_PROTOCOL)), 0);
	frontend_add_bank(f, 0, RING_GPA, RING_BANK, 0x1000);
	t.region[0] = f->bank[0].as;
	assert_int_equal(frontend_tell(f, SET_MEM_TABLE, &t, 8 + 2 * 32, &f->bank[0].fd, 1), 0);
	ring_place(f, 0, 64, 0);
	ring_go(f, 0);
	/* Unloading and loading the driver: no GET_VRING_BASE, but the ring is disabled before. */
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 0), 0);
	ring_place(f, 0, 128, 0);
	ring_go(f, 0);
	close(pair[0]);
	close(pair[1]);
}

/* VU-35 */
static void features_that_were_not_offered_are_refused(void **state)
{
	struct frontend *f = *state;
	uint32_t bit;

	frontend_negotiate(f);
	for (bit = 0; bit < 64; bit++) {
		uint64_t features = BIT(bit) | BIT(F_PROTOCOL);
		bool offered = !(features & ~(ring_features | BIT(F_PROTOCOL) | BIT(FLUSH)));

		assert_int_equal(!frontend_tell_u64(f, SET_FEATURES, features), offered);
		if (offered)
			assert_true(f->features == (features & ~BIT(F_PROTOCOL)));
		if (!(ALL_PROTOCOL & BIT(bit)))
			assert_int_not_equal(frontend_tell_u64(f, SET_PROTOCOL_FEATURES,
							       ALL_PROTOCOL | BIT(bit)),
					     0);
	}
	assert_int_equal(frontend_ask_u64(f, GET_QUEUE_NUM), QUEUES);
}

/* VU-35 */
static void what_the_library_does_not_serve_cannot_be_offered(void **state)
{
	static const uint8_t unserved[] = {26, 33, 34, 35, 37, 38, 39, 40, 41};
	struct frontend *f = *state;
	struct vqm_vhost_user_config config = frontend_config(f);
	struct vqm_vhost_user *s;
	uint32_t i;

	for (i = 0; i < sizeof(unserved); i++) {
		config.features = BIT(unserved[i]);
		assert_int_equal(vqm_vhost_user_new(&s, &config), -EINVAL);
	}
	config = frontend_config(f);
	config.queues = 0;
	assert_int_equal(vqm_vhost_user_new(&s, &config), -EINVAL);
	config.queues = 257;
	assert_int_equal(vqm_vhost_user_new(&s, &config), -EINVAL);
	config = frontend_config(f);
	config.sync = VQM_SYNC_COUNT;
	assert_int_equal(vqm_vhost_user_new(&s, &config), -EINVAL);
	config.ops = NULL;
	assert_int_equal(vqm_vhost_user_new(&s, &config), -EINVAL);
	vqm_vhost_user_free(NULL);
}

/* VU-10, VU-12, VU-14 */
static void acknowledgements_come_when_negotiated_and_asked_for(void **state)
{
	struct frontend *f = *state;
	struct state bad = {QUEUES, 256}, good = {0, 256};

	frontend_send(f, SET_VRING_NUM, NEED_REPLY, &good, sizeof(good), NULL, 0);
	frontend_expect_silence(f);
	frontend_send(f, SET_VRING_NUM, NEED_REPLY, &bad, sizeof(bad), NULL, 0);
	frontend_expect_dropped(f);
	frontend_negotiate(f);
	/* The request that takes them away is the last that gets one. */
	assert_int_equal(frontend_tell_u64(f, SET_PROTOCOL_FEATURES, 0), 0);
	frontend_send(f, SET_OWNER, NEED_REPLY, NULL, 0, NULL, 0);
	frontend_expect_silence(f);
	frontend_negotiate(f);
	assert_int_equal(frontend_tell_state(f, SET_VRING_NUM, 0, 256), 0);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_NUM, QUEUES, 256), 0);
	assert_int_equal(f->complaints, 1);
	frontend_send(f, SET_VRING_NUM, PLAIN, &good, sizeof(good), NULL, 0);
	frontend_expect_silence(f);
	frontend_send(f, SET_VRING_NUM, PLAIN, &bad, sizeof(bad), NULL, 0);
	frontend_expect_dropped(f);
}

/* VU-04, VU-11, VU-13 */
static void requests_with_an_answer_of_their_own_get_no_other(void **state)
{
	static const uint32_t asks[] = {GET_FEATURES, GET_PROTOCOL_FEATURES, GET_QUEUE_NUM,
					GET_MAX_MEM_SLOTS};
	struct frontend *f = *state;
	struct state s = {1, 0};
	struct header h;
	uint32_t i;

	frontend_negotiate(f);
	for (i = 0; i < sizeof(asks) / sizeof(asks[0]); i++)
		assert_int_equal(frontend_tell(f, asks[i], NULL, 0, NULL, 0),
				 frontend_ask_u64(f, asks[i]));
	frontend_send(f, GET_VRING_BASE, NEED_REPLY, &s, sizeof(s), NULL, 0);
	frontend_pump(f);
	assert_int_equal(frontend_answer(f, &h, &s, sizeof(s)), sizeof(s));
	frontend_expect_silence(f);
	s.index = QUEUES;
	frontend_send(f, GET_VRING_BASE, NEED_REPLY, &s, sizeof(s), NULL, 0);
	frontend_expect_dropped(f);
}

/* VU-40 */
static void requests_need_their_protocol_feature(void **state)
{
	static const struct {
		uint32_t request, bit, size, fds, answers;
	} gate[] = {
		{GET_QUEUE_NUM, 0, 0, 0, 1}, {SET_BACKEND_REQ_FD, 5, 0, 1, 0},
		{GET_CONFIG, 9, 12, 0, 1},   {SET_CONFIG, 9, 12, 0, 0},
		{RESET_DEVICE, 13, 0, 0, 0}, {GET_MAX_MEM_SLOTS, 15, 0, 0, 1},
		{ADD_MEM_REG, 15, 40, 1, 0}, {REM_MEM_REG, 15, 40, 0, 0},
	};
	struct frontend *f = *state;
	struct single s = {0, {0, 0, 0, 0}};
	uint32_t i;

	for (i = 0; i < sizeof(gate) / sizeof(gate[0]); i++) {
		frontend_negotiate(f);
		assert_int_equal(frontend_tell_u64(f, SET_PROTOCOL_FEATURES,
						   ALL_PROTOCOL & ~BIT(gate[i].bit)),
				 0);
		frontend_send(f, gate[i].request, NEED_REPLY, &s, gate[i].size, f->kick,
			      gate[i].fds);
		frontend_pump(f);
		if (!gate[i].answers) {
			struct header h;
			uint64_t ack = 0;

			assert_int_equal(frontend_answer(f, &h, &ack, sizeof(ack)), sizeof(ack));
			assert_int_not_equal(ack, 0);
			frontend_expect_silence(f);
			frontend_send(f, gate[i].request, PLAIN, &s, gate[i].size, f->kick,
				      gate[i].fds);
		}
		frontend_expect_dropped(f);
	}
}

/* VU-86, VU-87 */
static void reset_stops_everything_and_keeps_the_session(void **state)
{
	struct frontend *f = *state;

	ring_start(f, 0, 256, 0);
	assert_int_equal(frontend_tell(f, RESET_OWNER, NULL, 0, NULL, 0), 0);
	assert_true(f->running[0]);
	assert_int_equal(frontend_tell(f, RESET_DEVICE, NULL, 0, NULL, 0), 0);
	assert_string_equal(f->log, "e0r");
	assert_int_not_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0);
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, BIT(32) | BIT(F_PROTOCOL)), 0);
	ring_place(f, 0, 64, 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_string_equal(f->log, "e0rf");
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0);
	assert_string_equal(f->log, "e0rfs0");
}

/* VU-06 */
static void messages_may_come_in_pieces_and_in_heaps(void **state)
{
	struct frontend *f = *state;
	struct {
		struct header h;
		struct state s;
	} message = {{GET_VRING_BASE, PLAIN, sizeof(struct state)}, {1, 0}}, heap[100];
	struct header h;
	struct state s;
	uint32_t i;

	for (i = 0; i < sizeof(message); i++) {
		frontend_expect_silence(f);
		frontend_send_raw(f, (char *)&message + i, 1, NULL, 0);
	}
	frontend_pump(f);
	assert_int_equal(frontend_answer(f, &h, &s, sizeof(s)), sizeof(s));
	for (i = 0; i < 100; i++)
		heap[i] = message;
	frontend_send_raw(f, heap, sizeof(heap), NULL, 0);
	frontend_pump(f);
	for (i = 0; i < 100; i++)
		assert_int_equal(frontend_answer(f, &h, &s, sizeof(s)), sizeof(s));
	frontend_expect_silence(f);
}

/* VU-89: all that one front-end agreed on is unknown to the next */
static void a_new_front_end_begins_at_the_beginning(void **state)
{
	struct frontend *f = *state;

	ring_start(f, 0, 256, 0);
	frontend_hang_up(f);
	frontend_pump(f);
	assert_string_equal(f->log, "e0c");
	assert_int_equal(f->complaints, 0);
	assert_int_equal(frontend_count_maps(), f->maps + 1); /* our own */
	frontend_connect(f);
	frontend_send(f, SET_OWNER, NEED_REPLY, NULL, 0, NULL, 0);
	frontend_expect_silence(f);
	frontend_negotiate(f);
	ring_place(f, 0, 256, 0);
	assert_int_not_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_int_equal(frontend_set_table(f, 1), 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_false(f->running[0]); /* enabled was forgotten, too */
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, frontend_setup, frontend_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_front_end_sets_up_two_queues_as_qemu_does),
		TEST(a_front_end_sets_up_a_queue_as_user_mode_linux_does),
		TEST(features_that_were_not_offered_are_refused),
		TEST(what_the_library_does_not_serve_cannot_be_offered),
		TEST(acknowledgements_come_when_negotiated_and_asked_for),
		TEST(requests_with_an_answer_of_their_own_get_no_other),
		TEST(requests_need_their_protocol_feature),
		TEST(reset_stops_everything_and_keeps_the_session),
		TEST(messages_may_come_in_pieces_and_in_heaps),
		TEST(a_new_front_end_begins_at_the_beginning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
