/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "flag": an atomic bit says that a section is running, with a full barrier on each side
 * between "I am in" / "it is gone" and the look at what the other did.
 *
 * Waiting until the bit is clear may take for ever when the reader begins again at once. So the
 * invalidator sets a second bit, which the end of a section clears with the first: either one
 * clear means that the section that ran is over.
 */
#ifndef VQMETA_SYNC_FLAG_H
#define VQMETA_SYNC_FLAG_H

#include <vqmeta/sync/guard.h>

enum {
	VQM_FLAG_USING_ = 1,
	VQM_FLAG_WANTED_ = 2,
};

VQM_INLINE void vqm_flag_begin_(struct vqm_guard *g)
{
	/* [B1] full, both sides; bit before load of the published pointer; pairs with [B2]. */
	vqm_env_or_word_mb(&g->word, VQM_FLAG_USING_);
}

VQM_INLINE void vqm_flag_end_(struct vqm_guard *g)
{
	/* [B3] release; the section comes before the clear bits; pairs with [B4]. */
	vqm_env_and_word_release(&g->word, ~(unsigned long)(VQM_FLAG_USING_ | VQM_FLAG_WANTED_));
}

VQM_INLINE void vqm_flag_barrier_(struct vqm_guard *g)
{
	(void)g;
	/* [B2] full; store of the published pointer before load of the bit; pairs with [B1]. */
	vqm_env_mb();
}

VQM_INLINE bool vqm_flag_runs_(const struct vqm_guard *g, unsigned long bits)
{
	/* [B4] acquire; what the sections did comes before what follows; pairs with [B3]. */
	return (vqm_env_load_word_acquire(&g->word) & bits) == bits;
}

VQM_INLINE int vqm_flag_wait_(struct vqm_guard *g, bool may_wait)
{
	unsigned int spins = 0;

	if (!vqm_flag_runs_(g, VQM_FLAG_USING_))
		return 0;
	if (!may_wait)
		return -EAGAIN;
	vqm_env_or_word(&g->word, VQM_FLAG_WANTED_);
	while (vqm_flag_runs_(g, VQM_FLAG_USING_ | VQM_FLAG_WANTED_))
		vqm_env_relax(spins++);
	return 0;
}

#endif /* VQMETA_SYNC_FLAG_H */
