/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages that make no sense. Each ends the connection and leaves nothing behind. */
#define _GNU_SOURCE
#include "frontend.h"

#include <string.h>
#include <unistd.h>

/* VR-01..38: bytes of payload and files that each request may have */
static const struct {
	uint32_t request, min, max, fd_min, fd_max;
} good[] = {
	{GET_FEATURES, 0, 0, 0, 0},
	{SET_FEATURES, 8, 8, 0, 0},
	{SET_OWNER, 0, 0, 0, 0},
	{RESET_OWNER, 0, 0, 0, 0},
	{SET_MEM_TABLE, 8, 264, 0, 8},
	{SET_VRING_NUM, 8, 8, 0, 0},
	{SET_VRING_ADDR, 40, 40, 0, 0},
	{SET_VRING_BASE, 8, 8, 0, 0},
	{GET_VRING_BASE, 8, 8, 0, 0},
	{SET_VRING_KICK, 8, 8, 0, 1},
	{SET_VRING_CALL, 8, 8, 0, 1},
	{SET_VRING_ERR, 8, 8, 0, 1},
	{GET_PROTOCOL_FEATURES, 0, 0, 0, 0},
	{SET_PROTOCOL_FEATURES, 8, 8, 0, 0},
	{GET_QUEUE_NUM, 0, 0, 0, 0},
	{SET_VRING_ENABLE, 8, 8, 0, 0},
	{SET_BACKEND_REQ_FD, 0, 0, 1, 1},
	{GET_CONFIG, 12, 268, 0, 0},
	{SET_CONFIG, 12, 268, 0, 0},
	{RESET_DEVICE, 0, 0, 0, 0},
	{GET_MAX_MEM_SLOTS, 0, 0, 0, 0},
	{ADD_MEM_REG, 40, 40, 1, 1},
	{REM_MEM_REG, 40, 40, 0, 1},
};

enum {
	REQUESTS = sizeof(good) / sizeof(good[0]),
};

/* Files to send, all the same one. */
static const int *files(const struct frontend *f)
{
	static int fd[16];
	uint32_t i;

	for (i = 0; i < 16; i++)
		fd[i] = f->call[0];
	return fd;
}

/* With the message gone, as many descriptors are open as before it came. */
static void expect_end(struct frontend *f, uint32_t request, uint32_t flags, uint32_t size,
		       uint32_t fds)
{
	uint32_t open = frontend_count_fds();

	frontend_send(f, request, flags, NULL, size, files(f), fds);
	frontend_expect_dropped(f);
	assert_int_equal(frontend_count_fds(), open);
}

/* VU-05, VU-15 */
static void a_payload_of_the_wrong_size_ends_the_connection(void **state)
{
	struct frontend *f = *state;
	uint32_t i, size;

	for (i = 0; i < REQUESTS; i++) {
		for (size = 0; size <= 300; size++) {
			if (size >= good[i].min && size <= good[i].max)
				continue;
			expect_end(f, good[i].request, PLAIN, size, good[i].fd_min);
			if (size > 50 && size < 260)
				size += 13;
		}
	}
}

static void the_same_with_everything_negotiated_and_an_answer_wanted(void **state)
{
	struct frontend *f = *state;
	uint32_t i;

	for (i = 0; i < REQUESTS; i++) {
		frontend_negotiate(f);
		expect_end(f, good[i].request, NEED_REPLY, good[i].max + 1, good[i].fd_min);
		if (good[i].min == 0)
			continue;
		frontend_negotiate(f);
		expect_end(f, good[i].request, NEED_REPLY, good[i].min - 1, good[i].fd_min);
	}
}

/* VU-07, VU-08, VU-71, 5.04 */
static void too_few_or_too_many_files_end_the_connection(void **state)
{
	struct frontend *f = *state;
	uint32_t i, fds;

	for (i = 0; i < REQUESTS; i++) {
		for (fds = 0; fds <= 10; fds++) {
			if (fds >= good[i].fd_min && fds <= good[i].fd_max)
				continue;
			frontend_negotiate(f);
			expect_end(f, good[i].request, NEED_REPLY, good[i].min, fds);
		}
	}
	for (i = SET_VRING_KICK; i <= SET_VRING_ERR; i++)
		expect_end(f, i, PLAIN, 8, 0);
}

/* VU-41, VU-42, 5.04 */
static void a_table_needs_one_file_for_each_region(void **state)
{
	static const uint32_t count[] = {0, 1, 2, 8, 9, 0x08000000, 0x10000001, UINT32_MAX};
	struct frontend *f = *state;
	struct table t = {0};
	uint32_t open = frontend_count_fds(), i, n, fds;

	for (i = 0; i < sizeof(count) / sizeof(count[0]); i++) {
		for (n = 0; n <= 8; n++) {
			for (fds = 0; fds <= 8; fds++) {
				t.count = count[i];
				if (t.count == fds && t.count <= n)
					continue;
				frontend_negotiate(f);
				frontend_send(f, SET_MEM_TABLE, NEED_REPLY, &t, 8 + 32 * n,
					      files(f), fds);
				frontend_expect_dropped(f);
			}
		}
	}
	t.count = 1;
	for (n = 1; n < 32; n++) {
		frontend_negotiate(f);
		frontend_send(f, SET_MEM_TABLE, NEED_REPLY, &t, 40 + n, files(f), 1);
		frontend_expect_dropped(f);
	}
	assert_int_equal(frontend_count_fds(), open);
}

/* VU-03 */
static void a_wrong_version_ends_the_connection(void **state)
{
	static const uint32_t flags[] = {0, 2, 3, 8, 0xa, 5, 0xd, 0xfffffffc};
	struct frontend *f = *state;
	uint32_t i;

	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		expect_end(f, GET_FEATURES, flags[i], 0, 0);
	frontend_send(f, SET_OWNER, 0xfffffff1, NULL, 0, NULL, 0); /* bits of the future */
	frontend_expect_silence(f);
}

/* VU-05: nothing is read, however much is announced */
static void a_huge_size_is_not_believed(void **state)
{
	static const uint32_t size[] = {269, 4096, 0x7fffffff, 0x80000000, 0xfffffff4, UINT32_MAX};
	static const uint32_t request[] = {SET_MEM_TABLE, SET_CONFIG, GET_FEATURES, 200};
	struct frontend *f = *state;
	uint32_t i, k;

	for (i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		for (k = 0; k < sizeof(request) / sizeof(request[0]); k++) {
			struct header h = {request[k], PLAIN, size[i]};

			frontend_send_raw(f, &h, sizeof(h), files(f), 1);
			frontend_expect_dropped(f);
		}
	}
}

/* VU-09, VU-39 */
static void an_unknown_request_is_refused_if_there_is_a_way_to(void **state)
{
	static const uint32_t number[] = {
		0,  6,	7,  19, 20, 22, 23, 26, 27, 28, 29, 30,	 31,	32,
		33, 35, 39, 40, 41, 42, 43, 44, 45, 46, 47, 255, 65536, UINT32_MAX,
	};
	struct frontend *f = *state;
	uint32_t i, k;
	uint8_t payload[268] = {0};

	for (i = 0; i < sizeof(number) / sizeof(number[0]); i++) {
		uint32_t open = frontend_count_fds();

		frontend_negotiate(f);
		for (k = 0; k <= 268; k += 67)
			assert_int_not_equal(
				frontend_tell(f, number[i], payload, k, files(f), k % 9), 0);
		expect_end(f, number[i], PLAIN, 0, 0);
		frontend_negotiate(f);
		expect_end(f, number[i], NEED_REPLY, 8, 9);
		assert_int_equal(frontend_count_fds(), open);
	}
}

/* VU-06, VU-08 */
static void a_message_that_breaks_off_leaves_nothing_behind(void **state)
{
	struct frontend *f = *state;
	uint32_t open = frontend_count_fds(), i, len;
	uint8_t bytes[12 + 268];

	for (i = 0; i < REQUESTS; i++) {
		struct header h = {good[i].request, NEED_REPLY, good[i].max};

		memset(bytes, 0, sizeof(bytes));
		memcpy(bytes, &h, sizeof(h));
		for (len = 1; len < sizeof(h) + good[i].max; len += len < 60 ? 1 : 41) {
			frontend_send_raw(f, bytes, len, files(f), good[i].fd_max);
			frontend_hang_up(f);
			frontend_pump(f);
			assert_int_equal(f->complaints, 1);
			assert_non_null(strstr(f->complaint, "middle"));
			assert_int_equal(frontend_count_fds(), open - 2);
			frontend_connect(f);
		}
	}
}

/* VU-07 */
static void files_come_with_the_first_byte_only(void **state)
{
	struct frontend *f = *state;
	uint32_t open = frontend_count_fds();
	struct header h = {SET_VRING_CALL, PLAIN, 8};
	uint64_t index = 0;

	frontend_send_raw(f, &h, sizeof(h), NULL, 0);
	frontend_send_raw(f, &index, sizeof(index), files(f), 1);
	frontend_expect_dropped(f);
	frontend_send_raw(f, &h, 4, files(f), 1);
	frontend_send_raw(f, (char *)&h + 4, 8, files(f), 1);
	frontend_expect_dropped(f);
	assert_int_equal(frontend_count_fds(), open);
	frontend_send_raw(f, &h, 1, files(f), 1);
	frontend_pump(f);
	frontend_send_raw(f, (char *)&h + 1, 11, NULL, 0);
	frontend_pump(f);
	frontend_send_raw(f, &index, sizeof(index), NULL, 0);
	frontend_expect_silence(f);
	assert_int_equal(frontend_count_fds(), open + 1);
}

/* Answers nobody reads do not hold the server up. */
static void a_front_end_that_does_not_read_is_dropped(void **state)
{
	struct frontend *f = *state;
	struct header heap[64];
	uint32_t i;

	for (i = 0; i < 64; i++)
		heap[i] = (struct header){GET_FEATURES, PLAIN, 0};
	for (i = 0; i < 1000 && !strchr(f->log, 'c'); i++) {
		frontend_send_raw(f, heap, sizeof(heap), NULL, 0);
		frontend_pump(f);
	}
	assert_non_null(strchr(f->log, 'c'));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, frontend_setup, frontend_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_payload_of_the_wrong_size_ends_the_connection),
		TEST(the_same_with_everything_negotiated_and_an_answer_wanted),
		TEST(too_few_or_too_many_files_end_the_connection),
		TEST(a_table_needs_one_file_for_each_region),
		TEST(a_wrong_version_ends_the_connection),
		TEST(a_huge_size_is_not_believed),
		TEST(an_unknown_request_is_refused_if_there_is_a_way_to),
		TEST(a_message_that_breaks_off_leaves_nothing_behind),
		TEST(files_come_with_the_first_byte_only),
		TEST(a_front_end_that_does_not_read_is_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
