/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What bench_sync.c measures of a strategy. sync_case.c is compiled once for each. */
#ifndef BENCH_SYNC_CASE_H
#define BENCH_SYNC_CASE_H

#include "bench.h"

/* How the second thread is told to stop, and says that it runs sections. */
struct sync_reader {
	int stop;
	int running;
} VQM_CACHE_ALIGNED;

/**
 * struct sync_case - a strategy, and code in which it is fixed
 * @empty:      a loop of @n steps around nothing
 * @sections:   the same loop around an empty section
 * @chains:     serve @total chains, @k per burst
 * @read:       run sections of the queue until told to stop
 * @invalidate: take the used area of the queue away
 * @prefetch:   map it again
 *
 * A thread is attached when it calls any but @attach, and @read, which attaches its own.
 */
struct sync_case {
	const char *name;
	enum vqm_sync sync;
	bool mapped; /* false: the ring is reached through a backend */
	int (*attach)(void);
	void (*detach)(void);
	void (*empty)(uint32_t n);
	void (*sections)(uint32_t n);
	void (*chains)(struct bench_rig *r, uint32_t k, uint32_t total);
	void (*read)(struct bench_rig *r, struct sync_reader *reader);
	void (*invalidate)(struct bench_rig *r);
	void (*prefetch)(struct bench_rig *r);
};

#endif /* BENCH_SYNC_CASE_H */
