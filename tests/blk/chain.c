/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The side of the guest: lays out a request, looks at what came back. */
#include "disk.h"

#include <poll.h>
#include <string.h>

enum {
	GAP = 3, /* between fragments, so that none goes on in the next by luck */
	PATIENCE_MS = 1000,
	HEAD = 7,
	SLOTS = 1,
};

void disk_begin(struct disk *d)
{
	struct vqm_chain *c = &d->request.chain;

	memset(d->mem, DISK_UNTOUCHED, DISK_MEMORY);
	d->used = 0;
	c->n_out = c->n_in = 0;
	c->out_len = c->in_len = 0;
	c->head = HEAD;
	c->slots = SLOTS;
}

/* A fragment for another byte: the last one, if it is of the same kind and has room. */
static struct vqm_frag *room(struct disk *d, bool first, uint32_t n_before, uint32_t *n)
{
	struct vqm_frag *f = &d->request.chain.frag[n_before + *n];
	bool is_full = d->piece == DISK_SEPARATE ? first : *n > 0 && f[-1].len == d->piece;

	if (*n > 0 && !is_full)
		return f - 1;
	assert_true(n_before + *n < DISK_FRAGS);
	d->used += GAP;
	f->base = d->mem + d->used;
	f->len = 0;
	++*n;
	return f;
}

uint8_t *disk_out(struct disk *d, const void *bytes, size_t len)
{
	struct vqm_chain *c = &d->request.chain;
	uint8_t *start = NULL;
	size_t i;

	for (i = 0; i < len; i++) {
		room(d, i == 0, 0, &c->n_out)->len++;
		assert_true(d->used < DISK_MEMORY);
		if (!start)
			start = d->mem + d->used;
		d->mem[d->used++] = ((const uint8_t *)bytes)[i];
	}
	c->out_len += len;
	return start;
}

uint8_t *disk_in(struct disk *d, size_t len)
{
	struct vqm_chain *c = &d->request.chain;
	uint8_t *start = NULL;
	size_t i;

	for (i = 0; i < len; i++) {
		room(d, i == 0, c->n_out, &c->n_in)->len++;
		assert_true(d->used < DISK_MEMORY);
		if (!start)
			start = d->mem + d->used;
		d->used++;
	}
	c->in_len += len;
	return start;
}

static void put_le(uint8_t *at, uint64_t value, uint32_t bytes)
{
	for (; bytes > 0; bytes--, value >>= 8)
		*at++ = (uint8_t)value;
}

uint8_t *disk_ask(struct disk *d, uint32_t type, uint64_t sector)
{
	uint8_t header[16];

	put_le(header, type, 4);
	put_le(header + 4, 0x5a5a5a5a, 4); /* reserved; means nothing */
	put_le(header + 8, sector, 8);
	disk_begin(d);
	return disk_out(d, header, sizeof(header));
}

uint8_t *disk_segment(struct disk *d, uint64_t sector, uint32_t sectors, uint32_t flags)
{
	uint8_t segment[16];

	put_le(segment, sector, 8);
	put_le(segment + 8, sectors, 4);
	put_le(segment + 12, flags, 4);
	return disk_out(d, segment, sizeof(segment));
}

static void remember(struct disk *d)
{
	const struct vqm_chain *c = &d->request.chain;
	size_t i, k, n = 0;

	for (i = c->n_out; i < c->n_out + c->n_in; i++) {
		for (k = 0; k < c->frag[i].len; k++)
			d->writable[n++] = (uint8_t *)c->frag[i].base + k;
	}
	memcpy(d->before, d->mem, DISK_MEMORY);
}

bool disk_start(struct disk *d)
{
	remember(d);
	vqm_regions_hold(d->table);
	d->request.memory = d->table;
	return request_begin(&d->request, &d->blk);
}

void disk_end(struct disk *d)
{
	uint64_t i, n = d->request.chain.in_len;

	d->done = request_end(&d->request);
	assert_null(d->request.memory);
	assert_int_equal(d->done.head, HEAD);
	assert_int_equal(d->done.slots, SLOTS);
	for (i = 0; i < n; i++)
		d->before[d->writable[i] - d->mem] = *d->writable[i];
	assert_memory_equal(d->mem, d->before, DISK_MEMORY);
}

/* Reaping may submit the next step, so what comes before sleeping is a commit. */
static void serve(struct disk *d)
{
	struct pollfd p = {.fd = io_fd(&d->io), .events = POLLIN};
	struct request *r;

	if (!disk_start(d))
		return;
	io_submit(&d->io, &d->request);
	do {
		assert_int_equal(io_commit(&d->io), 0);
		if (!io_is_ready(&d->io))
			assert_int_equal(poll(&p, 1, PATIENCE_MS), 1);
		r = io_reap(&d->io);
	} while (!r);
	assert_ptr_equal(r, &d->request);
}

void disk_expect_end(struct disk *d, uint8_t status, uint32_t used)
{
	disk_end(d);
	assert_int_equal(*d->writable[d->request.chain.in_len - 1], status);
	assert_int_equal(d->request.result, status);
	assert_int_equal(d->done.len, used);
}

void disk_expect(struct disk *d, uint8_t status, uint32_t used)
{
	serve(d);
	disk_expect_end(d, status, used);
}

void disk_expect_malformed(struct disk *d)
{
	uint64_t i;

	assert_false(disk_start(d));
	disk_end(d);
	assert_null(d->request.status);
	assert_int_equal(d->done.len, 0);
	for (i = 0; i < d->request.chain.in_len; i++)
		assert_int_equal(*d->writable[i], DISK_UNTOUCHED);
}

uint8_t *disk_written(struct disk *d, uint64_t i)
{
	assert_true(i < d->request.chain.in_len);
	return d->writable[i];
}
