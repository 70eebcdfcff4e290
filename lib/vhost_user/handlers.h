/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One function per request. Size and number of files have been checked; the payload is in the
 * channel, where the answer goes, too. All return the size of the answer, which is 0 for requests
 * without one, or -errno with @why set and nothing changed.
 */
#ifndef VQM_VU_HANDLERS_H
#define VQM_VU_HANDLERS_H

#include "server.h"

/* device.c */
int vqm_vu_get_features(struct vqm_vhost_user *s);
int vqm_vu_set_features(struct vqm_vhost_user *s);
int vqm_vu_get_protocol_features(struct vqm_vhost_user *s);
int vqm_vu_set_protocol_features(struct vqm_vhost_user *s);
int vqm_vu_get_queue_num(struct vqm_vhost_user *s);
int vqm_vu_owner(struct vqm_vhost_user *s);
int vqm_vu_reset_device(struct vqm_vhost_user *s);

/* memory.c */
int vqm_vu_set_mem_table(struct vqm_vhost_user *s);
int vqm_vu_get_max_mem_slots(struct vqm_vhost_user *s);
int vqm_vu_add_mem_reg(struct vqm_vhost_user *s);
int vqm_vu_rem_mem_reg(struct vqm_vhost_user *s);

/* vring_request.c */
int vqm_vu_set_vring_num(struct vqm_vhost_user *s);
int vqm_vu_set_vring_addr(struct vqm_vhost_user *s);
int vqm_vu_set_vring_base(struct vqm_vhost_user *s);
int vqm_vu_get_vring_base(struct vqm_vhost_user *s);
int vqm_vu_set_vring_kick(struct vqm_vhost_user *s);
int vqm_vu_set_vring_call(struct vqm_vhost_user *s);
int vqm_vu_set_vring_err(struct vqm_vhost_user *s);
int vqm_vu_set_vring_enable(struct vqm_vhost_user *s);

/* config.c */
int vqm_vu_get_config(struct vqm_vhost_user *s);
int vqm_vu_set_config(struct vqm_vhost_user *s);
int vqm_vu_set_backend_req_fd(struct vqm_vhost_user *s);

#endif /* VQM_VU_HANDLERS_H */
