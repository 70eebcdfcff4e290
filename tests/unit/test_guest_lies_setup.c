/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Every illegal setting of a queue: refused with its rule, and the queue is as it was. */
#include "rig.h"

#include <string.h>

/* Starts with the configuration as it is and expects it to be refused; then a good one works. */
static void refuse(struct rig *r, int err, enum vqm_rule rule)
{
	struct vqm_queue_config good = r->config;

	assert_int_equal(vqm_queue_start(&r->q, &r->config), err);
	rig_expect_fault(r, rule);
	assert_int_equal(vqm_queue_fault(&r->q)->err, err);
	assert_int_equal(rig_pop(r), -ENOTCONN);
	assert_null(r->q.map.view[r->q.map.current].area[0]);
	assert_null(r->q.map.view[r->q.map.current].area[1]);
	assert_null(r->q.map.view[r->q.map.current].area[2]);
	assert_int_equal(vqm_queue_stop(&r->q), 0);
	rig_configure(r, 8, 0);
	r->config.max_chain = 0;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	vqm_queue_stop(&r->q);
	r->config = good;
}

static struct rig *ready(void **state)
{
	struct rig *r = rig_of(state);

	rig_configure(r, 8, 0);
	rig_set_regions(r);
	return r;
}

/* SR-11 */
static void a_size_that_is_no_power_of_two_up_to_32768_is_refused(void **state)
{
	static const uint32_t num[] = {0,     3,     5,	    6,	     7,		 24576,	    32767,
				       32769, 65535, 65536, 0x10100, 0x80000000, UINT32_MAX};
	struct rig *r = ready(state);
	uint32_t i;

	for (i = 0; i < sizeof(num) / sizeof(num[0]); i++) {
		r->config.num = num[i];
		refuse(r, -EINVAL, VQM_RULE_NUM);
	}
}

/* SR-07 */
static void a_misaligned_area_is_refused(void **state)
{
	struct rig *r = ready(state);
	uint32_t a, off;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		uint64_t place = r->config.addr[a].v;

		for (off = 1; off < vqm_area_align(a); off++) {
			r->config.addr[a].v = place + off;
			refuse(r, -EINVAL, VQM_RULE_ALIGN);
		}
		assert_int_equal(vqm_queue_start(&r->q, &r->config), -EINVAL);
		assert_int_equal(vqm_queue_fault(&r->q)->area, a);
		assert_int_equal(vqm_queue_fault(&r->q)->limit, vqm_area_align(a));
		r->config.addr[a].v = place;
	}
}

static void an_area_that_wraps_is_refused(void **state)
{
	static const uint64_t size[] = {8 * 16, 4 + 16, 4 + 64};
	struct rig *r = ready(state);
	uint32_t a;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		uint64_t place = r->config.addr[a].v;

		r->config.addr[a].v = 0ull - size[a] + vqm_area_align(a);
		refuse(r, -EINVAL, VQM_RULE_AREA_WRAP);
		r->config.addr[a].v = 0ull - vqm_area_align(a);
		refuse(r, -EINVAL, VQM_RULE_AREA_WRAP);
		r->config.addr[a].v = 0ull - size[a]; /* ends at 2^64, where nothing is */
		r->config.backend = NULL;
		refuse(r, -EFAULT, VQM_RULE_AREA_UNMAPPED);
		r->config.addr[a].v = place;
	}
}

/* case 4.04: every byte of an area must be in one region. */
static void an_area_outside_or_over_the_end_of_a_region_is_refused(void **state)
{
	static const uint64_t bad[] = {0x20000, 0x1fff0, 0x1ffd0, 0x100000};
	struct rig *r = ready(state);
	uint32_t a, i;

	r->config.backend = NULL;
	for (a = 0; a < VQM_AREA_COUNT; a++) {
		uint64_t place = r->config.addr[a].v;

		for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
			if (i == 2 && a == VQM_AREA_AVAIL)
				continue; /* 20 bytes fit there */
			r->config.addr[a].v = GUEST_UVA + bad[i];
			refuse(r, -EFAULT, VQM_RULE_AREA_UNMAPPED);
			assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
			assert_int_equal(vqm_queue_fault(&r->q)->area, a);
			assert_true(vqm_queue_fault(&r->q)->value == GUEST_UVA + bad[i]);
		}
		r->config.addr[a].v = 0;
		refuse(r, -EFAULT, VQM_RULE_AREA_UNMAPPED);
		r->config.addr[a].v = place - GUEST_UVA; /* that is a guest-physical address */
		refuse(r, -EFAULT, VQM_RULE_AREA_UNMAPPED);
		r->config.addr[a].v = place;
	}
}

/* case 8.04: aligned in the guest, but not where it is mapped. */
static void an_area_that_is_misaligned_here_is_refused(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_region region = guest_region(&r->g, 0);
	struct vqm_regions *t = NULL;

	rig_configure(r, 8, 0);
	r->config.backend = NULL;
	region.host++;
	region.size--;
	assert_int_equal(vqm_regions_build(&t, &region, 1), 0);
	vqm_dev_set_regions(&r->dev, t);
	assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
	rig_set_regions(r);
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
}

static void an_area_in_a_region_that_is_not_mapped_here_is_refused(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_region region = guest_region(&r->g, 0);
	struct vqm_regions *t = NULL;

	rig_configure(r, 8, 0);
	r->config.backend = NULL;
	region.host = NULL;
	assert_int_equal(vqm_regions_build(&t, &region, 1), 0);
	vqm_dev_set_regions(&r->dev, t);
	assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
	rig_expect_fault(r, VQM_RULE_AREA_UNMAPPED);
}

/* case 4.36 */
static void nothing_starts_on_an_empty_table(void **state)
{
	struct rig *r = rig_of(state);

	rig_configure(r, 8, 0);
	r->config.backend = NULL;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
	rig_expect_fault(r, VQM_RULE_AREA_UNMAPPED);
}

static void max_chain_below_the_size_is_refused(void **state)
{
	struct rig *r = ready(state);

	r->config.max_chain = 7;
	refuse(r, -EINVAL, VQM_RULE_MAX_CHAIN);
	r->config.max_chain = 1;
	refuse(r, -EINVAL, VQM_RULE_MAX_CHAIN);
	r->config.max_chain = 8;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
}

static void a_feature_that_is_not_served_is_refused(void **state)
{
	static const uint32_t bits[] = {VQM_F_ACCESS_PLATFORM, VQM_F_RING_PACKED, VQM_F_IN_ORDER};
	struct rig *r = ready(state);
	uint32_t i;

	for (i = 0; i < 3; i++) {
		r->config.features = 1ull << VQM_F_VERSION_1 | 1ull << bits[i];
		refuse(r, -EOPNOTSUPP, VQM_RULE_FEATURE);
		assert_int_equal(vqm_queue_start(&r->q, &r->config), -EOPNOTSUPP);
		assert_int_equal(vqm_queue_fault(&r->q)->value, bits[i]);
	}
}

/* case 9.02: an area that is being invalidated cannot be mapped now, backend or not. */
static void a_start_during_an_invalidation_is_for_later(void **state)
{
	struct rig *r = ready(state);
	uint32_t a;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		assert_int_equal(vqm_invalidate_begin(&r->dev, r->config.addr[a], 1, VQM_NO_WAIT),
				 0);
		assert_int_equal(vqm_queue_start(&r->q, &r->config), -EAGAIN);
		assert_int_equal(vqm_queue_fault(&r->q)->err, -EAGAIN);
		assert_int_equal(rig_pop(r), -ENOTCONN);
		assert_int_equal(vqm_invalidate_end(&r->dev, r->config.addr[a], 1), 0);
		assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
		vqm_queue_stop(&r->q);
	}
}

/* A backend that fails at any moment of the start: refused, and as if it had not been tried. */
static void a_start_that_cannot_read_the_ring_is_refused(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t failed = 0;
	int err;

	rig_configure(r, 8, 0); /* no table: all goes through the backend */
	r->config.backend = &r->backend.backend;
	guest_set_used_idx(&r->g, 7);
	guest_set_avail_idx(&r->g, 7);
	r->config.next = 7;
	do {
		r->backend.fail_at = r->backend.count + failed + 1;
		err = vqm_queue_start(&r->q, &r->config);
		if (err) {
			assert_true(err == -EFAULT || err == -ESTALE);
			assert_int_equal(rig_pop(r), -ENOTCONN);
			failed++;
		}
	} while (err);
	assert_in_range(failed, 4, 100); /* three areas, and the used index */
	vqm_queue_stop(&r->q);
	/* Where all is mapped, the backend does not matter. */
	rig_set_regions(r);
	r->backend.deaf_size = UINT64_MAX;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
}

/* "On error nothing has changed": the index that stop gave is still there, for another try. */
static void a_refused_start_keeps_the_index_of_the_last_stop(void **state)
{
	struct rig *r = rig_of(state);
	uint32_t i;

	rig_start(r, 8, 0);
	for (i = 0; i < 3; i++)
		rig_expect_service(r, 1);
	assert_int_equal(vqm_queue_stop(&r->q), 3);
	r->config.next = 77;
	r->config.num = 3;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), -EINVAL);
	assert_int_equal(vqm_queue_stop(&r->q), 3);
	r->config.num = 8;
	r->config.addr[VQM_AREA_USED].v = 0x1000;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
	assert_int_equal(vqm_queue_stop(&r->q), 3);
	rig_configure(r, 8, 0);
	r->config.next = 3;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	rig_go_copy(r);
	rig_expect_service(r, 2);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_size_that_is_no_power_of_two_up_to_32768_is_refused),
		RIG_TEST(a_misaligned_area_is_refused),
		RIG_TEST(an_area_that_wraps_is_refused),
		RIG_TEST(an_area_outside_or_over_the_end_of_a_region_is_refused),
		RIG_TEST(an_area_that_is_misaligned_here_is_refused),
		RIG_TEST(an_area_in_a_region_that_is_not_mapped_here_is_refused),
		RIG_TEST(nothing_starts_on_an_empty_table),
		RIG_TEST(max_chain_below_the_size_is_refused),
		RIG_TEST(a_feature_that_is_not_served_is_refused),
		RIG_TEST(a_start_during_an_invalidation_is_for_later),
		RIG_TEST(a_start_that_cannot_read_the_ring_is_refused),
		RIG_TEST(a_refused_start_keeps_the_index_of_the_last_stop),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
