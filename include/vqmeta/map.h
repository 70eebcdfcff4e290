/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which areas of which queues are mapped, and taking a mapping away while queues run.
 *
 * A section of a worker sees one view: the three ring areas and the table of regions, loaded as
 * one pointer. Publishing, changing or invalidating anything makes another view, swaps the pointer
 * and waits until no section uses the old one. So ring mappings and guest memory have the same
 * protection, and an area that went away is simply absent from the next view.
 *
 * One device groups the queues that share guest memory. Its functions serialize by a lock of the
 * device; none of them may be called inside a section (between begin and end) by the worker.
 */
#ifndef VQMETA_MAP_H
#define VQMETA_MAP_H

#include <vqmeta/regions.h>
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

struct vqm_dev;

/**
 * struct vqm_map - the mappings of one queue; members are private
 *
 * The first line is the reader's, the rest belongs to whoever holds the lock of the device.
 */
struct vqm_map {
	struct vqm_guard guard;
	void *live; /* the struct vqm_view in force */
	struct vqm_dev *dev;
	struct vqm_map *next;			   /* of the device */
	struct vqm_view view[2] VQM_CACHE_ALIGNED; /* off the line of the reader */
	uint32_t current;			   /* index of the view in force */
	bool undrained;				   /* sections may use the other view */
	bool hidden;				   /* by the invalidation that is being made */
	struct vqm_area_addr addr[VQM_AREA_COUNT];
} VQM_CACHE_ALIGNED;

VQM_INLINE struct vqm_view *vqm_map_current_(struct vqm_map *map)
{
	return &map->view[map->current];
}

/**
 * struct vqm_dev - queues that share guest memory; members are private
 *
 * @active counts invalidations between begin and end; @first..@last encloses their ranges.
 */
struct vqm_dev {
	struct vqm_env_lock lock;
	struct vqm_regions *regions;
	struct vqm_map *maps;
	uint32_t active;
	uint64_t first, last;
};

enum vqm_wait {
	VQM_MAY_WAIT, /* wait for running sections */
	VQM_NO_WAIT,  /* -EAGAIN and no change when one would have to be waited for */
};

/**
 * vqm_dev_init() - a device without queues and without guest memory
 * @dev: storage of the caller
 *
 * Return: 0, -ENOMEM.
 */
VQM_API int vqm_dev_init(struct vqm_dev *dev);

/**
 * vqm_dev_fini() - release the table; every queue must be gone
 */
VQM_API void vqm_dev_fini(struct vqm_dev *dev);

/**
 * vqm_dev_regions() - the table in force
 *
 * Return: the table with a reference of the caller's own, see vqm_regions_release().
 */
VQM_API struct vqm_regions *vqm_dev_regions(struct vqm_dev *dev);

/**
 * vqm_dev_set_regions() - put another table in force
 * @dev: the device
 * @new_regions: the table; its reference passes to the device
 *
 * Ring areas are looked up in the new table: mapped where it has them, taken away where it has
 * not, also those that vqm_map_publish() mapped. On return no section uses the old table. Bursts
 * on the copy way and holders (vqm_queue_hold()) may: unmap in the free function of a mapping.
 *
 * Context: see above; waits for running sections.
 */
VQM_API void vqm_dev_set_regions(struct vqm_dev *dev, struct vqm_regions *new_regions);

/**
 * vqm_invalidate_begin() - memory is about to go away: make every area that touches it unreachable
 * @dev:  the device
 * @uva:  first byte of the range
 * @len:  bytes; the range must not be empty or wrap
 * @wait: whether running sections may be waited for
 *
 * After success no section holds a pointer into an area that shares a byte with the range, and
 * none is published until vqm_invalidate_end(). Areas elsewhere are not affected and not waited
 * for. Invalidations may overlap each other; while several are active, the span from the first to
 * the last byte of all of them counts as being invalidated for mapping anew (a caller like an MMU
 * notifier has no storage for a range of its own), so an area in between waits for them too.
 *
 * Return: 0; -EINVAL for an empty or wrapping range; -EAGAIN with VQM_NO_WAIT when a running
 * section of an affected queue, or the lock, would have to be waited for: nothing has changed,
 * though a worker that began at that very moment may have seen the area missing once.
 */
VQM_API int vqm_invalidate_begin(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
				 enum vqm_wait wait);

/**
 * vqm_invalidate_end() - areas may be mapped again
 *
 * Return: 0; -EINVAL when no invalidation is active (harmless).
 */
VQM_API int vqm_invalidate_end(struct vqm_dev *dev);

/**
 * vqm_invalidate() - begin and end in one: mappings of ring areas in the range are forgotten
 *
 * For ring memory that was replaced in place; the next vqm_map_prefetch() looks it up anew. Memory
 * that goes away must leave the table first, see vqm_dev_set_regions(): buffers are not affected
 * by an invalidation, and a prefetch finds again what the table still says.
 */
VQM_API int vqm_invalidate(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
			   enum vqm_wait wait);

VQM_API int vqm_map_init_(struct vqm_map *map, struct vqm_dev *dev, enum vqm_sync sync);

/**
 * vqm_map_init() - add a queue without mappings to a device
 *
 * Inline, since the build of the worker must run the strategy too, not only that of the library.
 *
 * Return: 0; -EINVAL for a strategy that is unknown or not the one of this build.
 */
VQM_INLINE int vqm_map_init(struct vqm_map *map, struct vqm_dev *dev, enum vqm_sync sync)
{
	struct vqm_guard probe;
	int err = vqm_guard_init(&probe, sync);

	return err ? err : vqm_map_init_(map, dev, sync);
}

/**
 * vqm_map_fini() - take the mappings away and leave the device
 */
VQM_API void vqm_map_fini(struct vqm_map *map);

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
