/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From a message to the function that obeys it, and back to an answer. */
#ifndef VQM_VU_REQUEST_H
#define VQM_VU_REQUEST_H

#include "server.h"

/* May the payload of this header be received? 0, or -EPROTO with @why set. */
int vqm_vu_request_check(struct vqm_vhost_user *s);

/* Obeys a complete message and answers it; -errno when the connection has to go. */
int vqm_vu_request_handle(struct vqm_vhost_user *s);

/* Tells the device what was wrong with the message, or between messages. */
void vqm_vu_request_complain(const struct vqm_vhost_user *s);

#endif /* VQM_VU_REQUEST_H */
