/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The thread that says every second how far things are, and notices when nothing moves. */
#ifndef VQM_DEMO_WATCH_H
#define VQM_DEMO_WATCH_H

#include "control.h"

struct watch {
	const struct control *control;
	uint32_t total_mib;
	uint32_t seconds_max;
	atomic_bool stop;
};

/* To be started as a thread. */
void *watch_run(void *watch);

/* Region changes of all kinds so far. */
unsigned long long watch_changes(const struct score *s);

#endif /* VQM_DEMO_WATCH_H */
