/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "notifier.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"

int vqm_vu_notifier_prepare(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);
	int kind = -EINVAL;

	if (flags < 0 || fstat(fd, &st))
		return -EINVAL;
	if ((st.st_mode & S_IFMT) == 0)
		kind = VQM_VU_EVENTFD;
	else if (S_ISFIFO(st.st_mode))
		kind = VQM_VU_PIPE;
	else if (S_ISSOCK(st.st_mode))
		kind = VQM_VU_SOCKET;
	if (kind >= 0 && !(flags & O_NONBLOCK) && fcntl(fd, F_SETFL, flags | O_NONBLOCK))
		return -EINVAL;
	return kind;
}

void vqm_vu_notifier_init(struct vqm_vu_notifier *n)
{
	vqm_env_lock_init(&n->lock);
	n->fd = -1;
	n->kind = VQM_VU_EVENTFD;
}

void vqm_vu_notifier_fini(struct vqm_vu_notifier *n)
{
	vqm_vu_close(&n->fd);
	vqm_env_lock_fini(&n->lock);
}

void vqm_vu_notifier_set(struct vqm_vu_notifier *n, int fd, enum vqm_vu_kind kind)
{
	int old;

	vqm_env_lock(&n->lock);
	old = n->fd;
	n->fd = fd;
	n->kind = kind;
	vqm_env_unlock(&n->lock);
	vqm_vu_close(&old);
}

/* A pipe without a reader must not end the process; other signals of that kind are left alone. */
static void signal_pipe(int fd, const void *data, size_t size)
{
	static const struct timespec now = {0, 0};
	sigset_t broken, before, pending;

	sigemptyset(&broken);
	sigaddset(&broken, SIGPIPE);
	if (sigpending(&pending) || pthread_sigmask(SIG_BLOCK, &broken, &before))
		return;
	if (write(fd, data, size) < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&broken, NULL, &now);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* O_NONBLOCK is the front-end's to take back; one that is full has signals to see anyway. */
static bool has_room(int fd)
{
	struct pollfd p = {fd, POLLOUT, 0};

	return poll(&p, 1, 0) == 1 && p.revents & POLLOUT;
}

void vqm_vu_notifier_signal(struct vqm_vu_notifier *n)
{
	static const uint64_t one = 1;
	ssize_t sent = 0;

	vqm_env_lock(&n->lock);
	if (n->fd >= 0 && n->kind != VQM_VU_SOCKET && !has_room(n->fd))
		sent = 0;
	else if (n->fd >= 0 && n->kind == VQM_VU_PIPE)
		signal_pipe(n->fd, &one, sizeof(one));
	else if (n->fd >= 0 && n->kind == VQM_VU_SOCKET)
		sent = send(n->fd, &one, sizeof(one), MSG_DONTWAIT | MSG_NOSIGNAL);
	else if (n->fd >= 0)
		sent = write(n->fd, &one, sizeof(one));
	vqm_env_unlock(&n->lock);
	/* One that is full has signals to see; one that is broken hurts its owner only (VU-73). */
	(void)sent;
}
