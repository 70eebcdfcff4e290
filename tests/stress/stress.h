/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the driver, the worker and the invalidator of the stress test share. */
#ifndef STRESS_H
#define STRESS_H

#include <semaphore.h>

#include <vqmeta/mock.h>
#include <vqmeta/queue.h>

#include "common.h"
#include "moving.h"
#include "strategies.h"

enum {
	NUM = 64,
	SLOTS = 64,
	SLOT = 128, /* bytes of a request and its answer */
	BATCH = 8,
	RING_SIZE = 0x2000,
	TABLES = 0x1000, /* in the memory of the ring */
	DATA_SIZE = 0x3000,
	RING = 0x100000, /* guest-physical */
	DATA = 0x200000,
	UVA = 0x40000000,
};

#define FEATURES (1ull << VQM_F_VERSION_1 | 1ull << VQM_F_EVENT_IDX | 1ull << VQM_F_INDIRECT_DESC)

struct stress {
	const struct strategy *s;
	pthread_mutex_t excluded; /* what the caller of "none" does */
	struct vqm_dev dev;
	struct vqm_queue q;
	struct vqm_mock m;
	struct moving ring, data;
	struct vqm_backend backend;
	struct alias *ring_now, *data_now; /* in force */
	sem_t kick, call;
	uint32_t stop;
	uint64_t seed;
	unsigned long chains, held, stale, taken, tables, busy;
};

extern struct stress st;

/* Prints one line and ends the program. */
void fail(const char *what);
uint64_t answer_to(uint64_t request);
/* Sleeps until woken; fails with @complaint when that takes far too long. */
void doze(sem_t *s, const char *complaint);
/* With "none" the caller excludes sections from invalidations; the others need no help. */
void exclude(bool on);
/* Thread: posts and reaps until the time is up, then drains the queue and stops the worker. */
void *driver(void *arg);
/* Thread: serves until told to stop. */
void *worker(void *arg);

#endif /* STRESS_H */
