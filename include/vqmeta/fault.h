/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which rule was broken, where, and by what value: typed, stored, printable. */
#ifndef VQMETA_FAULT_H
#define VQMETA_FAULT_H

#include <vqmeta/types.h>

/* The rules; the section of virtio 1.4 that each comes from is in what vqm_explain() prints. */
enum vqm_rule {
	VQM_RULE_NONE,
	/* Bad ring: the queue is broken until it is started anew. */
	VQM_RULE_AVAIL_AHEAD, /* avail.idx offers more than the queue has room for */
	VQM_RULE_HEAD_RANGE,  /* head of a chain >= queue size */
	/* Bad chain: complete its head with length 0. */
	VQM_RULE_NEXT_RANGE,	    /* next beyond the table */
	VQM_RULE_LOOP,		    /* more descriptors than the table or max_chain allows */
	VQM_RULE_WRITE_ORDER,	    /* readable after writable */
	VQM_RULE_UNMAPPED,	    /* buffer not in guest memory */
	VQM_RULE_TOO_LONG,	    /* more than 2^32 bytes */
	VQM_RULE_INDIRECT_FEATURE,  /* INDIRECT was not negotiated */
	VQM_RULE_INDIRECT_NEXT,	    /* INDIRECT together with NEXT */
	VQM_RULE_INDIRECT_NESTED,   /* INDIRECT inside a table */
	VQM_RULE_INDIRECT_LEN,	    /* length 0, not a multiple of 16, or too large */
	VQM_RULE_INDIRECT_UNMAPPED, /* table not in guest memory */
	/* The caller's arguments, or the moment. */
	VQM_RULE_NOT_HERE,  /* a buffer in guest memory that is not mapped here */
	VQM_RULE_NO_ROOM,   /* more fragments than the caller's array */
	VQM_RULE_RING_GONE, /* a ring area is not mapped now */
	VQM_RULE_NOT_STARTED,
	VQM_RULE_DONE_UNKNOWN, /* completion of something not outstanding */
	/* Set-up. */
	VQM_RULE_NUM,		/* queue size */
	VQM_RULE_ALIGN,		/* ring address */
	VQM_RULE_AREA_WRAP,	/* ring area leaves the address space */
	VQM_RULE_AREA_UNMAPPED, /* ring area not within one region */
	VQM_RULE_MAX_CHAIN,	/* max_chain smaller than the queue */
	VQM_RULE_FEATURE,	/* a feature this queue does not serve */
	VQM_RULE_COUNT,
};

/**
 * struct vqm_fault - the last fault of a queue
 * @rule:  which rule
 * @err:   the negative errno that was returned for it
 * @queue: index of the queue
 * @head:  head of the chain, for a bad chain
 * @desc:  index of the descriptor within its table
 * @table: the descriptor lies in an indirect table
 * @area:  which area, for set-up
 * @value: the offending value
 * @limit: what it was compared with
 */
struct vqm_fault {
	enum vqm_rule rule;
	int err;
	uint16_t queue;
	uint16_t head;
	uint16_t desc;
	bool table;
	uint8_t area;
	uint64_t value;
	uint64_t limit;
};

/**
 * vqm_explain() - a fault as one line a human can act on
 * @f:    the fault
 * @buf:  room for @size bytes; always ends with NUL when @size > 0
 * @size: 128 is enough for every line
 *
 * For example "queue 0, head 7, desc 9: next 300 >= 256 (2.7.5)".
 *
 * Return: length of the whole line without NUL, which may exceed what was stored.
 */
VQM_API size_t vqm_explain(const struct vqm_fault *f, char *buf, size_t size);

#ifdef VQM_HEADER_ONLY
#include <vqmeta/impl/fault.h>
#endif

#endif /* VQMETA_FAULT_H */
