/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What all parts of the demonstration share: the limits, the score, and the way to give up. */
#ifndef VQM_DEMO_H
#define VQM_DEMO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	MIB = 1 << 20,
	QUEUES_MAX = 4,
	QUEUE_SIZE = 128, /* less than DEPTH long chains need */
	DEPTH = 32,	  /* requests a worker keeps in flight */
	REQUEST_MIN = 4096,
	REQUEST_MAX = 256 * 1024,
	FRAGMENTS_MAX = 12, /* of the data of one request */
};

/* Counted by workers and the control thread, read by everybody. */
struct score {
	atomic_ullong posted, completed, indirect;
	atomic_ullong written, verified; /* bytes */
	atomic_ullong mismatches;	 /* bytes */
	atomic_ullong hot;		 /* requests with data in a hot-plugged region */
	atomic_ullong plugs, unplugs;	 /* of such regions */
	atomic_ullong rings;		 /* times the region of a ring was away */
	atomic_ullong tables;		 /* times the whole table was sent again */
};

static inline void score_add(atomic_ullong *counter, unsigned long long n)
{
	atomic_fetch_add_explicit(counter, n, memory_order_relaxed);
}

static inline unsigned long long score_get(const atomic_ullong *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Something is wrong that nothing can be made of: says what, and ends the program with status 1. */
_Noreturn void die(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

#endif /* VQM_DEMO_H */
