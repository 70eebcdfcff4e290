/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Taking chains from a split ring. Part of queue.h. */
#ifndef VQMETA_QUEUE_POP_H
#define VQMETA_QUEUE_POP_H

#include <vqmeta/queue/walk.h>

VQM_API int vqm_break_(struct vqm_queue *q, enum vqm_rule rule, uint64_t value, uint64_t limit);
VQM_API int vqm_chain_too_long_(struct vqm_queue *q, uint16_t head, uint64_t len);
VQM_API int vqm_pop_failed_(struct vqm_queue *q, struct vqm_chain *c, uint16_t head, int err);
VQM_API int vqm_pop_slow_(struct vqm_queue *q, struct vqm_chain *c, uint32_t max);

/* How many chains wait; looks at the ring when fewer than @want are known of. */
VQM_ALWAYS_INLINE int vqm_split_look_(struct vqm_queue *q, const struct vqm_way *w, uint32_t want)
{
	uint16_t idx = q->seen;
	uint16_t n = (uint16_t)(idx - q->next);

	if (n >= want)
		return n;
	if (VQM_UNLIKELY(vqm_way_get_avail_idx_(w, &idx)))
		return vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	n = (uint16_t)(idx - q->next);
	if (VQM_UNLIKELY(n > q->num - q->inflight))
		return vqm_break_(q, VQM_RULE_AVAIL_AHEAD, n, q->num - q->inflight);
	q->seen = idx;
	return n;
}

/* Reads the chain at one available index into @c, without consuming it. */
VQM_ALWAYS_INLINE int vqm_split_take_(struct vqm_queue *q, const struct vqm_way *w, uint16_t idx,
				      struct vqm_chain *c)
{
	struct vqm_walk k = {c->frag, c->cap, 0, 0, 0, 0};
	uint16_t head;
	int err;

	if (VQM_UNLIKELY(vqm_way_get_avail_head_(w, idx & (q->num - 1), &head)))
		return vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	if (VQM_UNLIKELY(head >= q->num))
		return vqm_break_(q, VQM_RULE_HEAD_RANGE, head, q->num);
	err = vqm_walk_ring_(q, w, &k, head);
	if (VQM_UNLIKELY(!err && k.out_len + k.in_len > 1ull << 32))	/* 2.7.5.2 */
		err = vqm_chain_too_long_(q, head, k.out_len + k.in_len);
	if (VQM_UNLIKELY(err))
		return vqm_pop_failed_(q, c, head, err);
	c->n_out = k.n_out;
	c->n_in = k.n_in;
	c->head = head;
	c->slots = 1;
	c->out_len = k.out_len;
	c->in_len = k.in_len;
	return 0;
}

VQM_ALWAYS_INLINE void vqm_split_consume_(struct vqm_queue *q, uint32_t n)
{
	q->next = (uint16_t)(q->next + n);
	q->inflight += n;
}

VQM_ALWAYS_INLINE int vqm_split_pop_batch_(struct vqm_queue *q, const struct vqm_way *w,
					   struct vqm_chain *c, uint32_t max)
{
	int n = vqm_split_look_(q, w, max);
	int err = 0;
	uint32_t i;

	if (VQM_UNLIKELY(n <= 0))
		return n;
	max = (uint32_t)n < max ? (uint32_t)n : max;
	for (i = 0; i < max; i++) {
		err = vqm_split_take_(q, w, (uint16_t)(q->next + i), &c[i]);
		if (VQM_UNLIKELY(err))
			break;
	}
	if (VQM_UNLIKELY(i == 0 && err == -EINVAL))
		vqm_split_consume_(q, 1);
	vqm_split_consume_(q, i);
	return i > 0 ? (int)i : err;
}

VQM_INLINE int vqm_pop_batch(struct vqm_queue *q, struct vqm_chain *c, uint32_t max)
{
	if (VQM_LIKELY(q->fast != NULL)) {
		struct vqm_way w = vqm_way_plain_(q->fast);

		return vqm_split_pop_batch_(q, &w, c, max);
	}
	return vqm_pop_slow_(q, c, max);
}

VQM_INLINE int vqm_pop(struct vqm_queue *q, struct vqm_chain *c)
{
	return vqm_pop_batch(q, c, 1);
}

#endif /* VQMETA_QUEUE_POP_H */
