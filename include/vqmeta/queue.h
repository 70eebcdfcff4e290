/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The device side of one virtqueue: chains in, used elements out, notifications.
 *
 * One worker at a time uses a queue:
 *
 *	vqm_begin(q);
 *	n = vqm_pop_batch(q, chain, 32);	fragments point into guest memory
 *	...
 *	vqm_publish(q, done, n);		elements and one index store
 *	notify = vqm_need_notify(q);
 *	more = n != 0 || vqm_arm(q);		when a pop found nothing; true: look again
 *	vqm_end(q);
 *
 * Results of popping, and what to do:
 *
 *	> 0		so many chains
 *	0		nothing there
 *	-EINVAL		bad chain: it is consumed; publish its head with length 0
 *	-ENOBUFS	a chain has more fragments than the caller's array; nothing is consumed: try
 *			with a larger array, or vqm_skip() it and publish its head with length 0
 *	-EOPNOTSUPP	a buffer is guest memory that is not mapped here; nothing is consumed: map
 *			it, or vqm_skip() the chain. A backend reaches rings and tables, not buffers
 *	-ESTALE		the ring is not mapped now: end, vqm_prefetch(), try again; when that says
 *			-EFAULT the memory of the ring is gone: stop the queue, or wait for memory
 *	-ENOTRECOVERABLE  bad ring: broken until it is stopped and started; what was popped before
 *			can still be published
 *	-ENOTCONN	not started
 *
 * After each negative result vqm_queue_fault() has the rule that was broken.
 *
 * With a backend and no mapping the same calls go through the backend, outside a section. Nothing
 * reports that: vqm_is_direct() and vqm_queue_bursts() tell, and vqm_prefetch() maps it again.
 */
#ifndef VQMETA_QUEUE_H
#define VQMETA_QUEUE_H

#include <vqmeta/queue/burst.h>
#include <vqmeta/queue/notify.h>
#include <vqmeta/queue/pop.h>
#include <vqmeta/queue/publish.h>
#include <vqmeta/queue/state.h>

VQM_API int vqm_queue_init_(struct vqm_queue *q, struct vqm_dev *dev, uint16_t index,
			    enum vqm_sync sync);

/**
 * vqm_queue_init() - add a stopped queue to a device
 * @q:     storage of the caller, aligned as its type
 * @dev:   the device
 * @index: number of the queue, for messages
 * @sync:  how access excludes invalidation
 *
 * Inline, since the build of the worker must run the strategy too, not only that of the library.
 *
 * Return: 0; -EINVAL for a strategy that is unknown or not the one of this build; -EOPNOTSUPP for
 * one that cannot run here, see vqm_sync_supported(); -EBUSY when @q is of @dev already.
 */
VQM_INLINE int vqm_queue_init(struct vqm_queue *q, struct vqm_dev *dev, uint16_t index,
			      enum vqm_sync sync)
{
	struct vqm_guard probe;
	int err = vqm_guard_init(&probe, sync);

	return err ? err : vqm_queue_init_(q, dev, index, sync);
}

/**
 * vqm_queue_fini() - stop the queue and leave the device
 *
 * Return: 0; -EINVAL when it has left already.
 */
VQM_API int vqm_queue_fini(struct vqm_queue *q);

/**
 * vqm_queue_start() - check the configuration, map the ring, take the used index from it
 *
 * Context: no worker uses @q; what it did before and does afterwards is ordered by the caller.
 *
 * Return: 0; -EBUSY when started; -EINVAL for a bad size, alignment, wrap or max_chain; -EFAULT
 * for an area that is not within one region and cannot be reached by the backend either;
 * -EOPNOTSUPP for a feature this library does not serve; -EAGAIN or -ESTALE while an area is
 * being invalidated: try again. On error nothing has changed but the fault.
 */
VQM_API int vqm_queue_start(struct vqm_queue *q, const struct vqm_queue_config *config);

/**
 * vqm_queue_stop() - take the mappings away; the ring is not touched any more
 *
 * Context: as vqm_queue_start(). Chains still in flight can no longer be published.
 *
 * Return: index of the next available entry that would have been taken.
 */
VQM_API uint16_t vqm_queue_stop(struct vqm_queue *q);

/**
 * vqm_queue_set_cache() - switch the translation cache on (as it is at first) or off
 *
 * Context: the worker, or while no worker uses @q.
 */
VQM_API void vqm_queue_set_cache(struct vqm_queue *q, bool on);

/**
 * vqm_queue_hold() - keep what fragments point to mapped beyond the section
 *
 * Context: the worker, in the section in which the chains were popped.
 *
 * Return: the table, NULL outside a burst; give it back with vqm_regions_release() when the chains
 * are done.
 */
VQM_API struct vqm_regions *vqm_queue_hold(struct vqm_queue *q);

/**
 * vqm_queue_sync() - the strategy given to init: what the calls of sync/thread.h want to know
 */
VQM_INLINE enum vqm_sync vqm_queue_sync(const struct vqm_queue *q)
{
	return vqm_sync_of(&q->map.guard);
}

/**
 * vqm_prefetch() - map what is not mapped; see vqm_map_prefetch()
 *
 * Context: the worker, outside of all bursts.
 */
VQM_INLINE int vqm_prefetch(struct vqm_queue *q)
{
	vqm_assert_(q->depth == 0, "vqm_prefetch() in an open burst");
	return vqm_map_prefetch(&q->map);
}

/**
 * vqm_queue_area() - where an area lies in the address space of the front-end
 *
 * Context: whoever starts and stops the queue.
 *
 * Return: address and size; size 0 when the queue is stopped.
 */
VQM_INLINE struct vqm_area_addr vqm_queue_area(const struct vqm_queue *q, enum vqm_area area)
{
	return q->map.addr[area];
}

VQM_INLINE const struct vqm_fault *vqm_queue_fault(const struct vqm_queue *q)
{
	return &q->fault;
}

/**
 * vqm_pop() - take the next chain
 * @q: queue, inside a burst
 * @c: set up by vqm_chain_init()
 *
 * Reads each field of the ring and its descriptors once.
 *
 * Return: 1, 0 or an error, see the top of this file. On -EINVAL @c has the head, no fragments.
 */
VQM_INLINE int vqm_pop(struct vqm_queue *q, struct vqm_chain *c);

/**
 * vqm_pop_batch() - take up to @max chains with one look at the available index
 * @q:   queue, inside a burst
 * @c:   @max chains, each set up by vqm_chain_init()
 * @max: how many
 *
 * Return: as vqm_pop(). An error is returned only when it concerns the first chain; else the
 * count of chains before it, and the next call meets it again.
 */
VQM_INLINE int vqm_pop_batch(struct vqm_queue *q, struct vqm_chain *c, uint32_t max);

/**
 * vqm_skip() - consume the chain that the last pop refused with -ENOBUFS or -EOPNOTSUPP
 *
 * A guest may make chains of any length: a device that will not grow its array must give the head
 * back, with length 0, or it meets the same chain for ever.
 *
 * Return: 0, -EINVAL when the last pop did not refuse one.
 */
VQM_INLINE int vqm_skip(struct vqm_queue *q);

/**
 * vqm_is_direct() - does this burst go the direct way
 */
VQM_INLINE bool vqm_is_direct(const struct vqm_queue *q)
{
	return q->view && q->view->direct;
}

/**
 * vqm_unpop() - put back the last @n chains popped, which must not have been published
 *
 * Return: 0, -EINVAL when fewer are in flight.
 */
VQM_INLINE int vqm_unpop(struct vqm_queue *q, uint32_t n);

/**
 * vqm_publish() - hand finished chains back to the driver
 * @q:    queue, inside a burst
 * @done: what is finished, in any order
 * @n:    how many; may be 0
 *
 * All elements are written, then one index. Ordering: what the device did to the buffers before
 * this call is visible to a driver that sees the index.
 *
 * Return: 0; -EINVAL when @n exceeds what is in flight or a head the queue, with nothing visible
 * to the driver (a head in range that is not outstanding, or given twice, is not noticed; the mock
 * driver does); -ESTALE when the ring is not mapped: keep @done and try again; -ENOTCONN.
 */
VQM_INLINE int vqm_publish(struct vqm_queue *q, const struct vqm_done *done, uint32_t n);

/**
 * vqm_need_notify() - does the driver want to hear about what was published since the last call
 * @q: queue, inside a burst
 *
 * With EVENT_IDX the first call after the start says true, and so does a ring that is not mapped: a
 * spurious notification is harmless, a lost one is not. Costs a full barrier.
 */
VQM_INLINE bool vqm_need_notify(struct vqm_queue *q);

/**
 * vqm_arm() - ask for a notification about the next buffer, and look again
 * @q: queue, inside a burst
 *
 * For a worker that is about to sleep because a pop found nothing. Chains that an earlier look
 * found and that were not popped, or were put back, are not reported again. Costs a full barrier.
 *
 * Return: true when something came in since the last look, or when only another vqm_pop() can
 * tell: do not sleep. False: the driver will notify, or the ring is broken.
 */
VQM_INLINE bool vqm_arm(struct vqm_queue *q);

/**
 * vqm_disarm() - ask for no notifications while polling; a hint
 */
VQM_INLINE void vqm_disarm(struct vqm_queue *q);

#ifdef VQM_HEADER_ONLY
#include <vqmeta/impl/queue_start.h>
#endif

#endif /* VQMETA_QUEUE_H */
