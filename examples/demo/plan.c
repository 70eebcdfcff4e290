// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <stdlib.h>

#include "demo.h"
#include "pattern.h"
#include "plan.h"

/* Small requests are as frequent as large ones: the limit is itself a random power of two. */
static uint32_t random_length(uint64_t left, uint64_t *random)
{
	uint64_t blocks = 1 + random_below(random, 1u << random_below(random, 7));

	return (uint32_t)(blocks * REQUEST_MIN < left ? blocks * REQUEST_MIN : left);
}

static void shuffle(struct extent *e, uint32_t count, uint64_t *random)
{
	uint32_t i;

	for (i = count; i > 1; i--) {
		uint32_t other = (uint32_t)random_below(random, i);
		struct extent swap = e[other];

		e[other] = e[i - 1];
		e[i - 1] = swap;
	}
}

void plan_make_empty(struct plan *p, uint32_t count)
{
	p->extent = calloc(count, sizeof(p->extent[0]));
	if (!p->extent)
		die("no memory for a plan");
	p->count = count;
	atomic_store(&p->next, 0);
}

void plan_make(struct plan *p, uint64_t bytes, uint64_t *random)
{
	uint64_t at = 0;

	plan_make_empty(p, (uint32_t)(bytes / REQUEST_MIN));
	p->count = 0;
	while (at < bytes) {
		struct extent *e = &p->extent[p->count++];

		e->at = at;
		e->len = random_length(bytes - at, random);
		at += e->len;
	}
	shuffle(p->extent, p->count, random);
}

void plan_free(struct plan *p)
{
	free(p->extent);
	p->extent = NULL;
	p->count = 0;
}

const struct extent *plan_take(struct plan *p)
{
	uint32_t i;

	if (atomic_load_explicit(&p->next, memory_order_relaxed) >= p->count)
		return NULL;
	i = atomic_fetch_add_explicit(&p->next, 1, memory_order_relaxed);
	return i < p->count ? &p->extent[i] : NULL;
}
