/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "counter": the reader makes a counter odd and back even, with a full barrier on each
 * side between "I am in" / "it is gone" and the look at what the other did.
 *
 * An even counter lets the invalidator go at once; an odd one is waited for until it changes, so
 * only the section that runs now is waited for. That rule needs a release in begin as well: the
 * wait may end by reading the begin of the next section. Stores suffice, there is one reader.
 */
#ifndef VQMETA_SYNC_COUNTER_H
#define VQMETA_SYNC_COUNTER_H

#include <vqmeta/sync/guard.h>

VQM_INLINE void vqm_counter_begin_(struct vqm_guard *g)
{
	/* [C3] release; the last section comes before the odd value; pairs with [C4]. */
	vqm_env_store_word_release(&g->word, g->word + 1);
	/* [C1] full; store of word before load of the published pointer; pairs with [C2]. */
	vqm_env_mb();
}

VQM_INLINE void vqm_counter_end_(struct vqm_guard *g)
{
	/* [C3] release; the section comes before the even value; pairs with [C4]. */
	vqm_env_store_word_release(&g->word, g->word + 1);
}

VQM_INLINE void vqm_counter_barrier_(struct vqm_guard *g)
{
	(void)g;
	/* [C2] full; store of the published pointer before load of word; pairs with [C1]. */
	vqm_env_mb();
}

VQM_INLINE int vqm_counter_wait_(struct vqm_guard *g, bool may_wait)
{
	/* [C4] acquire; what the sections did comes before what follows; pairs with [C3]. */
	unsigned long seen = vqm_env_load_word_acquire(&g->word);
	unsigned int spins = 0;

	if ((seen & 1) == 0)
		return 0;
	if (!may_wait)
		return -EAGAIN;
	while (vqm_env_load_word_acquire(&g->word) == seen)
		vqm_env_relax(spins++);
	return 0;
}

#endif /* VQMETA_SYNC_COUNTER_H */
