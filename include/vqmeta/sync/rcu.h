/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "rcu": the read-copy-update of the surroundings. A section is a read-side critical
 * section [R1], and the barrier of the invalidator is a whole grace period [R2]; what orders them
 * is the contract of that implementation.
 *
 * A grace period cannot be tried: an invalidation that may not wait is refused.
 */
#ifndef VQMETA_SYNC_RCU_H
#define VQMETA_SYNC_RCU_H

#include <vqmeta/sync/guard.h>

VQM_INLINE void vqm_rcu_begin_(struct vqm_guard *g)
{
	(void)g;
	vqm_env_rcu_begin(); /* [R1] by contract; pairs with [R2] */
}

VQM_INLINE void vqm_rcu_end_(struct vqm_guard *g)
{
	(void)g;
	vqm_env_rcu_end(); /* [R1] by contract; pairs with [R2] */
}

VQM_INLINE void vqm_rcu_barrier_(struct vqm_guard *g)
{
	(void)g;
	if (VQM_DEBUG_)
		vqm_assert_(!vqm_env_rcu_is_inside(), "waiting inside a section for all of rcu");
	vqm_env_rcu_wait(); /* [R2] by contract; pairs with [R1] */
}

VQM_INLINE int vqm_rcu_wait_(struct vqm_guard *g, bool may_wait)
{
	(void)g;
	return may_wait ? 0 : -EAGAIN;
}

#endif /* VQMETA_SYNC_RCU_H */
