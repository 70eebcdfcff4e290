/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One thread and one queue: keeps requests in flight until a plan is done. */
#ifndef VQM_DEMO_WORKER_H
#define VQM_DEMO_WORKER_H

#include "disk.h"

/* What the workers do together until all have returned. */
struct job {
	struct plan plan;
	enum disk_type type;
	uint64_t key;
};

struct worker {
	uint32_t queue, seg_max;
	struct memory *memory;
	struct score *score;
	struct job *job;
	struct vqm_mock driver;
	int kick, call, err;
	uint64_t random;
	struct request request[DEPTH];
	uint32_t idle[DEPTH], idle_count;
	struct request *blocked; /* prepared, but the ring had no room */
};

void worker_init(struct worker *w, uint32_t queue, struct memory *m, uint64_t features);
void worker_fini(struct worker *w);

/* Takes part in w->job; to be started as a thread. */
void *worker_run(void *worker);

#endif /* VQM_DEMO_WORKER_H */
