/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A server from new to free, and what its workers ask of it. */
#define _GNU_SOURCE
#include "server.h"

#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "session.h"
#include "vring.h"

enum {
	REGIONS_DEFAULT = 509, /* what front-ends are used to */
	LOG_ALL = 26,	       /* of vhost, among the virtio features */
	SR_IOV = 37,
	NOTIF_CONFIG_DATA = 39,
	ADMIN_VQ = 41,
};

/* Features that need something from this library that it does not do. */
static uint64_t unserved(void)
{
	return 1ull << LOG_ALL | 1ull << VQM_F_ACCESS_PLATFORM | 1ull << VQM_F_RING_PACKED |
	       1ull << VQM_F_IN_ORDER | 1ull << SR_IOV | 1ull << VQM_F_NOTIFICATION_DATA |
	       1ull << NOTIF_CONFIG_DATA | 1ull << VQM_F_RING_RESET | 1ull << ADMIN_VQ;
}

static bool is_good(const struct vqm_vhost_user_config *config)
{
	return config && config->ops && config->queues > 0 && config->queues <= VQM_VU_QUEUES_MAX &&
	       !(config->features & unserved());
}

static void configure(struct vqm_vhost_user *s, const struct vqm_vhost_user_config *config)
{
	s->config = *config;
	if (s->config.max_regions == 0)
		s->config.max_regions = REGIONS_DEFAULT;
	s->offered = config->features | 1ull << VQM_F_VERSION_1 | 1ull << VQM_F_INDIRECT_DESC |
		     1ull << VQM_F_EVENT_IDX | 1ull << VQM_VHOST_USER_F_PROTOCOL_FEATURES;
	s->offered_protocol = 1ull << VQM_VHOST_USER_PROTOCOL_F_MQ |
			      1ull << VQM_VHOST_USER_PROTOCOL_F_REPLY_ACK |
			      1ull << VQM_VHOST_USER_PROTOCOL_F_BACKEND_REQ |
			      1ull << VQM_VHOST_USER_PROTOCOL_F_RESET_DEVICE |
			      1ull << VQM_VHOST_USER_PROTOCOL_F_CONFIGURE_MEM_SLOTS;
	if (config->ops->get_config)
		s->offered_protocol |= 1ull << VQM_VHOST_USER_PROTOCOL_F_CONFIG;
	s->epoll = -1;
	s->listener.fd = -1;
	s->channel.fd = -1;
	s->backend = -1;
}

static int set_up(struct vqm_vhost_user *s)
{
	int err = 0;

	while (s->ready < s->config.queues && !err) {
		err = vqm_vu_vring_init(s, s->ready);
		s->ready += !err;
	}
	if (!err)
		err = vqm_regions_build(&s->empty, NULL, 0);
	if (err)
		return err;
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	return s->epoll < 0 ? -errno : 0;
}

int vqm_vhost_user_new_(struct vqm_vhost_user **out, const struct vqm_vhost_user_config *config)
{
	struct vqm_vhost_user *s;
	size_t size;
	int err;

	if (!out || !is_good(config))
		return -EINVAL;
	size = sizeof(*s) + config->queues * sizeof(s->vring[0]);
	s = aligned_alloc(_Alignof(struct vqm_vhost_user), size);
	if (!s)
		return -ENOMEM;
	memset(s, 0, size);
	configure(s, config);
	err = vqm_dev_init(&s->dev);
	if (err) {
		free(s);
		return err;
	}
	err = set_up(s);
	if (err)
		vqm_vhost_user_free(s);
	else
		*out = s;
	return err;
}

void vqm_vhost_user_free(struct vqm_vhost_user *s)
{
	if (!s)
		return;
	if (s->channel.fd >= 0)
		vqm_vu_session_end(s);
	vqm_vu_listener_close(&s->listener);
	vqm_vu_close(&s->epoll);
	while (s->ready > 0)
		vqm_vu_vring_fini(&s->vring[--s->ready]);
	vqm_dev_fini(&s->dev);
	vqm_regions_release(s->empty);
	free(s);
}

int vqm_vhost_user_listen(struct vqm_vhost_user *s, const char *path)
{
	struct epoll_event event = {.events = s->channel.fd < 0 ? EPOLLIN : 0};
	int err;

	if (s->listener.fd >= 0)
		return -EBUSY;
	err = vqm_vu_listener_open(&s->listener, path);
	if (err)
		return err;
	if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->listener.fd, &event)) {
		err = -errno;
		vqm_vu_listener_close(&s->listener);
	}
	return err;
}

int vqm_vhost_user_adopt(struct vqm_vhost_user *s, int fd)
{
	int domain = 0, type = 0;
	socklen_t len = sizeof(int);

	if (s->channel.fd >= 0)
		return -EBUSY;
	if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &len) ||
	    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &len))
		return -errno;
	if (domain != AF_UNIX || type != SOCK_STREAM)
		return -EINVAL;
	if (fcntl(fd, F_SETFD, FD_CLOEXEC))
		return -errno;
	return vqm_vu_session_begin(s, fd);
}

int vqm_vhost_user_fd(const struct vqm_vhost_user *s)
{
	return s->epoll;
}

int vqm_vhost_user_dispatch(struct vqm_vhost_user *s)
{
	struct epoll_event event;
	int n = epoll_wait(s->epoll, &event, 1, 0);

	if (n < 0)
		return errno == EINTR ? 0 : -errno;
	if (n > 0 && s->channel.fd >= 0)
		vqm_vu_session_serve(s);
	else if (n > 0)
		return vqm_vu_session_accept(s);
	return 0;
}

struct vqm_dev *vqm_vhost_user_dev(struct vqm_vhost_user *s)
{
	return &s->dev;
}

struct vqm_queue *vqm_vhost_user_queue(struct vqm_vhost_user *s, uint32_t index)
{
	return index < s->config.queues ? &s->vring[index].queue : NULL;
}

int vqm_vhost_user_kick_fd(const struct vqm_vhost_user *s, uint32_t index)
{
	return index < s->config.queues ? s->vring[index].kick : -1;
}

void vqm_vhost_user_notify(struct vqm_vhost_user *s, uint32_t index)
{
	if (index < s->config.queues)
		vqm_vu_notifier_signal(&s->vring[index].call);
}

void vqm_vhost_user_error(struct vqm_vhost_user *s, uint32_t index)
{
	if (index < s->config.queues)
		vqm_vu_notifier_signal(&s->vring[index].err);
}
