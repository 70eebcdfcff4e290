/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The words of a split ring through a backend: copy access, which can fault.
 *
 * One function per function of split.h, with the address of the area in place of a pointer.
 * Each returns 0 and the value, or -EFAULT and nothing. Context: outside a section; may sleep.
 */
#ifndef VQMETA_SPLIT_COPY_H
#define VQMETA_SPLIT_COPY_H

#include <vqmeta/backend.h>
#include <vqmeta/split.h>

VQM_INLINE int vqm_copy_get16_(const struct vqm_backend *b, struct vqm_uva area, uint64_t off,
			       enum vqm_order o, uint16_t *value)
{
	vqm_wire16 w;
	int err = b->copy_from(b, &w, vqm_uva_of(area.v + off), sizeof(w));

	if (!err)
		*value = vqm_wire16_to_cpu(w, o);
	return err;
}

VQM_INLINE int vqm_copy_put16_(const struct vqm_backend *b, struct vqm_uva area, uint64_t off,
			       enum vqm_order o, uint16_t value)
{
	vqm_wire16 w = vqm_cpu_to_wire16(value, o);

	return b->copy_to(b, vqm_uva_of(area.v + off), &w, sizeof(w));
}

VQM_INLINE int vqm_copy_get_avail_flags(const struct vqm_backend *b, struct vqm_uva avail,
					enum vqm_order o, uint16_t *flags)
{
	return vqm_copy_get16_(b, avail, offsetof(struct vqm_avail, flags), o, flags);
}

VQM_INLINE int vqm_copy_get_avail_idx_acquire(const struct vqm_backend *b, struct vqm_uva avail,
					      enum vqm_order o, uint16_t *idx)
{
	int err = vqm_copy_get16_(b, avail, offsetof(struct vqm_avail, idx), o, idx);

	/* [A1] acquire; entries and descriptors are copied after it; pairs with [A2]. */
	vqm_env_rmb();
	return err;
}

VQM_INLINE int vqm_copy_get_avail_head(const struct vqm_backend *b, struct vqm_uva avail,
				       uint16_t slot, enum vqm_order o, uint16_t *head)
{
	return vqm_copy_get16_(b, avail, sizeof(struct vqm_avail) + 2ull * slot, o, head);
}

VQM_INLINE int vqm_copy_get_used_event(const struct vqm_backend *b, struct vqm_uva avail,
				       uint32_t num, enum vqm_order o, uint16_t *event)
{
	return vqm_copy_get16_(b, avail, vqm_split_avail_size(num, false), o, event);
}

VQM_INLINE int vqm_copy_get_desc(const struct vqm_backend *b, struct vqm_uva desc, uint16_t index,
				 enum vqm_order o, struct vqm_desc_val *value)
{
	struct vqm_desc d;
	int err = b->copy_from(b, &d, vqm_uva_of(desc.v + sizeof(d) * index), sizeof(d));

	if (!err)
		*value = vqm_get_desc(&d, o);
	return err;
}

VQM_INLINE int vqm_copy_get_used_flags(const struct vqm_backend *b, struct vqm_uva used,
				       enum vqm_order o, uint16_t *flags)
{
	return vqm_copy_get16_(b, used, offsetof(struct vqm_used, flags), o, flags);
}

VQM_INLINE int vqm_copy_get_used_idx(const struct vqm_backend *b, struct vqm_uva used,
				     enum vqm_order o, uint16_t *idx)
{
	return vqm_copy_get16_(b, used, offsetof(struct vqm_used, idx), o, idx);
}

VQM_INLINE int vqm_copy_get_used_elem(const struct vqm_backend *b, struct vqm_uva used,
				      uint16_t slot, enum vqm_order o, uint32_t *id, uint32_t *len)
{
	uint64_t off = sizeof(struct vqm_used) + (uint64_t)slot * sizeof(struct vqm_used_elem);
	struct vqm_used_elem e;
	int err = b->copy_from(b, &e, vqm_uva_of(used.v + off), sizeof(e));

	if (!err) {
		*id = vqm_wire32_to_cpu(e.id, o);
		*len = vqm_wire32_to_cpu(e.len, o);
	}
	return err;
}

VQM_INLINE int vqm_copy_get_avail_event(const struct vqm_backend *b, struct vqm_uva used,
					uint32_t num, enum vqm_order o, uint16_t *event)
{
	return vqm_copy_get16_(b, used, vqm_split_used_size(num, false), o, event);
}

VQM_INLINE int vqm_copy_put_used_flags(const struct vqm_backend *b, struct vqm_uva used,
				       uint16_t flags, enum vqm_order o)
{
	return vqm_copy_put16_(b, used, offsetof(struct vqm_used, flags), o, flags);
}

VQM_INLINE int vqm_copy_put_used_elem(const struct vqm_backend *b, struct vqm_uva used,
				      uint16_t slot, uint32_t id, uint32_t len, enum vqm_order o)
{
	uint64_t off = sizeof(struct vqm_used) + (uint64_t)slot * sizeof(struct vqm_used_elem);
	struct vqm_used_elem e = {vqm_cpu_to_wire32(id, o), vqm_cpu_to_wire32(len, o)};

	return b->copy_to(b, vqm_uva_of(used.v + off), &e, sizeof(e));
}

VQM_INLINE int vqm_copy_put_avail_event(const struct vqm_backend *b, struct vqm_uva used,
					uint32_t num, uint16_t idx, enum vqm_order o)
{
	return vqm_copy_put16_(b, used, vqm_split_used_size(num, false), o, idx);
}

VQM_INLINE int vqm_copy_put_used_idx_release(const struct vqm_backend *b, struct vqm_uva used,
					     uint16_t idx, enum vqm_order o)
{
	/* [U1] release, as a full barrier: a copy may be any kind of store; pairs with [U2]. */
	vqm_env_mb();
	return vqm_copy_put16_(b, used, offsetof(struct vqm_used, idx), o, idx);
}

#endif /* VQMETA_SPLIT_COPY_H */
