/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A virtio disk for virtual machines, over vhost-user. See README.md.
 *
 * The main loop is the control thread: it speaks the protocol, starts and stops the workers of
 * the queues (worker.h) and, if asked to, takes their memory away while they run.
 */
#define _GNU_SOURCE
#include "device.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum {
	FD_SIGNAL,
	FD_TIMER,
	FD_SERVER,
	FD_WORKERS,
	FDS = FD_WORKERS + BLK_QUEUES_MAX * WORKER_FDS,
};

/* SIGTERM and SIGINT as something to poll. Before any thread is made, so that none gets them. */
static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	signal(SIGPIPE, SIG_IGN);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Without an interval nothing ever comes. */
static int open_timer(uint32_t usec)
{
	struct timespec every = {usec / 1000000, (long)(usec % 1000000) * 1000};
	struct itimerspec when = {every, every};
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0 && timerfd_settime(fd, 0, &when, NULL)) {
		close(fd);
		return -1;
	}
	return fd;
}

static void watch_workers(const struct device *d, struct pollfd *fds)
{
	uint32_t i, j;

	for (i = 0; i < BLK_QUEUES_MAX; i++) {
		for (j = 0; j < WORKER_FDS; j++)
			fds[i * WORKER_FDS + j].fd = -1;
		if (d->workers[i] && d->options->single_thread)
			worker_fds(d->workers[i], &fds[i * WORKER_FDS]);
	}
}

static void wake_workers(struct device *d, const struct pollfd *fds)
{
	uint32_t i;

	for (i = 0; i < BLK_QUEUES_MAX; i++) {
		if (d->workers[i] && d->options->single_thread)
			worker_woken(d->workers[i], &fds[i * WORKER_FDS]);
	}
}

static bool goes_on(const struct device *d)
{
	return d->options->socket || !d->served;
}

/* Returns 0 when it was asked to end, or -errno. */
static int serve(struct device *d, struct pollfd *fds)
{
	uint64_t ticks;
	int err = 0;

	while (!err && goes_on(d)) {
		int timeout = device_step(d);

		watch_workers(d, fds + FD_WORKERS);
		if (poll(fds, FDS, timeout) < 0 && errno == EINTR)
			continue;
		if (fds[FD_SIGNAL].revents)
			return 0;
		/* Workers first: the server may end them. */
		wake_workers(d, fds + FD_WORKERS);
		if (fds[FD_TIMER].revents && read(fds[FD_TIMER].fd, &ticks, sizeof(ticks)) > 0)
			device_invalidate(d);
		if (fds[FD_SERVER].revents)
			err = vqm_vhost_user_dispatch(d->server);
	}
	return err;
}

static int run(const struct options *o)
{
	struct pollfd fds[FDS] = {0};
	struct device d;
	int err;

	fds[FD_SIGNAL].fd = open_signals();
	fds[FD_TIMER].fd = open_timer(o->invalidate);
	if (fds[FD_SIGNAL].fd < 0 || fds[FD_TIMER].fd < 0) {
		perror("vhost_user_blk");
		return 1;
	}
	if (!device_open(&d, o))
		return 1;
	fds[FD_SERVER].fd = vqm_vhost_user_fd(d.server);
	fds[FD_SIGNAL].events = fds[FD_TIMER].events = fds[FD_SERVER].events = POLLIN;
	if (o->single_thread)
		worker_attach(o->sync);
	err = serve(&d, fds);
	device_close(&d);
	if (o->single_thread)
		worker_detach(o->sync);
	if (err)
		fprintf(stderr, "vhost_user_blk: error %d\n", -err);
	if (o->stats)
		stats_print(&d.stats, d.invalidations);
	return err ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct options options;

	switch (options_parse(&options, argc, argv)) {
	case OPTIONS_RUN: return run(&options);
	case OPTIONS_DONE: return 0;
	case OPTIONS_WRONG: break;
	}
	return 2;
}
