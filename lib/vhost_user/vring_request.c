/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The requests that name a ring. */
#include "handlers.h"
#include "vring.h"

/* The ring of a message that begins with its index; NULL with the reason set. */
static struct vqm_vu_vring *named(struct vqm_vhost_user *s)
{
	uint32_t index = s->channel.payload.state.index;

	if (index >= s->config.queues) {
		vqm_vu_refuse(s, -EINVAL, "no such queue");
		return NULL;
	}
	return &s->vring[index];
}

/*
 * Set-up is for rings that are stopped. Nobody runs one that is disabled, so that is stopped first:
 * user-mode Linux sets a ring up again after disabling it and does not ask for its base.
 */
static int make_idle(struct vqm_vhost_user *s, struct vqm_vu_vring *v)
{
	if (v->running)
		return vqm_vu_refuse(s, -EBUSY, "the ring is running");
	vqm_vu_vring_stop(s, (uint32_t)(v - s->vring));
	return 0;
}

int vqm_vu_set_vring_num(struct vqm_vhost_user *s)
{
	struct vqm_vu_vring *v = named(s);
	uint32_t num = s->channel.payload.state.num;
	int err;

	if (!v)
		return -EINVAL;
	if (num == 0 || num > VQM_QUEUE_NUM_MAX || (num & (num - 1)))
		return vqm_vu_refuse(s, -EINVAL, "not a power of two in 1..32768");
	err = make_idle(s, v);
	if (!err)
		v->num = num;
	return err;
}

static bool same_place(const struct vqm_vu_addr *a, const struct vqm_vu_addr *b)
{
	return a->desc == b->desc && a->avail == b->avail && a->used == b->used;
}

/* Checked in full when the ring is started: only then are size, features and memory known. */
int vqm_vu_set_vring_addr(struct vqm_vhost_user *s)
{
	struct vqm_vu_vring *v = named(s);
	const struct vqm_vu_addr *addr = &s->channel.payload.addr;
	int err = 0;

	if (!v)
		return -EINVAL;
	if (addr->flags)
		return vqm_vu_refuse(s, -EOPNOTSUPP, "logging was not offered");
	/* Front-ends send the same addresses again to change the flags (VU-85). */
	if (!v->placed || !same_place(addr, &v->addr))
		err = make_idle(s, v);
	if (err)
		return err;
	v->addr = *addr;
	v->placed = true;
	return 0;
}

int vqm_vu_set_vring_base(struct vqm_vhost_user *s)
{
	struct vqm_vu_vring *v = named(s);
	uint32_t base = s->channel.payload.state.num;
	int err;

	if (!v)
		return -EINVAL;
	if (base > UINT16_MAX)
		return vqm_vu_refuse(s, -EINVAL, "more than 16 bits");
	err = make_idle(s, v);
	if (!err)
		v->base = (uint16_t)base;
	return err;
}

int vqm_vu_get_vring_base(struct vqm_vhost_user *s)
{
	struct vqm_vu_vring *v = named(s);
	struct vqm_vu_state *state = &s->channel.payload.state;

	if (!v)
		return -EINVAL;
	vqm_vu_vring_stop(s, state->index);
	state->num = v->base;
	return sizeof(*state);
}

/* What KICK, CALL and ERR have in common: the kind of @fd, or -errno. @fd is -1 with bit 8. */
static int take_fd(struct vqm_vhost_user *s, uint32_t *index, int *fd)
{
	uint64_t said = s->channel.payload.u64;
	int kind;

	*fd = -1;
	if (said & ~(uint64_t)(VQM_VU_VRING_INDEX | VQM_VU_VRING_NO_FD) ||
	    (said & VQM_VU_VRING_INDEX) >= s->config.queues)
		return vqm_vu_refuse(s, -EINVAL, "no such queue");
	*index = said & VQM_VU_VRING_INDEX;
	if (said & VQM_VU_VRING_NO_FD)
		return VQM_VU_EVENTFD;
	if (s->channel.n_fds == 0)
		return vqm_vu_malformed(s, "no descriptor");
	kind = vqm_vu_notifier_prepare(s->channel.fds[0]);
	if (kind < 0)
		return vqm_vu_refuse(s, kind, "neither an eventfd nor a pipe");
	*fd = vqm_vu_channel_take(&s->channel, 0);
	return kind;
}

int vqm_vu_set_vring_kick(struct vqm_vhost_user *s)
{
	uint32_t index;
	int fd, kind = take_fd(s, &index, &fd);

	return kind < 0 ? kind : vqm_vu_vring_kick(s, index, fd);
}

int vqm_vu_set_vring_call(struct vqm_vhost_user *s)
{
	uint32_t index;
	int fd, kind = take_fd(s, &index, &fd);

	if (kind < 0)
		return kind;
	vqm_vu_notifier_set(&s->vring[index].call, fd, (enum vqm_vu_kind)kind);
	/* The worker may have signalled the former one just now (VU-72). */
	if (s->vring[index].running)
		vqm_vu_notifier_signal(&s->vring[index].call);
	return 0;
}

int vqm_vu_set_vring_err(struct vqm_vhost_user *s)
{
	uint32_t index;
	int fd, kind = take_fd(s, &index, &fd);

	if (kind < 0)
		return kind;
	vqm_vu_notifier_set(&s->vring[index].err, fd, (enum vqm_vu_kind)kind);
	return 0;
}

int vqm_vu_set_vring_enable(struct vqm_vhost_user *s)
{
	const struct vqm_vu_state *state = &s->channel.payload.state;

	if (!named(s))
		return -EINVAL;
	if (!vqm_has_feature(s->features, VQM_VHOST_USER_F_PROTOCOL_FEATURES))
		return vqm_vu_refuse(s, -EINVAL, "protocol features were not accepted");
	if (state->num > 1)
		return vqm_vu_refuse(s, -EINVAL, "neither 0 nor 1");
	vqm_vu_vring_enable(s, state->index, state->num);
	return 0;
}
