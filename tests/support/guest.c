/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#include <string.h>

#include "guest.h"

/* Above the front-end addresses of all low memory; a bank near 2^64 cannot be shifted upwards. */
static uint64_t uva_of(uint64_t gpa)
{
	return gpa < 1ull << 40 ? gpa + GUEST_UVA : (gpa & 0xffffffff) + (GUEST_UVA >> 8);
}

void guest_add_bank(struct guest *g, uint64_t gpa, uint64_t size)
{
	struct guest_bank *b = &g->bank[g->banks++];

	b->gpa = gpa;
	b->uva = uva_of(gpa);
	b->size = size;
	b->mem = (uint8_t *)aligned_alloc(4096, (size + 4095) & ~4095ull);
	b->mirror = (uint8_t *)malloc(size);
	if (!b->mem || !b->mirror)
		abort();
	memset(b->mem, 0, size);
	memset(b->mirror, 0, size);
}

void guest_fini(struct guest *g)
{
	while (g->banks > 0) {
		free(g->bank[--g->banks].mem);
		free(g->bank[g->banks].mirror);
	}
}

struct vqm_region guest_region(const struct guest *g, uint32_t bank)
{
	const struct guest_bank *b = &g->bank[bank];
	struct vqm_region r = {{b->gpa}, {b->uva}, b->size, b->mem, NULL};

	return r;
}

static const struct guest_bank *bank_of(const struct guest *g, uint64_t gpa)
{
	uint32_t i;

	for (i = 0; i < g->banks; i++) {
		if (gpa >= g->bank[i].gpa && gpa - g->bank[i].gpa < g->bank[i].size)
			return &g->bank[i];
	}
	return NULL;
}

uint8_t *guest_at(const struct guest *g, uint64_t gpa)
{
	const struct guest_bank *b = bank_of(g, gpa);

	return b ? b->mem + (gpa - b->gpa) : NULL;
}

uint64_t guest_uva(const struct guest *g, uint64_t gpa)
{
	const struct guest_bank *b = bank_of(g, gpa);

	return b ? b->uva + (gpa - b->gpa) : uva_of(gpa);
}

static void put8(struct guest *g, uint64_t gpa, uint8_t value)
{
	const struct guest_bank *b = bank_of(g, gpa);

	if (!b)
		abort();
	b->mem[gpa - b->gpa] = value;
	b->mirror[gpa - b->gpa] = value;
}

void guest_put(struct guest *g, uint64_t gpa, uint64_t value, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		put8(g, gpa + i, (uint8_t)(value >> 8 * (g->big ? bytes - 1 - i : i)));
}

uint64_t guest_get(const struct guest *g, uint64_t gpa, uint32_t bytes)
{
	uint64_t value = 0;
	uint32_t i;

	for (i = 0; i < bytes; i++)
		value |= (uint64_t)*guest_at(g, gpa + i) << 8 * (g->big ? bytes - 1 - i : i);
	return value;
}

void guest_fill(struct guest *g, uint64_t gpa, uint64_t len, uint8_t value)
{
	uint64_t i;

	for (i = 0; i < len; i++)
		put8(g, gpa + i, value);
}

void guest_desc_at(struct guest *g, uint64_t table, uint32_t i, uint64_t addr, uint32_t len,
		   uint16_t flags, uint16_t next)
{
	guest_put(g, table + 16ull * i, addr, 8);
	guest_put(g, table + 16ull * i + 8, len, 4);
	guest_put(g, table + 16ull * i + 12, flags, 2);
	guest_put(g, table + 16ull * i + 14, next, 2);
}

void guest_desc(struct guest *g, uint32_t i, uint64_t addr, uint32_t len, uint16_t flags,
		uint16_t next)
{
	guest_desc_at(g, g->desc, i, addr, len, flags, next);
}

void guest_offer(struct guest *g, uint16_t head)
{
	guest_put(g, g->avail + 4 + 2ull * (g->idx % g->num), head, 2);
	guest_set_avail_idx(g, (uint16_t)(g->idx + 1));
}

void guest_set_avail_idx(struct guest *g, uint16_t idx)
{
	g->idx = idx;
	guest_put(g, g->avail + 2, idx, 2);
}

void guest_set_avail_flags(struct guest *g, uint16_t flags)
{
	guest_put(g, g->avail, flags, 2);
}

void guest_set_used_event(struct guest *g, uint16_t event)
{
	guest_put(g, g->avail + 4 + 2ull * g->num, event, 2);
}

void guest_set_used_idx(struct guest *g, uint16_t idx)
{
	guest_put(g, g->used + 2, idx, 2);
}

uint16_t guest_used_flags(const struct guest *g)
{
	return (uint16_t)guest_get(g, g->used, 2);
}

uint16_t guest_used_idx(const struct guest *g)
{
	return (uint16_t)guest_get(g, g->used + 2, 2);
}

uint32_t guest_used_id(const struct guest *g, uint32_t slot)
{
	return (uint32_t)guest_get(g, g->used + 4 + 8ull * slot, 4);
}

uint32_t guest_used_len(const struct guest *g, uint32_t slot)
{
	return (uint32_t)guest_get(g, g->used + 8 + 8ull * slot, 4);
}

uint16_t guest_avail_event(const struct guest *g)
{
	return (uint16_t)guest_get(g, g->used + 4 + 8ull * g->num, 2);
}

/* Bytes of [at, end) of a bank that lie before or behind the used area. */
static bool same(const struct guest_bank *b, uint64_t at, uint64_t end)
{
	return at >= end || memcmp(b->mem + at, b->mirror + at, end - at) == 0;
}

bool guest_is_untouched(const struct guest *g)
{
	uint64_t used_size = 6 + 8ull * g->num;
	uint32_t i;

	for (i = 0; i < g->banks; i++) {
		const struct guest_bank *b = &g->bank[i];
		uint64_t off = g->used - b->gpa;
		bool here = g->num > 0 && off < b->size;

		if (!same(b, 0, here ? off : b->size) ||
		    (here && !same(b, off + used_size, b->size)))
			return false;
	}
	return true;
}

void guest_accept(struct guest *g, uint64_t gpa, uint64_t len)
{
	for (; len > 0; len--, gpa++)
		put8(g, gpa, *guest_at(g, gpa));
}

static uint8_t *reach(struct guest_backend *b, uint64_t uva)
{
	const struct guest *g = b->guest;
	uint32_t i;

	if (b->deaf_size > 0 && uva - b->deaf < b->deaf_size)
		return NULL;
	for (i = 0; i < g->banks; i++) {
		if (uva - g->bank[i].uva < g->bank[i].size)
			return g->bank[i].mem + (uva - g->bank[i].uva);
	}
	return NULL;
}

static int copy_from(const struct vqm_backend *backend, void *dst, struct vqm_uva src, size_t len)
{
	struct guest_backend *b = (struct guest_backend *)(uintptr_t)backend;
	size_t i;

	if (++b->count == b->fail_at)
		return -EFAULT;
	if (b->logged < GUEST_LOG) {
		b->log[b->logged].uva = src.v;
		b->log[b->logged++].len = len;
	}
	for (i = 0; i < len; i++) {
		if (!reach(b, src.v + i))
			return -EFAULT;
		((uint8_t *)dst)[i] = *reach(b, src.v + i);
	}
	return 0;
}

static int copy_to(const struct vqm_backend *backend, struct vqm_uva dst, const void *src,
		   size_t len)
{
	struct guest_backend *b = (struct guest_backend *)(uintptr_t)backend;
	size_t i;

	if (++b->count == b->fail_at)
		return -EFAULT;
	for (i = 0; i < len; i++) {
		if (!reach(b, dst.v + i))
			return -EFAULT;
		*reach(b, dst.v + i) = ((const uint8_t *)src)[i];
	}
	return 0;
}

void guest_backend_init(struct guest_backend *b, const struct guest *g)
{
	memset(b, 0, sizeof(*b));
	b->backend.copy_from = copy_from;
	b->backend.copy_to = copy_to;
	b->guest = g;
}

bool guest_backend_read_twice(const struct guest_backend *b)
{
	uint32_t i, j;

	for (i = 0; i < b->logged; i++) {
		for (j = 0; j < i; j++) {
			if (b->log[i].uva < b->log[j].uva + b->log[j].len &&
			    b->log[j].uva < b->log[i].uva + b->log[i].len)
				return true;
		}
	}
	return false;
}
