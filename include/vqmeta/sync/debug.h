/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a debug build (VQM_DEBUG) asserts about the callers of a guard. Else all of it is nothing.
 */
#ifndef VQMETA_SYNC_DEBUG_H
#define VQMETA_SYNC_DEBUG_H

#include <vqmeta/sync/counter.h>

/* Inner sections: only "counter" counts them. */
VQM_INLINE bool vqm_guard_nested_(const struct vqm_guard *g)
{
	return g->sync == VQM_SYNC_COUNTER && (g->word & VQM_COUNTER_OPEN_) > 0;
}

VQM_INLINE void vqm_guard_enter_(struct vqm_guard *g)
{
	void *owner;

	if (!VQM_DEBUG_)
		return;
	owner = vqm_env_load_ptr(&g->owner);
	if (vqm_guard_nested_(g) && owner == vqm_env_self()) {
		vqm_assert_((g->word & VQM_COUNTER_OPEN_) < VQM_COUNTER_OPEN_,
			    "more sections than a counter can count");
		return;
	}
	vqm_assert_(owner != vqm_env_self(), "begin without end");
	vqm_assert_(!owner, "begin while another thread is in a section of this reader");
	vqm_env_store_ptr(&g->owner, vqm_env_self());
}

VQM_INLINE void vqm_guard_leave_(struct vqm_guard *g)
{
	void *owner;

	if (!VQM_DEBUG_)
		return;
	owner = vqm_env_load_ptr(&g->owner);
	vqm_assert_(owner != NULL, "end without begin");
	vqm_assert_(owner == vqm_env_self(), "end by another thread than begin");
	if (!vqm_guard_nested_(g) || (g->word & VQM_COUNTER_OPEN_) == 1)
		vqm_env_store_ptr(&g->owner, NULL);
}

VQM_INLINE void vqm_guard_outside_(const struct vqm_guard *g)
{
	if (VQM_DEBUG_)
		vqm_assert_(vqm_env_load_ptr(&g->owner) != vqm_env_self(),
			    "waiting inside a section for that section");
}

#endif /* VQMETA_SYNC_DEBUG_H */
