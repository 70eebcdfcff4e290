/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a front-end has a backend do. One thread at a time uses a front-end.
 *
 * Source: the vhost-user protocol document of QEMU (docs/interop/vhost-user.rst).
 */
#ifndef VQM_DEMO_FRONTEND_H
#define VQM_DEMO_FRONTEND_H

#include <vqmeta/mock.h>

#include "memory.h"
#include "message.h"

struct frontend {
	struct channel channel;
	uint64_t features;
	uint64_t capacity; /* bytes of the disk */
	uint32_t seg_max;
};

/* Agrees on features, all of them needed, and reads what the disk is like. */
void frontend_negotiate(struct frontend *f, uint32_t queues);

void frontend_start_queue(struct frontend *f, uint32_t index, const struct vqm_mock *driver,
			  int kick, int call, int err);

/* Return: index of the next available entry the backend would have taken. */
uint32_t frontend_stop_queue(struct frontend *f, uint32_t index);

/* SET_MEM_TABLE with every region that is not away, in random order. */
void frontend_set_table(struct frontend *f, const struct memory *m, uint64_t *random);

void frontend_add_region(struct frontend *f, const struct memory *m, const struct region *r);
void frontend_remove_region(struct frontend *f, const struct memory *m, const struct region *r);

#endif /* VQM_DEMO_FRONTEND_H */
