/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A front-end from its coming to its going. */
#ifndef VQM_VU_SESSION_H
#define VQM_VU_SESSION_H

#include "server.h"

/* Takes a connection; returns 0 or what epoll_ctl() said. */
int vqm_vu_session_begin(struct vqm_vhost_user *s, int fd);

/* Takes the next front-end that waits. Returns 0, or -errno when none can be accepted any more. */
int vqm_vu_session_accept(struct vqm_vhost_user *s);

/* Handles what has come in, up to a limit. */
void vqm_vu_session_serve(struct vqm_vhost_user *s);

/* Gives back all that the front-end gave. */
void vqm_vu_session_end(struct vqm_vhost_user *s);

#endif /* VQM_VU_SESSION_H */
