/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Configuration space, and the channel on which the back-end speaks first. */
#define _GNU_SOURCE
#include "ring.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Size of the answer, which has the data in @c. */
static int get(struct frontend *f, struct space *c, uint32_t offset, uint32_t size)
{
	struct header h;
	int n;

	memset(c, 0xee, sizeof(*c));
	c->offset = offset;
	c->size = size;
	frontend_send(f, GET_CONFIG, PLAIN, c, 12 + size, NULL, 0);
	frontend_pump(f);
	n = frontend_answer(f, &h, c, sizeof(*c));
	assert_int_equal(h.request, GET_CONFIG);
	frontend_expect_silence(f);
	return n;
}

static uint64_t set(struct frontend *f, uint32_t offset, uint32_t size, uint32_t flags)
{
	struct space c = {offset, size, flags, {0}};

	memset(c.data, 0x5a, sizeof(c.data));
	return frontend_tell(f, SET_CONFIG, &c, 12 + size, NULL, 0);
}

/* VR-24, VU-92, VU-93, BLK-20 */
static void any_part_of_configuration_space_can_be_read(void **state)
{
	struct frontend *f = *state;
	struct space c;
	uint32_t i;

	frontend_negotiate(f);
	for (i = 0; i < sizeof(f->space); i++)
		f->space[i] = (uint8_t)i;
	for (i = 0; i <= 256; i++) {
		assert_int_equal(get(f, &c, 0, i), 12 + i);
		assert_int_equal(c.size, i);
		assert_memory_equal(c.data, f->space, i);
		assert_int_equal(get(f, &c, 256 - i, i), 12 + i);
		assert_memory_equal(c.data, f->space + 256 - i, i);
	}
	assert_int_equal(f->complaints, 0);
}

/* VU-92, VU-93 */
static void what_cannot_be_read_is_answered_with_nothing(void **state)
{
	struct frontend *f = *state;
	struct space c;

	frontend_negotiate(f);
	assert_int_equal(get(f, &c, 1, 256), 0);
	assert_int_equal(get(f, &c, 256, 1), 0);
	assert_int_equal(get(f, &c, 257, 0), 0);
	assert_int_equal(get(f, &c, UINT32_MAX, 1), 0);
	assert_int_equal(get(f, &c, UINT32_MAX - 255, 256), 0);
	f->space_err = -EIO;
	assert_int_equal(get(f, &c, 0, 8), 0);
	f->space_err = 0;
	assert_int_equal(get(f, &c, 0, 8), 20);
}

/* VR-25, VU-94 */
static void configuration_space_can_be_written_within_its_bounds(void **state)
{
	struct frontend *f = *state;

	frontend_negotiate(f);
	assert_int_equal(set(f, 32, 1, 0), 0);
	assert_int_equal(f->space[31], 0);
	assert_int_equal(f->space[32], 0x5a);
	assert_int_equal(f->space[33], 0);
	assert_int_equal(set(f, 0, 256, 1), 0);
	assert_int_not_equal(set(f, 1, 256, 0), 0);
	assert_int_not_equal(set(f, UINT32_MAX, 2, 0), 0);
	assert_int_not_equal(set(f, 0, 1, 2), 0);
	f->space_err = -EPROTO; /* an errno of the device is nothing but a refusal */
	assert_int_not_equal(set(f, 32, 1, 0), 0);
	frontend_expect_silence(f);
}

static void a_config_message_that_contradicts_itself_ends_the_connection(void **state)
{
	static const uint32_t requests[] = {GET_CONFIG, SET_CONFIG};
	struct frontend *f = *state;
	struct space c = {0, 8, 0, {0}};
	uint32_t i;

	for (i = 0; i < 2; i++) {
		frontend_negotiate(f);
		frontend_send(f, requests[i], NEED_REPLY, &c, 12 + 7, NULL, 0);
		frontend_expect_dropped(f);
		frontend_negotiate(f);
		frontend_send(f, requests[i], NEED_REPLY, &c, 12 + 9, NULL, 0);
		frontend_expect_dropped(f);
	}
}

static int told(int fd)
{
	struct header h;

	if (recv(fd, &h, sizeof(h), MSG_DONTWAIT) != sizeof(h))
		return 0;
	assert_int_equal(h.request, 2);
	assert_int_equal(h.flags, PLAIN);
	assert_int_equal(h.size, 0);
	return 1;
}

/* VR-21, VB-02, VU-84, VU-95 */
static void a_change_of_configuration_is_told_while_a_ring_is_started(void **state)
{
	struct frontend *f = *state;
	int pair[2];

	assert_int_equal(vqm_vhost_user_config_changed(f->server), -ENOTCONN);
	frontend_negotiate(f);
	assert_int_equal(vqm_vhost_user_config_changed(f->server), -ENOTCONN);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(frontend_tell(f, SET_BACKEND_REQ_FD, NULL, 0, &pair[1], 1), 0);
	close(pair[1]);
	assert_int_equal(vqm_vhost_user_config_changed(f->server), 0);
	assert_int_equal(told(pair[0]), 0);
	ring_start(f, 0, 256, 0);
	assert_int_equal(told(pair[0]), 1);
	assert_int_equal(told(pair[0]), 0);
	assert_int_equal(vqm_vhost_user_config_changed(f->server), 0);
	assert_int_equal(told(pair[0]), 1);
	ring_get_base(f, 0);
	assert_int_equal(vqm_vhost_user_config_changed(f->server), 0);
	assert_int_equal(told(pair[0]), 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_int_equal(told(pair[0]), 1);
	close(pair[0]);
	assert_int_equal(vqm_vhost_user_config_changed(f->server), -ENOTCONN);
	frontend_expect_silence(f);
}

/* A channel nobody reads, or that is none, must hurt nobody else. */
static void a_channel_that_is_full_or_no_socket_is_reported(void **state)
{
	struct frontend *f = *state;
	uint32_t i;
	int pair[2], err = 0;

	ring_start(f, 0, 256, 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(frontend_tell(f, SET_BACKEND_REQ_FD, NULL, 0, &pair[1], 1), 0);
	for (i = 0; i < 100000 && !err; i++)
		err = vqm_vhost_user_config_changed(f->server);
	assert_int_equal(err, -ENOTCONN);
	assert_int_equal(frontend_tell(f, SET_BACKEND_REQ_FD, NULL, 0, f->kick, 1), 0);
	assert_int_equal(vqm_vhost_user_config_changed(f->server), -ENOTCONN);
	close(pair[0]);
	close(pair[1]);
	frontend_hang_up(f);
	frontend_pump(f);
	assert_int_equal(vqm_vhost_user_config_changed(f->server), -ENOTCONN);
}

static void a_device_without_configuration_space_does_not_offer_one(void **state)
{
	static const struct vqm_vhost_user_ops nothing;
	struct frontend *f = *state;
	struct vqm_vhost_user_config config = frontend_config(f);

	vqm_vhost_user_free(f->server);
	frontend_hang_up(f);
	config.ops = &nothing;
	assert_int_equal(vqm_vhost_user_new(&f->server, &config), 0);
	frontend_connect(f);
	assert_int_equal(frontend_ask_u64(f, GET_PROTOCOL_FEATURES), ALL_PROTOCOL & ~BIT(9));
	/* Nor does it mind anything else. */
	ring_prepare(f);
	ring_place(f, 0, 256, 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0);
	assert_int_equal(frontend_tell(f, RESET_DEVICE, NULL, 0, NULL, 0), 0);
	assert_int_not_equal(frontend_tell_state(f, SET_VRING_NUM, 0, 3), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, frontend_setup, frontend_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(any_part_of_configuration_space_can_be_read),
		TEST(what_cannot_be_read_is_answered_with_nothing),
		TEST(configuration_space_can_be_written_within_its_bounds),
		TEST(a_config_message_that_contradicts_itself_ends_the_connection),
		TEST(a_change_of_configuration_is_told_while_a_ring_is_started),
		TEST(a_channel_that_is_full_or_no_socket_is_reported),
		TEST(a_device_without_configuration_space_does_not_offer_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
