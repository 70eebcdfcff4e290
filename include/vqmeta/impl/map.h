/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_MAP_H
#define VQMETA_IMPL_MAP_H

#include <vqmeta/map.h>

/* No section uses the view that is not in force. Returns -EAGAIN only if it may not wait. */
static inline int vqm_map_drain_(struct vqm_map *map, enum vqm_wait wait)
{
	int err = 0;

	if (map->undrained) {
		vqm_guard_barrier(&map->guard);
		err = vqm_guard_wait(&map->guard, wait == VQM_MAY_WAIT);
		map->undrained = err != 0;
	}
	return err;
}

/* The view not in force as a copy of the one in force; vqm_map_drain_() came first. */
static inline struct vqm_view *vqm_map_draft_(struct vqm_map *map)
{
	struct vqm_view *draft = &map->view[!map->current];

	*draft = *vqm_map_current_(map);
	return draft;
}

/* Puts the other view in force. The former one stays in use until the next drain. */
static inline void vqm_map_swap_(struct vqm_map *map)
{
	map->current = !map->current;
	map->undrained = true;
	/* [M1] release; the view is complete before it is reachable; pairs with [M2]. */
	vqm_env_store_ptr_release(&map->live, vqm_map_current_(map));
}

static inline void vqm_map_commit_(struct vqm_map *map)
{
	struct vqm_view *draft = &map->view[!map->current];

	draft->direct = draft->area[VQM_AREA_DESC] && draft->area[VQM_AREA_AVAIL] &&
			draft->area[VQM_AREA_USED];
	vqm_map_swap_(map);
}

static inline bool vqm_area_touches_(const struct vqm_area_addr *a, uint64_t first, uint64_t last)
{
	return a->size > 0 && a->uva.v <= last && a->uva.v + (a->size - 1) >= first;
}

static inline bool vqm_area_invalid_(const struct vqm_map *map, uint32_t area)
{
	const struct vqm_dev *dev = map->dev;

	return dev->active > 0 && vqm_area_touches_(&map->addr[area], dev->first, dev->last);
}

/* Where a table has an area: one region must hold all of it, and its host address be aligned. */
static inline void *vqm_area_host_(const struct vqm_regions *t, const struct vqm_area_addr *a,
				   uint32_t area)
{
	const struct vqm_region *r = a->size ? vqm_regions_find_uva(t, a->uva, a->size) : NULL;
	uint8_t *host = r && r->host ? r->host + (a->uva.v - r->uva.v) : NULL;

	return (uintptr_t)host & (vqm_area_align(area) - 1) ? NULL : host;
}

/* Fills in the missing areas of a draft. */
static inline int vqm_map_resolve_(struct vqm_map *map, struct vqm_view *draft)
{
	int err = 0;
	uint32_t i;

	for (i = 0; i < VQM_AREA_COUNT; i++) {
		if (draft->area[i])
			continue;
		if (vqm_area_invalid_(map, i)) {
			err = -EAGAIN;
			continue;
		}
		draft->area[i] = vqm_area_host_(draft->regions, &map->addr[i], i);
		if (!draft->area[i] && !err)
			err = -EFAULT;
	}
	return err;
}

VQM_API int vqm_dev_init(struct vqm_dev *dev)
{
	struct vqm_regions *empty;
	int err = vqm_regions_build(&empty, NULL, 0);

	if (err)
		return err;
	vqm_env_zero(dev, sizeof(*dev));
	dev->regions = empty;
	vqm_env_lock_init(&dev->lock);
	return 0;
}

VQM_API void vqm_dev_fini(struct vqm_dev *dev)
{
	vqm_regions_release(dev->regions);
	dev->regions = NULL;
	vqm_env_lock_fini(&dev->lock);
}

VQM_API struct vqm_regions *vqm_dev_regions(struct vqm_dev *dev)
{
	struct vqm_regions *t;

	vqm_env_lock(&dev->lock);
	t = dev->regions;
	vqm_regions_hold(t);
	vqm_env_unlock(&dev->lock);
	return t;
}

VQM_API int vqm_map_init_(struct vqm_map *map, struct vqm_dev *dev, enum vqm_sync sync)
{
	struct vqm_guard guard;
	int err = vqm_guard_init(&guard, sync);

	if (err)
		return err;
	vqm_env_lock(&dev->lock);
	vqm_env_zero(map, sizeof(*map));
	map->guard = guard;
	map->dev = dev;
	map->view[0].regions = dev->regions;
	map->view[0].epoch = 1;
	map->live = &map->view[0];
	map->next = dev->maps;
	dev->maps = map;
	vqm_env_unlock(&dev->lock);
	return 0;
}

VQM_API void vqm_map_fini(struct vqm_map *map)
{
	struct vqm_map **link;

	vqm_map_set_addr(map, NULL);
	vqm_env_lock(&map->dev->lock);
	for (link = &map->dev->maps; *link; link = &(*link)->next) {
		if (*link == map) {
			*link = map->next;
			break;
		}
	}
	vqm_env_unlock(&map->dev->lock);
}

VQM_API void vqm_map_set_addr(struct vqm_map *map, const struct vqm_area_addr *addr)
{
	struct vqm_area_addr none = {{0}, 0};
	struct vqm_view *draft;
	uint32_t i;

	vqm_env_lock(&map->dev->lock);
	vqm_map_drain_(map, VQM_MAY_WAIT);
	draft = vqm_map_draft_(map);
	for (i = 0; i < VQM_AREA_COUNT; i++) {
		draft->area[i] = NULL;
		map->addr[i] = addr ? addr[i] : none;
	}
	vqm_map_commit_(map);
	vqm_map_drain_(map, VQM_MAY_WAIT);
	vqm_env_unlock(&map->dev->lock);
}

VQM_API int vqm_map_publish(struct vqm_map *map, enum vqm_area area, void *host)
{
	int err = 0;

	if ((uint32_t)area >= VQM_AREA_COUNT || !host)
		return -EINVAL;
	vqm_env_lock(&map->dev->lock);
	if (map->addr[area].size == 0 || (uintptr_t)host & (vqm_area_align(area) - 1))
		err = -EINVAL;
	else if (vqm_map_current_(map)->area[area])
		err = -EBUSY;
	else if (vqm_area_invalid_(map, area))
		err = -EAGAIN;
	if (!err) {
		vqm_map_drain_(map, VQM_MAY_WAIT);
		vqm_map_draft_(map)->area[area] = host;
		vqm_map_commit_(map);
	}
	vqm_env_unlock(&map->dev->lock);
	return err;
}

VQM_API int vqm_map_prefetch(struct vqm_map *map)
{
	int err = 0;

	vqm_env_lock(&map->dev->lock);
	if (!vqm_map_current_(map)->direct) {
		vqm_map_drain_(map, VQM_MAY_WAIT);
		err = vqm_map_resolve_(map, vqm_map_draft_(map));
		vqm_map_commit_(map);
	}
	vqm_env_unlock(&map->dev->lock);
	return err;
}

#endif /* VQMETA_IMPL_MAP_H */
