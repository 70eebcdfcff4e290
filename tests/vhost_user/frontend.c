/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "frontend.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static void note(struct frontend *f, const char *format, uint32_t index)
{
	size_t len = strlen(f->log);

	snprintf(f->log + len, sizeof(f->log) - len, format, index);
}

static void on_start(void *ctx, uint32_t index)
{
	struct frontend *f = ctx;

	assert_false(f->running[index]);
	f->running[index] = true;
	note(f, "s%u", index);
}

static void on_stop(void *ctx, uint32_t index)
{
	struct frontend *f = ctx;

	assert_true(f->running[index]);
	f->running[index] = false;
	note(f, "e%u", index);
}

static void on_memory(void *ctx)
{
	note(ctx, "m", 0);
}

static void on_features(void *ctx, uint64_t features)
{
	struct frontend *f = ctx;

	f->features = features;
	note(f, "f", 0);
}

static int on_get_config(void *ctx, uint32_t offset, void *buf, uint32_t len)
{
	struct frontend *f = ctx;

	assert_in_range(offset, 0, sizeof(f->space));
	assert_in_range(len, 0, sizeof(f->space) - offset);
	if (!f->space_err)
		memcpy(buf, f->space + offset, len);
	return f->space_err;
}

static int on_set_config(void *ctx, uint32_t offset, const void *buf, uint32_t len)
{
	struct frontend *f = ctx;

	assert_in_range(offset, 0, sizeof(f->space));
	assert_in_range(len, 0, sizeof(f->space) - offset);
	if (!f->space_err)
		memcpy(f->space + offset, buf, len);
	return f->space_err;
}

static void on_reset(void *ctx)
{
	note(ctx, "r", 0);
}

static void on_client(void *ctx, bool here)
{
	note(ctx, here ? "C" : "c", 0);
}

static void on_complain(void *ctx, const char *what)
{
	struct frontend *f = ctx;

	f->complaints++;
	snprintf(f->complaint, sizeof(f->complaint), "%s", what);
}

static const struct vqm_vhost_user_ops ops = {
	.start = on_start,
	.stop = on_stop,
	.memory = on_memory,
	.features = on_features,
	.get_config = on_get_config,
	.set_config = on_set_config,
	.reset = on_reset,
	.client = on_client,
	.complain = on_complain,
};

uint32_t frontend_count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	uint32_t n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

uint32_t frontend_count_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	uint32_t n = 0;

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		n += strstr(line, "memfd:guest") != NULL;
	fclose(maps);
	return n;
}

struct vqm_vhost_user_config frontend_config(struct frontend *f)
{
	struct vqm_vhost_user_config config = {
		.ops = &ops,
		.ctx = f,
		.queues = QUEUES,
		.features = BIT(FLUSH),
		.sync = VQM_SYNC_COUNTER,
	};

	return config;
}

int frontend_setup(void **state)
{
	struct frontend *f = calloc(1, sizeof(*f));
	struct vqm_vhost_user_config config = frontend_config(f);
	uint32_t i;

	f->fds = frontend_count_fds();
	f->maps = frontend_count_maps();
	for (i = 0; i < QUEUES; i++) {
		f->kick[i] = eventfd(0, EFD_CLOEXEC);
		f->call[i] = eventfd(0, EFD_CLOEXEC);
		f->err[i] = eventfd(0, EFD_CLOEXEC);
	}
	for (i = 0; i < BANKS; i++)
		f->bank[i].fd = -1;
	assert_int_equal(vqm_vhost_user_new(&f->server, &config), 0);
	f->fd = -1;
	frontend_connect(f);
	*state = f;
	return 0;
}

int frontend_teardown(void **state)
{
	struct frontend *f = *state;
	uint32_t i;

	vqm_vhost_user_free(f->server);
	frontend_hang_up(f);
	for (i = 0; i < QUEUES; i++) {
		assert_false(f->running[i]);
		close(f->kick[i]);
		close(f->call[i]);
		close(f->err[i]);
	}
	for (i = 0; i < BANKS; i++) {
		if (f->bank[i].fd >= 0) {
			munmap(f->bank[i].file, f->bank[i].file_size);
			close(f->bank[i].fd);
		}
	}
	assert_int_equal(frontend_count_fds(), f->fds);
	assert_int_equal(frontend_count_maps(), f->maps);
	free(f);
	return 0;
}

void frontend_connect(struct frontend *f)
{
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	f->log[0] = '\0';
	f->complaints = 0;
	assert_int_equal(vqm_vhost_user_adopt(f->server, pair[0]), 0);
	f->fd = pair[1];
}

void frontend_hang_up(struct frontend *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}

void frontend_pump(struct frontend *f)
{
	struct pollfd p = {vqm_vhost_user_fd(f->server), POLLIN, 0};
	uint32_t i;

	for (i = 0; poll(&p, 1, 0) > 0; i++) {
		assert_int_equal(vqm_vhost_user_dispatch(f->server), 0);
		assert_in_range(i, 0, 1000); /* else it never rests */
	}
}

void frontend_send_raw(struct frontend *f, const void *bytes, size_t size, const int *fds,
		       uint32_t n)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(16 * sizeof(int))];
	} control;
	struct iovec iov = {(void *)(uintptr_t)bytes, size};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};

	if (n > 0) {
		memset(&control, 0, sizeof(control));
		m.msg_control = control.room;
		m.msg_controllen = CMSG_SPACE(n * sizeof(int));
		control.align.cmsg_level = SOL_SOCKET;
		control.align.cmsg_type = SCM_RIGHTS;
		control.align.cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(&control.align), fds, n * sizeof(int));
	}
	assert_int_equal(sendmsg(f->fd, &m, MSG_NOSIGNAL), size);
}

void frontend_send(struct frontend *f, uint32_t request, uint32_t flags, const void *payload,
		   uint32_t size, const int *fds, uint32_t n)
{
	uint8_t bytes[4096] = {0};
	struct header h = {request, flags, size};

	assert_in_range(size, 0, sizeof(bytes) - sizeof(h));
	memcpy(bytes, &h, sizeof(h));
	if (payload)
		memcpy(bytes + sizeof(h), payload, size);
	frontend_send_raw(f, bytes, sizeof(h) + size, fds, n);
}

int frontend_answer(struct frontend *f, struct header *h, void *payload, size_t room)
{
	ssize_t n = recv(f->fd, h, sizeof(*h), MSG_DONTWAIT);

	if (n <= 0)
		return -1;
	assert_int_equal(n, sizeof(*h));
	assert_int_equal(h->flags, REPLY); /* VU-04 */
	assert_in_range(h->size, 0, room);
	if (h->size > 0)
		assert_int_equal(recv(f->fd, payload, h->size, MSG_DONTWAIT), h->size);
	return (int)h->size;
}
