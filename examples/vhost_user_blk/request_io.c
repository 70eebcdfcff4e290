/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The steps of a request: short transfers go on where they stopped, ranges follow each other. */
#include "request.h"

#include <errno.h>

enum {
	RETRIES_MAX = 64,
	IOVECS_MAX = 1024, /* the kernel takes no more at once */
	ZEROES_LEN = 1 << 18,
};

/* Never written to. A constant would take its size in the binary. */
static uint8_t zeroes[ZEROES_LEN];

static bool finish(struct request *r, uint8_t result)
{
	r->result = result;
	if (result != STATUS_OK)
		r->moved = 0;
	else if (r->type == REQUEST_IN)
		r->filled = r->moved;
	return false;
}

static bool next_transfer(struct request *r)
{
	if (r->data.n == 0)
		return finish(r, STATUS_OK);
	r->step.frag = r->data.frag;
	r->step.n = r->data.n < IOVECS_MAX ? r->data.n : IOVECS_MAX;
	return true;
}

/* The best way a file offers: holes if they are wanted, else zeroes kept allocated. */
static bool next_range(struct request *r)
{
	const struct range *range = &r->range[r->at];

	if (r->at == r->n_ranges) {
		if (!r->step.durable)
			return finish(r, STATUS_OK);
		r->step.op = IO_FLUSH;
		return true;
	}
	if (range->unmap && !r->no_punch)
		r->step.op = IO_PUNCH;
	else
		r->step.op = r->no_zero ? IO_WRITE : IO_ZERO;
	r->step.offset = range->offset;
	r->step.len = range->len;
	if (r->step.op == IO_WRITE) {
		r->zeroes.base = zeroes;
		r->zeroes.len = range->len < ZEROES_LEN ? (size_t)range->len : ZEROES_LEN;
		r->step.frag = &r->zeroes;
		r->step.n = 1;
	}
	return true;
}

bool request_start_io_(struct request *r)
{
	if (r->step.op == IO_FLUSH)
		return true;
	return r->step.op == IO_PUNCH ? next_range(r) : next_transfer(r);
}

static bool is_ranges(const struct request *r)
{
	return r->type == REQUEST_DISCARD || r->type == REQUEST_WRITE_ZEROES;
}

/* A file may not know holes, or not know zeroing; writing always works. */
static bool fall_back(struct request *r)
{
	if (r->type == REQUEST_DISCARD)
		return finish(r, STATUS_UNSUPP);
	if (r->step.op == IO_PUNCH)
		r->no_punch = true;
	else
		r->no_zero = true;
	return next_range(r);
}

static bool ranges_stepped(struct request *r, int64_t res)
{
	struct range *range = &r->range[r->at];

	if (r->step.op == IO_FLUSH)
		return finish(r, STATUS_OK);
	if (r->step.op != IO_WRITE)
		res = (int64_t)range->len;
	if (res == 0 || (uint64_t)res > range->len)
		return finish(r, STATUS_IOERR);
	range->offset += (uint64_t)res;
	range->len -= (uint64_t)res;
	if (range->len == 0)
		r->at++;
	return next_range(r);
}

static bool transfer_stepped(struct request *r, int64_t res)
{
	/* Nothing moved: the file has become shorter than the disk. */
	if (res == 0 || (uint64_t)res > r->data.len)
		return finish(r, STATUS_IOERR);
	run_skip_(&r->data, (uint64_t)res);
	r->step.offset += (uint64_t)res;
	return next_transfer(r);
}

static bool step_failed(struct request *r, int err)
{
	if ((err == -EINTR || err == -EAGAIN) && r->retries++ < RETRIES_MAX)
		return true;
	if (err == -EOPNOTSUPP && (r->step.op == IO_PUNCH || r->step.op == IO_ZERO))
		return fall_back(r);
	return finish(r, STATUS_IOERR);
}

bool request_stepped(struct request *r, int64_t res)
{
	if (res < 0)
		return step_failed(r, (int)res);
	if (is_ranges(r))
		return ranges_stepped(r, res);
	return r->step.op == IO_FLUSH ? finish(r, STATUS_OK) : transfer_stepped(r, res);
}
