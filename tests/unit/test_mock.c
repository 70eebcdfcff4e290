/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The mock driver against the queue: honest round trips, and the fault that each lie leads to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/mock.h>
#include <vqmeta/queue.h>

#include "strategies.h"

enum {
	SIZE = 0x40000,
	BASE = 0x100000,
	UVA = 0x7000000,
	TABLE = BASE + 0x10000,
	DATA = BASE + 0x20000,
	NUM = 8,
	FRAGS = 16,
};

#define INDIRECT  (1ull << VQM_F_INDIRECT_DESC)
#define EVENT_IDX (1ull << VQM_F_EVENT_IDX)
#define MODERN	  (1ull << VQM_F_VERSION_1)

static uint8_t mem[SIZE] __attribute__((__aligned__(4096)));
static struct vqm_frag frag[FRAGS];

struct pair {
	struct vqm_mock m;
	struct vqm_dev dev;
	struct vqm_queue q;
	struct vqm_chain c;
};

static struct pair p;

static void start(uint32_t num, uint64_t features, enum vqm_order order)
{
	struct vqm_mock_config config = {mem, SIZE, {BASE}, 0, num, features, order};
	struct vqm_region region = {{BASE}, {UVA}, SIZE, mem, NULL};
	struct vqm_queue_config qc = {0};
	struct vqm_regions *t = NULL;

	memset(mem, 0xcc, sizeof(mem));
	assert_int_equal(vqm_mock_init(&p.m, &config), 0);
	assert_int_equal(vqm_dev_init(&p.dev), 0);
	assert_int_equal(vqm_regions_build(&t, &region, 1), 0);
	vqm_dev_set_regions(&p.dev, t);
	assert_int_equal(vqm_queue_init(&p.q, &p.dev, 0, strategies[0].sync), 0);
	qc.num = num;
	qc.features = features;
	qc.order = order;
	qc.addr[VQM_AREA_DESC].v = p.m.desc_gpa.v - BASE + UVA;
	qc.addr[VQM_AREA_AVAIL].v = p.m.avail_gpa.v - BASE + UVA;
	qc.addr[VQM_AREA_USED].v = p.m.used_gpa.v - BASE + UVA;
	assert_int_equal(vqm_queue_start(&p.q, &qc), 0);
	vqm_chain_init(&p.c, frag, FRAGS);
}

static void finish(void)
{
	vqm_queue_fini(&p.q);
	vqm_dev_fini(&p.dev);
	vqm_mock_fini(&p.m);
}

static int pop(void)
{
	int n;

	vqm_begin(&p.q);
	n = vqm_pop(&p.q, &p.c);
	vqm_end(&p.q);
	return n;
}

static bool publish(uint16_t head, uint32_t len)
{
	struct vqm_done d = {head, 1, len};
	bool notify;

	vqm_begin(&p.q);
	assert_int_equal(vqm_publish(&p.q, &d, 1), 0);
	notify = vqm_need_notify(&p.q);
	vqm_end(&p.q);
	return notify;
}

static const struct vqm_mock_buf out[] = {{{DATA}, 16}, {{DATA + 0x100}, 32}};
static const struct vqm_mock_buf in[] = {{{DATA + 0x200}, 64}, {{DATA + 0x300}, 128}};

static int post(bool indirect, void *token)
{
	int head;

	if (!indirect)
		return vqm_mock_post(&p.m, out, 2, in, 2, token);
	head = vqm_mock_add_indirect(&p.m, vqm_gpa_of(TABLE), out, 2, in, 2, token);
	vqm_mock_expose(&p.m);
	return head;
}

static void see_through(bool indirect, uint32_t written)
{
	struct vqm_mock_used used;
	int token, head = post(indirect, &token);

	assert_true(head >= 0 && head < (int)p.m.config.num);
	assert_int_equal(pop(), 1);
	assert_int_equal(p.c.head, head);
	assert_int_equal(p.c.n_out, 2);
	assert_int_equal(p.c.n_in, 2);
	assert_int_equal(p.c.out_len, 48);
	assert_int_equal(p.c.in_len, 192);
	assert_ptr_equal(frag[2].base, mem + 0x20200);
	assert_ptr_equal(frag[2].base, vqm_mock_at(&p.m, vqm_gpa_of(DATA + 0x200), 64));
	assert_int_equal(vqm_mock_reap(&p.m, &used), 0);
	publish(p.c.head, written);
	assert_int_equal(vqm_mock_reap(&p.m, &used), 1);
	assert_ptr_equal(used.token, &token);
	assert_int_equal(used.head, head);
	assert_int_equal(used.len, written);
	assert_int_equal(vqm_mock_reap(&p.m, &used), 0);
}

static void chains_go_round_in_every_layout(void **state)
{
	static const uint32_t nums[] = {4, 8, 256};
	uint32_t i, k, n;

	(void)state;
	for (i = 0; i < 3; i++) {
		for (k = 0; k < 8; k++) {
			uint64_t features =
				INDIRECT | (k & 1 ? MODERN : 0) | (k & 2 ? EVENT_IDX : 0);

			start(nums[i], features, k & 4 ? VQM_BIG_ENDIAN : VQM_LITTLE_ENDIAN);
			for (n = 0; n < 600; n++)
				see_through(n % 3 == 0, n % 193);
			finish();
		}
	}
}

/* Out of order, until the free list is a maze; nothing is lost or doubled. */
static void a_full_ring_comes_back_in_any_order(void **state)
{
	static int token[NUM];
	struct vqm_mock_buf b = {{DATA}, 8};
	uint16_t head[NUM], i, round;

	(void)state;
	start(NUM, MODERN | EVENT_IDX, VQM_LITTLE_ENDIAN);
	for (round = 0; round < 200; round++) {
		uint32_t seen = 0;

		for (i = 0; i < NUM; i++)
			assert_true(vqm_mock_post(&p.m, &b, 1, NULL, 0, &token[i]) >= 0);
		assert_int_equal(vqm_mock_post(&p.m, &b, 1, NULL, 0, NULL), -ENOBUFS);
		for (i = 0; i < NUM; i++) {
			assert_int_equal(pop(), 1);
			head[i] = p.c.head;
		}
		assert_int_equal(pop(), 0);
		for (i = 0; i < NUM; i++)
			publish(head[(i * 5 + round) % NUM], 0);
		for (i = 0; i < NUM; i++) {
			struct vqm_mock_used used;

			assert_int_equal(vqm_mock_reap(&p.m, &used), 1);
			seen |= 1u << ((int *)used.token - token);
		}
		assert_int_equal(seen, 0xff);
	}
	finish();
}

/* SR-55, SR-57: both sides agree about who wants to hear what. */
static void kicks_and_notifications_follow_the_wishes(void **state)
{
	struct vqm_mock_buf b = {{DATA}, 8};
	struct vqm_mock_used used;
	uint32_t mode;

	(void)state;
	for (mode = 0; mode < 2; mode++) {
		start(NUM, MODERN | (mode ? EVENT_IDX : 0), VQM_LITTLE_ENDIAN);
		vqm_begin(&p.q);
		vqm_need_notify(&p.q);
		assert_false(vqm_arm(&p.q));
		vqm_end(&p.q);
		assert_true(vqm_mock_add(&p.m, &b, 1, NULL, 0, NULL) >= 0);
		assert_true(vqm_mock_expose(&p.m)); /* armed for the next one */
		vqm_begin(&p.q);
		vqm_disarm(&p.q);
		vqm_end(&p.q);
		assert_true(vqm_mock_add(&p.m, &b, 1, NULL, 0, NULL) >= 0);
		assert_false(vqm_mock_expose(&p.m));
		assert_false(vqm_mock_arm(&p.m));
		assert_int_equal(pop(), 1);
		assert_true(publish(p.c.head, 0));
		assert_true(vqm_mock_arm(&p.m));
		vqm_mock_disarm(&p.m);
		assert_int_equal(vqm_mock_reap(&p.m, &used), 1);
		assert_int_equal(pop(), 1);
		assert_false(publish(p.c.head, 0));
		assert_int_equal(vqm_mock_reap(&p.m, &used), 1);
		finish();
	}
}

/* clang-format off */
static const struct {
	enum vqm_lie lie;
	bool indirect;
	int err;
	enum vqm_rule rule;
} lies[] = {
	{VQM_LIE_HEAD_TOO_BIG, false, -ENOTRECOVERABLE, VQM_RULE_HEAD_RANGE},
	{VQM_LIE_AVAIL_AHEAD, false, -ENOTRECOVERABLE, VQM_RULE_AVAIL_AHEAD},
	{VQM_LIE_NEXT_TOO_BIG, false, -EINVAL, VQM_RULE_NEXT_RANGE},
	{VQM_LIE_NEXT_TOO_BIG, true, -EINVAL, VQM_RULE_NEXT_RANGE},
	{VQM_LIE_LOOP, false, -EINVAL, VQM_RULE_LOOP},
	{VQM_LIE_LOOP, true, -EINVAL, VQM_RULE_LOOP},
	{VQM_LIE_LOOP_EMPTY, false, -EINVAL, VQM_RULE_LOOP},
	{VQM_LIE_LOOP_EMPTY, true, -EINVAL, VQM_RULE_LOOP},
	{VQM_LIE_WRITE_FIRST, false, -EINVAL, VQM_RULE_WRITE_ORDER},
	{VQM_LIE_WRITE_FIRST, true, -EINVAL, VQM_RULE_WRITE_ORDER},
	{VQM_LIE_UNMAPPED, false, -EINVAL, VQM_RULE_UNMAPPED},
	{VQM_LIE_UNMAPPED, true, -EINVAL, VQM_RULE_UNMAPPED},
	{VQM_LIE_WRAP, false, -EINVAL, VQM_RULE_UNMAPPED},
	{VQM_LIE_WRAP, true, -EINVAL, VQM_RULE_UNMAPPED},
	{VQM_LIE_INDIRECT_EMPTY, true, -EINVAL, VQM_RULE_INDIRECT_LEN},
	{VQM_LIE_INDIRECT_ODD, true, -EINVAL, VQM_RULE_INDIRECT_LEN},
	{VQM_LIE_INDIRECT_HUGE, true, -EINVAL, VQM_RULE_INDIRECT_LEN},
	{VQM_LIE_INDIRECT_NESTED, true, -EINVAL, VQM_RULE_INDIRECT_NESTED},
	{VQM_LIE_INDIRECT_NEXT, true, -EINVAL, VQM_RULE_INDIRECT_NEXT},
};
/* clang-format on */

static void each_lie_leads_to_its_fault_and_no_further(void **state)
{
	uint8_t told[VQM_LIE_COUNT] = {1};
	uint32_t i, k;

	(void)state;
	for (i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		told[lies[i].lie] = 1;
		for (k = 0; k < 4; k++) {
			struct vqm_mock_used used;

			start(NUM, INDIRECT | (k & 1 ? MODERN : 0) | (k & 2 ? EVENT_IDX : 0),
			      VQM_BIG_ENDIAN);
			see_through(lies[i].indirect, 5);
			vqm_mock_lie(&p.m, lies[i].lie);
			assert_true(post(lies[i].indirect, &p) >= 0);
			assert_int_equal(pop(), lies[i].err);
			assert_int_equal(vqm_queue_fault(&p.q)->rule, lies[i].rule);
			if (lies[i].err == -EINVAL) {
				publish(p.c.head, 0);
				assert_int_equal(vqm_mock_reap(&p.m, &used), 1);
				assert_ptr_equal(used.token, &p);
				see_through(lies[i].indirect, 7);
			} else {
				assert_int_equal(pop(), lies[i].err);
			}
			finish();
		}
	}
	for (i = 0; i < VQM_LIE_COUNT; i++)
		assert_int_equal(told[i], 1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(chains_go_round_in_every_layout),
		cmocka_unit_test(a_full_ring_comes_back_in_any_order),
		cmocka_unit_test(kicks_and_notifications_follow_the_wishes),
		cmocka_unit_test(each_lie_leads_to_its_fault_and_no_further),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
