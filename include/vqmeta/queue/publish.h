/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Handing chains back through the used area of a split ring. Part of queue.h. */
#ifndef VQMETA_QUEUE_H
#include <vqmeta/queue.h>
#endif
#ifndef VQMETA_QUEUE_PUBLISH_H
#define VQMETA_QUEUE_PUBLISH_H

#include <vqmeta/queue/walk.h>

VQM_SLOW int vqm_publish_slow_(struct vqm_queue *q, const struct vqm_done *done, uint32_t n);

VQM_ALWAYS_INLINE int vqm_split_publish_(struct vqm_queue *q, const struct vqm_way *w,
					 const struct vqm_done *done, uint32_t n)
{
	uint16_t idx = q->used_idx;
	uint32_t i;

	if (VQM_UNLIKELY(n > q->inflight))
		return vqm_fault_(q, VQM_RULE_DONE_UNKNOWN, -EINVAL, n, q->inflight);
	for (i = 0; i < n; i++, idx++) {
		if (VQM_UNLIKELY(done[i].head >= w->num))
			return vqm_fault_(q, VQM_RULE_DONE_UNKNOWN, -EINVAL, done[i].head, w->num);
		if (VQM_UNLIKELY(vqm_way_put_used_elem_(w, (uint16_t)(idx & (w->num - 1)),
							done[i].head, done[i].len)))
			return vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	}
	if (VQM_UNLIKELY(vqm_way_put_used_idx_(w, idx)))
		return vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	q->used_idx = idx;
	q->inflight -= n;
	q->unsignalled += n;
	return 0;
}

VQM_INLINE int vqm_publish(struct vqm_queue *q, const struct vqm_done *done, uint32_t n)
{
	if (VQM_LIKELY(q->fast != NULL)) {
		struct vqm_way w = vqm_way_plain_(q);

		return vqm_split_publish_(q, &w, done, n);
	}
	return vqm_publish_slow_(q, done, n);
}

#endif /* VQMETA_QUEUE_PUBLISH_H */
