/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_BACKEND_H
#define VQMETA_IMPL_BACKEND_H

#include <vqmeta/backend.h>

/* A ring word must be one access; anything else may be copied in any way. */
static inline void vqm_flat_copy_(void *dst, const void *src, size_t len)
{
	bool aligned = (((uintptr_t)dst | (uintptr_t)src) & 1) == 0;

	if (len == 2 && aligned)
		vqm_env_store16((vqm_wire16 *)dst, vqm_env_load16((const vqm_wire16 *)src));
	else
		vqm_env_copy(dst, src, len);
}

static inline uint8_t *vqm_flat_at_(const struct vqm_backend *b, struct vqm_uva a, size_t len)
{
	const struct vqm_flat *f = (const struct vqm_flat *)(const void *)b;
	uint64_t off = a.v - f->base.v;

	return off <= f->size && len <= f->size - off ? f->mem + off : NULL;
}

static inline int vqm_flat_copy_from_(const struct vqm_backend *b, void *dst, struct vqm_uva src,
				      size_t len)
{
	const uint8_t *p = vqm_flat_at_(b, src, len);

	if (!p)
		return -EFAULT;
	vqm_flat_copy_(dst, p, len);
	return 0;
}

static inline int vqm_flat_copy_to_(const struct vqm_backend *b, struct vqm_uva dst,
				    const void *src, size_t len)
{
	uint8_t *p = vqm_flat_at_(b, dst, len);

	if (!p)
		return -EFAULT;
	vqm_flat_copy_(p, src, len);
	return 0;
}

VQM_API void vqm_flat_init(struct vqm_flat *f, struct vqm_uva base, void *mem, size_t size)
{
	f->backend.copy_from = vqm_flat_copy_from_;
	f->backend.copy_to = vqm_flat_copy_to_;
	f->base = base;
	f->mem = (uint8_t *)mem;
	f->size = size;
}

#endif /* VQMETA_IMPL_BACKEND_H */
