/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Guest memory that moves under a queue: its cache of translations, and tables that are held. */
#include "rig.h"

#include <string.h>

static uint32_t cached(const struct rig *r)
{
	uint32_t i, n = 0;

	for (i = 0; i < VQM_TLB_COUNT; i++)
		n += r->q.tlb[i].size != 0;
	return n;
}

/* T5, case 4.17: after another table the same address is somewhere else, cache or not. */
static void the_cache_does_not_outlive_a_table(void **state)
{
	static uint8_t other[2][0x20000] __attribute__((__aligned__(4096)));
	struct rig *r = rig_of(state);
	uint8_t *mem = r->g.bank[0].mem;
	uint32_t i;

	rig_start(r, 8, 0);
	for (i = 0; i < 6; i++) {
		if (i == 3)
			vqm_queue_set_cache(&r->q, false);
		rig_expect_service(r, 2);
		rig_expect_service(r, 3); /* from the cache, if there is one */
		assert_int_equal(cached(r), i < 3);
		assert_true(r->q.tlb_epoch == r->q.map.view[r->q.map.current].epoch);
		memcpy(other[i & 1], r->g.bank[0].mem, 0x20000);
		r->g.bank[0].mem = other[i & 1];
		rig_set_regions(r);
		rig_go_copy(r);
	}
	vqm_queue_set_cache(&r->q, true);
	rig_expect_service(r, 3);
	assert_int_equal(cached(r), 1);
	vqm_queue_set_cache(&r->q, false);
	assert_int_equal(cached(r), 0);
	memcpy(mem, r->g.bank[0].mem, 0x20000);
	r->g.bank[0].mem = mem;
	rig_set_regions(r);
}

struct counted {
	struct vqm_mapping mapping;
	uint32_t freed;
};

static void count_free(struct vqm_mapping *m)
{
	((struct counted *)(void *)m)->freed++;
}

/* T7, case 5.02 */
static void a_held_table_keeps_fragments_mapped(void **state)
{
	struct rig *r = rig_of(state);
	struct counted c = {{1, count_free}, 0};
	struct vqm_regions *t = NULL, *held;
	struct vqm_region region;

	rig_start(r, 8, 0);
	assert_null(vqm_queue_hold(&r->q));
	region = guest_region(&r->g, 0);
	region.mapping = &c.mapping;
	assert_int_equal(vqm_regions_build(&t, &region, 1), 0);
	vqm_mapping_release(&c.mapping);
	vqm_dev_set_regions(&r->dev, t);
	rig_go_copy(r);
	guest_offer(&r->g, 0);
	vqm_begin(&r->q);
	assert_int_equal(vqm_pop(&r->q, &r->chain[0]), 1);
	held = vqm_queue_hold(&r->q);
	vqm_end(&r->q);
	assert_null(vqm_queue_hold(&r->q));
	assert_ptr_equal(held, t);
	rig_set_regions(r);
	rig_go_copy(r);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	assert_int_equal(c.freed, 0);
	vqm_regions_release(held);
	assert_int_equal(c.freed, 1);
}

/* A second region behind the first one, mapped or not. */
static void add_region(struct rig *r, uint8_t *host)
{
	struct vqm_region in[2] = {guest_region(&r->g, 0), guest_region(&r->g, 0)};
	struct vqm_regions *t = NULL;

	in[1].gpa.v = 0x20000;
	in[1].uva.v = 1ull << 33;
	in[1].host = host;
	assert_int_equal(vqm_regions_build(&t, in, 2), 0);
	vqm_dev_set_regions(&r->dev, t);
	rig_go_copy(r);
}

static void expect_not_here(struct rig *r, uint64_t addr)
{
	uint16_t next = r->q.next;

	assert_int_equal(rig_pop(r), -EOPNOTSUPP);
	rig_expect_fault(r, VQM_RULE_NOT_HERE);
	assert_int_equal(vqm_queue_fault(&r->q)->value, addr);
	assert_int_equal(r->q.next, next);
	assert_int_equal(r->chain[0].n_out + r->chain[0].n_in, 0);
}

/* The guest did nothing wrong, so nothing is consumed: served when the memory is there. */
static void memory_that_is_not_mapped_here_is_no_fault_of_the_guest(void **state)
{
	static const uint64_t addr[] = {0x20000, 0x3ff00, 0x1ffff, 0x1ff80};
	static uint8_t more[0x20000];
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 8, 0);
	for (i = 0; i < 4; i++) {
		add_region(r, NULL);
		guest_desc(&r->g, 4, 0x1000, 8, GUEST_N, 5);
		guest_desc(&r->g, 5, addr[i], 0x100, GUEST_W, 0);
		guest_offer(&r->g, 4);
		expect_not_here(r, addr[i] < 0x20000 ? 0x20000 : addr[i]);
		expect_not_here(r, addr[i] < 0x20000 ? 0x20000 : addr[i]);
		if (i & 1) {
			assert_int_equal(vqm_skip(&r->q), 0);
			assert_int_equal(r->chain[0].head, 4);
		} else {
			add_region(r, more);
			assert_int_equal(rig_pop(r), 1);
			assert_int_equal(r->chain[0].in_len, 0x100);
		}
		assert_int_equal(rig_publish(r, 4, 0), 0);
	}
	rig_set_regions(r);
}

/* A table that is not mapped here: only a backend can read it, if that reaches it. */
static void an_indirect_table_that_is_not_mapped_here_can_be_skipped(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, RIG_INDIRECT);
	add_region(r, NULL);
	guest_desc(&r->g, 0, 0x20000, 32, GUEST_I, 0);
	if (r->v.copy) {
		rig_expect_bad_chain(r, 0, VQM_RULE_INDIRECT_UNMAPPED);
		return;
	}
	guest_offer(&r->g, 0);
	expect_not_here(r, 0x20000);
	guest_desc(&r->g, 0, 0x1fff8, 32, GUEST_I, 0); /* the first entry ends there */
	expect_not_here(r, 0x20000);
	assert_int_equal(vqm_skip(&r->q), 0);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	rig_expect_service(r, 0);
}

static void a_burst_says_which_way_it_goes(void **state)
{
	struct rig *r = rig_of(state);

	rig_start(r, 8, 0);
	assert_false(vqm_is_direct(&r->q));
	vqm_begin(&r->q);
	assert_int_equal(vqm_is_direct(&r->q), !r->v.copy);
	vqm_end(&r->q);
	assert_false(vqm_is_direct(&r->q));
	assert_int_equal(vqm_prefetch(&r->q), 0);
	vqm_begin(&r->q);
	assert_true(vqm_is_direct(&r->q));
	vqm_end(&r->q);
}

/* Whatever happens to the device, the storage is the caller's again. */
static void a_queue_that_is_gone_is_left_alone(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_queue saved;

	rig_start(r, 8, 0);
	vqm_queue_fini(&r->q);
	memset(&r->q, 0x5a, sizeof(r->q));
	memcpy(&saved, &r->q, sizeof(saved));
	rig_set_regions(r);
	assert_int_equal(vqm_invalidate(&r->dev, vqm_uva_of(0), 1ull << 63, VQM_MAY_WAIT), 0);
	assert_memory_equal(&r->q, &saved, sizeof(saved));
	assert_int_equal(vqm_queue_init(&r->q, &r->dev, 5, r->v.strategy->sync), 0);
	rig_start(r, 8, 0);
	rig_expect_service(r, 1);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(the_cache_does_not_outlive_a_table),
		RIG_TEST(a_held_table_keeps_fragments_mapped),
		RIG_TEST(memory_that_is_not_mapped_here_is_no_fault_of_the_guest),
		RIG_TEST(an_indirect_table_that_is_not_mapped_here_can_be_skipped),
		RIG_TEST(a_burst_says_which_way_it_goes),
		RIG_TEST(a_queue_that_is_gone_is_left_alone),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
