/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory of a model: which words of the library's structures are simulated.
 *
 * The structures hold plain integers and pointers. A word that threads share is registered by its
 * address and then lives in a cell that Relacy simulates; the plain word keeps the last value in
 * program order, for the one thread that reads back what only it writes.
 */
#ifndef MODEL_CELLS_H
#define MODEL_CELLS_H

#include <stdint.h>
#include <string.h>

#include <optional>

#include <relacy/relacy.hpp>

/* They stand in the way of members of those names. */
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno
#include <errno.h>

enum {
	MODEL_CELLS = 24,
	MODEL_CARRIERS = 8, /* more than the stores that Relacy remembers */
	MODEL_THREADS = 3,
	MODEL_SHIFT = 48, /* value below, number of the store that wrote it above */
};

static const uint64_t MODEL_VALUE = (1ull << MODEL_SHIFT) - 1;

static_assert((size_t)MODEL_CARRIERS > rl::atomic_history_size, "a carrier is used too early");

struct model_cell {
	const void *addr;
	unsigned int stores;
	std::optional<rl::atomic<uint64_t>> value;
	std::optional<rl::atomic<unsigned int>> carrier[MODEL_CARRIERS];
	std::optional<rl::var<uint64_t>> plain; /* instead of value */
};

struct model_delayed {
	struct model_cell *cell; /* NULL: none */
	uint64_t value;
	bool release;
};

struct model_memory {
	struct model_cell cell[MODEL_CELLS];
	unsigned int cells = 0;
	struct model_delayed delayed[MODEL_THREADS] = {};
	unsigned int running = 0; /* threads, as bits */
	unsigned int wanted = 0;  /* those that have to pass a full fence */
};

/* Of the run that is being simulated. */
static struct model_memory *model_now;

static inline struct model_cell *model_new_cell(const void *addr)
{
	struct model_cell *c = &model_now->cell[model_now->cells];

	RL_ASSERT(model_now->cells < MODEL_CELLS);
	model_now->cells++;
	c->addr = addr;
	c->stores = 0;
	return c;
}

/* A word that is read and written in single accesses. */
static inline void model_add_cell(const void *addr, uint64_t value)
{
	struct model_cell *c = model_new_cell(addr);

	c->value.emplace();
	c->value->store(value, rl::mo_relaxed, $);
}

/* A word on which any race is an error. */
static inline void model_add_plain(const void *addr, uint64_t value)
{
	model_new_cell(addr)->plain.emplace(value);
}

static inline struct model_cell *model_look(const void *addr)
{
	unsigned int i;

	for (i = 0; i < model_now->cells; i++) {
		if (model_now->cell[i].addr == addr)
			return &model_now->cell[i];
	}
	return NULL;
}

static inline bool model_is_cell(const void *addr)
{
	return model_look(addr) != NULL;
}

static inline struct model_cell *model_find(const void *addr)
{
	struct model_cell *c = model_look(addr);

	RL_ASSERT(c && "a word that the model did not register");
	return c;
}

#endif /* MODEL_CELLS_H */
