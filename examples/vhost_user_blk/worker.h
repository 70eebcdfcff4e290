/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Serving one queue: from the ring to I/O and back.
 *
 * A worker is a function to call again and again and a few descriptors to sleep on. It has a
 * thread of its own, or lives in the loop of somebody else.
 */
#ifndef WORKER_H
#define WORKER_H

#include "io.h"
#include "stats.h"

#include <poll.h>
#include <pthread.h>
#include <vqmeta/vhost_user.h>

enum {
	WORKER_DEPTH = 128,	/* chains in hand at once */
	WORKER_DEPTH_SYNC = 16, /* same, when they are served one by one */
	WORKER_FDS = 3,		/* descriptors a worker sleeps on */
};

/* What worker_step() returns: how many milliseconds to sleep, as poll() counts them, or: */
enum {
	WORKER_FINISHED = -2,
	WORKER_SLEEP = -1,
	WORKER_AGAIN = 0,
};

struct worker_config {
	struct vqm_vhost_user *server;
	uint32_t index; /* of the queue */
	struct blk *blk;
	enum io_choice engine;
	bool registered; /* guest memory with io_uring */
	bool threaded;
};

/**
 * struct worker - serves a queue; members are private but @stats
 * @slots:     all requests; @vacant those that are free, @fresh those popped and not yet begun
 * @depth:     most chains in hand: @inflight and @n_done
 * @inflight:  requests popped and not yet in @done
 * @done:      finished, not yet published
 * @refresh:   memory changed: what is registered must go as soon as no request is on its way
 * @broken:    the ring makes no sense: nothing is popped any more
 */
struct worker {
	struct worker_config config;
	struct vqm_queue *queue;
	enum vqm_sync sync;
	pthread_t thread;
	int wake, kick;
	atomic_bool stopping, memory_changed;
	bool refresh, broken;
	struct io io;
	struct request *slots, *vacant, *fresh, **fresh_end;
	uint32_t depth, inflight, n_done;
	struct vqm_done done[WORKER_DEPTH];
	struct stats stats;
};

/**
 * worker_attach() - this thread will run workers; in a burst it is online, else offline
 */
void worker_attach(enum vqm_sync sync);
void worker_detach(enum vqm_sync sync);

/**
 * worker_start() - make a worker; without a thread of its own the caller runs it
 *
 * Return: 0 and the worker in @out, or -errno.
 */
int worker_start(struct worker **out, const struct worker_config *config);

/**
 * worker_stop() - finish what is in flight, publish it, end
 * @stats: what it did is added here
 */
void worker_stop(struct worker *w, struct stats *stats);

/* Guest memory changed. Context: any thread. */
void worker_memory_changed(struct worker *w);

/* Context of these three: the thread of the worker, or the loop it lives in. */
int worker_step(struct worker *w);
void worker_fds(const struct worker *w, struct pollfd *fds);
void worker_woken(struct worker *w, const struct pollfd *fds);

/* In milliseconds, for poll(): not longer than @timeout, and not too long for this worker. */
int worker_timeout(const struct worker *w, int timeout);

#endif
