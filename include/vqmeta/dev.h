/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A device: the queues that share guest memory, and taking that memory away while they run.
 *
 * Its functions, and those of map.h, serialize by a lock of the device that one of them may hold
 * while it waits for a section. So none of them may be called inside a section (between begin and
 * end) by the worker, except an invalidation that does not wait. A thread of "rcu_qsbr" may be
 * online: they go offline while they block.
 */
#ifndef VQMETA_DEV_H
#define VQMETA_DEV_H

#include <vqmeta/regions.h>

struct vqm_map;

/**
 * vqm_unmapped_fn - an area is not used any more: mark its pages dirty, unpin them
 * @arg:  as given to vqm_dev_set_unmapped()
 * @map:  the queue
 * @area: which area; the device writes to VQM_AREA_USED only
 * @host: where it was mapped
 * @size: its bytes
 *
 * Called once for each mapping that goes away, whatever takes it away (invalidation, new addresses,
 * another table, fini): after the last section that could use it, before the function that takes
 * it away returns, and before the table that held it is released.
 *
 * Context: the lock of the device is held: must not call functions of the device or its queues.
 */
typedef void vqm_unmapped_fn(void *arg, struct vqm_map *map, enum vqm_area area, void *host,
			     uint64_t size);

struct vqm_range {
	uint64_t first, last;
};

/* Invalidations that are told apart while they are active; more are joined to one span. */
enum { VQM_DEV_RANGES = 8 };

/**
 * struct vqm_dev - queues that share guest memory; members are private
 */
struct vqm_dev {
	struct vqm_env_lock lock;
	void *owner; /* debug builds: the thread that holds the lock */
	bool online; /* the holder went offline for it, see impl/lock.h */
	struct vqm_regions *regions;
	struct vqm_map *maps;
	vqm_unmapped_fn *unmapped;
	void *unmapped_arg;
	struct vqm_range range[VQM_DEV_RANGES]; /* being invalidated */
	uint32_t ranges;
	uint32_t joined; /* how many more, all within @span */
	struct vqm_range span;
};

enum vqm_wait {
	VQM_MAY_WAIT, /* wait for running sections */
	VQM_NO_WAIT,  /* -EAGAIN and no change when one would have to be waited for */
};

/**
 * vqm_dev_init() - a device without queues and without guest memory
 * @dev: storage of the caller, zeroed
 *
 * Return: 0; -EBUSY when it is initialised already; -ENOMEM.
 */
VQM_API int vqm_dev_init(struct vqm_dev *dev);

/**
 * vqm_dev_fini() - release the table
 *
 * Return: 0; -EBUSY, with nothing changed, while there are queues; -EINVAL when it is not
 * initialised.
 */
VQM_API int vqm_dev_fini(struct vqm_dev *dev);

/**
 * vqm_dev_set_unmapped() - have a function called for mappings that go away; NULL for none
 */
VQM_API void vqm_dev_set_unmapped(struct vqm_dev *dev, vqm_unmapped_fn *fn, void *arg);

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
 * for. One barrier serves all queues of a strategy. Invalidations may overlap each other, and
 * each counts until its own end. Beyond VQM_DEV_RANGES at a time, the span that encloses the
 * surplus counts as being invalidated until all of the surplus have ended.
 *
 * Return: 0; -EINVAL for an empty or wrapping range; -EAGAIN with VQM_NO_WAIT when a running
 * section of an affected queue, or the lock, would have to be waited for: nothing has changed,
 * though a worker that began at that very moment may have seen the area missing once. A queue
 * with an RCU strategy always has to be waited for.
 *
 * With VQM_NO_WAIT in a loop the caller limits how long it waits for a slow section.
 */
VQM_API int vqm_invalidate_begin(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
				 enum vqm_wait wait);

/**
 * vqm_invalidate_end() - areas may be mapped again
 * @uva: as given to vqm_invalidate_begin()
 * @len: the same
 *
 * Waits for the lock.
 *
 * Return: 0; -EINVAL when no such invalidation is active. That is harmless unless there is a
 * surplus, see above: then an end within its span is believed.
 */
VQM_API int vqm_invalidate_end(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len);

/**
 * vqm_invalidate() - begin and end in one: mappings of ring areas in the range are forgotten
 *
 * For ring memory that was replaced in place; the next vqm_map_prefetch() looks it up anew. Memory
 * that goes away must leave the table first, see vqm_dev_set_regions(): buffers are not affected
 * by an invalidation, and a prefetch finds again what the table still says.
 */
VQM_API int vqm_invalidate(struct vqm_dev *dev, struct vqm_uva uva, uint64_t len,
			   enum vqm_wait wait);

#ifdef VQM_HEADER_ONLY
#include <vqmeta/map.h>
#endif

#endif /* VQMETA_DEV_H */
