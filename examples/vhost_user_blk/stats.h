/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a worker did. Written by the worker alone; added up when it is gone. */
#ifndef STATS_H
#define STATS_H

#include <stdint.h>

struct stats {
	uint64_t requests;
	uint64_t failed; /* answered with anything but OK */
	uint64_t bytes_read;
	uint64_t bytes_written;
	uint64_t fixed;	     /* transfers through a registered buffer */
	uint64_t prefetches; /* the ring was mapped again after it had been taken away */
	uint64_t lost;	     /* finished, but the ring was gone for good */
	uint64_t notifications;
	uint64_t kicks;
	uint64_t bad_chains;
	uint64_t broken; /* rings given up */
};

void stats_add(struct stats *to, const struct stats *s);
void stats_print(const struct stats *s, uint64_t invalidations);

#endif
