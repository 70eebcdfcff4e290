/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A UNIX socket with a name in the file system. */
#ifndef VQM_VU_LISTENER_H
#define VQM_VU_LISTENER_H

#include <sys/stat.h>
#include <sys/un.h>

/**
 * struct vqm_vu_listener - the socket
 * @fd:   -1: none
 * @addr: its name
 * @file: what the name stood for when it was made
 */
struct vqm_vu_listener {
	int fd;
	struct sockaddr_un addr;
	struct stat file;
};

/* Returns 0 or what vqm_vhost_user_listen() says. */
int vqm_vu_listener_open(struct vqm_vu_listener *l, const char *path);

/* Removes the file too, unless it is somebody else's by now. */
void vqm_vu_listener_close(struct vqm_vu_listener *l);

/* Returns a connection, -EAGAIN for none, -errno. */
int vqm_vu_listener_accept(const struct vqm_vu_listener *l);

#endif /* VQM_VU_LISTENER_H */
