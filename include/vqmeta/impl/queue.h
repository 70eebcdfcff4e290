/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_QUEUE_H
#define VQMETA_IMPL_QUEUE_H

#include <vqmeta/queue.h>

/* What the hot path leaves: faults, misses, and every way that is not the plain one. */

VQM_SLOW void vqm_fault_set_(struct vqm_queue *q, enum vqm_rule rule, int err, uint64_t value,
			     uint64_t limit)
{
	q->fault.rule = rule;
	q->fault.err = err;
	q->fault.queue = q->index;
	q->fault.desc = 0;
	q->fault.table = false;
	q->fault.value = value;
	q->fault.limit = limit;
}

/* The innermost place wins: a fault inside a table is not moved to the ring. */
VQM_SLOW void vqm_fault_at_(struct vqm_queue *q, uint32_t desc, bool table)
{
	if (table || !q->fault.table) {
		q->fault.desc = (uint16_t)desc;
		q->fault.table = table;
	}
}

VQM_SLOW void vqm_break_set_(struct vqm_queue *q)
{
	q->broke = q->fault;
	q->broken = true;
	q->plain = false;
	q->fast = NULL;
}

/* A chain that cannot be served still has a head to give back. */
VQM_SLOW int vqm_pop_failed_(struct vqm_queue *q, struct vqm_chain *c, uint16_t head, int err)
{
	vqm_chain_init(c, c->frag, c->cap);
	c->head = head;
	c->slots = 1;
	q->fault.head = head;
	if (err == -ENOBUFS)
		q->fault.limit = c->cap; /* not what was left of it */
	return err;
}

/* Guest memory that is not mapped here is not the guest's fault; what is no memory is. */
static inline int vqm_missing_(struct vqm_queue *q, const struct vqm_regions *t,
			       struct vqm_gpa missing, enum vqm_rule rule)
{
	if (vqm_regions_find(t, missing))
		return vqm_fault_(q, VQM_RULE_NOT_HERE, -EOPNOTSUPP, missing.v, 0);
	return vqm_fault_(q, rule, -EINVAL, missing.v, 0);
}

/* A descriptor of a table could not be read: why. */
VQM_SLOW int vqm_table_failed_(struct vqm_queue *q, const struct vqm_way *w, struct vqm_gpa gpa)
{
	struct vqm_frag frag[sizeof(struct vqm_desc)];
	struct vqm_gpa missing = gpa;

	if (w->backend)
		return vqm_fault_(q, VQM_RULE_INDIRECT_UNMAPPED, -EINVAL, gpa.v, 0);
	vqm_regions_translate(w->regions, gpa, sizeof(struct vqm_desc), frag,
			      sizeof(frag) / sizeof(frag[0]), &missing);
	return vqm_missing_(q, w->regions, missing, VQM_RULE_INDIRECT_UNMAPPED);
}

VQM_SLOW int vqm_translate_slow_(struct vqm_queue *q, const struct vqm_regions *t,
				 struct vqm_gpa gpa, uint32_t len, struct vqm_frag *frag,
				 uint32_t room)
{
	const struct vqm_region *r = vqm_regions_find(t, gpa);
	struct vqm_tlb_entry *e = &q->tlb[(gpa.v >> VQM_TLB_SHIFT) % VQM_TLB_COUNT];
	struct vqm_gpa missing = {0};
	int n;

	if (r && r->host && !q->tlb_off) {
		e->gpa = r->gpa.v;
		e->size = r->size;
		e->host = r->host;
	}
	n = vqm_regions_translate(t, gpa, len, frag, room, &missing);
	if (n == -EFAULT)
		return vqm_missing_(q, t, missing, VQM_RULE_UNMAPPED);
	if (n == -ENOBUFS)
		return vqm_fault_(q, VQM_RULE_NO_ROOM, -ENOBUFS, 0, room);
	return n;
}

/* True when this burst copies: it keeps the table, and the caller leaves the section. */
VQM_SLOW bool vqm_begin_slow_(struct vqm_queue *q)
{
	if (q->view->epoch != q->tlb_epoch) {
		vqm_env_zero(q->tlb, sizeof(q->tlb));
		q->tlb_epoch = q->view->epoch;
	}
	if (q->view->direct)
		return false;
	if (!q->started || !q->backend) {
		q->bursts_unmapped++;
		return false;
	}
	q->held = q->view->regions;
	vqm_regions_hold(q->held);
	q->view = NULL;
	q->bursts_copied++;
	return true;
}

VQM_SLOW void vqm_end_slow_(struct vqm_queue *q)
{
	vqm_regions_release(q->held);
	q->held = NULL;
}

/* The way of this burst when it is not the plain one. */
static inline int vqm_way_slow_(struct vqm_queue *q, struct vqm_way *w)
{
	vqm_env_zero(w, sizeof(*w));
	w->num = q->num;
	w->order = (enum vqm_order)q->order;
	w->addr = q->map.addr;
	if (!q->started)
		return vqm_fault_(q, VQM_RULE_NOT_STARTED, -ENOTCONN, 0, 0);
	if (q->view && q->view->direct) {
		vqm_way_direct_(w, q->view);
		return 0;
	}
	if (!q->held)
		return vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	w->backend = q->backend;
	w->regions = q->held;
	return 0;
}

VQM_SLOW int vqm_pop_slow_(struct vqm_queue *q, struct vqm_chain *c, uint32_t max)
{
	struct vqm_way w;
	int err;

	q->skippable = false;
	if (q->broken && q->started) {
		q->fault = q->broke;
		return -ENOTRECOVERABLE;
	}
	err = vqm_way_slow_(q, &w);
	return err ? err : vqm_split_pop_batch_(q, &w, false, c, max);
}

VQM_SLOW int vqm_publish_slow_(struct vqm_queue *q, const struct vqm_done *done, uint32_t n)
{
	struct vqm_way w;
	int err = vqm_way_slow_(q, &w);

	return err ? err : vqm_split_publish_(q, &w, done, n);
}

VQM_SLOW bool vqm_need_notify_slow_(struct vqm_queue *q)
{
	struct vqm_way w;

	return vqm_way_slow_(q, &w) || vqm_split_need_notify_(q, &w);
}

/* Nothing more is taken from a broken ring, so nobody has to be told about more. */
VQM_SLOW bool vqm_arm_slow_(struct vqm_queue *q)
{
	struct vqm_way w;

	if (q->broken)
		return false;
	return vqm_way_slow_(q, &w) || vqm_split_arm_(q, &w);
}

VQM_SLOW void vqm_disarm_slow_(struct vqm_queue *q)
{
	struct vqm_way w;

	if (!q->broken && !vqm_way_slow_(q, &w))
		vqm_split_disarm_(q, &w);
}

#endif /* VQMETA_IMPL_QUEUE_H */
