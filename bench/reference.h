/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reference loops for the floor: what serving a split ring costs without the library. */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include <vqmeta/types.h>

/* A ring by raw pointers, and one region of guest memory. */
struct reference {
	const struct vqm_desc *desc;
	const struct vqm_avail *avail;
	struct vqm_used *used;
	uint8_t *host;
	uint64_t gpa;
	uint64_t size;
	uint32_t num;
	uint16_t next;
};

struct reference_frag {
	void *base;
	size_t len;
};

/* Both serve up to @max chains and return how many; @frag gets every buffer. */
int reference_limit(struct reference *r, struct reference_frag *frag, uint32_t max);
int reference_checked(struct reference *r, struct reference_frag *frag, uint32_t max);

#endif /* BENCH_REFERENCE_H */
