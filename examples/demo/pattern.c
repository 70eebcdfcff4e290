// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "pattern.h"

static uint64_t word_at(uint64_t key, uint64_t at)
{
	return mix64(key ^ (at / 8 * 0x9e3779b97f4a7c15ull));
}

/* Up to 8 bytes that lie in one word; returns how many. */
static size_t part(uint64_t key, uint64_t at, size_t len, uint8_t bytes[8])
{
	uint64_t word = word_at(key, at);
	size_t skip = at % 8, n = 8 - skip < len ? 8 - skip : len;

	memcpy(bytes, (const uint8_t *)&word + skip, n);
	return n;
}

void pattern_fill(uint64_t key, uint64_t at, uint8_t *to, size_t len)
{
	uint8_t bytes[8];

	while (len) {
		uint64_t word;
		size_t n;

		for (; at % 8 == 0 && len >= 8; at += 8, to += 8, len -= 8) {
			word = word_at(key, at);
			memcpy(to, &word, 8);
		}
		n = part(key, at, len, bytes);
		memcpy(to, bytes, n);
		at += n;
		to += n;
		len -= n;
	}
}

size_t pattern_check(uint64_t key, uint64_t at, const uint8_t *from, size_t len, size_t *first)
{
	size_t wrong = 0, done = 0, i;
	uint8_t bytes[8];

	while (done < len) {
		size_t n = part(key, at + done, len - done, bytes);

		if (n == 8 ? memcmp(bytes, from + done, 8) : memcmp(bytes, from + done, n)) {
			for (i = 0; i < n; i++) {
				if (bytes[i] != from[done + i] && wrong++ == 0)
					*first = done + i;
			}
		}
		done += n;
	}
	return wrong;
}
