/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Another table, and invalidation: what takes mappings away from running queues. */
#ifndef VQMETA_IMPL_INVALIDATE_H
#define VQMETA_IMPL_INVALIDATE_H

#include <vqmeta/impl/map.h>

enum { VQM_ALL_AREAS_ = (1u << VQM_AREA_COUNT) - 1 };

/* One barrier for each strategy among the queues that the change affects. */
static inline void vqm_dev_barrier_(struct vqm_dev *dev)
{
	struct vqm_map *map;
	uint32_t done = 0;

	for (map = dev->maps; map; map = map->next) {
		uint32_t bit = 1u << map->guard.sync;

		if (map->hits && !(done & bit))
			vqm_guard_barrier(&map->guard);
		done |= map->hits ? bit : 0;
	}
}

/* No affected queue is in a section that sees a former view, or -EAGAIN. */
static inline int vqm_dev_drain_(struct vqm_dev *dev, enum vqm_wait wait)
{
	struct vqm_map *map;

	vqm_dev_barrier_(dev);
	for (map = dev->maps; map; map = map->next) {
		if (!map->hits)
			continue;
		if (vqm_guard_wait(&map->guard, wait == VQM_MAY_WAIT))
			return -EAGAIN;
		map->stale = 0;
	}
	return 0;
}

static inline void vqm_dev_report_(struct vqm_dev *dev)
{
	struct vqm_map *map;

	for (map = dev->maps; map; map = map->next) {
		if (map->hits)
			vqm_map_report_(map, map->addr);
	}
}

VQM_API void vqm_dev_set_regions(struct vqm_dev *dev, struct vqm_regions *new_regions)
{
	struct vqm_regions *old;
	struct vqm_map *map;
	uint32_t i;

	vqm_dev_lock_(dev);
	old = dev->regions;
	dev->regions = new_regions;
	for (map = dev->maps; map; map = map->next) {
		struct vqm_view *draft = vqm_map_draft_(map, VQM_MAY_WAIT);

		draft->regions = new_regions;
		draft->epoch++;
		for (i = 0; i < VQM_AREA_COUNT; i++)
			draft->area[i] = NULL;
		vqm_map_resolve_(map, draft);
		vqm_map_commit_(map, draft);
		map->hits = VQM_ALL_AREAS_;
	}
	vqm_dev_drain_(dev, VQM_MAY_WAIT);
	vqm_dev_report_(dev);
	vqm_dev_unlock_(dev);
	vqm_regions_release(old);
}

/* Notes which areas of which queues a range takes away. */
static inline void vqm_dev_aim_(struct vqm_dev *dev, uint64_t first, uint64_t last)
{
	struct vqm_map *map;
	uint32_t i;

	for (map = dev->maps; map; map = map->next) {
		map->hits = 0;
		for (i = 0; i < VQM_AREA_COUNT; i++) {
			if (vqm_map_current_(map)->area[i] &&
			    vqm_area_touches_(&map->addr[i], first, last))
				map->hits |= 1u << i;
		}
	}
}

/* Is a section of an affected queue running: then refuse before any worker could notice. */
static inline int vqm_dev_peek_(struct vqm_dev *dev)
{
	struct vqm_map *map;

	for (map = dev->maps; map; map = map->next) {
		if (map->hits && vqm_guard_wait(&map->guard, false))
			return -EAGAIN;
	}
	return 0;
}

/* Takes areas out of the view of one queue. */
static inline int vqm_map_hide_(struct vqm_map *map, enum vqm_wait wait)
{
	struct vqm_view *draft = vqm_map_draft_(map, wait);
	uint32_t i;

	if (!draft)
		return -EAGAIN;
	for (i = 0; i < VQM_AREA_COUNT; i++) {
		if (map->hits & (1u << i))
			draft->area[i] = NULL;
	}
	vqm_map_commit_(map, draft);
	return 0;
}

/* Undoes vqm_map_hide_() for the queues before @stop: the former view is still there. */
static inline void vqm_dev_unhide_(struct vqm_dev *dev, const struct vqm_map *stop)
{
	struct vqm_map *map;

	for (map = dev->maps; map != stop; map = map->next) {
		if (map->hits)
			vqm_map_swap_(map, map->former);
	}
}

/* Takes areas out of the views of all affected queues and waits, or leaves all as it was. */
static inline int vqm_dev_hide_(struct vqm_dev *dev, enum vqm_wait wait)
{
	struct vqm_map *map;
	int err = 0;

	for (map = dev->maps; map; map = map->next) {
		err = map->hits ? vqm_map_hide_(map, wait) : 0;
		if (err)
			break;
	}
	if (!err)
		err = vqm_dev_drain_(dev, wait);
	if (err)
		vqm_dev_unhide_(dev, map);
	return err;
}

static inline void vqm_dev_claim_(struct vqm_dev *dev, uint64_t first, uint64_t last)
{
	struct vqm_range r = {first, last};

	if (dev->ranges < VQM_DEV_RANGES) {
		dev->range[dev->ranges++] = r;
		return;
	}
	if (dev->joined == 0 || first < dev->span.first)
		dev->span.first = first;
	if (dev->joined == 0 || last > dev->span.last)
		dev->span.last = last;
	dev->joined++;
}

static inline int vqm_dev_unclaim_(struct vqm_dev *dev, uint64_t first, uint64_t last)
{
	uint32_t i;

	for (i = 0; i < dev->ranges; i++) {
		if (dev->range[i].first == first && dev->range[i].last == last) {
			dev->range[i] = dev->range[--dev->ranges];
			return 0;
		}
	}
	if (dev->joined == 0 || first < dev->span.first || last > dev->span.last)
		return -EINVAL;
	dev->joined--;
	return 0;
}

/* Takes away what a range touches. On success the lock is held, and no section uses it. */
static inline int vqm_dev_take_away_(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
				     enum vqm_wait wait)
{
	int err;

	if (vqm_range_is_bad(uva.v, len))
		return -EINVAL;
	if (wait == VQM_MAY_WAIT)
		vqm_dev_lock_(dev);
	else if (!vqm_dev_try_lock_(dev))
		return -EAGAIN;
	vqm_dev_aim_(dev, uva.v, uva.v + (len - 1));
	err = wait == VQM_NO_WAIT ? vqm_dev_peek_(dev) : 0;
	if (!err)
		err = vqm_dev_hide_(dev, wait);
	if (!err)
		vqm_dev_report_(dev);
	else
		vqm_dev_unlock_(dev);
	return err;
}

VQM_API int vqm_invalidate_begin(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
				 enum vqm_wait wait)
{
	int err = vqm_dev_take_away_(dev, uva, len, wait);

	if (!err) {
		vqm_dev_claim_(dev, uva.v, uva.v + (len - 1));
		vqm_dev_unlock_(dev);
	}
	return err;
}

VQM_API int vqm_invalidate_end(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len)
{
	int err;

	if (vqm_range_is_bad(uva.v, len))
		return -EINVAL;
	vqm_dev_lock_(dev);
	err = vqm_dev_unclaim_(dev, uva.v, uva.v + (len - 1));
	vqm_dev_unlock_(dev);
	return err;
}

VQM_API int vqm_invalidate(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
			   enum vqm_wait wait)
{
	int err = vqm_dev_take_away_(dev, uva, len, wait);

	if (!err)
		vqm_dev_unlock_(dev);
	return err;
}

#endif /* VQMETA_IMPL_INVALIDATE_H */
