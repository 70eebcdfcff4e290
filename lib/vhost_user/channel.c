/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "channel.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Exactly @VQM_VU_FDS fit: the kernel drops what is more and says so. */
union control {
	struct cmsghdr align;
	char room[CMSG_SPACE(VQM_VU_FDS * sizeof(int))];
};

/* A TCP socket may be set to wait in close() until its peer has read all. */
static void vqm_vu_close_now(int fd)
{
	static const struct linger off;

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &off, sizeof(off));
	close(fd);
}

void vqm_vu_close(int *fd)
{
	if (*fd >= 0)
		vqm_vu_close_now(*fd);
	*fd = -1;
}

static bool keep_fd(struct vqm_vu_channel *c, int fd)
{
	/* They ride with the first byte (VU-07). */
	if (c->got > 0 || c->n_fds == VQM_VU_FDS) {
		vqm_vu_close_now(fd);
		return false;
	}
	c->fds[c->n_fds++] = fd;
	return true;
}

static bool keep_fds(struct vqm_vu_channel *c, struct msghdr *m)
{
	struct cmsghdr *cmsg;
	bool ok = !(m->msg_flags & MSG_CTRUNC);

	for (cmsg = CMSG_FIRSTHDR(m); cmsg; cmsg = CMSG_NXTHDR(m, cmsg)) {
		const unsigned char *data = CMSG_DATA(cmsg);
		size_t left = cmsg->cmsg_len - CMSG_LEN(0);

		if (cmsg->cmsg_level != SOL_SOCKET || cmsg->cmsg_type != SCM_RIGHTS)
			continue;
		for (; left >= sizeof(int); left -= sizeof(int), data += sizeof(int)) {
			int fd;

			memcpy(&fd, data, sizeof(fd));
			ok = keep_fd(c, fd) && ok;
		}
	}
	return ok;
}

static int receive(struct vqm_vu_channel *c, void *to, uint32_t len)
{
	union control control;
	struct iovec iov = {to, len};
	struct msghdr m = {.msg_iov = &iov, .msg_iovlen = 1};
	ssize_t n;

	m.msg_control = control.room;
	m.msg_controllen = CMSG_LEN(VQM_VU_FDS * sizeof(int));
	do {
		n = recvmsg(c->fd, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	} while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return 0;
	if (n <= 0)
		return c->got > 0 ? -EPIPE : -ENOTCONN;
	if (!keep_fds(c, &m))
		return -EPROTO;
	c->got += (uint32_t)n;
	return (int)n;
}

int vqm_vu_channel_header(struct vqm_vu_channel *c)
{
	int n = 1;

	while (c->got < sizeof(c->header) && n > 0)
		n = receive(c, (char *)&c->header + c->got, sizeof(c->header) - c->got);
	return n > 0 ? 1 : n;
}

int vqm_vu_channel_payload(struct vqm_vu_channel *c)
{
	uint32_t end = sizeof(c->header) + c->header.size;
	int n = 1;

	while (c->got < end && n > 0)
		n = receive(c, (char *)&c->payload + (c->got - sizeof(c->header)), end - c->got);
	return n > 0 ? 1 : n;
}

int vqm_vu_channel_take(struct vqm_vu_channel *c, uint32_t i)
{
	int fd = c->fds[i];

	c->fds[i] = -1;
	return fd;
}

void vqm_vu_channel_next(struct vqm_vu_channel *c)
{
	while (c->n_fds > 0)
		vqm_vu_close(&c->fds[--c->n_fds]);
	c->got = 0;
	/* What a short message does not say reads as 0. */
	memset(&c->payload, 0, sizeof(c->payload));
}

void vqm_vu_channel_close(struct vqm_vu_channel *c)
{
	vqm_vu_channel_next(c);
	vqm_vu_close(&c->fd);
}

int vqm_vu_send(int fd, const struct vqm_vu_header *h, const void *payload)
{
	struct iovec iov[2] = {{(void *)(uintptr_t)h, sizeof(*h)},
			       {(void *)(uintptr_t)payload, h->size}};
	struct msghdr m = {.msg_iov = iov, .msg_iovlen = 2};
	ssize_t n;

	do {
		n = sendmsg(fd, &m, MSG_DONTWAIT | MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n == (ssize_t)(sizeof(*h) + h->size) ? 0 : -ENOTCONN;
}
