/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "vring.h"

#include <string.h>

#include "config.h"

int vqm_vu_vring_init(struct vqm_vhost_user *s, uint32_t index)
{
	struct vqm_vu_vring *v = &s->vring[index];
	int err = vqm_queue_init(&v->queue, &s->dev, (uint16_t)index, s->config.sync);

	if (err)
		return err;
	v->kick = -1;
	vqm_vu_notifier_init(&v->call);
	vqm_vu_notifier_init(&v->err);
	return 0;
}

void vqm_vu_vring_fini(struct vqm_vu_vring *v)
{
	vqm_queue_fini(&v->queue);
	vqm_vu_notifier_fini(&v->call);
	vqm_vu_notifier_fini(&v->err);
}

/* Lets the device run the ring, or not, as its states want it. */
static void settle(struct vqm_vhost_user *s, uint32_t index)
{
	struct vqm_vu_vring *v = &s->vring[index];
	const struct vqm_vhost_user_ops *ops = s->config.ops;
	bool run = v->started && v->enabled;

	if (run == v->running)
		return;
	v->running = run;
	if (run && ops->start)
		ops->start(s->config.ctx, index);
	if (!run && ops->stop)
		ops->stop(s->config.ctx, index);
}

/* Nothing is dereferenced before all of it is known to be good (VU-88). */
static int start(struct vqm_vhost_user *s, struct vqm_vu_vring *v)
{
	struct vqm_queue_config config = {
		.num = v->num,
		.features = vqm_vu_virtio(s->features),
		.order = VQM_ENV_BIG_ENDIAN ? VQM_BIG_ENDIAN : VQM_LITTLE_ENDIAN,
		.next = v->base,
		.max_chain = s->config.max_chain,
	};
	int err;

	if (v->num == 0 || !v->placed)
		return vqm_vu_refuse(s, -EINVAL, "size or addresses were not set");
	config.addr[VQM_AREA_DESC].v = v->addr.desc;
	config.addr[VQM_AREA_AVAIL].v = v->addr.avail;
	config.addr[VQM_AREA_USED].v = v->addr.used;
	err = vqm_queue_start(&v->queue, &config);
	if (err) {
		vqm_explain(vqm_queue_fault(&v->queue), s->text, sizeof(s->text));
		return vqm_vu_refuse(s, err, s->text);
	}
	return 0;
}

int vqm_vu_vring_kick(struct vqm_vhost_user *s, uint32_t index, int fd)
{
	struct vqm_vu_vring *v = &s->vring[index];
	int err = v->started ? 0 : start(s, v);

	if (err) {
		vqm_vu_close(&fd);
		return err;
	}
	/* A worker that has the former descriptor is made to forget it. */
	v->started = false;
	settle(s, index);
	vqm_vu_close(&v->kick);
	v->kick = fd;
	v->started = true;
	settle(s, index);
	vqm_vu_config_tell(s);
	return 0;
}

void vqm_vu_vring_stop(struct vqm_vhost_user *s, uint32_t index)
{
	struct vqm_vu_vring *v = &s->vring[index];

	if (!v->started)
		return;
	v->started = false;
	settle(s, index);
	v->base = vqm_queue_stop(&v->queue);
	vqm_vu_close(&v->kick);
}

void vqm_vu_vring_enable(struct vqm_vhost_user *s, uint32_t index, bool on)
{
	s->vring[index].enabled = on;
	settle(s, index);
}

void vqm_vu_vring_reset(struct vqm_vhost_user *s, uint32_t index)
{
	struct vqm_vu_vring *v = &s->vring[index];

	vqm_vu_vring_stop(s, index);
	v->enabled = false;
	v->num = 0;
	v->base = 0;
	v->placed = false;
}

bool vqm_vu_any_started(const struct vqm_vhost_user *s)
{
	uint32_t i;

	for (i = 0; i < s->config.queues; i++) {
		if (s->vring[i].started)
			return true;
	}
	return false;
}

bool vqm_vu_any_running(const struct vqm_vhost_user *s)
{
	uint32_t i;

	for (i = 0; i < s->config.queues; i++) {
		if (s->vring[i].running)
			return true;
	}
	return false;
}
