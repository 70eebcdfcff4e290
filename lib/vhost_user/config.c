/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "config.h"

#include <string.h>

#include "handlers.h"
#include "vring.h"

enum {
	HEAD = offsetof(struct vqm_vu_config, data),
};

static int check(struct vqm_vhost_user *s)
{
	if (s->channel.header.size - HEAD != s->channel.payload.config.size)
		return vqm_vu_malformed(s, "size of the data and of the message differ");
	return 0;
}

static bool is_inside(const struct vqm_vu_config *c)
{
	return c->offset <= VQM_VU_CONFIG_MAX && c->size <= VQM_VU_CONFIG_MAX - c->offset;
}

/* An answer of size 0 says no (VU-92). */
int vqm_vu_get_config(struct vqm_vhost_user *s)
{
	struct vqm_vu_config *c = &s->channel.payload.config;
	int err = check(s);

	if (err)
		return err;
	memset(c->data, 0, sizeof(c->data));
	if (!is_inside(c) || s->config.ops->get_config(s->config.ctx, c->offset, c->data, c->size))
		return 0;
	return HEAD + (int)c->size;
}

/* @flags tell a write of the driver from one of a migration: the device takes both. */
int vqm_vu_set_config(struct vqm_vhost_user *s)
{
	const struct vqm_vu_config *c = &s->channel.payload.config;
	int err = check(s);

	if (err)
		return err;
	if (!is_inside(c) || c->flags > 1)
		return vqm_vu_refuse(s, -EINVAL, "bad offset, size or flags");
	if (!s->config.ops->set_config)
		return vqm_vu_refuse(s, -EOPNOTSUPP, "nothing can be written");
	if (s->config.ops->set_config(s->config.ctx, c->offset, c->data, c->size))
		return vqm_vu_refuse(s, -EINVAL, "the device does not take it");
	return 0;
}

int vqm_vu_set_backend_req_fd(struct vqm_vhost_user *s)
{
	vqm_vu_close(&s->backend);
	s->backend = vqm_vu_channel_take(&s->channel, 0);
	return 0;
}

static int tell(struct vqm_vhost_user *s)
{
	struct vqm_vu_header h = {VQM_VU_BACKEND_CONFIG_CHANGE, VQM_VU_VERSION, 0};

	s->untold = false;
	return vqm_vu_send(s->backend, &h, NULL);
}

void vqm_vu_config_tell(struct vqm_vhost_user *s)
{
	if (s->untold && s->backend >= 0)
		tell(s);
}

int vqm_vhost_user_config_changed(struct vqm_vhost_user *s)
{
	if (s->backend < 0 || !vqm_vu_has(s, VQM_VHOST_USER_PROTOCOL_F_CONFIG))
		return -ENOTCONN;
	/* A device whose rings are all stopped keeps silent (VU-84). */
	s->untold = !vqm_vu_any_started(s);
	return s->untold ? 0 : tell(s);
}
