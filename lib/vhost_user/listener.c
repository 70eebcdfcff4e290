/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "listener.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel.h"

enum {
	BACKLOG = 8, /* front-ends that wait for their turn */
};

static int new_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	return fd < 0 ? -errno : fd;
}

/* A socket file that refuses connections has lost its process. */
static bool is_stale(const struct sockaddr_un *addr)
{
	struct stat st;
	bool stale = false;
	int fd;

	if (lstat(addr->sun_path, &st) || !S_ISSOCK(st.st_mode))
		return false;
	fd = new_socket();
	if (fd >= 0) {
		stale = connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) &&
			errno == ECONNREFUSED;
		close(fd);
	}
	return stale;
}

static int bind_name(int fd, const struct sockaddr_un *addr)
{
	int err = bind(fd, (const struct sockaddr *)addr, sizeof(*addr)) ? -errno : 0;

	if (err == -EADDRINUSE && is_stale(addr) && !unlink(addr->sun_path))
		err = bind(fd, (const struct sockaddr *)addr, sizeof(*addr)) ? -errno : 0;
	return err;
}

int vqm_vu_listener_open(struct vqm_vu_listener *l, const char *path)
{
	size_t len = strlen(path);
	int fd, err;

	if (len == 0)
		return -EINVAL;
	if (len >= sizeof(l->addr.sun_path))
		return -ENAMETOOLONG;
	memset(&l->addr, 0, sizeof(l->addr));
	l->addr.sun_family = AF_UNIX;
	memcpy(l->addr.sun_path, path, len);
	fd = new_socket();
	if (fd < 0)
		return fd;
	err = bind_name(fd, &l->addr);
	if (!err && (listen(fd, BACKLOG) || lstat(path, &l->file))) {
		err = -errno;
		unlink(path);
	}
	if (err)
		close(fd);
	else
		l->fd = fd;
	return err;
}

void vqm_vu_listener_close(struct vqm_vu_listener *l)
{
	struct stat st;

	if (l->fd < 0)
		return;
	if (!lstat(l->addr.sun_path, &st) && st.st_dev == l->file.st_dev &&
	    st.st_ino == l->file.st_ino)
		unlink(l->addr.sun_path);
	vqm_vu_close(&l->fd);
}

int vqm_vu_listener_accept(const struct vqm_vu_listener *l)
{
	int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd >= 0)
		return fd;
	return errno == EINTR || errno == ECONNABORTED || errno == EWOULDBLOCK ? -EAGAIN : -errno;
}
