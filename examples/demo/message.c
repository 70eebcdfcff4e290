// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include "message.h"

enum {
	CONNECT_SECONDS = 10,
	ANSWER_SECONDS = 30, /* longer than the watchdog waits, which has more to say */
	FDS_MAX = 8,
	FLAG_VERSION = 1,
	FLAG_REPLY = 4,
	FLAG_NEED_REPLY = 8,
};

static const char *const request_name[] = {
	[GET_FEATURES] = "GET_FEATURES",
	[SET_FEATURES] = "SET_FEATURES",
	[SET_OWNER] = "SET_OWNER",
	[SET_MEM_TABLE] = "SET_MEM_TABLE",
	[SET_VRING_NUM] = "SET_VRING_NUM",
	[SET_VRING_ADDR] = "SET_VRING_ADDR",
	[SET_VRING_BASE] = "SET_VRING_BASE",
	[GET_VRING_BASE] = "GET_VRING_BASE",
	[SET_VRING_KICK] = "SET_VRING_KICK",
	[SET_VRING_CALL] = "SET_VRING_CALL",
	[SET_VRING_ERR] = "SET_VRING_ERR",
	[GET_PROTOCOL_FEATURES] = "GET_PROTOCOL_FEATURES",
	[SET_PROTOCOL_FEATURES] = "SET_PROTOCOL_FEATURES",
	[GET_QUEUE_NUM] = "GET_QUEUE_NUM",
	[SET_VRING_ENABLE] = "SET_VRING_ENABLE",
	[GET_CONFIG] = "GET_CONFIG",
	[GET_MAX_MEM_SLOTS] = "GET_MAX_MEM_SLOTS",
	[ADD_MEM_REG] = "ADD_MEM_REG",
	[REM_MEM_REG] = "REM_MEM_REG",
};

struct header {
	uint32_t request, flags, size;
};

void channel_connect(struct channel *c, const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	struct timeval limit = {.tv_sec = ANSWER_SECONDS};
	double end = seconds_now() + CONNECT_SECONDS;

	memset(c, 0, sizeof(*c));
	if (strlen(path) >= sizeof(a.sun_path))
		die("socket path too long: %s", path);
	strcpy(a.sun_path, path);
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (c->fd < 0)
		die("no socket: %s", strerror(errno));
	while (connect(c->fd, (struct sockaddr *)&a, sizeof(a)) < 0) {
		if ((errno != ENOENT && errno != ECONNREFUSED) || seconds_now() > end)
			die("no backend at %s: %s", path, strerror(errno));
		poll(NULL, 0, 20);
	}
	setsockopt(c->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
}

static void send_message(struct channel *c, struct header h, const void *payload, const int *fds,
			 uint32_t n)
{
	union {
		struct cmsghdr align;
		char room[CMSG_SPACE(FDS_MAX * sizeof(int))];
	} control = {0};
	struct iovec iov[2] = {{&h, sizeof(h)}, {(void *)(uintptr_t)payload, h.size}};
	struct msghdr m = {.msg_iov = iov, .msg_iovlen = h.size ? 2 : 1};
	struct cmsghdr *cmsg = &control.align;

	if (n) {
		m.msg_control = control.room;
		m.msg_controllen = CMSG_SPACE(n * sizeof(int));
		cmsg->cmsg_level = SOL_SOCKET;
		cmsg->cmsg_type = SCM_RIGHTS;
		cmsg->cmsg_len = CMSG_LEN(n * sizeof(int));
		memcpy(CMSG_DATA(cmsg), fds, n * sizeof(int));
	}
	if (sendmsg(c->fd, &m, MSG_NOSIGNAL) != (ssize_t)(sizeof(h) + h.size))
		die("cannot send %s: %s", request_name[h.request], strerror(errno));
}

static void receive(struct channel *c, enum message request, void *to, uint32_t size)
{
	ssize_t got = recv(c->fd, to, size, MSG_WAITALL);

	if (got < 0)
		die("no answer to %s: %s", request_name[request], strerror(errno));
	if (got < (ssize_t)size)
		die("the backend hung up instead of answering %s", request_name[request]);
}

static void receive_reply(struct channel *c, enum message request, void *to, uint32_t size)
{
	struct header h;

	atomic_store(&c->waits, request_name[request]);
	receive(c, request, &h, sizeof(h));
	if (h.request != request || h.flags != (FLAG_VERSION | FLAG_REPLY) || h.size != size)
		die("answer to %s has request %u, flags %#x, size %u", request_name[request],
		    h.request, h.flags, h.size);
	receive(c, request, to, size);
	atomic_store(&c->waits, NULL);
}

/* A request with an answer of its own. */
void message_ask(struct channel *c, enum message request, const void *payload, uint32_t size,
		 void *reply, uint32_t reply_size)
{
	struct header h = {request, FLAG_VERSION, size};

	send_message(c, h, payload, NULL, 0);
	receive_reply(c, request, reply, reply_size);
}

uint64_t message_ask_u64(struct channel *c, enum message request)
{
	uint64_t answer;

	message_ask(c, request, NULL, 0, &answer, sizeof(answer));
	return answer;
}

/* A request without an answer of its own, acknowledged as soon as that was agreed on. */
void message_tell(struct channel *c, enum message request, const void *payload, uint32_t size,
		  const int *fds, uint32_t n)
{
	struct header h = {request, FLAG_VERSION | (c->ack ? FLAG_NEED_REPLY : 0), size};
	uint64_t result;

	send_message(c, h, payload, fds, n);
	if (!c->ack)
		return;
	receive_reply(c, request, &result, sizeof(result));
	if (result)
		die("the backend refused %s: %lld", request_name[request], (long long)result);
}

void message_tell_u64(struct channel *c, enum message request, uint64_t value)
{
	message_tell(c, request, &value, sizeof(value), NULL, 0);
}
