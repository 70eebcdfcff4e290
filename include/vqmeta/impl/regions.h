/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_REGIONS_H
#define VQMETA_IMPL_REGIONS_H

#include <vqmeta/regions.h>

/* Heap sort: no recursion, no extra memory, O(n log n) whatever the order. */
static inline void vqm_regions_sift_(struct vqm_region *r, uint32_t root, uint32_t n)
{
	struct vqm_region top = r[root];
	uint32_t child;

	while ((child = 2 * root + 1) < n) {
		if (child + 1 < n && r[child + 1].gpa.v > r[child].gpa.v)
			child++;
		if (r[child].gpa.v <= top.gpa.v)
			break;
		r[root] = r[child];
		root = child;
	}
	r[root] = top;
}

static inline void vqm_regions_sort_(struct vqm_region *r, uint32_t n)
{
	uint32_t i;

	for (i = n / 2; i-- > 0;)
		vqm_regions_sift_(r, i, n);
	for (i = n; i-- > 1;) {
		struct vqm_region top = r[0];

		r[0] = r[i];
		r[i] = top;
		vqm_regions_sift_(r, 0, i);
	}
}

static inline bool vqm_regions_valid_(const struct vqm_regions *t)
{
	uint32_t i;

	for (i = 0; i < t->count; i++) {
		const struct vqm_region *r = &t->region[i];

		if (vqm_range_is_bad(r->gpa.v, r->size) || vqm_range_is_bad(r->uva.v, r->size))
			return false;
		if ((size_t)r->size != r->size) /* 32-bit host: cannot be mapped */
			return false;
		if (i > 0 && r[-1].gpa.v + (r[-1].size - 1) >= r->gpa.v)
			return false;
	}
	return true;
}

static inline struct vqm_regions *vqm_regions_alloc_(uint32_t count)
{
	struct vqm_regions *t = NULL;
	size_t room = (SIZE_MAX - sizeof(*t)) / sizeof(t->region[0]);

	if (count <= room)
		t = (struct vqm_regions *)vqm_env_alloc(sizeof(*t) + count * sizeof(t->region[0]));
	if (t) {
		t->refs = 1;
		t->count = count;
	}
	return t;
}

/* Sorts, checks and takes the references; frees the table when it is refused. */
static VQM_NOINLINE int vqm_regions_finish_(struct vqm_regions **out, struct vqm_regions *t)
{
	uint32_t i;

	vqm_regions_sort_(t->region, t->count);
	if (!vqm_regions_valid_(t)) {
		vqm_env_free(t);
		return -EINVAL;
	}
	for (i = 0; i < t->count; i++) {
		if (t->region[i].mapping)
			vqm_mapping_hold(t->region[i].mapping);
	}
	*out = t;
	return 0;
}

VQM_API int vqm_regions_build(struct vqm_regions **out, const struct vqm_region *in, uint32_t count)
{
	struct vqm_regions *t = vqm_regions_alloc_(count);
	uint32_t i;

	if (!t)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		t->region[i] = in[i];
	return vqm_regions_finish_(out, t);
}

VQM_API int vqm_regions_add(struct vqm_regions **out, const struct vqm_regions *old,
			    const struct vqm_region *add)
{
	uint32_t count = old ? old->count : 0, i;
	struct vqm_regions *t = count < UINT32_MAX ? vqm_regions_alloc_(count + 1) : NULL;

	if (!t)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		t->region[i] = old->region[i];
	t->region[count] = *add;
	return vqm_regions_finish_(out, t);
}

static inline bool vqm_region_same_(const struct vqm_region *a, const struct vqm_region *b)
{
	return a->gpa.v == b->gpa.v && a->uva.v == b->uva.v && a->size == b->size;
}

VQM_API int vqm_regions_remove(struct vqm_regions **out, const struct vqm_regions *old,
			       const struct vqm_region *gone)
{
	const struct vqm_region *hit = vqm_regions_find(old, gone->gpa);
	struct vqm_regions *t;
	uint32_t i, n = 0;

	if (!hit || !vqm_region_same_(hit, gone))
		return -ENOENT;
	t = vqm_regions_alloc_(old->count - 1);
	if (!t)
		return -ENOMEM;
	for (i = 0; i < old->count; i++) {
		if (&old->region[i] != hit)
			t->region[n++] = old->region[i];
	}
	return vqm_regions_finish_(out, t);
}

VQM_API void vqm_regions_release(struct vqm_regions *t)
{
	uint32_t i;

	if (!t || !vqm_env_ref_put(&t->refs))
		return;
	for (i = 0; i < t->count; i++) {
		if (t->region[i].mapping)
			vqm_mapping_release(t->region[i].mapping);
	}
	vqm_env_free(t);
}

VQM_API const struct vqm_region *vqm_regions_find_uva(const struct vqm_regions *t,
						      struct vqm_uva uva, uint64_t len)
{
	uint32_t i;

	for (i = 0; i < t->count; i++) {
		const struct vqm_region *r = &t->region[i];
		uint64_t off = uva.v - r->uva.v;

		if (off < r->size && len <= r->size - off)
			return r;
	}
	return NULL;
}

static inline int vqm_regions_hole_(struct vqm_gpa gpa, struct vqm_gpa *missing)
{
	if (missing)
		*missing = gpa;
	return -EFAULT;
}

VQM_API int vqm_regions_translate(const struct vqm_regions *t, struct vqm_gpa gpa, uint64_t len,
				  struct vqm_frag *frag, uint32_t max, struct vqm_gpa *missing)
{
	const struct vqm_region *end = t->region + t->count;
	const struct vqm_region *r;
	uint32_t n = 0;

	if (len == 0)
		return 0;
	for (r = vqm_regions_find(t, gpa); r && r < end; r++) {
		uint64_t off = gpa.v - r->gpa.v;
		uint64_t part = off < r->size ? r->size - off : 0;

		if (part == 0 || !r->host)
			return vqm_regions_hole_(gpa, missing);
		if (n == max)
			return -ENOBUFS;
		part = part < len ? part : len;
		frag[n].base = r->host + off;
		frag[n++].len = (size_t)part;
		len -= part;
		if (len == 0)
			return (int)n;
		gpa.v += part;
		if (gpa.v == 0) /* the range leaves the address space */
			break;
	}
	return vqm_regions_hole_(gpa, missing);
}

static inline int vqm_region_copy_from_(const struct vqm_region *r, const struct vqm_backend *b,
					void *dst, uint64_t off, size_t len)
{
	if (b)
		return b->copy_from(b, dst, vqm_uva_of(r->uva.v + off), len);
	if (!r->host)
		return -EFAULT;
	vqm_env_copy(dst, r->host + off, len);
	return 0;
}

VQM_API int vqm_regions_copy_from(const struct vqm_regions *t, const struct vqm_backend *b,
				  void *dst, struct vqm_gpa gpa, size_t len)
{
	uint8_t *to = (uint8_t *)dst;
	int err = 0;

	if (len > 0 && vqm_range_is_bad(gpa.v, len))
		return -EFAULT;
	while (len > 0 && !err) {
		const struct vqm_region *r = vqm_regions_find(t, gpa);
		uint64_t off = r ? gpa.v - r->gpa.v : 0;
		size_t part = r && r->size - off < len ? (size_t)(r->size - off) : len;

		err = r ? vqm_region_copy_from_(r, b, to, off, part) : -EFAULT;
		to += part;
		gpa.v += part;
		len -= part;
	}
	return err;
}

#endif /* VQMETA_IMPL_REGIONS_H */
