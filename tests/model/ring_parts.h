/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What model_ring.cpp is made of. */
#ifndef MODEL_RING_PARTS_H
#define MODEL_RING_PARTS_H

#include "access.h"

/* A doorbell of one side, and whether that side sleeps: eventfd as its users know it. */
struct bell {
	rl::atomic<unsigned int> rung;
	unsigned int count; /* rung, as only the model may know it */
	unsigned int heard;
	bool asleep;

	void init()
	{
		rung.store(0, rl::mo_relaxed, $);
		count = heard = 0;
		asleep = false;
	}

	void ring()
	{
		model_flush();
		rung.fetch_add(1, rl::mo_acq_rel, $);
		count++;
	}

	/* Sleeps for ever, and rightly. */
	void finish()
	{
		asleep = true;
		heard = count;
	}

	bool silent() const
	{
		return asleep && heard == count;
	}

	void sleep(const struct bell *other)
	{
		model_flush();
		asleep = true;
		while (heard == rung.load(rl::mo_acquire, $)) {
			RL_ASSERT(!(silent() && other->silent()));
			model_yield();
		}
		heard = rung.fetch_add(0, rl::mo_acquire, $);
		asleep = false;
	}
};

/* A word of a ring of 2, 4 or 8 bytes, among bytes. */
static inline void put_word(void *dst, uint64_t value, size_t size)
{
	uint16_t half = (uint16_t)value;
	uint32_t word = (uint32_t)value;

	memcpy(dst, size == 2 ? &half : size == 4 ? (void *)&word : &value, size);
}

static inline uint64_t get_word(const void *src, size_t size)
{
	uint16_t half;
	uint32_t word;

	memcpy(size == 2 ? &half : (void *)&word, src, size);
	return size == 2 ? half : word;
}

#endif /* MODEL_RING_PARTS_H */
