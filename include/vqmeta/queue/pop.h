/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Taking chains from a split ring. Part of queue.h. From the end upwards:
 *
 *	vqm_pop_batch()			the plain way inline, every other in vqm_pop_slow_()
 *	    vqm_split_look_()		how many wait: at most one look at the index
 *	    vqm_split_take_()		one chain: a single descriptor in passing,
 *	        vqm_split_walk_()	all others descriptor by descriptor (walk.h)
 *	    vqm_split_consume_()	they are the caller's now
 */
#ifndef VQMETA_QUEUE_H
#include <vqmeta/queue.h>
#endif
#ifndef VQMETA_QUEUE_POP_H
#define VQMETA_QUEUE_POP_H

#include <vqmeta/queue/walk.h>

VQM_SLOW void vqm_break_set_(struct vqm_queue *q);
VQM_SLOW int vqm_pop_failed_(struct vqm_queue *q, struct vqm_chain *c, uint16_t head, int err);
VQM_SLOW int vqm_pop_slow_(struct vqm_queue *q, struct vqm_chain *c, uint32_t max);

/* Records a fault after which the ring cannot be believed any more. */
VQM_ALWAYS_INLINE int vqm_break_(struct vqm_queue *q, enum vqm_rule rule, uint64_t value,
				 uint64_t limit)
{
	vqm_fault_set_(q, rule, -ENOTRECOVERABLE, value, limit);
	vqm_break_set_(q);
	return -ENOTRECOVERABLE;
}

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
	if (VQM_UNLIKELY(n > w->num - q->inflight))
		return vqm_break_(q, VQM_RULE_AVAIL_AHEAD, n, w->num - q->inflight);
	q->seen = idx;
	return n;
}

VQM_ALWAYS_INLINE void vqm_chain_fill_(struct vqm_chain *c, uint16_t head, const struct vqm_walk *k)
{
	const struct vqm_frag *in = k->in ? k->in : k->frag;

	c->n_out = (uint32_t)(in - c->frag);
	c->n_in = (uint32_t)(k->frag - in);
	c->head = head;
	c->slots = 1;
	c->out_len = k->in ? k->out_len : k->len;
	c->in_len = k->in ? k->len - k->out_len : 0;
}

VQM_ALWAYS_INLINE int vqm_split_walk_(struct vqm_queue *q, const struct vqm_way *w,
				      struct vqm_chain *c, uint16_t head,
				      const struct vqm_desc_val *first)
{
	struct vqm_walk k = {c->frag, c->cap ? c->frag + c->cap : c->frag, NULL, 0, 0};
	int err = vqm_walk_ring_(q, w, &k, head, *first);

	if (VQM_UNLIKELY(err))
		return vqm_pop_failed_(q, c, head, err);
	vqm_chain_fill_(c, head, &k);
	return 0;
}

/* Out of line, but with a constant way like its caller. */
static VQM_NOINLINE int vqm_split_walk_plain_(struct vqm_queue *q, struct vqm_chain *c,
					      uint16_t head, struct vqm_desc_val first)
{
	struct vqm_way w = vqm_way_plain_(q);

	return vqm_split_walk_(q, &w, c, head, &first);
}

/* A chain of one descriptor that translates in one piece needs no walk. */
VQM_ALWAYS_INLINE bool vqm_split_take_single_(struct vqm_queue *q, struct vqm_chain *c,
					      uint16_t head, const struct vqm_desc_val *d)
{
	const struct vqm_tlb_entry *e = vqm_tlb_entry_(q, d->addr);
	bool in = d->flags & VQM_DESC_F_WRITE;

	if (VQM_UNLIKELY(d->flags & (VQM_DESC_F_NEXT | VQM_DESC_F_INDIRECT)))
		return false;
	if (VQM_UNLIKELY(d->len == 0 || !vqm_tlb_hit_(e, d->addr, d->len)))
		return false;
	if (VQM_UNLIKELY(c->cap == 0))
		return false;
	c->frag->base = e->host + (d->addr - e->gpa);
	c->frag->len = d->len;
	c->n_out = !in;
	c->n_in = in;
	c->head = head;
	c->slots = 1;
	c->out_len = in ? 0 : d->len;
	c->in_len = in ? d->len : 0;
	return true;
}

/*
 * Reads the chain at one available index into @c, without consuming it. @plain is a constant of its
 * own: a member of @w folds away only after the branches that it decides were compiled.
 */
VQM_ALWAYS_INLINE int vqm_split_take_(struct vqm_queue *q, const struct vqm_way *w, bool plain,
				      uint16_t idx, struct vqm_chain *c)
{
	struct vqm_desc_val d;
	uint16_t head;

	if (VQM_UNLIKELY(vqm_way_get_avail_head_(w, (uint16_t)(idx & (w->num - 1)), &head)))
		return vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	if (VQM_UNLIKELY(head >= w->num))
		return vqm_break_(q, VQM_RULE_HEAD_RANGE, head, w->num);
	if (VQM_UNLIKELY(vqm_way_get_desc_(w, head, &d)))
		return vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	if (!plain)
		return vqm_split_walk_(q, w, c, head, &d);
	return vqm_split_take_single_(q, c, head, &d) ? 0 : vqm_split_walk_plain_(q, c, head, d);
}

VQM_ALWAYS_INLINE void vqm_split_consume_(struct vqm_queue *q, uint32_t n)
{
	q->next = (uint16_t)(q->next + n);
	q->inflight += n;
}

VQM_ALWAYS_INLINE int vqm_split_pop_batch_(struct vqm_queue *q, const struct vqm_way *w, bool plain,
					   struct vqm_chain *c, uint32_t max)
{
	int n = vqm_split_look_(q, w, max);
	uint16_t next = q->next;
	uint32_t i;
	int err = 0;

	q->skippable = false;
	if (VQM_UNLIKELY(n <= 0))
		return n;
	max = (uint32_t)n < max ? (uint32_t)n : max;
	for (i = 0; i < max; i++) {
		err = vqm_split_take_(q, w, plain, (uint16_t)(next + i), &c[i]);
		if (VQM_UNLIKELY(err))
			break;
	}
	if (VQM_UNLIKELY(i == 0)) {
		q->skippable = err == -ENOBUFS || err == -EOPNOTSUPP;
		vqm_split_consume_(q, err == -EINVAL);
	}
	vqm_split_consume_(q, i);
	return i > 0 ? (int)i : err;
}

VQM_INLINE int vqm_pop_batch(struct vqm_queue *q, struct vqm_chain *c, uint32_t max)
{
	if (VQM_LIKELY(q->fast != NULL)) {
		struct vqm_way w = vqm_way_plain_(q);

		return vqm_split_pop_batch_(q, &w, true, c, max);
	}
	return vqm_pop_slow_(q, c, max);
}

VQM_INLINE int vqm_pop(struct vqm_queue *q, struct vqm_chain *c)
{
	return vqm_pop_batch(q, c, 1);
}

VQM_INLINE int vqm_skip(struct vqm_queue *q)
{
	if (!q->skippable)
		return -EINVAL;
	q->skippable = false;
	q->next++;
	q->inflight++;
	return 0;
}

VQM_INLINE int vqm_unpop(struct vqm_queue *q, uint32_t n)
{
	if (n > q->inflight)
		return -EINVAL;
	q->skippable = false;
	q->next = (uint16_t)(q->next - n);
	q->inflight -= n;
	return 0;
}

#endif /* VQMETA_QUEUE_POP_H */
