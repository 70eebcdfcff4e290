/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Notifications of a split ring, both directions, with and without EVENT_IDX. Part of queue.h. */
#ifndef VQMETA_QUEUE_H
#include <vqmeta/queue.h>
#endif
#ifndef VQMETA_QUEUE_NOTIFY_H
#define VQMETA_QUEUE_NOTIFY_H

#include <vqmeta/event.h>
#include <vqmeta/queue/burst.h>

VQM_SLOW bool vqm_need_notify_slow_(struct vqm_queue *q);
VQM_SLOW bool vqm_arm_slow_(struct vqm_queue *q);
VQM_SLOW void vqm_disarm_slow_(struct vqm_queue *q);

VQM_ALWAYS_INLINE bool vqm_split_need_notify_(struct vqm_queue *q, const struct vqm_way *w)
{
	uint64_t count = q->unsignalled;
	uint16_t word;

	if (count == 0)
		return false;
	q->unsignalled = 0;
	/* [N1] full; store of the used index before load of what the driver asks; pairs with [N3].
	 */
	vqm_env_mb();
	if (q->notify_on_empty && q->inflight == 0 && q->seen == q->next)
		return true;
	if (q->event_idx)
		return vqm_way_get_used_event_(w, &word) ||
		       vqm_need_event(word, q->used_idx, count < 65536 ? (uint32_t)count : 65536);
	return vqm_way_get_avail_flags_(w, &word) || !(word & VQM_AVAIL_F_NO_INTERRUPT);
}

VQM_ALWAYS_INLINE bool vqm_split_arm_(struct vqm_queue *q, const struct vqm_way *w)
{
	uint16_t idx, seen = q->seen;

	if (q->event_idx ? vqm_way_put_avail_event_(w, seen) : vqm_way_put_used_flags_(w, 0))
		return true;
	/* [N2] full; store of what we ask before the second look at the index; pairs with [N4]. */
	vqm_env_mb();
	if (vqm_way_get_avail_idx_(w, &idx))
		return true;
	if ((uint16_t)(idx - q->next) <= w->num - q->inflight)
		q->seen = idx; /* else the next pop finds it and breaks the queue */
	return idx != seen;
}

VQM_ALWAYS_INLINE void vqm_split_disarm_(struct vqm_queue *q, const struct vqm_way *w)
{
	/* With EVENT_IDX there is no "off": not moving avail_event is all one can do (2.7.10). */
	if (!q->event_idx)
		vqm_way_put_used_flags_(w, VQM_USED_F_NO_NOTIFY);
}

VQM_INLINE bool vqm_need_notify(struct vqm_queue *q)
{
	if (VQM_LIKELY(q->fast != NULL)) {
		struct vqm_way w = vqm_way_plain_(q);

		return vqm_split_need_notify_(q, &w);
	}
	return vqm_need_notify_slow_(q);
}

VQM_INLINE bool vqm_arm(struct vqm_queue *q)
{
	if (VQM_LIKELY(q->fast != NULL)) {
		struct vqm_way w = vqm_way_plain_(q);

		return vqm_split_arm_(q, &w);
	}
	return vqm_arm_slow_(q);
}

VQM_INLINE void vqm_disarm(struct vqm_queue *q)
{
	if (VQM_LIKELY(q->fast != NULL)) {
		struct vqm_way w = vqm_way_plain_(q);

		vqm_split_disarm_(q, &w);
		return;
	}
	vqm_disarm_slow_(q);
}

#endif /* VQMETA_QUEUE_NOTIFY_H */
