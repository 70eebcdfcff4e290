/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Requests about the device as a whole. */
#include "handlers.h"
#include "vring.h"

static int answer_u64(struct vqm_vhost_user *s, uint64_t value)
{
	s->channel.payload.u64 = value;
	return sizeof(value);
}

int vqm_vu_get_features(struct vqm_vhost_user *s)
{
	return answer_u64(s, s->offered);
}

static void enable_all(struct vqm_vhost_user *s)
{
	uint32_t i;

	for (i = 0; i < s->config.queues; i++)
		vqm_vu_vring_enable(s, i, true);
}

int vqm_vu_set_features(struct vqm_vhost_user *s)
{
	uint64_t features = s->channel.payload.u64;
	uint64_t changed = vqm_vu_virtio(features ^ s->features);
	uint32_t i;

	if (features & ~s->offered)
		return vqm_vu_refuse(s, -EINVAL, "not all of these were offered");
	if (changed && vqm_vu_any_running(s))
		return vqm_vu_refuse(s, -EBUSY, "a ring is running");
	/* A ring that is started but disabled belongs to the driver before (see make_idle()). */
	for (i = 0; changed && i < s->config.queues; i++)
		vqm_vu_vring_stop(s, i);
	s->features = features;
	if (!vqm_vu_any_started(s) && s->config.ops->features)
		s->config.ops->features(s->config.ctx, vqm_vu_virtio(features));
	/* Who does not know protocol features has no way to enable a ring (VU-33). */
	if (!vqm_has_feature(features, VQM_VHOST_USER_F_PROTOCOL_FEATURES))
		enable_all(s);
	return 0;
}

int vqm_vu_get_protocol_features(struct vqm_vhost_user *s)
{
	return answer_u64(s, s->offered_protocol);
}

int vqm_vu_set_protocol_features(struct vqm_vhost_user *s)
{
	if (s->channel.payload.u64 & ~s->offered_protocol)
		return vqm_vu_refuse(s, -EINVAL, "not all of these were offered");
	s->protocol = s->channel.payload.u64;
	return 0;
}

int vqm_vu_get_queue_num(struct vqm_vhost_user *s)
{
	return answer_u64(s, s->config.queues);
}

/* There is one front-end at a time, which owns all; giving up ownership is ignored (VU-86). */
int vqm_vu_owner(struct vqm_vhost_user *s)
{
	(void)s;
	return 0;
}

/* The session, with its memory and its notifiers, stays (VU-87). */
int vqm_vu_reset_device(struct vqm_vhost_user *s)
{
	uint32_t i;

	for (i = 0; i < s->config.queues; i++)
		vqm_vu_vring_reset(s, i);
	s->features = 0;
	if (s->config.ops->reset)
		s->config.ops->reset(s->config.ctx);
	return 0;
}
