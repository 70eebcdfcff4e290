/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "ring.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

void ring_prepare(struct frontend *f)
{
	frontend_negotiate(f);
	frontend_add_bank(f, 0, RING_GPA, RING_BANK, 0);
	assert_int_equal(frontend_set_table(f, 1), 0);
	f->log[0] = '\0';
}

struct addr ring_addr(uint32_t index)
{
	uint64_t uva = RING_GPA + 0x7f0000000000 + index * RING_STRIDE;
	struct addr a = {index, 0, uva, uva + RING_USED, uva + RING_AVAIL, 0};

	return a;
}

void ring_place(struct frontend *f, uint32_t index, uint32_t num, uint32_t base)
{
	struct addr a = ring_addr(index);

	assert_int_equal(frontend_tell_state(f, SET_VRING_NUM, index, num), 0);
	assert_int_equal(frontend_tell_state(f, SET_VRING_BASE, index, base), 0);
	assert_int_equal(frontend_tell(f, SET_VRING_ADDR, &a, sizeof(a), NULL, 0), 0);
}

void ring_go(struct frontend *f, uint32_t index)
{
	assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, index, f->call[index]), 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_ERR, index, f->err[index]), 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, index, f->kick[index]), 0);
	assert_int_equal(frontend_tell_state(f, SET_VRING_ENABLE, index, 1), 0);
	assert_true(f->running[index]);
}

void ring_start(struct frontend *f, uint32_t index, uint32_t num, uint32_t base)
{
	ring_prepare(f);
	ring_place(f, index, num, base);
	ring_go(f, index);
	f->log[0] = '\0';
}

uint32_t ring_get_base(struct frontend *f, uint32_t index)
{
	struct state s = {index, 0};
	struct header h;

	frontend_send(f, GET_VRING_BASE, PLAIN, &s, sizeof(s), NULL, 0);
	frontend_pump(f);
	assert_int_equal(frontend_answer(f, &h, &s, sizeof(s)), sizeof(s));
	assert_int_equal(h.request, GET_VRING_BASE);
	assert_int_equal(s.index, index);
	frontend_expect_silence(f);
	return s.num;
}

static uint8_t *at(struct frontend *f, uint64_t offset)
{
	return f->bank[0].file + f->bank[0].as.offset + offset;
}

void ring_put(struct frontend *f, uint64_t offset, uint64_t value, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		at(f, offset)[i] = (uint8_t)(value >> (8 * i));
}

uint64_t ring_get(struct frontend *f, uint64_t offset, uint32_t bytes)
{
	uint64_t value = 0;
	uint32_t i;

	for (i = 0; i < bytes; i++)
		value |= (uint64_t)at(f, offset)[i] << (8 * i);
	return value;
}

void ring_offer(struct frontend *f, uint32_t index, uint32_t num, uint16_t idx, uint16_t head,
		uint64_t gpa)
{
	uint64_t desc = index * RING_STRIDE + 16ull * head;
	uint64_t avail = index * RING_STRIDE + RING_AVAIL;

	ring_put(f, desc, gpa, 8);
	ring_put(f, desc + 8, 16, 4);
	ring_put(f, desc + 12, 0, 4);
	ring_put(f, avail + 4 + 2 * (idx % num), head, 2);
	ring_put(f, avail + 2, idx + 1u, 2);
}

uint16_t ring_used_idx(struct frontend *f, uint32_t index)
{
	return (uint16_t)ring_get(f, index * RING_STRIDE + RING_USED + 2, 2);
}

int ring_pop(struct frontend *f, uint32_t index, uint8_t *byte)
{
	struct vqm_queue *q = vqm_vhost_user_queue(f->server, index);
	struct vqm_frag frag[4];
	struct vqm_chain c;
	int n;

	vqm_chain_init(&c, frag, 4);
	vqm_begin(q);
	n = vqm_pop(q, &c);
	if (n == 1 && byte)
		memcpy(byte, frag[0].base, 1);
	vqm_end(q);
	return n == 1 ? c.head : n == 0 ? -EAGAIN : n;
}

int ring_publish(struct frontend *f, uint32_t index, uint16_t head)
{
	struct vqm_queue *q = vqm_vhost_user_queue(f->server, index);
	struct vqm_done done = {head, 1, 0};
	int err;

	vqm_begin(q);
	err = vqm_publish(q, &done, 1);
	vqm_end(q);
	return err;
}

uint64_t ring_signals(int fd)
{
	struct pollfd p = {fd, POLLIN, 0};
	uint64_t value = 0;

	if (poll(&p, 1, 0) > 0)
		assert_int_equal(read(fd, &value, sizeof(value)), sizeof(value));
	return value;
}
