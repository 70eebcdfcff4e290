/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the disk should contain: every byte follows from its place, the seed and the pass. */
#ifndef VQM_DEMO_PATTERN_H
#define VQM_DEMO_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/* Spreads every bit of @x over all 64: a bijection made of two rounds of multiply and fold. */
static inline uint64_t mix64(uint64_t x)
{
	x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 29)) * 0x94d049bb133111ebull;
	return x ^ (x >> 32);
}

/* Numbers in an order that only the seed decides. */
static inline uint64_t random_next(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15ull;
	return mix64(*state);
}

static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
	return random_next(state) % limit;
}

static inline uint64_t pattern_key(uint64_t seed, uint64_t pass)
{
	return mix64(seed ^ mix64(pass + 1));
}

/* Writes what belongs to the bytes [at, at + len) of the disk. */
void pattern_fill(uint64_t key, uint64_t at, uint8_t *to, size_t len);

/**
 * pattern_check() - compare with what belongs there
 * @first: offset of the first wrong byte, if there is one
 *
 * Return: how many bytes are wrong.
 */
size_t pattern_check(uint64_t key, uint64_t at, const uint8_t *from, size_t len, size_t *first);

#endif /* VQM_DEMO_PATTERN_H */
