/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Two states of a ring, started and enabled, and the worker that runs while both are true. */
#ifndef VQM_VU_VRING_H
#define VQM_VU_VRING_H

#include "server.h"

int vqm_vu_vring_init(struct vqm_vhost_user *s, uint32_t index);
void vqm_vu_vring_fini(struct vqm_vu_vring *v);

/* Starts it, or gives a started one another kick descriptor. Takes @fd, also when it fails. */
int vqm_vu_vring_kick(struct vqm_vhost_user *s, uint32_t index, int fd);

/* Stops it; its base says where it was. */
void vqm_vu_vring_stop(struct vqm_vhost_user *s, uint32_t index);

void vqm_vu_vring_enable(struct vqm_vhost_user *s, uint32_t index, bool on);

/* Stops and disables it, and forgets where it is. */
void vqm_vu_vring_reset(struct vqm_vhost_user *s, uint32_t index);

bool vqm_vu_any_started(const struct vqm_vhost_user *s);
bool vqm_vu_any_running(const struct vqm_vhost_user *s);

#endif /* VQM_VU_VRING_H */
