/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Index arithmetic of the split ring on plain integers. Touches no memory. */
#ifndef VQMETA_EVENT_H
#define VQMETA_EVENT_H

#include <vqmeta/types.h>

/**
 * vqm_queue_num_valid() - is this a legal split queue size
 * @num: number of descriptors
 *
 * Return: true for a power of two in 1..32768 (section 2.7).
 */
VQM_INLINE bool vqm_queue_num_valid(uint32_t num)
{
	return num >= 1 && num <= VQM_QUEUE_NUM_MAX && (num & (num - 1)) == 0;
}

/**
 * vqm_pending() - how many entries lie between two free-running indices
 * @next: index of the next entry to take
 * @idx:  index the other side published
 * @num:  queue size
 *
 * Return: 0..@num, or -EINVAL when @idx is further ahead than the ring is long.
 */
VQM_INLINE int vqm_pending(uint16_t next, uint16_t idx, uint32_t num)
{
	uint16_t n = (uint16_t)(idx - next);

	return n <= num ? n : -EINVAL;
}

/**
 * vqm_need_event() - did the other side ask to hear about one of these entries
 * @event: used_event or avail_event: the index whose passing is to be told
 * @idx:   index after the last entry published
 * @count: entries published since this was last asked; 65536 and more mean "unknown"
 *
 * The formula of section 2.7.10 with "old" given as a count, so that more than a whole lap
 * between two decisions, or no decision yet, answers true instead of losing a wake-up.
 *
 * Return: true when @event is one of the @count indices before @idx.
 */
VQM_INLINE bool vqm_need_event(uint16_t event, uint16_t idx, uint32_t count)
{
	return (uint16_t)(idx - event - 1) < count;
}

#endif /* VQMETA_EVENT_H */
