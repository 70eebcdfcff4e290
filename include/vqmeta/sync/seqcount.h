/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "seqcount": a sequence that is odd inside a section, with a full barrier on each side
 * between "I am in" / "it is gone" and the look at what the other did.
 *
 * The barriers of a kernel seqcount writer order stores only, which is not enough here.
 */
#ifndef VQMETA_SYNC_SEQCOUNT_H
#define VQMETA_SYNC_SEQCOUNT_H

#include <vqmeta/sync/odd.h>

VQM_INLINE void vqm_seqcount_begin_(struct vqm_guard *g)
{
	vqm_odd_begin_(g);
	/* [Q1] full; store of word before load of the published pointer; pairs with [Q2]. */
	vqm_env_mb();
}

VQM_INLINE void vqm_seqcount_end_(struct vqm_guard *g)
{
	vqm_odd_end_(g);
}

VQM_INLINE void vqm_seqcount_barrier_(struct vqm_guard *g)
{
	(void)g;
	/* [Q2] full; store of the published pointer before load of word; pairs with [Q1]. */
	vqm_env_mb();
}

VQM_INLINE int vqm_seqcount_wait_(struct vqm_guard *g, bool may_wait)
{
	return vqm_odd_wait_(g, may_wait);
}

#endif /* VQMETA_SYNC_SEQCOUNT_H */
