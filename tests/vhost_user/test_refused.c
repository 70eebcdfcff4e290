/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Well-formed requests about rings that cannot be obeyed: refused, and nothing has changed. */
#define _GNU_SOURCE
#include "ring.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void refused(struct frontend *f, uint32_t request, uint32_t index, uint32_t num)
{
	assert_int_not_equal(frontend_tell_state(f, request, index, num), 0);
}

static void kick_is_refused(struct frontend *f)
{
	uint32_t fds = frontend_count_fds();

	assert_int_not_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[0]), 0);
	assert_int_equal(frontend_count_fds(), fds);
	assert_int_equal(vqm_vhost_user_kick_fd(f->server, 0), -1);
	assert_int_equal(ring_pop(f, 0, NULL), -ENOTCONN);
}

/* The ring works with what was set before. */
static void still_works(struct frontend *f)
{
	ring_go(f, 0);
	ring_offer(f, 0, 256, 0, 255, RING_GPA + RING_DATA);
	assert_int_equal(ring_pop(f, 0, NULL), 255);
}

/* VU-16, 2.08 */
static void indices_are_compared_before_they_are_narrowed(void **state)
{
	static const uint32_t index[] = {QUEUES, 255, 256, 0x10000, 0x10001, UINT32_MAX};
	static const uint64_t wide[] = {QUEUES,	      0xff,	    0x1ff,	0x200,
					0x10000,      1ull << 32,   1ull << 63, UINT64_MAX,
					NO_FD | 0xff, NO_FD | 0x200};
	struct frontend *f = *state;
	uint32_t fds, i, request;
	struct addr a;

	ring_prepare(f);
	ring_place(f, 0, 256, 0);
	fds = frontend_count_fds();
	for (i = 0; i < sizeof(index) / sizeof(index[0]); i++) {
		refused(f, SET_VRING_NUM, index[i], 256);
		refused(f, SET_VRING_BASE, index[i], 7);
		refused(f, SET_VRING_ENABLE, index[i], 1);
		a = ring_addr(0);
		a.index = index[i];
		a.desc += 64;
		assert_int_not_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
	}
	for (i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		for (request = SET_VRING_KICK; request <= SET_VRING_ERR; request++)
			assert_int_not_equal(frontend_tell_fd(f, request, wide[i], f->kick[0]), 0);
	}
	assert_int_equal(frontend_count_fds(), fds);
	assert_null(vqm_vhost_user_queue(f->server, QUEUES));
	assert_int_equal(vqm_vhost_user_kick_fd(f->server, QUEUES), -1);
	vqm_vhost_user_notify(f->server, UINT32_MAX);
	vqm_vhost_user_error(f->server, UINT32_MAX);
	still_works(f);
}

/* VU-56, VU-83, 2.08, 2.10 */
static void numbers_out_of_range_are_refused(void **state)
{
	static const uint32_t num[] = {0,	3,	 255,	     257,	0x8001,
				       0x10000, 0x10100, 0x80000000, UINT32_MAX};
	struct frontend *f = *state;
	uint32_t i;

	ring_prepare(f);
	ring_place(f, 0, 256, 0);
	for (i = 0; i < sizeof(num) / sizeof(num[0]); i++)
		refused(f, SET_VRING_NUM, 0, num[i]);
	refused(f, SET_VRING_BASE, 0, 0x10000);
	refused(f, SET_VRING_BASE, 0, UINT32_MAX);
	refused(f, SET_VRING_ENABLE, 0, 2);
	refused(f, SET_VRING_ENABLE, 0, UINT32_MAX);
	assert_false(f->running[0]);
	still_works(f);
}

/* Each is the only thing that is wrong. VU-50, VU-59, VU-88 */
static void a_ring_in_the_wrong_place_does_not_start(void **state)
{
	const struct addr right = ring_addr(0);
	const uint64_t end = RING_GPA + 0x7f0000000000 + RING_BANK;
	const uint64_t desc[] = {0,   RING_GPA,	       right.desc + 8, end - 16 * 256 + 16,
				 end, right.desc - 16, UINT64_MAX - 15};
	const uint64_t avail[] = {0, right.avail + 1, end - 516, UINT64_MAX - 1};
	const uint64_t used[] = {0, right.used + 2, end - 2052, UINT64_MAX - 3};
	struct frontend *f = *state;
	struct addr a = right;
	uint32_t i;

	ring_prepare(f);
	ring_place(f, 0, 256, 0);
	for (i = 0; i < sizeof(desc) / sizeof(desc[0]); i++, a = right) {
		a.desc = desc[i];
		assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
		kick_is_refused(f);
	}
	for (i = 0; i < sizeof(avail) / sizeof(avail[0]); i++, a = right) {
		a.avail = avail[i];
		assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
		kick_is_refused(f);
	}
	for (i = 0; i < sizeof(used) / sizeof(used[0]); i++, a = right) {
		a.used = used[i];
		assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
		kick_is_refused(f);
	}
	a.used = end - 2056; /* its last byte is that of the region */
	assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
	still_works(f);
}

/* VU-88, 2.20 */
static void a_kick_before_the_ring_is_described_is_refused(void **state)
{
	struct frontend *f = *state;
	struct addr a = ring_addr(0);

	frontend_negotiate(f);
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, 0, 1), 0);
	kick_is_refused(f);
	assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
	kick_is_refused(f);
	assert_int_equal(frontend_tell_state(f, SET_VRING_NUM, 0, 256), 0);
	kick_is_refused(f);
	frontend_add_bank(f, 0, RING_GPA, RING_BANK, 0);
	assert_int_equal(frontend_set_table(f, 1), 0);
	assert_string_equal(f->log, "m");
	still_works(f);
}

/* No kick without ADDR: zeros are not an address. */
static void a_kick_without_addresses_is_refused(void **state)
{
	struct frontend *f = *state;
	struct bank *b;

	frontend_negotiate(f);
	b = frontend_add_bank(f, 0, 0, RING_BANK, 0);
	b->as.uva = 0;
	assert_int_equal(frontend_set_table(f, 1), 0);
	assert_int_equal(frontend_tell_state(f, SET_VRING_NUM, 0, 16), 0);
	kick_is_refused(f);
}

/* Without an acknowledgement the connection ends instead. VU-14 */
static void what_cannot_be_refused_ends_the_connection(void **state)
{
	struct frontend *f = *state;
	uint64_t index = 0;

	frontend_negotiate(f);
	frontend_send(f, SET_VRING_KICK, PLAIN, &index, sizeof(index), f->kick, 1);
	frontend_expect_dropped(f);
}

/* A log was not offered: a ring that wants one would lose dirty pages. */
static void a_ring_that_wants_a_log_is_refused(void **state)
{
	struct frontend *f = *state;
	struct addr a = ring_addr(0);

	ring_start(f, 0, 256, 0);
	a.flags = 1;
	assert_int_not_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
	assert_string_equal(f->log, "");
}

/* Files and devices never run empty: a worker that drains them would never end. */
static void what_cannot_signal_is_no_kick_call_or_err(void **state)
{
	struct frontend *f = *state;
	uint32_t fds, request;
	int zero = open("/dev/zero", O_RDWR | O_CLOEXEC);

	ring_prepare(f);
	ring_place(f, 0, 256, 0);
	fds = frontend_count_fds();
	for (request = SET_VRING_KICK; request <= SET_VRING_ERR; request++) {
		assert_int_not_equal(frontend_tell_fd(f, request, 0, f->bank[0].fd), 0);
		assert_int_not_equal(frontend_tell_fd(f, request, 0, zero), 0);
	}
	assert_int_equal(frontend_count_fds(), fds);
	close(zero);
	still_works(f);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, frontend_setup, frontend_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(indices_are_compared_before_they_are_narrowed),
		TEST(numbers_out_of_range_are_refused),
		TEST(a_ring_in_the_wrong_place_does_not_start),
		TEST(a_kick_before_the_ring_is_described_is_refused),
		TEST(a_kick_without_addresses_is_refused),
		TEST(what_cannot_be_refused_ends_the_connection),
		TEST(a_ring_that_wants_a_log_is_refused),
		TEST(what_cannot_signal_is_no_kick_call_or_err),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
