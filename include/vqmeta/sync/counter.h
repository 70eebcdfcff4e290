/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "counter": word counts the sections that are over, and in its low byte those that are
 * open, since sections of the one reader may nest (255 deep). A full barrier stands on each side
 * between "I am in" / "it is gone" and the look at what the other did.
 *
 * No open section lets the invalidator go at once; else it waits until one more outermost section
 * is over. That rule needs a release in begin as well: the wait may end by reading the begin of
 * the next section. Stores suffice, there is one reader.
 */
#ifndef VQMETA_SYNC_COUNTER_H
#define VQMETA_SYNC_COUNTER_H

#include <vqmeta/sync/guard.h>

enum {
	VQM_COUNTER_OPEN_ = 0xff, /* open sections */
	VQM_COUNTER_OVER_ = 0x100,
};

VQM_INLINE void vqm_counter_begin_(struct vqm_guard *g)
{
	/* [C3] release; the last section comes before the new value; pairs with [C4]. */
	vqm_env_store_word_release(&g->word, g->word + 1);
	/* [C1] full; store of word before load of the published pointer; pairs with [C2]. */
	vqm_env_mb();
}

VQM_INLINE void vqm_counter_end_(struct vqm_guard *g)
{
	unsigned long word = g->word - 1;

	if ((word & VQM_COUNTER_OPEN_) == 0)
		word += VQM_COUNTER_OVER_;
	/* [C3] release; the section comes before the new value; pairs with [C4]. */
	vqm_env_store_word_release(&g->word, word);
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
	unsigned long seen = vqm_env_load_word_acquire(&g->word), now = seen;
	unsigned int spins = 0;

	if ((seen & VQM_COUNTER_OPEN_) == 0)
		return 0;
	if (!may_wait)
		return -EAGAIN;
	while (now / VQM_COUNTER_OVER_ == seen / VQM_COUNTER_OVER_) {
		vqm_env_relax(spins++);
		/* [C4] again: the load that ends the wait. */
		now = vqm_env_load_word_acquire(&g->word);
	}
	return 0;
}

#endif /* VQMETA_SYNC_COUNTER_H */
