/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Beginning and ending a burst, and the two ways to the words of a ring. Part of queue.h. */
#ifndef VQMETA_QUEUE_H
#include <vqmeta/queue.h>
#endif
#ifndef VQMETA_QUEUE_BURST_H
#define VQMETA_QUEUE_BURST_H

#include <vqmeta/queue/state.h>
#include <vqmeta/split_copy.h>

VQM_SLOW bool vqm_begin_slow_(struct vqm_queue *q);
VQM_SLOW void vqm_end_slow_(struct vqm_queue *q);

enum { VQM_DEPTH_MAX_ = 64 }; /* deeper is a begin without end; debug builds only */

VQM_INLINE void vqm_burst_check_(const struct vqm_queue *q)
{
	if (VQM_DEBUG_ && q->depth > 0)
		vqm_assert_(q->worker == vqm_env_self(), "a burst of another thread is open");
}

/**
 * vqm_begin() - start a burst of accesses: mappings and regions stand still from here
 *
 * A section of the queue's strategy when the ring is mapped. When it is not and there is a
 * backend, the section is left again and the burst holds the table instead. Bursts nest: an inner
 * one is part of the outermost, which is what an invalidation waits for.
 *
 * Context: the worker. Do not sleep, fault or invalidate before vqm_end().
 */
VQM_INLINE void vqm_begin(struct vqm_queue *q)
{
	vqm_burst_check_(q);
	vqm_assert_(q->depth < VQM_DEPTH_MAX_, "begin without end");
	if (VQM_UNLIKELY(q->depth++ > 0))
		return;
	if (VQM_DEBUG_)
		q->worker = vqm_env_self();
	q->bursts++;
	vqm_guard_begin(&q->map.guard);
	/* [M2] acquire; the view is read after its address; pairs with [M1]. */
	q->view = (const struct vqm_view *)vqm_env_load_ptr_acquire(&q->map.live);
	q->fast = q->view->direct && q->plain ? q->view : NULL;
	if (VQM_UNLIKELY(!q->fast || q->view->epoch != q->tlb_epoch)) {
		if (vqm_begin_slow_(q))
			vqm_guard_end(&q->map.guard); /* copying may sleep */
	}
}

/**
 * vqm_end() - end the burst: nothing points into the ring any more
 */
VQM_INLINE void vqm_end(struct vqm_queue *q)
{
	bool copy = q->view == NULL;

	vqm_assert_(q->depth > 0, "end without begin");
	vqm_burst_check_(q);
	if (VQM_UNLIKELY(--q->depth > 0))
		return;
	q->fast = NULL;
	q->view = NULL;
	if (VQM_UNLIKELY(copy))
		vqm_end_slow_(q);
	else
		vqm_guard_end(&q->map.guard);
}

/*
 * How the engine reaches a ring. The engine is always inlined: with a constant way, as on the
 * direct way of a little-endian queue, every choice below folds away.
 */
struct vqm_way {
	const struct vqm_desc *desc; /* direct way: the areas */
	const struct vqm_avail *avail;
	struct vqm_used *used;
	const struct vqm_backend *backend; /* copy way if not NULL */
	const struct vqm_area_addr *addr;  /* copy way: the areas */
	const struct vqm_regions *regions;
	uint32_t num; /* of the queue */
	enum vqm_order order;
	bool plain; /* direct and little-endian */
};

VQM_ALWAYS_INLINE void vqm_way_direct_(struct vqm_way *w, const struct vqm_view *view)
{
	w->desc = (const struct vqm_desc *)view->area[VQM_AREA_DESC];
	w->avail = (const struct vqm_avail *)view->area[VQM_AREA_AVAIL];
	w->used = (struct vqm_used *)view->area[VQM_AREA_USED];
	w->regions = view->regions;
}

VQM_ALWAYS_INLINE struct vqm_way vqm_way_plain_(const struct vqm_queue *q)
{
	struct vqm_way w;

	vqm_env_zero(&w, sizeof(w));
	vqm_way_direct_(&w, q->fast);
	w.num = q->num;
	w.order = VQM_LITTLE_ENDIAN;
	w.plain = true;
	return w;
}

VQM_ALWAYS_INLINE int vqm_way_get_avail_idx_(const struct vqm_way *w, uint16_t *idx)
{
	if (w->backend)
		return vqm_copy_get_avail_idx_acquire(w->backend, w->addr[VQM_AREA_AVAIL].uva,
						      w->order, idx);
	*idx = vqm_get_avail_idx_acquire(w->avail, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_get_avail_head_(const struct vqm_way *w, uint16_t slot,
					      uint16_t *head)
{
	if (w->backend)
		return vqm_copy_get_avail_head(w->backend, w->addr[VQM_AREA_AVAIL].uva, slot,
					       w->order, head);
	*head = vqm_get_avail_head(w->avail, slot, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_get_avail_flags_(const struct vqm_way *w, uint16_t *flags)
{
	if (w->backend)
		return vqm_copy_get_avail_flags(w->backend, w->addr[VQM_AREA_AVAIL].uva, w->order,
						flags);
	*flags = vqm_get_avail_flags(w->avail, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_get_used_event_(const struct vqm_way *w, uint16_t *event)
{
	if (w->backend)
		return vqm_copy_get_used_event(w->backend, w->addr[VQM_AREA_AVAIL].uva, w->num,
					       w->order, event);
	*event = vqm_get_used_event(w->avail, w->num, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_get_desc_(const struct vqm_way *w, uint16_t index,
					struct vqm_desc_val *d)
{
	if (w->backend)
		return vqm_copy_get_desc(w->backend, w->addr[VQM_AREA_DESC].uva, index, w->order,
					 d);
	*d = vqm_get_desc(w->desc + index, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_get_used_idx_(const struct vqm_way *w, uint16_t *idx)
{
	if (w->backend)
		return vqm_copy_get_used_idx(w->backend, w->addr[VQM_AREA_USED].uva, w->order, idx);
	*idx = vqm_get_used_idx(w->used, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_put_used_elem_(const struct vqm_way *w, uint16_t slot, uint32_t id,
					     uint32_t len)
{
	if (w->backend)
		return vqm_copy_put_used_elem(w->backend, w->addr[VQM_AREA_USED].uva, slot, id, len,
					      w->order);
	vqm_put_used_elem(w->used, slot, id, len, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_put_used_idx_(const struct vqm_way *w, uint16_t idx)
{
	if (w->backend)
		return vqm_copy_put_used_idx_release(w->backend, w->addr[VQM_AREA_USED].uva, idx,
						     w->order);
	vqm_put_used_idx_release(w->used, idx, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_put_used_flags_(const struct vqm_way *w, uint16_t flags)
{
	if (w->backend)
		return vqm_copy_put_used_flags(w->backend, w->addr[VQM_AREA_USED].uva, flags,
					       w->order);
	vqm_put_used_flags(w->used, flags, w->order);
	return 0;
}

VQM_ALWAYS_INLINE int vqm_way_put_avail_event_(const struct vqm_way *w, uint16_t idx)
{
	if (w->backend)
		return vqm_copy_put_avail_event(w->backend, w->addr[VQM_AREA_USED].uva, w->num, idx,
						w->order);
	vqm_put_avail_event(w->used, w->num, idx, w->order);
	return 0;
}

#endif /* VQMETA_QUEUE_BURST_H */
