/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a queue consists of, and what it is started with. Part of queue.h. */
#ifndef VQMETA_QUEUE_STATE_H
#define VQMETA_QUEUE_STATE_H

#include <vqmeta/chain.h>
#include <vqmeta/fault.h>
#include <vqmeta/map.h>

enum {
	VQM_TLB_COUNT = 16,	  /* entries of the translation cache of a queue */
	VQM_TLB_SHIFT = 21,	  /* neighbours of 2 MiB share an entry */
	VQM_CHAIN_DEFAULT = 1024, /* max_chain, unless the queue is larger */
};

struct vqm_tlb_entry {
	uint64_t gpa;
	uint64_t size; /* 0: empty */
	uint8_t *host;
};

/**
 * struct vqm_queue - a queue; members are private
 *
 * @map is shared with invalidators; everything behind it belongs to the worker, and to whoever
 * starts and stops the queue while no worker uses it.
 */
struct vqm_queue {
	struct vqm_map map;

	const struct vqm_view *fast; /* view of this section if all goes the direct way */
	const struct vqm_view *view; /* view of this section; NULL outside and on the copy way */
	unsigned long bursts;
	uint32_t depth; /* bursts that are open, one in the other */
	uint32_t num;
	uint32_t inflight;    /* popped and not yet published */
	uint64_t unsignalled; /* published since the last decision to notify */
	uint32_t max_chain;
	uint16_t next;	   /* free-running: the next available entry to take */
	uint16_t seen;	   /* available index at the last look */
	uint16_t used_idx; /* free-running: the next used element to write */
	uint16_t index;	   /* for messages only */
	bool skippable;	   /* the last pop refused a chain that vqm_skip() may consume */
	bool plain;	   /* started, little-endian, not broken */
	bool event_idx;
	bool indirect;
	bool notify_on_empty;
	bool started;
	bool broken;
	bool tlb_off;
	uint8_t order; /* enum vqm_order */
	unsigned long tlb_epoch;
	struct vqm_tlb_entry tlb[VQM_TLB_COUNT];

	const struct vqm_backend *backend;
	struct vqm_regions *held; /* table of a burst on the copy way */
	unsigned long bursts_copied, bursts_unmapped;
	void *worker; /* debug builds: the thread whose burst is open */
	struct vqm_fault fault;
	struct vqm_fault broke; /* why the ring is broken */
};

/**
 * struct vqm_bursts - how often the bursts of a queue went which way, since init
 * @direct:   the ring was mapped
 * @copied:   it was not, and was reached through the backend
 * @unmapped: neither
 */
struct vqm_bursts {
	unsigned long direct, copied, unmapped;
};

/**
 * vqm_queue_bursts() - how often each way was taken
 *
 * Context: the worker, or while no worker uses @q. The counts wrap.
 */
VQM_INLINE struct vqm_bursts vqm_queue_bursts(const struct vqm_queue *q)
{
	struct vqm_bursts b = {q->bursts, q->bursts_copied, q->bursts_unmapped};

	b.direct -= b.copied + b.unmapped;
	return b;
}

/**
 * struct vqm_queue_config - how to start a queue
 * @num:       queue size, a power of two in 1..32768
 * @features:  as negotiated with the driver
 * @addr:      descriptor, available and used area
 * @order:     byte order; ignored with VERSION_1, which means little-endian
 * @next:      index of the first available entry to take: 0, or what vqm_queue_stop() returned
 * @max_chain: longest chain to accept, in descriptors; 0 means the larger of @num and 1024
 * @backend:   how to reach the ring when it is not mapped; NULL for direct access only
 */
struct vqm_queue_config {
	uint32_t num;
	uint64_t features;
	struct vqm_uva addr[VQM_AREA_COUNT];
	enum vqm_order order;
	uint16_t next;
	uint32_t max_chain;
	const struct vqm_backend *backend;
};

#endif /* VQMETA_QUEUE_STATE_H */
