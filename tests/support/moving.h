/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Memory that moves: one piece of shared memory, seen at changing addresses. What is taken away is
 * poisoned or made inaccessible at once, while the bytes live on at the next address.
 */
#ifndef MOVING_H
#define MOVING_H

#include <pthread.h>

#include <vqmeta/regions.h>

enum {
	MOVING_ALIASES = 16,
	MOVING_CANARY = 64, /* last bytes of the memory, not for use */
};

struct moving;

/* One address of the memory. Embeds the mapping, so that a table keeps it from being reused. */
struct alias {
	struct vqm_mapping mapping; /* first */
	struct moving *of;
	uint8_t *base;
	uint32_t dead;	/* taken away: who still uses it was not waited for */
	uint32_t kills; /* poison and no access take turns */
	bool busy;
};

struct moving {
	int fd;
	size_t size;
	uint8_t *home;	/* always there: the side of the guest */
	uint8_t *other; /* always there too: for a backend */
	pthread_mutex_t lock;
	uint32_t turn;
	bool kill_on_free; /* taken away by the last reference, not by moving_kill() */
	struct alias alias[MOVING_ALIASES];
};

void moving_init(struct moving *m, size_t size, bool kill_on_free);
void moving_fini(struct moving *m);

/* Another address, alive, with one reference; NULL when all are in use. */
struct alias *moving_take(struct moving *m);
/* Nobody may use it from here: marks it dead, then poisons it or makes it inaccessible. */
void moving_kill(struct alias *a);

static inline struct alias *alias_of(const struct vqm_region *r)
{
	return (struct alias *)(void *)r->mapping;
}

/* What a user does inside a section: false when the memory is gone. */
static inline bool alias_is_alive(const struct alias *a)
{
	const volatile uint32_t *canary =
		(const volatile uint32_t *)(const void *)(a->base + a->of->size - MOVING_CANARY);

	return !__atomic_load_n(&a->dead, __ATOMIC_RELAXED) && *canary == 0x600d600d;
}

#endif /* MOVING_H */
