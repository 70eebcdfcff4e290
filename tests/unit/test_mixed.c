/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A program built with VQM_DEBUG and a library built without it, or the other way round: what is
 * inline and what is not have to agree about the sections.
 */
#include "rig.h"

static void bursts_begin_and_end_in_the_same_build(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 8, 0);
	for (i = 0; i < 3; i++) {
		vqm_begin(&r->q);
		assert_int_equal(vqm_pop(&r->q, &r->chain[0]), 0);
		vqm_begin(&r->q);
		vqm_end(&r->q);
		vqm_end(&r->q);
	}
	assert_int_equal(vqm_prefetch(&r->q), 0);
	vqm_begin(&r->q);
	assert_true(vqm_is_direct(&r->q));
	vqm_end(&r->q);
	rig_set_regions(r);
	vqm_queue_stop(&r->q);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(bursts_begin_and_end_in_the_same_build),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
