/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Another table, and invalidation: what takes mappings away from running queues. */
#ifndef VQMETA_IMPL_INVALIDATE_H
#define VQMETA_IMPL_INVALIDATE_H

#include <vqmeta/impl/map.h>

/* No queue of the device is in a section that sees a former view. */
static inline void vqm_dev_drain_(struct vqm_dev *dev)
{
	struct vqm_map *map;

	for (map = dev->maps; map; map = map->next)
		vqm_map_drain_(map, VQM_MAY_WAIT);
}

VQM_API void vqm_dev_set_regions(struct vqm_dev *dev, struct vqm_regions *new_regions)
{
	struct vqm_regions *old;
	struct vqm_map *map;
	uint32_t i;

	vqm_env_lock(&dev->lock);
	old = dev->regions;
	dev->regions = new_regions;
	vqm_dev_drain_(dev);
	for (map = dev->maps; map; map = map->next) {
		struct vqm_view *draft = vqm_map_draft_(map);

		draft->regions = new_regions;
		draft->epoch++;
		for (i = 0; i < VQM_AREA_COUNT; i++)
			draft->area[i] = NULL;
		vqm_map_resolve_(map, draft);
		vqm_map_commit_(map);
	}
	vqm_dev_drain_(dev);
	vqm_env_unlock(&dev->lock);
	vqm_regions_release(old);
}

static inline uint32_t vqm_map_hits_(struct vqm_map *map, uint64_t first, uint64_t last)
{
	uint32_t i, hits = 0;

	for (i = 0; i < VQM_AREA_COUNT; i++) {
		if (vqm_map_current_(map)->area[i] && vqm_area_touches_(&map->addr[i], first, last))
			hits |= 1u << i;
	}
	return hits;
}

/* Takes areas out of the view of one queue and waits for its section, or leaves all as it was. */
static inline int vqm_map_hide_(struct vqm_map *map, uint32_t areas, enum vqm_wait wait)
{
	struct vqm_view *draft;
	uint32_t i;
	int err = vqm_map_drain_(map, wait);

	if (err)
		return err;
	draft = vqm_map_draft_(map);
	for (i = 0; i < VQM_AREA_COUNT; i++) {
		if (areas & (1u << i))
			draft->area[i] = NULL;
	}
	vqm_map_commit_(map);
	err = vqm_map_drain_(map, wait);
	if (err)
		vqm_map_swap_(map);
	return err;
}

/* Undoes vqm_map_hide_() for the queues before @stop: the former view is still there. */
static inline void vqm_dev_unhide_(struct vqm_dev *dev, const struct vqm_map *stop)
{
	struct vqm_map *map;

	for (map = dev->maps; map != stop; map = map->next) {
		if (map->hidden)
			vqm_map_swap_(map);
	}
}

/* Is a section of an affected queue running: then refuse before any worker could notice. */
static inline int vqm_dev_peek_(struct vqm_dev *dev, uint64_t first, uint64_t last)
{
	struct vqm_map *map;

	for (map = dev->maps; map; map = map->next) {
		if (vqm_map_hits_(map, first, last) && vqm_guard_wait(&map->guard, false))
			return -EAGAIN;
	}
	return 0;
}

static inline int vqm_dev_hide_(struct vqm_dev *dev, uint64_t first, uint64_t last,
				enum vqm_wait wait)
{
	struct vqm_map *map;

	for (map = dev->maps; map; map = map->next) {
		uint32_t hits = vqm_map_hits_(map, first, last);
		int err = hits ? vqm_map_hide_(map, hits, wait) : 0;

		if (err) {
			vqm_dev_unhide_(dev, map);
			return err;
		}
		map->hidden = hits != 0;
	}
	return 0;
}

static inline void vqm_dev_enclose_(struct vqm_dev *dev, uint64_t first, uint64_t last)
{
	if (dev->active == 0 || first < dev->first)
		dev->first = first;
	if (dev->active == 0 || last > dev->last)
		dev->last = last;
	dev->active++;
}

VQM_API int vqm_invalidate_begin(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
				 enum vqm_wait wait)
{
	uint64_t last = uva.v + (len - 1);
	int err;

	if (vqm_range_is_bad(uva.v, len))
		return -EINVAL;
	if (wait == VQM_MAY_WAIT)
		vqm_env_lock(&dev->lock);
	else if (!vqm_env_trylock(&dev->lock))
		return -EAGAIN;
	err = wait == VQM_NO_WAIT ? vqm_dev_peek_(dev, uva.v, last) : 0;
	if (!err)
		err = vqm_dev_hide_(dev, uva.v, last, wait);
	if (!err)
		vqm_dev_enclose_(dev, uva.v, last);
	vqm_env_unlock(&dev->lock);
	return err;
}

VQM_API int vqm_invalidate_end(struct vqm_dev *dev)
{
	int err = -EINVAL;

	vqm_env_lock(&dev->lock);
	if (dev->active > 0) {
		dev->active--;
		err = 0;
	}
	vqm_env_unlock(&dev->lock);
	return err;
}

VQM_API int vqm_invalidate(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
			   enum vqm_wait wait)
{
	int err = vqm_invalidate_begin(dev, uva, len, wait);

	return err ? err : vqm_invalidate_end(dev);
}

#endif /* VQMETA_IMPL_INVALIDATE_H */
