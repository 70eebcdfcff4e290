/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rings in the memory of a front-end, laid by hand. */
#ifndef RING_H
#define RING_H

#include "frontend.h"

enum {
	RING_GPA = 0x100000, /* of bank 0 */
	RING_BANK = 0x10000, /* its size */
	RING_STRIDE = 0x4000,
	RING_AVAIL = 0x1000,
	RING_USED = 0x2000,
	RING_DATA = 0xc000,
};

/* A front-end that has negotiated and given away bank 0. */
void ring_prepare(struct frontend *f);
/* NUM, BASE and ADDR of queue @index. */
void ring_place(struct frontend *f, uint32_t index, uint32_t num, uint32_t base);
struct addr ring_addr(uint32_t index);
/* CALL, ERR, KICK and ENABLE. */
void ring_go(struct frontend *f, uint32_t index);
/* Everything for a queue that runs. */
void ring_start(struct frontend *f, uint32_t index, uint32_t num, uint32_t base);
uint32_t ring_get_base(struct frontend *f, uint32_t index);

void ring_put(struct frontend *f, uint64_t offset, uint64_t value, uint32_t bytes);
uint64_t ring_get(struct frontend *f, uint64_t offset, uint32_t bytes);
/* One readable descriptor of 16 bytes at @gpa, offered as the available entry @idx of @num. */
void ring_offer(struct frontend *f, uint32_t index, uint32_t num, uint16_t idx, uint16_t head,
		uint64_t gpa);
uint16_t ring_used_idx(struct frontend *f, uint32_t index);

/* Pops one chain: its head, with the first byte of its first piece in @byte, or -errno. */
int ring_pop(struct frontend *f, uint32_t index, uint8_t *byte);
int ring_publish(struct frontend *f, uint32_t index, uint16_t head);

/* Reads an eventfd: its count, 0 when nothing was signalled. */
uint64_t ring_signals(int fd);

#endif /* RING_H */
