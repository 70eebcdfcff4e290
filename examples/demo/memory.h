/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory of the "guest": regions in one window of addresses, each a file that the backend maps.
 *
 *	ring 0, ring 1, ...	a region for each queue, so that it can be taken away alone
 *	data low, data high	one file, adjacent in guest space: a buffer crosses the border
 *	hot 0, hot 1		plugged and unplugged while the disk works, a new file each time
 *
 * Every request of every queue has a slot: the same place in the data regions and in each hot
 * region.
 */
#ifndef VQM_DEMO_MEMORY_H
#define VQM_DEMO_MEMORY_H

#include <pthread.h>

#include <vqmeta/types.h>

#include "demo.h"

enum {
	HOT_REGIONS = 2,
	REGIONS_MAX = QUEUES_MAX + 2 + HOT_REGIONS, /* 8, as many as SET_MEM_TABLE can carry */
	SLOT_HEAD = 4096,			    /* request header, status, indirect table */
	SLOT_SIZE = SLOT_HEAD + REQUEST_MAX + 4096, /* the rest is for gaps between fragments */
};

enum region_state {
	REGION_AWAY,   /* the backend does not have it */
	REGION_DRAINS, /* it has it, but no new request may use it */
	REGION_HERE,
};

struct region {
	char name[16];
	uint64_t off; /* in the window */
	uint64_t size;
	int fd;
	uint64_t fd_off;
	enum region_state state; /* written by the control thread, under the lock */
	uint32_t users;		 /* requests with data in a hot region; under the lock */
};

struct memory {
	uint8_t *window;
	uint64_t size;
	struct region region[REGIONS_MAX];
	uint32_t queues, count;
	pthread_mutex_t lock;
};

void memory_init(struct memory *m, uint32_t queues, uint64_t ring_bytes);
void memory_fini(struct memory *m);

struct vqm_gpa memory_gpa(const struct memory *m, uint64_t off);
struct vqm_uva memory_uva(const struct memory *m, uint64_t off);

static inline struct region *memory_ring(struct memory *m, uint32_t queue)
{
	return &m->region[queue];
}

static inline struct region *memory_hot(struct memory *m, uint32_t i)
{
	return &m->region[m->queues + 2 + i];
}

/* Where slot @slot of @queue is: in the data regions for @hot < 0. */
uint64_t memory_slot(const struct memory *m, uint32_t queue, uint32_t slot, int hot);

/* Worker: the hot regions that may be used now, one bit each; they stay until given back. */
uint32_t memory_hold_hot(struct memory *m);
void memory_release_hot(struct memory *m, uint32_t held);

/* Control thread: fresh memory for a hot region that is away. */
void memory_renew_hot(struct region *r, const struct memory *m);

/* Control thread. Return: how many requests use the region. */
uint32_t memory_set_state(struct memory *m, struct region *r, enum region_state state);

#endif /* VQM_DEMO_MEMORY_H */
