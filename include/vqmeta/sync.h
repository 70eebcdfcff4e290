/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How access excludes invalidation: one interface, several strategies, one file each.
 *
 * A reader (the worker of a queue) encloses its accesses in begin and end. An invalidator makes
 * the old pointer unreachable, calls barrier once, and then wait for each reader; after that
 * nobody holds the old pointer. Accessors do not know which strategy runs.
 *
 * The strategy is an argument of init, or fixed for the whole build by defining VQM_SYNC_FIXED to
 * one of the enumerators: then the switches below fold away. A build-time choice never changes a
 * layout, and init refuses a strategy that the build does not run. How to choose: doc/sync.md.
 */
#ifndef VQMETA_SYNC_H
#define VQMETA_SYNC_H

#include <vqmeta/sync/asym.h>
#include <vqmeta/sync/counter.h>
#include <vqmeta/sync/flag.h>
#include <vqmeta/sync/none.h>
#include <vqmeta/sync/rcu.h>
#include <vqmeta/sync/rcu_qsbr.h>
#include <vqmeta/sync/seqcount.h>
#include <vqmeta/sync/spin.h>

#include <vqmeta/sync/debug.h>
#include <vqmeta/sync/thread.h>

/* The one place where build time and run time meet. */
VQM_INLINE enum vqm_sync vqm_sync_of(const struct vqm_guard *g)
{
#ifdef VQM_SYNC_FIXED
	(void)g;
	return VQM_SYNC_FIXED;
#else
	return (enum vqm_sync)g->sync;
#endif
}

/**
 * vqm_guard_init() - choose the strategy of a reader
 * @g:    storage of the caller
 * @sync: the strategy
 *
 * Return: 0; -EINVAL when @sync is unknown or differs from the one fixed at build time;
 * -EOPNOTSUPP when this build or the machine it runs on cannot do it. On error @g is as before.
 */
VQM_INLINE int vqm_guard_init(struct vqm_guard *g, enum vqm_sync sync)
{
	struct vqm_guard fresh = {0, 0, NULL, (uint32_t)sync, 0};
	int err;

	if ((uint32_t)sync >= VQM_SYNC_COUNT || vqm_sync_of(&fresh) != sync)
		return -EINVAL;
	err = vqm_sync_supported(sync);
	if (!err)
		*g = fresh;
	return err;
}

/**
 * vqm_guard_begin() - start a section
 *
 * What is loaded after it stays reachable until vqm_guard_end(). Sections of one guard nest with
 * "counter" only, 255 deep (bursts of a queue always do, see vqm_begin()); those of different
 * guards nest.
 *
 * Context: the one reader of @g, attached (vqm_sync_attach()). Must not sleep, fault or invalidate
 * before the end.
 */
VQM_INLINE void vqm_guard_begin(struct vqm_guard *g)
{
	vqm_assert_((enum vqm_sync)g->sync == vqm_sync_of(g), "built for another strategy");
	vqm_guard_enter_(g);
	switch (vqm_sync_of(g)) {
	case VQM_SYNC_NONE: vqm_none_begin_(g); return;
	case VQM_SYNC_SPIN: vqm_spin_begin_(g); return;
	case VQM_SYNC_FLAG: vqm_flag_begin_(g); return;
	case VQM_SYNC_COUNTER: vqm_counter_begin_(g); return;
	case VQM_SYNC_SEQCOUNT: vqm_seqcount_begin_(g); return;
	case VQM_SYNC_RCU: vqm_rcu_begin_(g); return;
	case VQM_SYNC_RCU_QSBR: vqm_rcu_qsbr_begin_(g); return;
	case VQM_SYNC_ASYM: vqm_asym_begin_(g); return;
	case VQM_SYNC_COUNT: return;
	}
}

/**
 * vqm_guard_end() - end a section: every access of it is over
 */
VQM_INLINE void vqm_guard_end(struct vqm_guard *g)
{
	vqm_guard_leave_(g);
	switch (vqm_sync_of(g)) {
	case VQM_SYNC_NONE: vqm_none_end_(g); return;
	case VQM_SYNC_SPIN: vqm_spin_end_(g); return;
	case VQM_SYNC_FLAG: vqm_flag_end_(g); return;
	case VQM_SYNC_COUNTER: vqm_counter_end_(g); return;
	case VQM_SYNC_SEQCOUNT: vqm_seqcount_end_(g); return;
	case VQM_SYNC_RCU: vqm_rcu_end_(g); return;
	case VQM_SYNC_RCU_QSBR: vqm_rcu_qsbr_end_(g); return;
	case VQM_SYNC_ASYM: vqm_asym_end_(g); return;
	case VQM_SYNC_COUNT: return;
	}
}

/**
 * vqm_guard_barrier() - between making something unreachable and waiting for its readers
 *
 * One call serves all readers of the same strategy. With "rcu" and "rcu_qsbr" it sleeps until
 * their sections are over, and a thread must not call it in a section of its own.
 */
VQM_INLINE void vqm_guard_barrier(struct vqm_guard *g)
{
	vqm_guard_outside_(g);
	switch (vqm_sync_of(g)) {
	case VQM_SYNC_NONE: vqm_none_barrier_(g); return;
	case VQM_SYNC_SPIN: vqm_spin_barrier_(g); return;
	case VQM_SYNC_FLAG: vqm_flag_barrier_(g); return;
	case VQM_SYNC_COUNTER: vqm_counter_barrier_(g); return;
	case VQM_SYNC_SEQCOUNT: vqm_seqcount_barrier_(g); return;
	case VQM_SYNC_RCU: vqm_rcu_barrier_(g); return;
	case VQM_SYNC_RCU_QSBR: vqm_rcu_qsbr_barrier_(g); return;
	case VQM_SYNC_ASYM: vqm_asym_barrier_(g); return;
	case VQM_SYNC_COUNT: return;
	}
}

/**
 * vqm_guard_wait() - wait for the section that runs now, if any
 * @g:        the reader
 * @may_wait: false to give up instead
 *
 * Ends with that section: a reader that begins again at once does not hold it up. ("flag": with
 * that section or the next one, provided that other invalidators of the same reader are finitely
 * many or take turns, as those of a device do.)
 *
 * Return: 0 when no section that began before the barrier is running; -EAGAIN when one is and
 * @may_wait is false, and always then with "rcu" and "rcu_qsbr", which cannot tell.
 *
 * Context: not inside a section of @g. Spins, then yields the processor.
 */
VQM_INLINE int vqm_guard_wait(struct vqm_guard *g, bool may_wait)
{
	if (may_wait)
		vqm_guard_outside_(g);
	switch (vqm_sync_of(g)) {
	case VQM_SYNC_NONE: return vqm_none_wait_(g, may_wait);
	case VQM_SYNC_SPIN: return vqm_spin_wait_(g, may_wait);
	case VQM_SYNC_FLAG: return vqm_flag_wait_(g, may_wait);
	case VQM_SYNC_COUNTER: return vqm_counter_wait_(g, may_wait);
	case VQM_SYNC_SEQCOUNT: return vqm_seqcount_wait_(g, may_wait);
	case VQM_SYNC_RCU: return vqm_rcu_wait_(g, may_wait);
	case VQM_SYNC_RCU_QSBR: return vqm_rcu_qsbr_wait_(g, may_wait);
	case VQM_SYNC_ASYM: return vqm_asym_wait_(g, may_wait);
	case VQM_SYNC_COUNT: break;
	}
	return -EINVAL;
}

#endif /* VQMETA_SYNC_H */
