/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What each word of a split ring means: direct access (virtio 1.4, section 2.7).
 *
 * Every function takes a pointer into mapped memory that cannot fault and stays mapped for the
 * call (see map.h), and reads or writes guest memory exactly once. @o is the byte order of the
 * queue; a constant costs nothing. Nothing read here has been checked: that is the caller's work.
 */
#ifndef VQMETA_SPLIT_H
#define VQMETA_SPLIT_H

#include <vqmeta/types.h>

VQM_INLINE bool vqm_order_swaps(enum vqm_order o)
{
	return (o == VQM_BIG_ENDIAN) != VQM_ENV_BIG_ENDIAN;
}

VQM_INLINE uint16_t vqm_wire16_to_cpu(vqm_wire16 w, enum vqm_order o)
{
	return vqm_order_swaps(o) ? vqm_env_swap16(vqm_env_unwire16(w)) : vqm_env_unwire16(w);
}

VQM_INLINE uint32_t vqm_wire32_to_cpu(vqm_wire32 w, enum vqm_order o)
{
	return vqm_order_swaps(o) ? vqm_env_swap32(vqm_env_unwire32(w)) : vqm_env_unwire32(w);
}

VQM_INLINE uint64_t vqm_wire64_to_cpu(vqm_wire64 w, enum vqm_order o)
{
	return vqm_order_swaps(o) ? vqm_env_swap64(vqm_env_unwire64(w)) : vqm_env_unwire64(w);
}

VQM_INLINE vqm_wire16 vqm_cpu_to_wire16(uint16_t v, enum vqm_order o)
{
	return vqm_env_wire16(vqm_order_swaps(o) ? vqm_env_swap16(v) : v);
}

VQM_INLINE vqm_wire32 vqm_cpu_to_wire32(uint32_t v, enum vqm_order o)
{
	return vqm_env_wire32(vqm_order_swaps(o) ? vqm_env_swap32(v) : v);
}

VQM_INLINE vqm_wire64 vqm_cpu_to_wire64(uint64_t v, enum vqm_order o)
{
	return vqm_env_wire64(vqm_order_swaps(o) ? vqm_env_swap64(v) : v);
}

/*
 * Sizes of the three areas in bytes. The event word at the end of a ring belongs to it only when
 * EVENT_IDX was negotiated: without it those two bytes are never touched and may be unmapped.
 */
VQM_INLINE uint64_t vqm_split_desc_size(uint32_t num)
{
	return (uint64_t)num * sizeof(struct vqm_desc);
}

VQM_INLINE uint64_t vqm_split_avail_size(uint32_t num, bool event_idx)
{
	return sizeof(struct vqm_avail) + ((uint64_t)num + event_idx) * sizeof(vqm_wire16);
}

VQM_INLINE uint64_t vqm_split_used_size(uint32_t num, bool event_idx)
{
	return sizeof(struct vqm_used) + (uint64_t)num * sizeof(struct vqm_used_elem) +
	       event_idx * sizeof(vqm_wire16);
}

/* Available area: written by the driver. */

VQM_INLINE uint16_t vqm_get_avail_flags(const struct vqm_avail *a, enum vqm_order o)
{
	return vqm_wire16_to_cpu(vqm_env_load16(&a->flags), o);
}

VQM_INLINE uint16_t vqm_get_avail_idx(const struct vqm_avail *a, enum vqm_order o)
{
	return vqm_wire16_to_cpu(vqm_env_load16(&a->idx), o);
}

VQM_INLINE uint16_t vqm_get_avail_idx_acquire(const struct vqm_avail *a, enum vqm_order o)
{
	/* [A1] acquire; entries and descriptors are loaded after it; pairs with the driver's [A2].
	 */
	return vqm_wire16_to_cpu(vqm_env_load16_acquire(&a->idx), o);
}

VQM_INLINE uint16_t vqm_get_avail_head(const struct vqm_avail *a, uint16_t slot, enum vqm_order o)
{
	return vqm_wire16_to_cpu(vqm_env_load16(&a->ring[slot]), o);
}

VQM_INLINE uint16_t vqm_get_used_event(const struct vqm_avail *a, uint32_t num, enum vqm_order o)
{
	return vqm_wire16_to_cpu(vqm_env_load16(&a->ring[num]), o);
}

/* Descriptor area: written by the driver. */

/* Length, flags and next lie in one 64-bit word, which is cheaper to take apart than to load
 * thrice. */
VQM_INLINE struct vqm_desc_val vqm_desc_unpack_(uint64_t addr, uint64_t rest, enum vqm_order o)
{
	bool be = o == VQM_BIG_ENDIAN;
	struct vqm_desc_val v = {
		addr,
		(uint32_t)(be ? rest >> 32 : rest),
		(uint16_t)(be ? rest >> 16 : rest >> 32),
		(uint16_t)(be ? rest : rest >> 48),
	};

	return v;
}

VQM_INLINE struct vqm_desc_val vqm_get_desc(const struct vqm_desc *d, enum vqm_order o)
{
	uint64_t addr = vqm_wire64_to_cpu(vqm_env_load64(&d->addr), o);
	uint64_t rest = vqm_wire64_to_cpu(vqm_env_load64_alias(&d->len), o);

	return vqm_desc_unpack_(addr, rest, o);
}

/* An indirect table may start at any address (only the descriptor area is aligned). */
VQM_INLINE struct vqm_desc_val vqm_get_desc_unaligned(const void *p, enum vqm_order o)
{
	uint64_t addr = vqm_wire64_to_cpu(vqm_env_load64_unaligned(p), o);
	uint64_t rest = vqm_wire64_to_cpu(vqm_env_load64_unaligned((const uint8_t *)p + 8), o);

	return vqm_desc_unpack_(addr, rest, o);
}

/* Used area: written by the device. */

VQM_INLINE uint16_t vqm_get_used_flags(const struct vqm_used *u, enum vqm_order o)
{
	return vqm_wire16_to_cpu(vqm_env_load16(&u->flags), o);
}

VQM_INLINE uint16_t vqm_get_used_idx(const struct vqm_used *u, enum vqm_order o)
{
	return vqm_wire16_to_cpu(vqm_env_load16(&u->idx), o);
}

VQM_INLINE uint32_t vqm_get_used_id(const struct vqm_used *u, uint16_t slot, enum vqm_order o)
{
	return vqm_wire32_to_cpu(vqm_env_load32(&u->ring[slot].id), o);
}

VQM_INLINE uint32_t vqm_get_used_len(const struct vqm_used *u, uint16_t slot, enum vqm_order o)
{
	return vqm_wire32_to_cpu(vqm_env_load32(&u->ring[slot].len), o);
}

/* The event word follows the last element; it has the type of no member, hence the cast. */
VQM_INLINE uint16_t vqm_get_avail_event(const struct vqm_used *u, uint32_t num, enum vqm_order o)
{
	return vqm_wire16_to_cpu(vqm_env_load16((const vqm_wire16 *)(const void *)&u->ring[num]),
				 o);
}

VQM_INLINE void vqm_put_used_flags(struct vqm_used *u, uint16_t flags, enum vqm_order o)
{
	vqm_env_store16(&u->flags, vqm_cpu_to_wire16(flags, o));
}

VQM_INLINE void vqm_put_used_elem(struct vqm_used *u, uint16_t slot, uint32_t id, uint32_t len,
				  enum vqm_order o)
{
	vqm_env_store32(&u->ring[slot].id, vqm_cpu_to_wire32(id, o));
	vqm_env_store32(&u->ring[slot].len, vqm_cpu_to_wire32(len, o));
}

VQM_INLINE void vqm_put_avail_event(struct vqm_used *u, uint32_t num, uint16_t idx,
				    enum vqm_order o)
{
	vqm_env_store16((vqm_wire16 *)(void *)&u->ring[num], vqm_cpu_to_wire16(idx, o));
}

VQM_INLINE void vqm_put_used_idx_release(struct vqm_used *u, uint16_t idx, enum vqm_order o)
{
	/* [U1] release; buffers, elements and our own reads come before it; pairs with [U2]. */
	vqm_env_store16_release(&u->idx, vqm_cpu_to_wire16(idx, o));
}

#endif /* VQMETA_SPLIT_H */
