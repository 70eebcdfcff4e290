/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Walking one chain of a split ring: every check of a descriptor is here. Part of queue.h. */
#ifndef VQMETA_QUEUE_H
#include <vqmeta/queue.h>
#endif
#ifndef VQMETA_QUEUE_WALK_H
#define VQMETA_QUEUE_WALK_H

#include <vqmeta/queue/burst.h>

enum {
	VQM_TABLE_MAX = 65536 * 16, /* bytes of an indirect table: next has 16 bits */
};

VQM_SLOW void vqm_fault_set_(struct vqm_queue *q, enum vqm_rule rule, int err, uint64_t value,
			     uint64_t limit);
VQM_SLOW void vqm_fault_at_(struct vqm_queue *q, uint32_t desc, bool table);
VQM_SLOW int vqm_table_failed_(struct vqm_queue *q, const struct vqm_way *w, struct vqm_gpa gpa);
VQM_SLOW int vqm_translate_slow_(struct vqm_queue *q, const struct vqm_regions *t,
				 struct vqm_gpa gpa, uint32_t len, struct vqm_frag *frag,
				 uint32_t room);

/* Records a fault; inline, so that the compiler knows what comes back. */
VQM_ALWAYS_INLINE int vqm_fault_(struct vqm_queue *q, enum vqm_rule rule, int err, uint64_t value,
				 uint64_t limit)
{
	vqm_fault_set_(q, rule, err, value, limit);
	return err;
}

/* The chain so far. A local of the engine, so that it stays in registers. */
struct vqm_walk {
	struct vqm_frag *frag; /* the next to fill */
	struct vqm_frag *end;
	struct vqm_frag *in; /* the first writable one; NULL before it */
	uint64_t len;	     /* bytes so far */
	uint64_t out_len;    /* bytes before @in */
};

VQM_ALWAYS_INLINE const struct vqm_tlb_entry *vqm_tlb_entry_(const struct vqm_queue *q,
							     uint64_t gpa)
{
	return &q->tlb[(gpa >> VQM_TLB_SHIFT) % VQM_TLB_COUNT];
}

/* Does an entry hold all of a buffer: the hit path of translation. */
VQM_ALWAYS_INLINE bool vqm_tlb_hit_(const struct vqm_tlb_entry *e, uint64_t gpa, uint32_t len)
{
	uint64_t off = gpa - e->gpa;

	return off < e->size && len <= e->size - off;
}

/* Adds the buffer of one descriptor. A buffer of no bytes is legal and adds nothing. */
VQM_ALWAYS_INLINE int vqm_walk_add_(struct vqm_queue *q, const struct vqm_way *w,
				    struct vqm_walk *k, const struct vqm_desc_val *d)
{
	const struct vqm_tlb_entry *e = vqm_tlb_entry_(q, d->addr);
	int n = 1;

	if (VQM_UNLIKELY(d->len == 0))
		return 0;
	if (!(d->flags & VQM_DESC_F_WRITE)) {
		if (VQM_UNLIKELY(k->in != NULL))
			return vqm_fault_(q, VQM_RULE_WRITE_ORDER, -EINVAL, 0, 0);
	} else if (!k->in) {
		k->in = k->frag;
		k->out_len = k->len;
	}
	if (VQM_LIKELY(k->frag != k->end && vqm_tlb_hit_(e, d->addr, d->len))) {
		k->frag->base = e->host + (d->addr - e->gpa);
		k->frag->len = d->len;
	} else {
		n = vqm_translate_slow_(q, w->regions, vqm_gpa_of(d->addr), d->len, k->frag,
					(uint32_t)(k->end - k->frag));
		if (n < 0)
			return n;
	}
	k->frag += n;
	k->len += d->len;
	return 0;
}

/* Where the whole table is mapped here in one piece; NULL when it must be read piece by piece. */
VQM_ALWAYS_INLINE const uint8_t *vqm_table_host_(const struct vqm_way *w,
						 const struct vqm_desc_val *ref)
{
	const struct vqm_region *r = vqm_regions_find(w->regions, vqm_gpa_of(ref->addr));

	if (w->backend || !r || !r->host || ref->len > r->size - (ref->addr - r->gpa.v))
		return NULL;
	return r->host + (ref->addr - r->gpa.v);
}

VQM_ALWAYS_INLINE int vqm_table_get_(struct vqm_queue *q, const struct vqm_way *w,
				     const uint8_t *host, uint64_t gpa, struct vqm_desc_val *d)
{
	struct vqm_desc raw;

	if (VQM_LIKELY(host)) {
		*d = vqm_get_desc_unaligned(host, w->order);
		return 0;
	}
	if (vqm_regions_copy_from(w->regions, w->backend, &raw, vqm_gpa_of(gpa), sizeof(raw)))
		return vqm_table_failed_(q, w, vqm_gpa_of(gpa));
	*d = vqm_get_desc(&raw, w->order);
	return 0;
}

/* Reads, checks and adds one descriptor of a table. */
VQM_ALWAYS_INLINE int vqm_table_take_(struct vqm_queue *q, const struct vqm_way *w,
				      struct vqm_walk *k, const uint8_t *host, uint64_t gpa,
				      struct vqm_desc_val *d)
{
	int err = vqm_table_get_(q, w, host, gpa, d);

	if (VQM_UNLIKELY(err))
		return err;
	if (VQM_UNLIKELY(d->flags & VQM_DESC_F_INDIRECT))
		return vqm_fault_(q, VQM_RULE_INDIRECT_NESTED, -EINVAL, 0, 0);
	return vqm_walk_add_(q, w, k, d);
}

/* Section 2.7.5.2: no more than 2^32 bytes. One descriptor alone cannot reach that. */
VQM_ALWAYS_INLINE int vqm_walk_total_(struct vqm_queue *q, const struct vqm_walk *k)
{
	if (VQM_UNLIKELY(k->len > 1ull << 32))
		return vqm_fault_(q, VQM_RULE_TOO_LONG, -EINVAL, k->len, 1ull << 32);
	return 0;
}

/* Walks an indirect table. Its bounds are those of the table, not of the ring (2.7.5.3). */
VQM_ALWAYS_INLINE int vqm_walk_table_(struct vqm_queue *q, const struct vqm_way *w,
				      struct vqm_walk *k, const struct vqm_desc_val *ref,
				      uint32_t limit)
{
	const uint8_t *host = vqm_table_host_(w, ref);
	uint32_t entries = ref->len / (uint32_t)sizeof(struct vqm_desc);
	uint32_t budget = limit = entries < limit ? entries : limit;
	struct vqm_desc_val d = {0, 0, 0, 0};
	uint32_t i = 0;
	int err;

	for (;;) {
		size_t off = i * sizeof(struct vqm_desc);

		if (VQM_UNLIKELY(budget-- == 0)) {
			err = vqm_fault_(q, VQM_RULE_LOOP, -EINVAL, 0, limit);
			break;
		}
		err = vqm_table_take_(q, w, k, host ? host + off : NULL, ref->addr + off, &d);
		if (VQM_UNLIKELY(err))
			break;
		if (!(d.flags & VQM_DESC_F_NEXT))
			return vqm_walk_total_(q, k);
		if (VQM_UNLIKELY(d.next >= entries)) {
			err = vqm_fault_(q, VQM_RULE_NEXT_RANGE, -EINVAL, d.next, entries);
			break;
		}
		i = d.next;
	}
	vqm_fault_at_(q, i, true);
	return err;
}

/* Out of line, but with a constant way like its caller. */
static VQM_NOINLINE int vqm_walk_table_plain_(struct vqm_queue *q, struct vqm_walk *k,
					      const struct vqm_desc_val *ref, uint32_t limit)
{
	struct vqm_way w = vqm_way_plain_(q);

	return vqm_walk_table_(q, &w, k, ref, limit);
}

/* The descriptor that refers to a table ends the chain; its WRITE flag means nothing. */
VQM_ALWAYS_INLINE int vqm_walk_indirect_(struct vqm_queue *q, const struct vqm_way *w,
					 struct vqm_walk *k, const struct vqm_desc_val *ref,
					 uint32_t limit)
{
	struct vqm_desc_val r = *ref; /* copies, so that the caller's stay in registers */
	struct vqm_walk t = *k;
	int err;

	if (!q->indirect)
		return vqm_fault_(q, VQM_RULE_INDIRECT_FEATURE, -EINVAL, 0, 0);
	if (ref->flags & VQM_DESC_F_NEXT)
		return vqm_fault_(q, VQM_RULE_INDIRECT_NEXT, -EINVAL, 0, 0);
	if (ref->len == 0 || ref->len % sizeof(struct vqm_desc) || ref->len > VQM_TABLE_MAX)
		return vqm_fault_(q, VQM_RULE_INDIRECT_LEN, -EINVAL, ref->len, VQM_TABLE_MAX);
	if (vqm_range_is_bad(ref->addr, ref->len)) {
		err = vqm_fault_(q, VQM_RULE_INDIRECT_UNMAPPED, -EINVAL, ref->addr, 0);
		vqm_fault_at_(q, 0, true);
		return err;
	}
	err = w->plain ? vqm_walk_table_plain_(q, &t, &r, limit)
		       : vqm_walk_table_(q, w, &t, &r, limit);
	*k = t;
	return err;
}

/* Adds one descriptor of the ring; one that refers to a table ends the chain. */
VQM_ALWAYS_INLINE int vqm_ring_take_(struct vqm_queue *q, const struct vqm_way *w,
				     struct vqm_walk *k, uint32_t taken,
				     const struct vqm_desc_val *d)
{
	if (VQM_UNLIKELY(d->flags & VQM_DESC_F_INDIRECT))
		return vqm_walk_indirect_(q, w, k, d, q->max_chain - taken);
	return vqm_walk_add_(q, w, k, d);
}

/* Walks the chain that starts at a descriptor of the ring, of which @d is the first one read. */
VQM_ALWAYS_INLINE int vqm_walk_ring_(struct vqm_queue *q, const struct vqm_way *w,
				     struct vqm_walk *k, uint16_t head, struct vqm_desc_val d)
{
	uint32_t taken = 0;
	uint16_t i = head;
	int err;

	for (;;) {
		err = vqm_ring_take_(q, w, k, taken, &d);
		if (VQM_UNLIKELY(err))
			break;
		if (!(d.flags & VQM_DESC_F_NEXT))
			return vqm_walk_total_(q, k);
		if (VQM_UNLIKELY(d.next >= w->num)) {
			err = vqm_fault_(q, VQM_RULE_NEXT_RANGE, -EINVAL, d.next, w->num);
			break;
		}
		if (VQM_UNLIKELY(++taken == w->num)) {
			err = vqm_fault_(q, VQM_RULE_LOOP, -EINVAL, 0, w->num);
			break;
		}
		i = d.next;
		if (VQM_UNLIKELY(vqm_way_get_desc_(w, i, &d))) {
			err = vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
			break;
		}
	}
	vqm_fault_at_(q, i, false);
	return err;
}

#endif /* VQMETA_QUEUE_WALK_H */
