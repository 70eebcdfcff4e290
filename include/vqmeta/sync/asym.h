/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "asym": a sequence as in "seqcount", but the reader only keeps its compiler in order.
 * The invalidator makes every running thread of the process pass a full barrier instead
 * (user space: membarrier(2)), once for all queues.
 *
 * Whichever point of a section is interrupted by that barrier: before it the odd value is visible
 * to the invalidator, after it the new pointer to the reader.
 */
#ifndef VQMETA_SYNC_ASYM_H
#define VQMETA_SYNC_ASYM_H

#include <vqmeta/sync/odd.h>

VQM_INLINE void vqm_asym_begin_(struct vqm_guard *g)
{
	vqm_odd_begin_(g);
	/* [Y1] compiler; store of word before load of the published pointer; pairs with [Y2]. */
	vqm_env_barrier();
}

VQM_INLINE void vqm_asym_end_(struct vqm_guard *g)
{
	vqm_odd_end_(g);
}

VQM_INLINE void vqm_asym_barrier_(struct vqm_guard *g)
{
	(void)g;
	/* [Y2] full, on every processor; published pointer before word; pairs with [Y1]. */
	vqm_env_asym_barrier();
}

VQM_INLINE int vqm_asym_wait_(struct vqm_guard *g, bool may_wait)
{
	return vqm_odd_wait_(g, may_wait);
}

#endif /* VQMETA_SYNC_ASYM_H */
