/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Configuration space, and telling the front-end about it. */
#ifndef VQM_VU_CONFIG_H
#define VQM_VU_CONFIG_H

#include "server.h"

/* Sends the change that could not be told while every ring was stopped. */
void vqm_vu_config_tell(struct vqm_vhost_user *s);

#endif /* VQM_VU_CONFIG_H */
