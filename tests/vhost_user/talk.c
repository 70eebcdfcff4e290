/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whole exchanges of a front-end, and the memory it gives away. */
#define _GNU_SOURCE
#include "frontend.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static uint64_t only_u64(struct frontend *f, uint32_t request)
{
	struct header h;
	uint64_t value = 0;

	assert_int_equal(frontend_answer(f, &h, &value, sizeof(value)), sizeof(value));
	assert_int_equal(h.request, request);
	frontend_expect_silence(f);
	return value;
}

uint64_t frontend_tell(struct frontend *f, uint32_t request, const void *payload, uint32_t size,
		       const int *fds, uint32_t n)
{
	frontend_send(f, request, NEED_REPLY, payload, size, fds, n);
	frontend_pump(f);
	return only_u64(f, request);
}

uint64_t frontend_tell_u64(struct frontend *f, uint32_t request, uint64_t value)
{
	return frontend_tell(f, request, &value, sizeof(value), NULL, 0);
}

uint64_t frontend_tell_fd(struct frontend *f, uint32_t request, uint64_t value, int fd)
{
	return frontend_tell(f, request, &value, sizeof(value), &fd, 1);
}

uint64_t frontend_tell_state(struct frontend *f, uint32_t request, uint32_t index, uint32_t num)
{
	struct state s = {index, num};

	return frontend_tell(f, request, &s, sizeof(s), NULL, 0);
}

uint64_t frontend_ask_u64(struct frontend *f, uint32_t request)
{
	frontend_send(f, request, PLAIN, NULL, 0, NULL, 0);
	frontend_pump(f);
	return only_u64(f, request);
}

void frontend_expect_silence(struct frontend *f)
{
	char byte;

	frontend_pump(f);
	assert_int_equal(recv(f->fd, &byte, 1, MSG_DONTWAIT), -1);
	assert_int_equal(errno, EAGAIN);
}

void frontend_expect_dropped(struct frontend *f)
{
	char byte;
	uint32_t i;

	frontend_pump(f);
	/* ECONNRESET: the server left without having read all. */
	if (recv(f->fd, &byte, 1, MSG_DONTWAIT) != 0)
		assert_int_equal(errno, ECONNRESET);
	assert_true(f->complaints > 0);
	assert_non_null(strchr(f->log, 'c'));
	for (i = 0; i < QUEUES; i++)
		assert_false(f->running[i]);
	frontend_hang_up(f);
	frontend_connect(f);
}

void frontend_negotiate(struct frontend *f)
{
	uint64_t offered = frontend_ask_u64(f, GET_FEATURES);
	uint64_t protocol = frontend_ask_u64(f, GET_PROTOCOL_FEATURES);

	assert_true(offered & BIT(F_PROTOCOL));
	assert_int_equal(frontend_tell_u64(f, SET_PROTOCOL_FEATURES, protocol), 0);
	assert_int_equal(frontend_tell(f, SET_OWNER, NULL, 0, NULL, 0), 0);
	assert_int_equal(frontend_tell_u64(f, SET_FEATURES, offered), 0);
	f->log[0] = '\0';
}

struct bank *frontend_add_bank(struct frontend *f, uint32_t i, uint64_t gpa, uint64_t size,
			       uint64_t offset)
{
	struct bank *b = &f->bank[i];

	b->fd = memfd_create("guest", MFD_CLOEXEC);
	assert_true(b->fd >= 0);
	b->file_size = offset + size;
	assert_int_equal(ftruncate(b->fd, (off_t)b->file_size), 0);
	b->file = mmap(NULL, b->file_size, PROT_READ | PROT_WRITE, MAP_SHARED, b->fd, 0);
	assert_true(b->file != MAP_FAILED);
	b->as.gpa = gpa;
	b->as.uva = gpa + 0x7f0000000000;
	b->as.size = size;
	b->as.offset = offset;
	return b;
}

uint64_t frontend_set_table(struct frontend *f, uint32_t count)
{
	struct table t = {.count = count};
	int fds[BANKS];
	uint32_t i;

	for (i = 0; i < count; i++) {
		t.region[i] = f->bank[i].as;
		fds[i] = f->bank[i].fd;
	}
	return frontend_tell(f, SET_MEM_TABLE, &t, (uint32_t)(8 + count * sizeof(t.region[0])), fds,
			     count);
}

uint64_t frontend_add_mem(struct frontend *f, const struct mem *m, int fd)
{
	struct single s = {0, *m};

	return frontend_tell(f, ADD_MEM_REG, &s, sizeof(s), &fd, 1);
}

uint64_t frontend_rem_mem(struct frontend *f, const struct mem *m)
{
	struct single s = {0, *m};

	return frontend_tell(f, REM_MEM_REG, &s, sizeof(s), NULL, 0);
}
