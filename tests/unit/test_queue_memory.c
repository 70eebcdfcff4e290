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
	assert_ptr_equal(held, t);
	rig_set_regions(r);
	rig_go_copy(r);
	assert_int_equal(rig_publish(r, 0, 0), 0);
	assert_int_equal(c.freed, 0);
	vqm_regions_release(held);
	assert_int_equal(c.freed, 1);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(the_cache_does_not_outlive_a_table),
		RIG_TEST(a_held_table_keeps_fragments_mapped),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
