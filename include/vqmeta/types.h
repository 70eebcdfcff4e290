/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Layouts and constants of virtio 1.4 that both sides of a queue share. No memory is touched here.
 */
#ifndef VQMETA_TYPES_H
#define VQMETA_TYPES_H

#include <vqmeta/env.h>

/*
 * Three address spaces, three types: mixing them does not compile.
 *
 * gpa:  guest-physical, what descriptors carry when no IOMMU is in use
 * iova: what descriptors carry behind an IOMMU
 * uva:  virtual address in the process that owns the guest's memory (the vhost-user front-end,
 *       the owner of a kernel vhost file); what ring addresses are given in
 */
struct vqm_gpa {
	uint64_t v;
};

struct vqm_iova {
	uint64_t v;
};

struct vqm_uva {
	uint64_t v;
};

VQM_INLINE struct vqm_gpa vqm_gpa_of(uint64_t v)
{
	struct vqm_gpa a;

	a.v = v;
	return a;
}

VQM_INLINE struct vqm_iova vqm_iova_of(uint64_t v)
{
	struct vqm_iova a;

	a.v = v;
	return a;
}

VQM_INLINE struct vqm_uva vqm_uva_of(uint64_t v)
{
	struct vqm_uva a;

	a.v = v;
	return a;
}

/* Empty, or running over 2^64. Last bytes count, not ends: a range may end exactly at 2^64. */
VQM_INLINE bool vqm_range_is_bad(uint64_t start, uint64_t size)
{
	return size == 0 || start + (size - 1) < start;
}

/* Byte order of a queue: little since virtio 1.0, the guest's own before (section 1.4, "legacy").
 */
enum vqm_order {
	VQM_LITTLE_ENDIAN,
	VQM_BIG_ENDIAN,
};

/* Feature bit numbers (section 6). */
enum {
	VQM_F_NOTIFY_ON_EMPTY = 24,
	VQM_F_ANY_LAYOUT = 27,
	VQM_F_INDIRECT_DESC = 28,
	VQM_F_EVENT_IDX = 29,
	VQM_F_VERSION_1 = 32,
	VQM_F_ACCESS_PLATFORM = 33,
	VQM_F_RING_PACKED = 34,
	VQM_F_IN_ORDER = 35,
	VQM_F_ORDER_PLATFORM = 36,
	VQM_F_NOTIFICATION_DATA = 38,
	VQM_F_RING_RESET = 40,
};

VQM_INLINE bool vqm_has_feature(uint64_t features, unsigned int bit)
{
	return (features >> bit) & 1;
}

/* Descriptor flags (section 2.7.5). */
enum {
	VQM_DESC_F_NEXT = 1,
	VQM_DESC_F_WRITE = 2,
	VQM_DESC_F_INDIRECT = 4,
};

enum {
	VQM_AVAIL_F_NO_INTERRUPT = 1, /* avail->flags (section 2.7.6) */
	VQM_USED_F_NO_NOTIFY = 1,     /* used->flags (section 2.7.8) */
	VQM_QUEUE_NUM_MAX = 32768,    /* largest queue size (section 2.7) */
};

/* The three parts of a queue, by their names in the split ring. */
enum vqm_area {
	VQM_AREA_DESC,
	VQM_AREA_AVAIL,
	VQM_AREA_USED,
	VQM_AREA_COUNT,
};

/* What the address of an area must be a multiple of, here as in the guest (section 2.7). */
VQM_INLINE uint32_t vqm_area_align(uint32_t area)
{
	return area == VQM_AREA_DESC ? 16 : area == VQM_AREA_AVAIL ? 2 : 4;
}

struct vqm_desc {
	vqm_wire64 addr;
	vqm_wire32 len;
	vqm_wire16 flags;
	vqm_wire16 next;
};

struct vqm_avail {
	vqm_wire16 flags;
	vqm_wire16 idx;	   /* free-running; compare by difference only */
	vqm_wire16 ring[]; /* num heads, then used_event */
};

struct vqm_used_elem {
	vqm_wire32 id;
	vqm_wire32 len;
};

struct vqm_used {
	vqm_wire16 flags;
	vqm_wire16 idx;		     /* free-running; compare by difference only */
	struct vqm_used_elem ring[]; /* num elements, then avail_event */
};

/* A descriptor read once into local memory, in the order of this processor. */
struct vqm_desc_val {
	uint64_t addr;
	uint32_t len;
	uint16_t flags;
	uint16_t next;
};

#endif /* VQMETA_TYPES_H */
