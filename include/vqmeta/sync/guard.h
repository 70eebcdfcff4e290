/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What every strategy works on. */
#ifndef VQMETA_SYNC_GUARD_H
#define VQMETA_SYNC_GUARD_H

#include <vqmeta/types.h>

/* In the order of their cost to a section, the dearest first; "none" apart. */
enum vqm_sync {
	VQM_SYNC_NONE,	   /* the caller excludes sections from all functions of dev.h and map.h */
	VQM_SYNC_SPIN,	   /* ticket lock held for the section */
	VQM_SYNC_FLAG,	   /* atomic bit set for the section, and a full barrier */
	VQM_SYNC_COUNTER,  /* counts sections, which may nest; full barrier */
	VQM_SYNC_SEQCOUNT, /* sequence, odd inside a section; full barrier */
	VQM_SYNC_RCU,	   /* read-copy-update; user space: liburcu "memb" */
	VQM_SYNC_RCU_QSBR, /* the same, quiescent states announced; user space: liburcu "qsbr" */
	VQM_SYNC_ASYM,	   /* sequence; the invalidator pays for both barriers */
	VQM_SYNC_COUNT,
};

/**
 * struct vqm_guard - one reader, as its invalidators see it
 * @word:     what the strategy publishes about the section; see its file
 * @next:     spin: the next free ticket
 * @owner:    debug builds: the thread whose section is running
 * @sync:     enum vqm_sync, recorded also when fixed at build time
 * @reserved: 0
 */
struct vqm_guard {
	unsigned long word;
	unsigned long next;
	void *owner;
	uint32_t sync;
	uint32_t reserved;
};

/* Debug builds: the caller broke a contract. Costs nothing in others. */
VQM_INLINE void vqm_assert_(bool ok, const char *what)
{
	if (VQM_DEBUG_ && !ok)
		vqm_env_bug(what);
	(void)what;
}

#endif /* VQMETA_SYNC_GUARD_H */
