/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One request of the driver: from the chain to steps of I/O, and to what the driver is told.
 *
 *	request_begin()		reads the request from guest memory, once
 *	request_stepped()	after each step; says whether there is another one
 *	request_end()		writes the status byte
 *
 * A request knows nothing of how its steps are done. Guest memory is touched while the table of
 * regions is held, not in a section.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "blk.h"

#include <vqmeta/chain.h>

enum io_op {
	IO_READ,
	IO_WRITE,
	IO_FLUSH,
	IO_PUNCH, /* deallocate; reads as zeroes */
	IO_ZERO,  /* zeroes, allocated */
};

/**
 * struct io_step - what to do with the backing file next
 * @op:      what
 * @durable: the write is to be stable when it completes
 * @n:       entries of @frag; at least 1 for IO_READ and IO_WRITE
 * @frag:    memory to read into or to write from
 * @offset:  in the file, bytes
 * @len:     bytes, for IO_PUNCH and IO_ZERO
 */
struct io_step {
	enum io_op op;
	bool durable;
	uint32_t n;
	const struct vqm_frag *frag;
	uint64_t offset;
	uint64_t len;
};

/* A run of fragments that is eaten from its front. */
struct run {
	struct vqm_frag *frag;
	uint32_t n;
	uint64_t len;
};

struct range {
	uint64_t offset;
	uint64_t len;
	bool unmap;
};

/**
 * struct request - a slot for one request
 * @chain:   popped into
 * @memory:  the table held while the request is on its way
 * @next:    of a list of the owner
 * @step:    what to do next
 * @type:    of the request, as the driver wrote it
 * @result:  status for the driver
 * @status:  where it goes; NULL when the chain is no request
 * @data:    what is left to transfer
 * @filled:  bytes of data written to the driver, without gap from the first
 * @moved:   bytes transferred, for statistics
 * @retries: steps that were to be repeated
 * @at:      the current one of the @n_ranges in @range, for DISCARD and WRITE_ZEROES
 * @no_punch: the file has no holes; @no_zero: it has to be written to
 * @zeroes:  what is written then
 */
struct request {
	struct vqm_chain chain;
	struct vqm_regions *memory;
	struct request *next;
	struct io_step step;
	uint32_t type;
	uint8_t result;
	uint8_t *status;
	struct run data;
	uint64_t filled;
	uint64_t moved;
	uint32_t retries;
	uint32_t at, n_ranges;
	bool no_punch, no_zero;
	struct range range[BLK_RANGE_SEGS];
	struct vqm_frag zeroes;
};

enum {
	REQUEST_IN = 0,
	REQUEST_OUT = 1,
	REQUEST_FLUSH = 4,
	REQUEST_FLUSH_OUT = 5, /* legacy */
	REQUEST_GET_ID = 8,
	REQUEST_DISCARD = 11,
	REQUEST_WRITE_ZEROES = 13,
};

enum {
	STATUS_OK = 0,
	STATUS_IOERR = 1,
	STATUS_UNSUPP = 2,
};

/**
 * request_init() - make a slot
 * @r:   storage of the caller, zeroed
 * @cap: fragments a chain may have
 *
 * Return: 0, -ENOMEM.
 */
int request_init(struct request *r, uint32_t cap);
void request_fini(struct request *r);

/* Room for chains of twice as many fragments. Return: 0, -ENOBUFS at the limit, -ENOMEM. */
int request_grow(struct request *r);

/**
 * request_begin() - read and check a request
 * @r: with a chain popped and its memory held
 * @b: the disk
 *
 * Return: whether there is I/O to do, in @r->step; false: request_end() is next.
 */
bool request_begin(struct request *r, struct blk *b);

/**
 * request_stepped() - a step is done
 * @res: bytes, 0, or -errno
 *
 * Return: whether there is another one, in @r->step; false: request_end() is next.
 */
bool request_stepped(struct request *r, int64_t res);

/**
 * request_end() - tell the driver how it went, and let go of its memory
 *
 * Return: what to publish.
 */
struct vqm_done request_end(struct request *r);

/* Between request.c and request_io.c. */
bool request_start_io_(struct request *r);
void run_skip_(struct run *run, uint64_t len);

#endif
