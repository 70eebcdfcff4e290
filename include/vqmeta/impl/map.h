/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_MAP_H
#define VQMETA_IMPL_MAP_H

#include <vqmeta/impl/dev.h>

/* No section uses a view that is not in force. Returns -EAGAIN only if it may not wait. */
static inline int vqm_map_drain_(struct vqm_map *map, enum vqm_wait wait)
{
	int err = 0;

	if (map->stale) {
		vqm_guard_barrier(&map->guard);
		err = vqm_guard_wait(&map->guard, wait == VQM_MAY_WAIT);
		if (!err)
			map->stale = 0;
	}
	return err;
}

/* A view that no section uses, neither in force nor stale; NULL when there is none. */
static inline struct vqm_view *vqm_map_spare_(struct vqm_map *map)
{
	uint32_t i, taken = map->stale | 1u << map->current;

	for (i = 0; i < VQM_VIEWS; i++) {
		if (!(taken & 1u << i))
			return &map->view[i];
	}
	return NULL;
}

/* A copy of the view in force, to change and to put in force. NULL only if it may not wait. */
static inline struct vqm_view *vqm_map_draft_(struct vqm_map *map, enum vqm_wait wait)
{
	struct vqm_view *draft = vqm_map_spare_(map);

	if (!draft && vqm_map_drain_(map, wait) == 0)
		draft = vqm_map_spare_(map);
	if (draft)
		*draft = *vqm_map_current_(map);
	return draft;
}

/* Puts another view in force. The former one stays in use until the next drain. */
static inline void vqm_map_swap_(struct vqm_map *map, uint32_t to)
{
	map->stale |= 1u << map->current;
	map->stale &= ~(1u << to);
	map->former = map->current;
	map->current = to;
	/* [M1] release; the view is complete before it is reachable; pairs with [M2]. */
	vqm_env_store_ptr_release(&map->live, vqm_map_current_(map));
}

static inline void vqm_map_commit_(struct vqm_map *map, struct vqm_view *draft)
{
	draft->direct = draft->area[VQM_AREA_DESC] && draft->area[VQM_AREA_AVAIL] &&
			draft->area[VQM_AREA_USED];
	vqm_map_swap_(map, (uint32_t)(draft - map->view));
}

/* After the drain: tells the owner of the memory what the last change took away. */
static inline void vqm_map_report_(struct vqm_map *map, const struct vqm_area_addr *addr)
{
	const struct vqm_view *was = &map->view[map->former], *is = vqm_map_current_(map);
	struct vqm_dev *dev = map->dev;
	uint32_t i;

	for (i = 0; i < VQM_AREA_COUNT && dev->unmapped; i++) {
		if (was->area[i] && was->area[i] != is->area[i])
			dev->unmapped(dev->unmapped_arg, map, (enum vqm_area)i, was->area[i],
				      addr[i].size);
	}
}

/* What a view has, a bit for each area. */
static inline uint32_t vqm_view_areas_(const struct vqm_view *view)
{
	uint32_t i, areas = 0;

	for (i = 0; i < VQM_AREA_COUNT; i++)
		areas |= (uint32_t)(view->area[i] != NULL) << i;
	return areas;
}

static inline bool vqm_area_touches_(const struct vqm_area_addr *a, uint64_t first, uint64_t last)
{
	return a->size > 0 && a->uva.v <= last && a->uva.v + (a->size - 1) >= first;
}

static inline bool vqm_area_invalid_(const struct vqm_map *map, uint32_t area)
{
	const struct vqm_area_addr *a = &map->addr[area];
	const struct vqm_dev *dev = map->dev;
	uint32_t i;

	for (i = 0; i < dev->ranges; i++) {
		if (vqm_area_touches_(a, dev->range[i].first, dev->range[i].last))
			return true;
	}
	return dev->joined > 0 && vqm_area_touches_(a, dev->span.first, dev->span.last);
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

/* Where the list of the device refers to a map, or the end of the list. */
static inline struct vqm_map **vqm_dev_link_(struct vqm_dev *dev, const struct vqm_map *map)
{
	struct vqm_map **link = &dev->maps;

	while (*link && *link != map)
		link = &(*link)->next;
	return link;
}

VQM_API int vqm_map_init_(struct vqm_map *map, struct vqm_dev *dev, enum vqm_sync sync)
{
	struct vqm_guard guard;
	int err = vqm_guard_init(&guard, sync);

	if (err)
		return err;
	vqm_dev_lock_(dev);
	if (*vqm_dev_link_(dev, map)) {
		err = -EBUSY;
	} else {
		vqm_env_zero(map, sizeof(*map));
		map->guard = guard;
		map->dev = dev;
		map->view[0].regions = dev->regions;
		map->view[0].epoch = 1;
		map->live = &map->view[0];
		map->next = dev->maps;
		dev->maps = map;
	}
	vqm_dev_unlock_(dev);
	return err;
}

VQM_API int vqm_map_fini(struct vqm_map *map)
{
	struct vqm_dev *dev = map->dev;

	if (!dev)
		return -EINVAL;
	vqm_map_set_addr(map, NULL);
	vqm_dev_lock_(dev);
	*vqm_dev_link_(dev, map) = map->next;
	map->dev = NULL;
	vqm_dev_unlock_(dev);
	return 0;
}

VQM_API void vqm_map_set_addr(struct vqm_map *map, const struct vqm_area_addr *addr)
{
	struct vqm_area_addr was[VQM_AREA_COUNT], none = {{0}, 0};
	struct vqm_view *draft;
	uint32_t i;

	vqm_dev_lock_(map->dev);
	draft = vqm_map_draft_(map, VQM_MAY_WAIT);
	for (i = 0; i < VQM_AREA_COUNT; i++) {
		draft->area[i] = NULL;
		was[i] = map->addr[i];
		map->addr[i] = addr ? addr[i] : none;
	}
	vqm_map_commit_(map, draft);
	vqm_map_drain_(map, VQM_MAY_WAIT);
	vqm_map_report_(map, was);
	vqm_dev_unlock_(map->dev);
}

VQM_API int vqm_map_publish(struct vqm_map *map, enum vqm_area area, void *host)
{
	struct vqm_view *draft;
	int err = 0;

	if ((uint32_t)area >= VQM_AREA_COUNT || !host)
		return -EINVAL;
	vqm_dev_lock_(map->dev);
	if (map->addr[area].size == 0 || (uintptr_t)host & (vqm_area_align(area) - 1))
		err = -EINVAL;
	else if (vqm_map_current_(map)->area[area])
		err = -EBUSY;
	else if (vqm_area_invalid_(map, area))
		err = -EAGAIN;
	if (!err) {
		/* First, so that the next invalidation has a spare view and needs one barrier. */
		vqm_map_drain_(map, VQM_MAY_WAIT);
		draft = vqm_map_draft_(map, VQM_MAY_WAIT);
		draft->area[area] = host;
		vqm_map_commit_(map, draft);
	}
	vqm_dev_unlock_(map->dev);
	return err;
}

VQM_API uint32_t vqm_map_areas(struct vqm_map *map)
{
	uint32_t areas;

	vqm_dev_lock_(map->dev);
	areas = vqm_view_areas_(vqm_map_current_(map));
	vqm_dev_unlock_(map->dev);
	return areas;
}

VQM_API int vqm_map_prefetch(struct vqm_map *map)
{
	struct vqm_view *draft, next;
	int err = 0;

	vqm_dev_lock_(map->dev);
	if (!vqm_map_current_(map)->direct) {
		next = *vqm_map_current_(map);
		err = vqm_map_resolve_(map, &next);
		if (vqm_view_areas_(&next) != vqm_view_areas_(vqm_map_current_(map))) {
			vqm_map_drain_(map, VQM_MAY_WAIT); /* as in vqm_map_publish() */
			draft = vqm_map_draft_(map, VQM_MAY_WAIT);
			*draft = next;
			vqm_map_commit_(map, draft);
		}
	}
	vqm_dev_unlock_(map->dev);
	return err;
}

#endif /* VQMETA_IMPL_MAP_H */
