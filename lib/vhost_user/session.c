/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "session.h"

#include <poll.h>
#include <sys/epoll.h>

#include "request.h"
#include "vring.h"

enum {
	MESSAGES = 64, /* most in a row: the caller has more to do than to serve a flood */
};

/* Those who wait are left alone while somebody is served. Cannot fail: it is watched already. */
static void watch_listener(struct vqm_vhost_user *s, bool on)
{
	struct epoll_event event = {.events = on ? EPOLLIN : 0};

	if (s->listener.fd >= 0)
		epoll_ctl(s->epoll, EPOLL_CTL_MOD, s->listener.fd, &event);
}

int vqm_vu_session_begin(struct vqm_vhost_user *s, int fd)
{
	struct epoll_event event = {.events = EPOLLIN};

	if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &event))
		return -errno;
	watch_listener(s, false);
	s->channel.fd = fd;
	vqm_vu_channel_next(&s->channel);
	if (s->config.ops->client)
		s->config.ops->client(s->config.ctx, true);
	return 0;
}

/* Nothing to end for: it may pass. The listener stays readable, so not at full speed. */
static bool is_shortage(int err)
{
	if (err != -EMFILE && err != -ENFILE && err != -ENOMEM && err != -ENOBUFS && err != -ENOSPC)
		return false;
	poll(NULL, 0, 1);
	return true;
}

int vqm_vu_session_accept(struct vqm_vhost_user *s)
{
	int fd = vqm_vu_listener_accept(&s->listener), err = fd;

	if (fd == -EAGAIN)
		return 0;
	if (fd >= 0)
		err = vqm_vu_session_begin(s, fd);
	if (fd >= 0 && err)
		vqm_vu_close(&fd);
	return is_shortage(err) ? 0 : err;
}

void vqm_vu_session_end(struct vqm_vhost_user *s)
{
	struct vqm_vu_vring *v;
	uint32_t i;

	for (i = 0; i < s->config.queues; i++) {
		v = &s->vring[i];
		vqm_vu_vring_reset(s, i);
		vqm_vu_notifier_set(&v->call, -1, VQM_VU_EVENTFD);
		vqm_vu_notifier_set(&v->err, -1, VQM_VU_EVENTFD);
	}
	vqm_regions_hold(s->empty);
	vqm_dev_set_regions(&s->dev, s->empty);
	/* Somebody else may have a copy of an adopted descriptor: closing ours is not enough. */
	epoll_ctl(s->epoll, EPOLL_CTL_DEL, s->channel.fd, NULL);
	vqm_vu_channel_close(&s->channel);
	vqm_vu_close(&s->backend);
	s->features = 0;
	s->protocol = 0;
	s->untold = false;
	if (s->config.ops->client)
		s->config.ops->client(s->config.ctx, false);
	watch_listener(s, true);
}

/* 1 when a message is complete, 0 when more has to come, -errno when there will be no more. */
static int receive(struct vqm_vhost_user *s)
{
	int n = vqm_vu_channel_header(&s->channel);

	if (n > 0)
		n = vqm_vu_request_check(s) ? -EBADMSG : vqm_vu_channel_payload(&s->channel);
	if (n == -EPROTO)
		s->why = "too many files, or not with the first byte";
	if (n == -EPIPE)
		s->why = "gone in the middle of a message";
	if (n < 0 && n != -ENOTCONN)
		vqm_vu_request_complain(s);
	return n;
}

void vqm_vu_session_serve(struct vqm_vhost_user *s)
{
	uint32_t i;
	int n = 1;

	for (i = 0; i < MESSAGES && n > 0; i++) {
		s->malformed = false;
		n = receive(s);
		if (n <= 0)
			break;
		n = vqm_vu_request_handle(s) < 0 ? -EPROTO : 1;
		vqm_vu_channel_next(&s->channel);
	}
	if (n < 0)
		vqm_vu_session_end(s);
}
