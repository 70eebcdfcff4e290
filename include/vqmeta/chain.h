/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A chain of buffers as the device sees it, and what is told the driver when it is done. */
#ifndef VQMETA_CHAIN_H
#define VQMETA_CHAIN_H

#include <vqmeta/regions.h>

/**
 * struct vqm_chain - one request: fragments of guest memory, readable first, then writable
 * @frag:    array of the caller, room for @cap; @frag[0..n_out) are device-readable,
 *           @frag[n_out..n_out+n_in) device-writable; consecutive, none is empty
 * @cap:     entries of @frag
 * @n_out:   readable fragments
 * @n_in:    writable fragments
 * @head:    identifies the chain towards the driver
 * @slots:   ring positions it takes (1 in a split ring)
 * @out_len: readable bytes
 * @in_len:  writable bytes
 *
 * Fragments are valid while the section runs in which the chain was popped, and afterwards for
 * as long as the table of regions is held that was in force then: see vqm_queue_hold().
 */
struct vqm_chain {
	struct vqm_frag *frag;
	uint32_t cap;
	uint32_t n_out;
	uint32_t n_in;
	uint16_t head;
	uint16_t slots;
	uint64_t out_len;
	uint64_t in_len;
};

/**
 * struct vqm_done - a finished chain
 * @head:  of the chain
 * @slots: of the chain
 * @len:   bytes written into its writable part, from its start, without gap (2.7.8)
 */
struct vqm_done {
	uint16_t head;
	uint16_t slots;
	uint32_t len;
};

/**
 * vqm_chain_init() - give a chain its array of fragments, once
 * @c:    storage of the caller; may be popped into again and again
 * @frag: array of the caller
 * @cap:  its entries
 */
VQM_INLINE void vqm_chain_init(struct vqm_chain *c, struct vqm_frag *frag, uint32_t cap)
{
	vqm_env_zero(c, sizeof(*c));
	c->frag = frag;
	c->cap = cap;
}

/**
 * vqm_chain_done() - what to publish for a chain
 * @c:   the chain
 * @len: bytes written; clamped to what is writable, since a driver believes it
 */
VQM_INLINE struct vqm_done vqm_chain_done(const struct vqm_chain *c, uint64_t len)
{
	struct vqm_done d;

	len = len < c->in_len ? len : c->in_len;
	d.head = c->head;
	d.slots = c->slots;
	d.len = len < UINT32_MAX ? (uint32_t)len : UINT32_MAX;
	return d;
}

#endif /* VQMETA_CHAIN_H */
