/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Accesses to the memory of a model. Three rules go beyond what Relacy does by itself:
 *  - A plain store ends a release sequence, as in C++20 (Relacy has C++11, where a relaxed store
 *    of the same thread continues it). So the order of a store travels in a carrier of its own.
 *  - A store may be delayed behind later loads of its thread until a compiler barrier, an atomic
 *    read-modify-write or the next store: what a compiler may do.
 *  - A full fence is a place at which another thread may run, like any other operation.
 */
#ifndef MODEL_ACCESS_H
#define MODEL_ACCESS_H

#include "cells.h"

static inline void model_fence(rl::memory_order mo)
{
	rl::ctx().sched();
	rl::atomic_thread_fence(mo, $);
}

/* membarrier(2) interrupts a thread between any two of its operations, not always the next. */
static inline void model_interrupt(void)
{
	unsigned int self = 1u << rl::thread_index();

	if ((model_now->wanted & self) && rl::rand(2)) {
		model_fence(rl::mo_seq_cst);
		model_now->wanted &= ~self;
	}
}

static inline void model_do_store(struct model_cell *c, uint64_t value, bool release)
{
	uint64_t number = ++c->stores;
	auto &carrier = c->carrier[number % MODEL_CARRIERS];

	model_interrupt();
	rl::ctx().sched();
	rl::preemption_disabler both(rl::ctx());
	carrier.reset();
	if (release) {
		carrier.emplace();
		carrier->store(1, rl::mo_release, $);
	}
	c->value->store(number << MODEL_SHIFT | value, rl::mo_relaxed, $);
}

/* The store that waits becomes one that other threads can see. */
static inline void model_flush(void)
{
	struct model_delayed *d = &model_now->delayed[rl::thread_index()];
	struct model_cell *c = d->cell;

	if (c) {
		d->cell = NULL;
		model_do_store(c, d->value, d->release);
	}
}

/* What the store that was read had seen comes before what follows this, or the next fence. */
static inline void model_acquire(struct model_cell *c, uint64_t raw, rl::memory_order mo)
{
	auto &carrier = c->carrier[(raw >> MODEL_SHIFT) % MODEL_CARRIERS];

	if (carrier)
		carrier->fetch_add(0, mo, $);
}

static inline uint64_t model_load(const void *addr, bool acquire)
{
	struct model_cell *c = model_find(addr);
	struct model_delayed *d = &model_now->delayed[rl::thread_index()];
	rl::memory_order mo = acquire ? rl::mo_acquire : rl::mo_relaxed;
	uint64_t raw;

	if (d->cell && (d->cell == c || rl::rand(2)))
		model_flush();
	model_interrupt();
	if (c->plain)
		return (*c->plain)($).load();
	rl::ctx().sched();
	rl::preemption_disabler both(rl::ctx());
	raw = c->value->load(mo, $);
	model_acquire(c, raw, mo);
	return raw & MODEL_VALUE;
}

static inline void model_store(const void *addr, uint64_t value, bool release)
{
	struct model_cell *c = model_find(addr);

	model_flush();
	model_interrupt();
	if (c->plain)
		(*c->plain)($).store(value);
	else
		model_now->delayed[rl::thread_index()] = {c, value & MODEL_VALUE, release};
}

/* A copy writes the plain words among its bytes, each at once. */
static inline void model_copied(const void *dst, size_t size)
{
	unsigned int i;

	for (i = 0; model_now && i < model_now->cells; i++) {
		struct model_cell *c = &model_now->cell[i];
		uintptr_t off = (uintptr_t)c->addr - (uintptr_t)dst;
		uint64_t value;

		if (c->plain && off < size) {
			memcpy(&value, c->addr, sizeof(value));
			model_store(c->addr, value, false);
		}
	}
}

enum model_rmw {
	MODEL_ADD,
	MODEL_OR,
	MODEL_AND,
};

static inline uint64_t model_modify(const void *addr, enum model_rmw how, uint64_t v,
				    rl::memory_order mo)
{
	struct model_cell *c = model_find(addr);
	uint64_t raw = 0;

	model_flush();
	model_interrupt();
	switch (how) {
	case MODEL_ADD: raw = c->value->fetch_add(v, mo, $); break;
	case MODEL_OR: raw = c->value->fetch_or(v, mo, $); break;
	case MODEL_AND: raw = c->value->fetch_and(v | ~MODEL_VALUE, mo, $); break;
	}
	return raw & MODEL_VALUE;
}

static inline bool model_compare(const void *addr, uint64_t from, uint64_t to)
{
	struct model_cell *c = model_find(addr);
	uint64_t number = (uint64_t)c->stores << MODEL_SHIFT;
	uint64_t expected = number | from;

	model_flush();
	model_interrupt();
	return c->value->compare_exchange_strong(expected, number | to, rl::mo_relaxed, $);
}

static inline void model_yield(void)
{
	model_flush();
	model_interrupt();
	rl::yield(1, $);
}

/* membarrier(2) by its contract: every running thread passes a full fence meanwhile. */
static inline void model_interrupt_all(void)
{
	model_flush();
	model_fence(rl::mo_seq_cst);
	model_now->wanted = model_now->running & ~(1u << rl::thread_index());
	while (model_now->wanted)
		model_yield();
	model_fence(rl::mo_seq_cst);
}

/* Switching to a thread and away from it is a full fence. */
static inline void model_thread_begin(void)
{
	model_now->running |= 1u << rl::thread_index();
	model_fence(rl::mo_seq_cst);
}

static inline void model_thread_end(void)
{
	unsigned int self = 1u << rl::thread_index();

	model_flush();
	model_fence(rl::mo_seq_cst);
	model_now->running &= ~self;
	model_now->wanted &= ~self;
}

#endif /* MODEL_ACCESS_H */
