/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Life of a worker: its slots, its thread, what it sleeps on. What it does is in burst.c. */
#define _GNU_SOURCE
#include "worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	FD_KICK,
	FD_WAKE,
	FD_IO,
	DRAIN_MAX = 64,
	POLLED_MS = 1, /* between looks at a ring whose driver does not kick */
};

void worker_fds(const struct worker *w, struct pollfd *fds)
{
	memset(fds, 0, WORKER_FDS * sizeof(*fds));
	fds[FD_KICK].fd = w->kick;
	fds[FD_WAKE].fd = w->wake;
	fds[FD_IO].fd = io_fd(&w->io);
	fds[FD_KICK].events = fds[FD_WAKE].events = fds[FD_IO].events = POLLIN;
}

/* Does not wait, also when the front-end took O_NONBLOCK back from what it shares with us. */
static ssize_t read_now(int fd, uint64_t *value)
{
	struct iovec iov = {value, sizeof(*value)};
	struct pollfd ready = {fd, POLLIN, 0};
	ssize_t n = preadv2(fd, &iov, 1, -1, RWF_NOWAIT);

	if (n >= 0 || errno != EOPNOTSUPP)
		return n;
	if (poll(&ready, 1, 0) <= 0) {
		errno = EAGAIN;
		return -1;
	}
	return read(fd, value, sizeof(*value));
}

/*
 * What is read means nothing; 8 bytes at a time also empty a pipe. Not for ever: a front-end may
 * keep one filled, and then the worker is simply woken again.
 *
 * Return: whether anything was read; false with errno EAGAIN when there just was nothing.
 */
static bool drain(int fd)
{
	uint64_t value;
	ssize_t n = 0;
	int any = 0;

	while (any < DRAIN_MAX && (n = read_now(fd, &value)) > 0)
		any++;
	if (n == 0)
		errno = EPIPE;
	return any > 0;
}

void worker_woken(struct worker *w, const struct pollfd *fds)
{
	if (fds[FD_WAKE].revents & POLLIN)
		drain(w->wake);
	if (!fds[FD_KICK].revents)
		return;
	if (drain(w->kick))
		w->stats.kicks++;
	else if (errno != EAGAIN || fds[FD_KICK].revents & (POLLERR | POLLHUP | POLLNVAL))
		w->kick = -1; /* nobody can kick any more: look at the ring instead */
}

int worker_timeout(const struct worker *w, int timeout)
{
	if (w->kick < 0 && !w->broken && (timeout < 0 || timeout > POLLED_MS))
		return POLLED_MS;
	return timeout;
}

static void run(struct worker *w)
{
	struct pollfd fds[WORKER_FDS];
	int timeout;

	while ((timeout = worker_step(w)) != WORKER_FINISHED) {
		if (timeout == WORKER_AGAIN)
			continue;
		worker_fds(w, fds);
		if (poll(fds, WORKER_FDS, worker_timeout(w, timeout)) > 0)
			worker_woken(w, fds);
	}
}

static void *thread_main(void *arg)
{
	struct worker *w = arg;

	worker_attach(w->sync);
	run(w);
	worker_detach(w->sync);
	return NULL;
}

void worker_attach(enum vqm_sync sync)
{
	vqm_sync_attach(sync);
	vqm_sync_offline(sync);
}

void worker_detach(enum vqm_sync sync)
{
	vqm_sync_online(sync);
	vqm_sync_detach(sync);
}

static void wake_up(struct worker *w)
{
	uint64_t one = 1;

	/* A counter that is full wakes all the same. */
	if (write(w->wake, &one, sizeof(one)) < 0 && errno != EAGAIN)
		perror("eventfd");
}

void worker_memory_changed(struct worker *w)
{
	atomic_store(&w->memory_changed, true);
	wake_up(w);
}

static void free_worker(struct worker *w)
{
	uint32_t i;

	for (i = 0; w->slots && i < WORKER_DEPTH; i++)
		request_fini(&w->slots[i]);
	free(w->slots);
	if (w->wake >= 0)
		close(w->wake);
	free(w);
}

static int make_slots(struct worker *w)
{
	uint32_t i;
	int err = 0;

	w->slots = calloc(WORKER_DEPTH, sizeof(*w->slots));
	if (!w->slots)
		return -ENOMEM;
	for (i = 0; i < WORKER_DEPTH && !err; i++) {
		err = request_init(&w->slots[i], BLK_SEG_MAX + 2);
		w->slots[i].next = w->vacant;
		w->vacant = &w->slots[i];
	}
	return err;
}

static int set_up(struct worker *w, const struct worker_config *config)
{
	int err;

	w->config = *config;
	w->queue = vqm_vhost_user_queue(config->server, config->index);
	w->sync = vqm_queue_sync(w->queue);
	w->kick = vqm_vhost_user_kick_fd(config->server, config->index);
	w->fresh_end = &w->fresh;
	w->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (w->wake < 0)
		return -errno;
	err = make_slots(w);
	if (err)
		return err;
	err = io_open(&w->io, config->engine, config->blk->fd, WORKER_DEPTH, config->registered);
	if (!err)
		w->depth = io_fd(&w->io) < 0 ? WORKER_DEPTH_SYNC : WORKER_DEPTH;
	return err;
}

int worker_start(struct worker **out, const struct worker_config *config)
{
	struct worker *w = calloc(1, sizeof(*w));
	int err;

	if (!w)
		return -ENOMEM;
	err = set_up(w, config);
	if (err) {
		free_worker(w);
		return err;
	}
	if (config->threaded)
		err = -pthread_create(&w->thread, NULL, thread_main, w);
	if (err) {
		io_close(&w->io);
		free_worker(w);
		return err;
	}
	*out = w;
	return 0;
}

void worker_stop(struct worker *w, struct stats *stats)
{
	atomic_store(&w->stopping, true);
	wake_up(w);
	if (w->config.threaded)
		pthread_join(w->thread, NULL);
	else
		run(w);
	w->stats.fixed = w->io.fixed;
	stats_add(stats, &w->stats);
	io_close(&w->io);
	free_worker(w);
}
