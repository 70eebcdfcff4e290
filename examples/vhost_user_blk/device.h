/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The vhost-user device: a server, a disk and the workers of its queues. */
#ifndef DEVICE_H
#define DEVICE_H

#include "options.h"
#include "worker.h"

/**
 * struct device - all of it
 * @workers:       by queue; NULL for a queue that does not run
 * @stats:         of the workers that have ended
 * @invalidations: mappings taken away by device_invalidate(), @turn says which is next
 * @served:        a front-end came and has left again
 */
struct device {
	const struct options *options;
	struct blk blk;
	struct vqm_vhost_user *server;
	struct worker *workers[BLK_QUEUES_MAX];
	struct stats stats;
	uint64_t invalidations;
	uint32_t turn;
	bool served;
};

/* Return: false when something could not be had; what, was printed. */
bool device_open(struct device *d, const struct options *options);

/* Stops the queues when their I/O is done, then closes everything. */
void device_close(struct device *d);

/* Takes the mapping of one ring area of one running queue away, each in its turn. */
void device_invalidate(struct device *d);

/* One round of all workers without a thread. Return: milliseconds until the next, as poll(). */
int device_step(struct device *d);

#endif
