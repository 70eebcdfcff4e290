/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a server consists of. Everything but notifiers and queues belongs to the control thread. */
#ifndef VQM_VU_SERVER_H
#define VQM_VU_SERVER_H

#include <vqmeta/vhost_user.h>

#include "channel.h"
#include "listener.h"
#include "notifier.h"

/**
 * struct vqm_vu_vring - a queue and what the front-end said about it
 * @queue:   started from SET_VRING_KICK to GET_VRING_BASE
 * @num:     queue size; 0: not set
 * @base:    next available entry, while it is not started
 * @placed:  @addr was set
 * @started: so is @queue
 * @enabled: as the front-end wants it
 * @running: the device was told to start it, which is so while it is started and enabled
 * @kick:    -1: none, or the ring has to be polled
 */
struct vqm_vu_vring {
	struct vqm_queue queue;
	uint32_t num;
	uint16_t base;
	bool placed;
	bool started;
	bool enabled;
	bool running;
	struct vqm_vu_addr addr;
	int kick;
	struct vqm_vu_notifier call;
	struct vqm_vu_notifier err;
};

/**
 * struct vqm_vhost_user - a server
 * @epoll:     what the caller polls; watches the listener or the channel
 * @channel:   the front-end of the moment
 * @backend:   where requests to the front-end are sent; -1: nowhere
 * @features:  accepted virtio features, with the protocol bit
 * @protocol:  accepted protocol features
 * @untold:    configuration space changed while no message could be sent
 * @malformed: the message that is being handled cannot be answered, only dropped
 * @why:       what is wrong with it
 * @text:      room for @why
 * @empty:     a table for when nobody is there, made early so that leaving cannot fail
 * @ready:     entries of @vring that were set up
 */
struct vqm_vhost_user {
	struct vqm_vhost_user_config config;
	uint64_t offered;
	uint64_t offered_protocol;
	int epoll;
	struct vqm_vu_listener listener;
	struct vqm_vu_channel channel;
	int backend;
	uint64_t features;
	uint64_t protocol;
	bool untold;
	bool malformed;
	const char *why;
	char text[128];
	struct vqm_dev dev;
	struct vqm_regions *empty;
	uint32_t ready;
	struct vqm_vu_vring vring[];
};

/* Virtio features as the device knows them. */
static inline uint64_t vqm_vu_virtio(uint64_t features)
{
	return features & ~(1ull << VQM_VHOST_USER_F_PROTOCOL_FEATURES);
}

static inline bool vqm_vu_has(const struct vqm_vhost_user *s, unsigned int protocol_bit)
{
	return (s->protocol >> protocol_bit) & 1;
}

/* A well-formed message that cannot be obeyed. */
static inline int vqm_vu_refuse(struct vqm_vhost_user *s, int err, const char *why)
{
	s->why = why;
	return err;
}

/* A message that makes no sense: the connection goes. */
static inline int vqm_vu_malformed(struct vqm_vhost_user *s, const char *why)
{
	s->why = why;
	s->malformed = true;
	return -EPROTO;
}

#endif /* VQM_VU_SERVER_H */
