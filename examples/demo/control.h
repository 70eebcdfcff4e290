/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The thread that changes the memory of the guest under the running queues. */
#ifndef VQM_DEMO_CONTROL_H
#define VQM_DEMO_CONTROL_H

#include "frontend.h"
#include "worker.h"

struct control {
	struct frontend *front;
	struct memory *memory;
	struct score *score;
	const struct worker *worker;
	uint64_t random;
	atomic_bool stop;
};

/* Runs until told to stop, and leaves every ring with the backend; to be started as a thread. */
void *control_run(void *control);

#endif /* VQM_DEMO_CONTROL_H */
