/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a strategy wants to know about the threads that run sections. Only the RCU strategies want
 * to know anything; a worker that makes all of these calls works with every strategy:
 *
 *	vqm_sync_attach(sync);			once per thread
 *	for (;;) {
 *		vqm_begin(q); ... vqm_end(q);
 *		vqm_sync_quiescent(sync);	between sections, now and then
 *		if (nothing to do) {
 *			vqm_sync_offline(sync);	around whatever may block: a poll, a mutex
 *			poll();
 *			vqm_sync_online(sync);
 *		}
 *	}
 *	vqm_sync_detach(sync);
 *
 * The functions of dev.h and map.h go offline by themselves while they block. With "rcu_qsbr" a
 * thread that forgets to be quiescent or offline holds up every invalidation. With both RCU
 * strategies a section of a thread that is not attached, or offline, has no protection. Do not
 * attach a thread that the program has registered with liburcu itself.
 */
#ifndef VQMETA_SYNC_THREAD_H
#define VQMETA_SYNC_THREAD_H

#include <vqmeta/sync/guard.h>

/**
 * vqm_sync_supported() - can this build run a strategy here
 *
 * Return: 0; -EINVAL for an unknown one; -EOPNOTSUPP for an RCU strategy in a build without RCU,
 * and for "asym" where the system has no such barrier.
 */
VQM_INLINE int vqm_sync_supported(enum vqm_sync sync)
{
	switch (sync) {
	case VQM_SYNC_NONE:
	case VQM_SYNC_SPIN:
	case VQM_SYNC_FLAG:
	case VQM_SYNC_COUNTER:
	case VQM_SYNC_SEQCOUNT: return 0;
	case VQM_SYNC_RCU: return vqm_env_rcu_init();
	case VQM_SYNC_RCU_QSBR: return vqm_env_rcu_qsbr_init();
	case VQM_SYNC_ASYM: return vqm_env_asym_init();
	case VQM_SYNC_COUNT: break;
	}
	return -EINVAL;
}

/**
 * vqm_sync_attach() - this thread will run sections of a strategy; once per thread and strategy
 *
 * Return: as vqm_sync_supported().
 */
VQM_INLINE int vqm_sync_attach(enum vqm_sync sync)
{
	int err = vqm_sync_supported(sync);

	if (!err && sync == VQM_SYNC_RCU)
		vqm_env_rcu_attach();
	if (!err && sync == VQM_SYNC_RCU_QSBR)
		vqm_env_rcu_qsbr_attach();
	return err;
}

/**
 * vqm_sync_detach() - this thread runs no more sections; before it ends
 */
VQM_INLINE void vqm_sync_detach(enum vqm_sync sync)
{
	if (sync == VQM_SYNC_RCU)
		vqm_env_rcu_detach();
	if (sync == VQM_SYNC_RCU_QSBR)
		vqm_env_rcu_qsbr_detach();
}

/**
 * vqm_sync_quiescent() - this thread is in no section of any queue at this moment
 */
VQM_INLINE void vqm_sync_quiescent(enum vqm_sync sync)
{
	if (sync == VQM_SYNC_RCU_QSBR)
		vqm_env_rcu_qsbr_quiescent();
}

/**
 * vqm_sync_offline() - this thread is in no section of any queue until vqm_sync_online()
 */
VQM_INLINE void vqm_sync_offline(enum vqm_sync sync)
{
	if (sync == VQM_SYNC_RCU_QSBR)
		vqm_env_rcu_qsbr_offline();
}

/**
 * vqm_sync_online() - sections may follow
 */
VQM_INLINE void vqm_sync_online(enum vqm_sync sync)
{
	if (sync == VQM_SYNC_RCU_QSBR)
		vqm_env_rcu_qsbr_online();
}

#endif /* VQMETA_SYNC_THREAD_H */
