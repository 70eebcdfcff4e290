/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which accesses the queue makes to a mapped ring, in which order, each field once (Q1); and a
 * guest that rewrites the ring after every load.
 */
#ifndef VQM_HEADER_ONLY
#define VQM_HEADER_ONLY
#endif
#define VQM_ENV_HEADER "trace_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/queue.h>

#include "strategies.h"

enum {
	NUM = 8,
	AVAIL = 0x100,
	USED = 0x200,
	TABLE = 0x400,
	BUFFER = 0x1000,
	SIZE = 0x10000,
};

static uint8_t mem[SIZE] __attribute__((__aligned__(4096)));
static struct vqm_dev dev;
static struct vqm_queue q;
static struct vqm_frag frag[2][16];
static struct vqm_chain chain[2];

static void put(uint32_t at, uint64_t v, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		mem[at + i] = (uint8_t)(v >> 8 * i);
}

static void desc(uint32_t table, uint32_t i, uint64_t addr, uint32_t len, uint16_t flags,
		 uint16_t next)
{
	put(table + 16 * i, addr, 8);
	put(table + 16 * i + 8, len, 4);
	put(table + 16 * i + 12, flags, 2);
	put(table + 16 * i + 14, next, 2);
}

static void start(uint64_t features)
{
	struct vqm_region r = {{0}, {0}, SIZE, mem, NULL};
	struct vqm_queue_config c = {NUM,
				     features | 1ull << VQM_F_VERSION_1,
				     {{0}, {AVAIL}, {USED}},
				     VQM_LITTLE_ENDIAN,
				     0,
				     0,
				     NULL};
	struct vqm_regions *t = NULL;
	uint32_t i;

	memset(mem, 0, sizeof(mem));
	assert_int_equal(vqm_dev_init(&dev), 0);
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	vqm_dev_set_regions(&dev, t);
	assert_int_equal(vqm_queue_init(&q, &dev, 0, strategies[0].sync), 0);
	assert_int_equal(vqm_queue_start(&q, &c), 0);
	for (i = 0; i < 2; i++)
		vqm_chain_init(&chain[i], frag[i], 16);
	trace_after_load = NULL;
	traced = 0;
}

static void finish(void)
{
	trace_after_load = NULL;
	vqm_queue_fini(&q);
	vqm_dev_fini(&dev);
}

static int pop(uint32_t max)
{
	int n;

	vqm_begin(&q);
	traced = 0;
	n = vqm_pop_batch(&q, chain, max);
	trace_after_load = NULL;
	vqm_end(&q);
	return n;
}

/* Expects event @i of the trace. */
static void event(uint32_t i, char what, uint32_t at, uint32_t bytes)
{
	assert_true(i < traced);
	assert_int_equal(trace[i].what, what);
	assert_ptr_equal(trace[i].at, what == 'm' ? NULL : mem + at);
	assert_int_equal(trace[i].bytes, bytes);
}

/* SR-92, SR-28: the index with acquire, then each word of the chains, each once. */
static void a_pop_reads_each_word_once_behind_the_index(void **state)
{
	uint32_t i;

	(void)state;
	start(1ull << VQM_F_INDIRECT_DESC);
	desc(0, 3, BUFFER, 8, 1, 4);
	desc(0, 4, TABLE, 32, 4, 0);
	desc(TABLE, 0, BUFFER, 8, 1, 1);
	desc(TABLE, 1, BUFFER, 8, 2, 0);
	desc(0, 5, BUFFER, 8, 0, 0);
	put(AVAIL + 4, 3, 2);
	put(AVAIL + 6, 5, 2);
	put(AVAIL + 2, 2, 2);
	assert_int_equal(pop(2), 2);
	assert_int_equal(traced, 13);
	event(0, 'a', AVAIL + 2, 2);
	event(1, 'l', AVAIL + 4, 2);
	for (i = 0; i < 2; i++) {
		event(2 + 2 * i, 'l', 16 * (3 + i), 8);
		event(3 + 2 * i, 'l', 16 * (3 + i) + 8, 8);
		event(6 + 2 * i, 'l', TABLE + 16 * i, 8);
		event(7 + 2 * i, 'l', TABLE + 16 * i + 8, 8);
	}
	event(10, 'l', AVAIL + 6, 2);
	event(11, 'l', 16 * 5, 8);
	event(12, 'l', 16 * 5 + 8, 8);
	assert_int_equal(pop(2), 0);
	assert_int_equal(traced, 1);
	event(0, 'a', AVAIL + 2, 2);
	finish();
}

/* Known entries need no look at the index; that one look was with acquire (case 3.17). */
static void a_batch_looks_at_the_index_once(void **state)
{
	(void)state;
	start(0);
	put(AVAIL + 2, 3, 2);
	assert_int_equal(pop(1), 1);
	event(0, 'a', AVAIL + 2, 2);
	assert_int_equal(pop(1), 1);
	event(0, 'l', AVAIL + 6, 2);
	assert_int_equal(pop(1), 1);
	event(0, 'l', AVAIL + 8, 2); /* the last one of them */
	put(AVAIL + 2, 4, 2);
	assert_int_equal(pop(2), 1);
	event(0, 'a', AVAIL + 2, 2);
	finish();
}

/* SR-93, SR-98, case 2.34: elements, then one store of the index with release. */
static void a_publish_writes_elements_then_the_index_with_release(void **state)
{
	struct vqm_done done[2] = {{1, 1, 5}, {0, 1, 6}};

	(void)state;
	start(0);
	put(AVAIL + 2, 2, 2);
	assert_int_equal(pop(2), 2);
	vqm_begin(&q);
	traced = 0;
	assert_int_equal(vqm_publish(&q, done, 2), 0);
	vqm_end(&q);
	assert_int_equal(traced, 5);
	event(0, 's', USED + 4, 4);
	event(1, 's', USED + 8, 4);
	event(2, 's', USED + 12, 4);
	event(3, 's', USED + 16, 4);
	event(4, 'r', USED + 2, 2);
	finish();
}

/* SR-94, case 3.15: publish, full barrier, then the wish of the driver; in flag mode too. */
static void a_full_barrier_lies_between_the_index_and_the_wish(void **state)
{
	struct vqm_done done = {0, 1, 0};
	uint32_t mode;

	(void)state;
	for (mode = 0; mode < 2; mode++) {
		start(mode ? 1ull << VQM_F_EVENT_IDX : 0);
		put(AVAIL + 2, 1, 2);
		assert_int_equal(pop(1), 1);
		vqm_begin(&q);
		traced = 0;
		assert_int_equal(vqm_publish(&q, &done, 1), 0);
		vqm_need_notify(&q);
		vqm_end(&q);
		assert_int_equal(traced, 5);
		event(2, 'r', USED + 2, 2);
		event(3, 'm', 0, 0);
		event(4, 'l', mode ? AVAIL + 4 + 2 * NUM : AVAIL, 2);
		vqm_begin(&q);
		traced = 0;
		assert_false(vqm_need_notify(&q));
		assert_int_equal(traced, 0); /* nothing new: no barrier, no look */
		vqm_end(&q);
		finish();
	}
}

/* SR-95, case 3.16: ask, full barrier, then the index once more, with acquire. */
static void a_full_barrier_lies_between_asking_and_the_second_look(void **state)
{
	uint32_t mode;

	(void)state;
	for (mode = 0; mode < 2; mode++) {
		start(mode ? 1ull << VQM_F_EVENT_IDX : 0);
		vqm_begin(&q);
		traced = 0;
		assert_false(vqm_arm(&q));
		assert_int_equal(traced, 3);
		event(0, 's', mode ? USED + 4 + 8 * NUM : USED, 2);
		event(1, 'm', 0, 0);
		event(2, 'a', AVAIL + 2, 2);
		traced = 0;
		vqm_disarm(&q);
		assert_int_equal(traced, mode ? 0 : 1);
		vqm_end(&q);
		finish();
	}
}

static uint32_t loads, rewrite_at, rewrite_with;

/* A guest that replaces every descriptor once, after load number rewrite_at. */
static void rewrite(void)
{
	uint32_t i;

	if (++loads != rewrite_at)
		return;
	for (i = 0; i < NUM; i++) {
		desc(0, i, 0xdead0000, rewrite_with, (uint16_t)(i & 1 ? 3 : 1), 0xffff);
		desc(TABLE, i, 0xdead0000, rewrite_with, 7, 0xffff);
	}
	for (i = 0; i < NUM; i++)
		put(AVAIL + 4 + 2 * i, 0xffff, 2);
	put(AVAIL + 2, 0xffff, 2);
}

/* case 1.30: whatever is read is used as it was checked; fragments lie in memory, always. */
static void a_ring_that_changes_after_any_load_does_no_harm(void **state)
{
	static const uint32_t with[] = {0, 16, 0x10000, 0xffffffff};
	uint32_t i, k, f, good = 0;
	int n;

	(void)state;
	for (i = 0; i < 4; i++) {
		for (k = 1; k < 16; k++) {
			start(1ull << VQM_F_INDIRECT_DESC);
			desc(0, 3, BUFFER, 64, 1, 1);
			desc(0, 1, BUFFER, 64, 1, 2);
			desc(0, 2, TABLE, 48, 4, 0);
			desc(TABLE, 0, BUFFER, 64, 1, 2);
			desc(TABLE, 2, BUFFER, 64, 2, 0);
			put(AVAIL + 4, 3, 2);
			put(AVAIL + 2, 1, 2);
			loads = 0;
			rewrite_at = k;
			rewrite_with = with[i];
			trace_after_load = rewrite;
			n = pop(1);
			assert_true(n == 1 || n == -EINVAL || n == -ENOTRECOVERABLE);
			for (f = 0; n == 1 && f < chain[0].n_out + chain[0].n_in; f++) {
				assert_true((uint8_t *)frag[0][f].base >= mem);
				assert_true((uint8_t *)frag[0][f].base + frag[0][f].len <=
					    mem + SIZE);
			}
			good += n == 1 && chain[0].n_out == 3 && chain[0].n_in == 1;
			finish();
		}
	}
	assert_int_equal(good, 4 * 4); /* 12 loads: only changes after the last come too late */
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pop_reads_each_word_once_behind_the_index),
		cmocka_unit_test(a_batch_looks_at_the_index_once),
		cmocka_unit_test(a_publish_writes_elements_then_the_index_with_release),
		cmocka_unit_test(a_full_barrier_lies_between_the_index_and_the_wish),
		cmocka_unit_test(a_full_barrier_lies_between_asking_and_the_second_look),
		cmocka_unit_test(a_ring_that_changes_after_any_load_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
