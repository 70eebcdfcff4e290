/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "spin": a ticket lock held for the section.
 *
 * Tickets are served in order, so a reader that locks again at once cannot starve the
 * invalidator, which a test-and-set lock allows. The invalidator takes the lock once after it made
 * the old pointer unreachable: sections before its turn are over, later ones cannot see it.
 */
#ifndef VQMETA_SYNC_SPIN_H
#define VQMETA_SYNC_SPIN_H

#include <vqmeta/sync/guard.h>

VQM_INLINE void vqm_spin_begin_(struct vqm_guard *g)
{
	unsigned long ticket = vqm_env_fetch_add_word(&g->next, 1);
	unsigned int spins = 0;

	/* [S1] acquire; the section comes after the last holder's; pairs with [S2]. */
	while (vqm_env_load_word_acquire(&g->word) != ticket)
		vqm_env_relax(spins++);
}

VQM_INLINE void vqm_spin_end_(struct vqm_guard *g)
{
	/* [S2] release; the section comes before the next holder's; pairs with [S1]. */
	vqm_env_store_word_release(&g->word, g->word + 1);
}

VQM_INLINE void vqm_spin_barrier_(struct vqm_guard *g)
{
	(void)g; /* [S2] of the wait orders the unpublishing before later sections */
}

VQM_INLINE int vqm_spin_wait_(struct vqm_guard *g, bool may_wait)
{
	unsigned long served;

	if (may_wait) {
		vqm_spin_begin_(g);
		vqm_spin_end_(g);
		return 0;
	}
	/* [S1] acquire; free when the next ticket is the one that is served. */
	served = vqm_env_load_word_acquire(&g->word);
	if (!vqm_env_cas_word(&g->next, served, served + 1))
		return -EAGAIN;
	vqm_spin_end_(g);
	return 0;
}

#endif /* VQMETA_SYNC_SPIN_H */
