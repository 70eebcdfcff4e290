/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "reference.h"

/* No checks at all: believes every index, address and length. Little-endian hosts only. */
int reference_limit(struct reference *r, struct reference_frag *frag, uint32_t max)
{
	uint16_t idx = __atomic_load_n(&r->avail->idx, __ATOMIC_ACQUIRE);
	uint32_t n = (uint16_t)(idx - r->next), i, f = 0;

	n = n < max ? n : max;
	for (i = 0; i < n; i++) {
		uint16_t slot = (uint16_t)(r->next + i) & (uint16_t)(r->num - 1);
		uint16_t head = r->avail->ring[slot];
		const struct vqm_desc *d = &r->desc[head];

		for (;;) {
			frag[f].base = r->host + (d->addr - r->gpa);
			frag[f++].len = d->len;
			if (!(d->flags & VQM_DESC_F_NEXT))
				break;
			d = &r->desc[d->next];
		}
		r->used->ring[slot].id = head;
		r->used->ring[slot].len = 0;
	}
	r->next = (uint16_t)(r->next + n);
	__atomic_store_n(&r->used->idx, r->next, __ATOMIC_RELEASE);
	return (int)n;
}

/* One chain with every check that a hostile guest makes necessary. */
static inline int checked_chain(const struct reference *r, uint16_t head,
				struct reference_frag *frag)
{
	uint32_t taken, f = 0, i = head;
	bool in = false;

	for (taken = 0; taken < r->num && i < r->num; taken++) {
		uint64_t addr = __atomic_load_n(&r->desc[i].addr, __ATOMIC_RELAXED);
		uint32_t len = __atomic_load_n(&r->desc[i].len, __ATOMIC_RELAXED);
		uint16_t flags = __atomic_load_n(&r->desc[i].flags, __ATOMIC_RELAXED);
		uint64_t off = addr - r->gpa;

		if (off >= r->size || len > r->size - off || (flags & VQM_DESC_F_INDIRECT))
			return -1;
		if (in && !(flags & VQM_DESC_F_WRITE))
			return -1;
		in = flags & VQM_DESC_F_WRITE;
		frag[f].base = r->host + off;
		frag[f++].len = len;
		if (!(flags & VQM_DESC_F_NEXT))
			return (int)f;
		i = __atomic_load_n(&r->desc[i].next, __ATOMIC_RELAXED);
	}
	return -1;
}

int reference_checked(struct reference *r, struct reference_frag *frag, uint32_t max)
{
	uint16_t idx = __atomic_load_n(&r->avail->idx, __ATOMIC_ACQUIRE);
	uint32_t n = (uint16_t)(idx - r->next), i, f = 0;

	if (n > r->num)
		return -1;
	n = n < max ? n : max;
	for (i = 0; i < n; i++) {
		uint16_t slot = (uint16_t)(r->next + i) & (uint16_t)(r->num - 1);
		uint16_t head = __atomic_load_n(&r->avail->ring[slot], __ATOMIC_RELAXED);
		int got = checked_chain(r, head, frag + f);

		if (got < 0)
			return -1;
		f += (uint32_t)got;
		r->used->ring[slot].id = head;
		r->used->ring[slot].len = 0;
	}
	r->next = (uint16_t)(r->next + n);
	__atomic_store_n(&r->used->idx, r->next, __ATOMIC_RELEASE);
	return (int)n;
}
