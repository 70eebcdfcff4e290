/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "rcu_qsbr": read-copy-update in which a section costs nothing, since its thread
 * announces when it is in none: vqm_sync_quiescent() between sections, or vqm_sync_offline()
 * before it sleeps. Between two announcements all counts as one section [R3], and the barrier of
 * the invalidator waits for one of each thread [R4]. Otherwise as "rcu".
 */
#ifndef VQMETA_SYNC_RCU_QSBR_H
#define VQMETA_SYNC_RCU_QSBR_H

#include <vqmeta/sync/guard.h>

VQM_INLINE void vqm_rcu_qsbr_begin_(struct vqm_guard *g)
{
	(void)g;
	vqm_env_rcu_qsbr_begin(); /* [R3] by contract; pairs with [R4] */
}

VQM_INLINE void vqm_rcu_qsbr_end_(struct vqm_guard *g)
{
	(void)g;
	vqm_env_rcu_qsbr_end(); /* [R3] by contract; pairs with [R4] */
}

VQM_INLINE void vqm_rcu_qsbr_barrier_(struct vqm_guard *g)
{
	(void)g;
	vqm_env_rcu_qsbr_wait(); /* [R4] by contract; pairs with [R3] */
}

VQM_INLINE int vqm_rcu_qsbr_wait_(struct vqm_guard *g, bool may_wait)
{
	(void)g;
	return may_wait ? 0 : -EAGAIN;
}

#endif /* VQMETA_SYNC_RCU_QSBR_H */
