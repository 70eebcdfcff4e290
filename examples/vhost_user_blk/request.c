/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a request says. Everything in guest memory is read once and may be a lie. */
#include "request.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	HEADER_LEN = 16,
	RANGE_LEN = 16,
	RANGE_UNMAP = 1,
	FRAGS_LIMIT = 1 << 16,
};

int request_init(struct request *r, uint32_t cap)
{
	struct vqm_frag *frag = calloc(cap, sizeof(*frag));

	if (!frag)
		return -ENOMEM;
	vqm_chain_init(&r->chain, frag, cap);
	return 0;
}

void request_fini(struct request *r)
{
	free(r->chain.frag);
}

int request_grow(struct request *r)
{
	uint32_t cap = r->chain.cap * 2;
	struct vqm_frag *frag;

	if (cap > FRAGS_LIMIT)
		return -ENOBUFS;
	frag = calloc(cap, sizeof(*frag));
	if (!frag)
		return -ENOMEM;
	free(r->chain.frag);
	vqm_chain_init(&r->chain, frag, cap);
	return 0;
}

void run_skip_(struct run *run, uint64_t len)
{
	run->len -= len;
	while (len > 0) {
		struct vqm_frag *f = run->frag;
		size_t part = len < f->len ? (size_t)len : f->len;

		f->base = (uint8_t *)f->base + part;
		f->len -= part;
		len -= part;
		if (f->len == 0) {
			run->frag++;
			run->n--;
		}
	}
}

/* Takes bytes off the front of a run. The copy is what counts from then on. */
static void run_take(struct run *run, void *to, size_t len)
{
	uint8_t *at = to;

	while (len > 0) {
		size_t part = len < run->frag->len ? len : run->frag->len;

		memcpy(at, run->frag->base, part);
		run_skip_(run, part);
		at += part;
		len -= part;
	}
	/* The compiler must not come back to guest memory for another look. */
	atomic_signal_fence(memory_order_seq_cst);
}

static void run_give(struct run *run, const void *from, size_t len)
{
	const uint8_t *at = from;

	while (len > 0) {
		size_t part = len < run->frag->len ? len : run->frag->len;

		memcpy(run->frag->base, at, part);
		run_skip_(run, part);
		at += part;
		len -= part;
	}
}

static uint64_t get_le(const uint8_t *p, uint32_t bytes)
{
	uint64_t v = 0;

	while (bytes-- > 0)
		v = v << 8 | p[bytes];
	return v;
}

static bool end_with(struct request *r, uint8_t result)
{
	r->result = result;
	return false;
}

/* Whole sectors within the disk; sums that could overflow are not formed. */
static bool fits(const struct blk *b, uint64_t sector, uint64_t bytes)
{
	return bytes % BLK_SECTOR == 0 && sector <= b->sectors &&
	       bytes / BLK_SECTOR <= b->sectors - sector;
}

static bool begin_transfer(struct request *r, struct blk *b, uint64_t sector)
{
	bool is_out = r->type == REQUEST_OUT;

	if ((is_out && b->read_only) || !fits(b, sector, r->data.len))
		return end_with(r, STATUS_IOERR);
	r->step.op = is_out ? IO_WRITE : IO_READ;
	r->step.durable = is_out && !blk_is_writeback(b);
	r->step.offset = sector << BLK_SECTOR_SHIFT;
	r->moved = r->data.len;
	return true;
}

static bool begin_get_id(struct request *r, const struct blk *b)
{
	size_t len = r->data.len < BLK_ID_LEN ? (size_t)r->data.len : BLK_ID_LEN;

	run_give(&r->data, b->id, len);
	r->filled = len;
	return end_with(r, STATUS_OK);
}

/* Reads one segment. Returns STATUS_OK or what is wrong with it. */
static uint8_t read_range(struct request *r, struct blk *b, struct range *to)
{
	bool discard = r->type == REQUEST_DISCARD;
	uint8_t raw[RANGE_LEN];
	uint64_t sector;
	uint32_t sectors, flags;

	run_take(&r->data, raw, sizeof(raw));
	sector = get_le(raw, 8);
	sectors = (uint32_t)get_le(raw + 8, 4);
	flags = (uint32_t)get_le(raw + 12, 4);
	if (flags & ~(discard ? 0u : (uint32_t)RANGE_UNMAP))
		return STATUS_UNSUPP;
	if (sectors > (discard ? (uint32_t)BLK_DISCARD_SECTORS : (uint32_t)BLK_ZERO_SECTORS))
		return STATUS_IOERR;
	to->offset = sector << BLK_SECTOR_SHIFT;
	to->len = (uint64_t)sectors << BLK_SECTOR_SHIFT;
	to->unmap = discard || (flags & RANGE_UNMAP);
	return fits(b, sector, to->len) ? STATUS_OK : STATUS_IOERR;
}

/* All segments are checked before the first one is served. */
static bool begin_ranges(struct request *r, struct blk *b, unsigned int feature)
{
	uint8_t result = STATUS_OK;

	if (b->read_only)
		return end_with(r, STATUS_IOERR);
	if (!blk_has(b, feature))
		return end_with(r, STATUS_UNSUPP);
	if (r->data.len == 0 || r->data.len % RANGE_LEN || r->data.len > BLK_RANGE_SEGS * RANGE_LEN)
		return end_with(r, STATUS_IOERR);
	while (r->data.len > 0 && result == STATUS_OK) {
		result = read_range(r, b, &r->range[r->n_ranges]);
		if (r->range[r->n_ranges].len > 0)
			r->n_ranges++;
	}
	if (result != STATUS_OK)
		return end_with(r, result);
	r->step.op = IO_PUNCH;
	r->step.durable = !blk_is_writeback(b);
	return true;
}

static bool begin_flush(struct request *r, struct blk *b)
{
	if (!blk_has(b, BLK_F_FLUSH))
		return end_with(r, STATUS_UNSUPP);
	r->step.op = IO_FLUSH;
	return true;
}

static bool begin_type(struct request *r, struct blk *b, uint64_t sector)
{
	switch (r->type) {
	case REQUEST_IN:
	case REQUEST_OUT: return begin_transfer(r, b, sector);
	case REQUEST_FLUSH:
	case REQUEST_FLUSH_OUT: return begin_flush(r, b);
	case REQUEST_GET_ID: return begin_get_id(r, b);
	case REQUEST_DISCARD: return begin_ranges(r, b, BLK_F_DISCARD);
	case REQUEST_WRITE_ZEROES: return begin_ranges(r, b, BLK_F_WRITE_ZEROES);
	}
	return end_with(r, STATUS_UNSUPP);
}

bool request_begin(struct request *r, struct blk *b)
{
	struct vqm_chain *c = &r->chain;
	struct run out = {c->frag, c->n_out, c->out_len};
	struct run in = {c->frag + c->n_out, c->n_in, c->in_len};
	struct vqm_frag *last;
	uint8_t header[HEADER_LEN];

	memset(&r->step, 0, sizeof(r->step));
	r->result = STATUS_IOERR;
	r->status = NULL;
	r->type = UINT32_MAX;
	r->filled = r->moved = 0;
	r->at = r->n_ranges = r->retries = 0;
	r->no_punch = r->no_zero = false;
	if (out.len < HEADER_LEN || in.len == 0)
		return false;
	last = &in.frag[in.n - 1];
	last->len--;
	r->status = (uint8_t *)last->base + last->len;
	in.n -= last->len == 0;
	in.len--;
	run_take(&out, header, sizeof(header));
	r->type = (uint32_t)get_le(header, 4);
	r->data = r->type == REQUEST_IN || r->type == REQUEST_GET_ID ? in : out;
	return begin_type(r, b, get_le(header + 8, 8)) && request_start_io_(r);
}

struct vqm_done request_end(struct request *r)
{
	uint64_t used = r->filled;

	if (r->status) {
		*(volatile uint8_t *)r->status = r->result;
		/* The length is a prefix: the status byte counts if there is no gap before it. */
		if (used == r->chain.in_len - 1)
			used++;
	}
	vqm_regions_release(r->memory);
	r->memory = NULL;
	return vqm_chain_done(&r->chain, used);
}
