/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Where guest memory is mapped: an immutable table of regions, and the translation of guest
 * addresses to pieces of host memory.
 *
 * A table is a snapshot. Changing guest memory means to build another table and to hand it to the
 * device (map.h); the old one is freed when its last holder lets go. So whoever translates needs
 * no lock, and asynchronous work keeps its memory mapped by holding the snapshot it was cut from.
 */
#ifndef VQMETA_REGIONS_H
#define VQMETA_REGIONS_H

#include <vqmeta/backend.h>

/**
 * struct vqm_mapping - one host mapping, shared by all tables that refer to it
 * @refs: references; starts at 1, owned by whoever made the mapping
 * @free: called once, when the last reference goes, to unmap
 */
struct vqm_mapping {
	unsigned int refs;
	void (*free)(struct vqm_mapping *m);
};

VQM_INLINE void vqm_mapping_hold(struct vqm_mapping *m)
{
	vqm_env_ref_get(&m->refs);
}

VQM_INLINE void vqm_mapping_release(struct vqm_mapping *m)
{
	if (vqm_env_ref_put(&m->refs))
		m->free(m);
}

/**
 * struct vqm_region - a run of guest memory
 * @gpa:     first guest-physical address
 * @uva:     the same byte in the process that owns the memory
 * @size:    bytes; @gpa + @size may be exactly 2^64
 * @host:    the same byte here; NULL when it is not mapped here (copy access only)
 * @mapping: what keeps @host mapped; NULL when the memory outlives the table and all that hold it,
 *           which nobody waits for then
 */
struct vqm_region {
	struct vqm_gpa gpa;
	struct vqm_uva uva;
	uint64_t size;
	uint8_t *host;
	struct vqm_mapping *mapping;
};

/**
 * struct vqm_regions - a table; read-only once built
 * @refs:   holders
 * @count:  entries of @region
 * @region: sorted by guest-physical address, without overlap
 */
struct vqm_regions {
	unsigned int refs;
	uint32_t count;
	struct vqm_region region[];
};

/* A piece of guest memory mapped here. Same layout as struct iovec. */
struct vqm_frag {
	void *base;
	size_t len;
};

/**
 * vqm_regions_build() - make a table
 * @out:   the new table, with one reference owned by the caller
 * @in:    @count regions in any order
 * @count: may be 0: then every translation fails
 *
 * Takes a reference on each mapping.
 *
 * Return: 0; -EINVAL for an empty region, one that wraps 2^64 in either space, or two that overlap
 * in guest-physical space; -ENOMEM. On error @out is untouched.
 */
VQM_API int vqm_regions_build(struct vqm_regions **out, const struct vqm_region *in,
			      uint32_t count);

/**
 * vqm_regions_add() - a table with one region more
 * @out: the new table; @old stays as it is
 * @old: NULL is an empty table
 * @add: the region
 *
 * Return: as vqm_regions_build().
 */
VQM_API int vqm_regions_add(struct vqm_regions **out, const struct vqm_regions *old,
			    const struct vqm_region *add);

/**
 * vqm_regions_remove() - a table with one region less
 * @out: the new table; @old stays as it is
 * @old: the table
 * @gone: names the region by gpa, uva and size; all three must match
 *
 * Return: 0; -ENOENT when no region matches, -ENOMEM. On error @out is untouched.
 */
VQM_API int vqm_regions_remove(struct vqm_regions **out, const struct vqm_regions *old,
			       const struct vqm_region *gone);

VQM_INLINE void vqm_regions_hold(struct vqm_regions *t)
{
	vqm_env_ref_get(&t->refs);
}

/**
 * vqm_regions_release() - let go of a table; NULL is fine
 *
 * Context: may call the free functions of mappings.
 */
VQM_API void vqm_regions_release(struct vqm_regions *t);

/**
 * vqm_regions_find() - the region that holds an address
 *
 * Return: the region, valid as long as @t is held; NULL for a hole.
 */
VQM_INLINE const struct vqm_region *vqm_regions_find(const struct vqm_regions *t,
						     struct vqm_gpa gpa)
{
	const struct vqm_region *r = t->region;
	uint32_t n = t->count;

	if (VQM_UNLIKELY(n == 0))
		return NULL;
	while (n > 1) { /* the compiler makes a conditional move of it */
		uint32_t half = n / 2;

		r = r[half].gpa.v <= gpa.v ? r + half : r;
		n -= half;
	}
	return gpa.v - r->gpa.v < r->size ? r : NULL;
}

/**
 * vqm_regions_find_uva() - the region that holds a whole range of front-end addresses
 *
 * Ring areas are looked up by this, at set-up; it walks the table.
 *
 * Return: the region, or NULL when no single region holds all of it.
 */
VQM_API const struct vqm_region *vqm_regions_find_uva(const struct vqm_regions *t,
						      struct vqm_uva uva, uint64_t len);

/**
 * vqm_regions_translate() - a guest-physical range as pieces of host memory
 * @t:       the table
 * @gpa:     first byte
 * @len:     bytes; 0 gives 0 pieces wherever @gpa is
 * @frag:    room for @max pieces
 * @max:     how many fit
 * @missing: on -EFAULT the first address that is not mapped; may be NULL
 *
 * Return: the number of pieces; -EFAULT for a hole or a range that leaves the address space;
 * -ENOBUFS when @max is too small. On error what @frag holds means nothing.
 */
VQM_API int vqm_regions_translate(const struct vqm_regions *t, struct vqm_gpa gpa, uint64_t len,
				  struct vqm_frag *frag, uint32_t max, struct vqm_gpa *missing);

/**
 * vqm_regions_copy_from() - copy out of guest memory, across regions
 * @t:   the table
 * @b:   how to reach it; NULL reads where the regions are mapped here
 * @dst: room for @len bytes
 * @gpa: first byte
 * @len: bytes
 *
 * Each byte is read once. Context: with a backend, as the backend says.
 *
 * Return: 0; -EFAULT when any byte cannot be reached, with @dst partly written.
 */
VQM_API int vqm_regions_copy_from(const struct vqm_regions *t, const struct vqm_backend *b,
				  void *dst, struct vqm_gpa gpa, size_t len);

#ifdef VQM_HEADER_ONLY
#include <vqmeta/impl/regions.h>
#endif

#endif /* VQMETA_REGIONS_H */
