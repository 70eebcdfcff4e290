/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory that is reached by copying: a backend.
 *
 * Direct access needs memory that is mapped here and cannot fault. Where that is not so (another
 * process, a page that may not be kept, a memory dump) the same ring is reached through a backend.
 * A user can write one: embed struct vqm_backend and fill in the two functions.
 */
#ifndef VQMETA_BACKEND_H
#define VQMETA_BACKEND_H

#include <vqmeta/types.h>

/**
 * struct vqm_backend - how to copy out of and into the memory of a guest
 * @copy_from: copy @len bytes at @src into @dst
 * @copy_to:   copy @len bytes from @src to @dst
 *
 * Both return 0, or -EFAULT when any byte cannot be reached; how much was copied is then
 * undefined. A naturally aligned copy of 2 bytes must be one access, since indices and flags are
 * shared with a running driver. Both may sleep: they are never called inside a section (map.h).
 */
struct vqm_backend {
	int (*copy_from)(const struct vqm_backend *b, void *dst, struct vqm_uva src, size_t len);
	int (*copy_to)(const struct vqm_backend *b, struct vqm_uva dst, const void *src,
		       size_t len);
};

/**
 * struct vqm_flat - backend over one buffer: unit tests, memory dumps
 * @backend: what to hand to the library
 * @base:    address of the first byte
 * @mem:     the bytes
 * @size:    how many there are
 */
struct vqm_flat {
	struct vqm_backend backend;
	struct vqm_uva base;
	uint8_t *mem;
	size_t size;
};

/**
 * vqm_flat_init() - make a backend of a buffer
 * @f:    storage of the caller; lives as long as the backend is used
 * @base: address of the first byte, in the space ring addresses are given in
 * @mem:  the buffer
 * @size: its bytes
 */
VQM_API void vqm_flat_init(struct vqm_flat *f, struct vqm_uva base, void *mem, size_t size);

#ifdef VQM_HEADER_ONLY
#include <vqmeta/impl/backend.h>
#endif

#endif /* VQMETA_BACKEND_H */
