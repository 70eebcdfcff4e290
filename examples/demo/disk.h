/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One virtio-blk request (section 5.2.6 of virtio 1.4): its chain, and what it must bring back.
 *
 * The header, the data and the status are cut and placed at random, since a device may not care:
 * the header in one or two descriptors, the data in up to FRAGMENTS_MAX pieces of any length at
 * any address, each in the data regions or in a hot one.
 */
#ifndef VQM_DEMO_DISK_H
#define VQM_DEMO_DISK_H

#include <vqmeta/mock.h>

#include "memory.h"
#include "plan.h"

enum disk_type {
	DISK_READ = 0,
	DISK_WRITE = 1,
	DISK_FLUSH = 4,
};

struct request {
	enum disk_type type;
	struct extent extent;
	uint32_t queue, slot;
	uint32_t held; /* hot regions, see memory_hold_hot() */
	uint16_t pieces;
	struct vqm_mock_buf piece[FRAGMENTS_MAX];
	bool indirect;
	bool busy;
};

/* Decides how the request looks, fills what is to be written, spoils what is to be read. */
void request_prepare(struct request *r, struct memory *m, uint64_t key, uint32_t seg_max,
		     uint64_t *random);

/* Return: as vqm_mock_add(). */
int request_add(struct request *r, struct memory *m, struct vqm_mock *driver, uint64_t *random);

/* Ends the program when the device reports anything but success. Return: number of wrong bytes. */
uint64_t request_finish(struct request *r, struct memory *m, uint64_t key, uint32_t used_len);

#endif /* VQM_DEMO_DISK_H */
