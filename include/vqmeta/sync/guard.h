/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What every strategy works on. */
#ifndef VQMETA_SYNC_GUARD_H
#define VQMETA_SYNC_GUARD_H

#include <vqmeta/types.h>

enum vqm_sync {
	VQM_SYNC_NONE,	  /* the caller excludes access from invalidation */
	VQM_SYNC_SPIN,	  /* ticket lock held for the section */
	VQM_SYNC_COUNTER, /* odd/even counter and a full barrier */
	VQM_SYNC_COUNT,
};

/**
 * struct vqm_guard - one reader, as its invalidators see it
 * @word:     counter: odd inside a section; spin: the ticket that is served
 * @next:     spin: the next free ticket
 * @sync:     enum vqm_sync, recorded also when fixed at build time
 * @reserved: 0
 */
struct vqm_guard {
	unsigned long word;
	unsigned long next;
	uint32_t sync;
	uint32_t reserved;
};

#endif /* VQMETA_SYNC_GUARD_H */
