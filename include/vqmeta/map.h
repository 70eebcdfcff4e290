/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which areas of a queue are mapped.
 *
 * A section of a worker sees one view: the three ring areas and the table of regions, loaded as
 * one pointer. Publishing, changing or invalidating anything makes another view, swaps the pointer
 * and waits until no section uses the old one. So ring mappings and guest memory have the same
 * protection, and an area that went away is simply absent from the next view.
 * Who takes them away: dev.h, which also says how the functions below exclude each other.
 */
#ifndef VQMETA_MAP_H
#define VQMETA_MAP_H

#include <vqmeta/dev.h>
#include <vqmeta/sync.h>

/* What a section sees. Never changes while a section may use it. */
struct vqm_view {
	void *area[VQM_AREA_COUNT];  /* NULL: not mapped */
	struct vqm_regions *regions; /* never NULL */
	unsigned long epoch;	     /* changes with @regions */
	bool direct;		     /* all areas are mapped */
};

struct vqm_area_addr {
	struct vqm_uva uva;
	uint64_t size; /* 0: no address set */
};

/* The view in force, one that sections may still use, one to write the next into. */
enum { VQM_VIEWS = 3 };

/**
 * struct vqm_map - the mappings of one queue; members are private
 *
 * The first line is the reader's, the rest belongs to whoever holds the lock of the device.
 */
struct vqm_map {
	struct vqm_guard guard;
	void *live; /* the struct vqm_view in force */
	struct vqm_dev *dev;
	struct vqm_map *next;				   /* of the device */
	struct vqm_view view[VQM_VIEWS] VQM_CACHE_ALIGNED; /* off the line of the reader */
	uint32_t current;				   /* index of the view in force */
	uint32_t former;				   /* what was in force before it */
	uint32_t stale; /* views out of force that sections may still use, as bits */
	uint32_t hits;	/* areas that the change being made takes away, as bits */
	struct vqm_area_addr addr[VQM_AREA_COUNT];
} VQM_CACHE_ALIGNED;

VQM_INLINE struct vqm_view *vqm_map_current_(struct vqm_map *map)
{
	return &map->view[map->current];
}

VQM_API int vqm_map_init_(struct vqm_map *map, struct vqm_dev *dev, enum vqm_sync sync);

/**
 * vqm_map_init() - add a queue without mappings to a device
 *
 * Inline, since the build of the worker must run the strategy too, not only that of the library.
 *
 * Return: 0; -EINVAL for a strategy that is unknown or not the one of this build; -EOPNOTSUPP for
 * one that cannot run here, see vqm_sync_supported(); -EBUSY when @map is of @dev already.
 */
VQM_INLINE int vqm_map_init(struct vqm_map *map, struct vqm_dev *dev, enum vqm_sync sync)
{
	struct vqm_guard probe;
	int err = vqm_guard_init(&probe, sync);

	return err ? err : vqm_map_init_(map, dev, sync);
}

/**
 * vqm_map_fini() - take the mappings away and leave the device
 *
 * Return: 0; -EINVAL when it has left already.
 */
VQM_API int vqm_map_fini(struct vqm_map *map);

/**
 * vqm_map_set_addr() - where the areas are; takes all mappings away
 * @map:  the queue
 * @addr: one address and size per area, indexed by enum vqm_area; NULL forgets the addresses
 *
 * Waits for running sections. Sizes and addresses are the caller's to check (queue.h does).
 */
VQM_API void vqm_map_set_addr(struct vqm_map *map, const struct vqm_area_addr *addr);

/**
 * vqm_map_publish() - make one area reachable at a host address
 * @map:  the queue
 * @area: which one
 * @host: its first byte, stable until invalidated
 *
 * For memory that no table describes (pinned pages, a test). Usually vqm_map_prefetch() does it.
 *
 * Return: 0; -EINVAL for no such area, no address set, NULL or a misaligned @host; -EBUSY when it
 * is mapped; -EAGAIN while an invalidation of it is active.
 */
VQM_API int vqm_map_publish(struct vqm_map *map, enum vqm_area area, void *host);

/**
 * vqm_map_areas() - which areas are mapped at this moment
 *
 * Return: a bit 1 << area for each enum vqm_area.
 */
VQM_API uint32_t vqm_map_areas(struct vqm_map *map);

/**
 * vqm_map_prefetch() - map every area that is not mapped, through the table of the device
 *
 * Context: the worker outside a section, or a control thread.
 *
 * Return: 0 when all are mapped; -EFAULT when one is not within one region mapped here, -EAGAIN
 * while one is being invalidated; the others are mapped all the same.
 */
VQM_API int vqm_map_prefetch(struct vqm_map *map);

#ifdef VQM_HEADER_ONLY
#include <vqmeta/impl/invalidate.h>
#endif

#endif /* VQMETA_MAP_H */
