/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which requests cover the disk, in random order; workers take them one by one. */
#ifndef VQM_DEMO_PLAN_H
#define VQM_DEMO_PLAN_H

#include <stdatomic.h>
#include <stdint.h>

struct extent {
	uint64_t at; /* byte of the disk */
	uint32_t len;
};

struct plan {
	struct extent *extent;
	uint32_t count;
	atomic_uint next;
};

/* Cuts @bytes, a multiple of REQUEST_MIN, into extents of random length, and shuffles them. */
void plan_make(struct plan *p, uint64_t bytes, uint64_t *random);

/* @count extents of no length, for requests without data. */
void plan_make_empty(struct plan *p, uint32_t count);

void plan_free(struct plan *p);

/* Any thread. Return: the next extent, NULL when all are taken. */
const struct extent *plan_take(struct plan *p);

#endif /* VQM_DEMO_PLAN_H */
