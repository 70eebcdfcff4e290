/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A sequence that is odd inside a section: what "seqcount" and "asym" have in common.
 *
 * An even value lets the invalidator go at once, an odd one is waited for until it changes: only
 * the section that runs now is waited for, whatever the reader does next. That rule needs a
 * release in begin as well, since the wait may end by reading the begin of the next section.
 * Stores suffice: there is one reader.
 */
#ifndef VQMETA_SYNC_ODD_H
#define VQMETA_SYNC_ODD_H

#include <vqmeta/sync/guard.h>

VQM_INLINE void vqm_odd_begin_(struct vqm_guard *g)
{
	/* [O1] release; the last section comes before the odd value; pairs with [O2]. */
	vqm_env_store_word_release(&g->word, g->word + 1);
}

VQM_INLINE void vqm_odd_end_(struct vqm_guard *g)
{
	/* [O1] release; the section comes before the even value; pairs with [O2]. */
	vqm_env_store_word_release(&g->word, g->word + 1);
}

VQM_INLINE int vqm_odd_wait_(struct vqm_guard *g, bool may_wait)
{
	/* [O2] acquire; what the sections did comes before what follows; pairs with [O1]. */
	unsigned long seen = vqm_env_load_word_acquire(&g->word);
	unsigned int spins = 0;

	if ((seen & 1) == 0)
		return 0;
	if (!may_wait)
		return -EAGAIN;
	/* [O2] again: the load that ends the wait. */
	while (vqm_env_load_word_acquire(&g->word) == seen)
		vqm_env_relax(spins++);
	return 0;
}

#endif /* VQMETA_SYNC_ODD_H */
