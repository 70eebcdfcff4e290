// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#define _GNU_SOURCE
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "disk.h"
#include "pattern.h"

/* The head of a slot, always in the data regions. */
struct slot_head {
	struct {
		uint32_t type, reserved;
		uint64_t sector;
	} header;
	uint8_t status;
	uint8_t table[16 * (FRAGMENTS_MAX + 3)] __attribute__((__aligned__(16)));
};

enum {
	STATUS_OK = 0,
	STATUS_NONE = 0xee, /* no device writes this */
	GAP_MAX = 256,	    /* between two pieces; FRAGMENTS_MAX of them fit the slot */
	REPORTS_MAX = 8,
};

static uint64_t head_off(const struct request *r, const struct memory *m)
{
	return memory_slot(m, r->queue, r->slot, -1);
}

static struct slot_head *head_of(const struct request *r, const struct memory *m)
{
	return (struct slot_head *)(void *)(m->window + head_off(r, m));
}

static uint8_t *piece_at(const struct memory *m, const struct vqm_mock_buf *b)
{
	return m->window + (b->gpa.v - memory_gpa(m, 0).v);
}

/* The data regions, or one of the hot regions that are held. */
static int choose_place(uint32_t held, uint64_t *random)
{
	int hot = (int)random_below(random, 2 * HOT_REGIONS);

	return hot < HOT_REGIONS && (held >> hot) & 1 ? hot : -1;
}

static void cut(struct request *r, const struct memory *m, uint32_t seg_max, uint64_t *random)
{
	uint32_t left = r->extent.len, n, used = 0, i;
	uint64_t off = SLOT_HEAD;

	n = left ? 1 + (uint32_t)random_below(random, seg_max) : 0;
	for (i = 0; i < n; i++) {
		uint32_t rest = n - i - 1, len = left;
		int hot = choose_place(r->held, random);

		if (rest)
			len = 1 + (uint32_t)random_below(random, 2 * (left - rest) / (rest + 1));
		if (len > left - rest)
			len = left - rest;
		off += random_below(random, GAP_MAX);
		r->piece[i].gpa = memory_gpa(m, memory_slot(m, r->queue, r->slot, hot) + off);
		r->piece[i].len = len;
		used |= hot < 0 ? 0 : 1u << hot;
		off += len;
		left -= len;
	}
	r->pieces = (uint16_t)n;
	r->held &= used;
}

static void fill(const struct request *r, const struct memory *m, uint64_t key)
{
	uint64_t at = r->extent.at;
	uint32_t i, k;

	for (i = 0; i < r->pieces; i++) {
		uint8_t *p = piece_at(m, &r->piece[i]);

		if (r->type == DISK_WRITE)
			pattern_fill(key, at, p, r->piece[i].len);
		for (k = 0; r->type == DISK_READ && k < r->piece[i].len; k += 256)
			p[k] ^= 0xff;
		at += r->piece[i].len;
	}
}

void request_prepare(struct request *r, struct memory *m, uint64_t key, uint32_t seg_max,
		     uint64_t *random)
{
	struct slot_head *h = head_of(r, m);
	uint32_t held = r->extent.len ? memory_hold_hot(m) : 0;

	r->held = held;
	cut(r, m, seg_max, random);
	if (held & ~r->held)
		memory_release_hot(m, held & ~r->held);
	r->indirect = random_below(random, 2);
	h->header.type = htole32(r->type);
	h->header.reserved = 0;
	h->header.sector = htole64(r->extent.at / 512);
	h->status = STATUS_NONE;
	fill(r, m, key);
}

/* The header in one or two pieces. Return: how many. */
static uint16_t header_bufs(const struct request *r, const struct memory *m, uint64_t *random,
			    struct vqm_mock_buf *b)
{
	uint64_t off = head_off(r, m) + offsetof(struct slot_head, header);
	uint32_t first = (uint32_t)random_below(random, 64);

	if (first == 0 || first > 15)
		first = 16;
	b[0].gpa = memory_gpa(m, off);
	b[0].len = first;
	b[1].gpa = memory_gpa(m, off + first);
	b[1].len = 16 - first;
	return first < 16 ? 2 : 1;
}

int request_add(struct request *r, struct memory *m, struct vqm_mock *driver, uint64_t *random)
{
	struct vqm_mock_buf out[2 + FRAGMENTS_MAX], in[FRAGMENTS_MAX + 1];
	uint16_t n_out = header_bufs(r, m, random, out), n_in = 0;
	uint64_t head = head_off(r, m);

	if (r->type == DISK_WRITE) {
		memcpy(out + n_out, r->piece, r->pieces * sizeof(out[0]));
		n_out = (uint16_t)(n_out + r->pieces);
	} else {
		memcpy(in, r->piece, r->pieces * sizeof(in[0]));
		n_in = r->pieces;
	}
	in[n_in].gpa = memory_gpa(m, head + offsetof(struct slot_head, status));
	in[n_in++].len = 1;
	if (!r->indirect)
		return vqm_mock_add(driver, out, n_out, in, n_in, r);
	return vqm_mock_add_indirect(driver,
				     memory_gpa(m, head + offsetof(struct slot_head, table)), out,
				     n_out, in, n_in, r);
}

static void report(const struct request *r, uint64_t at, size_t wrong)
{
	static atomic_uint reports;

	if (atomic_fetch_add(&reports, 1) >= REPORTS_MAX)
		return;
	fprintf(stderr,
		"mismatch: queue %u, sector %llu, byte %llu: %zu bytes of a piece are wrong\n",
		r->queue, (unsigned long long)(at / 512), (unsigned long long)(at % 512), wrong);
}

static uint64_t verify(const struct request *r, const struct memory *m, uint64_t key)
{
	uint64_t at = r->extent.at, wrong = 0;
	size_t first = 0, n;
	uint32_t i;

	for (i = 0; i < r->pieces; i++) {
		n = pattern_check(key, at, piece_at(m, &r->piece[i]), r->piece[i].len, &first);
		if (n)
			report(r, at + first, n);
		wrong += n;
		at += r->piece[i].len;
	}
	return wrong;
}

uint64_t request_finish(struct request *r, struct memory *m, uint64_t key, uint32_t used_len)
{
	uint32_t expected = 1 + (r->type == DISK_READ ? r->extent.len : 0);
	uint8_t status = head_of(r, m)->status;
	uint64_t wrong = 0;

	if (status != STATUS_OK || used_len != expected)
		die("queue %u, type %u, %u bytes at %llu: status %u, used length %u, not %u",
		    r->queue, r->type, r->extent.len, (unsigned long long)r->extent.at, status,
		    used_len, expected);
	if (r->type == DISK_READ)
		wrong = verify(r, m, key);
	if (r->held)
		memory_release_hot(m, r->held);
	return wrong;
}
