/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* An allocator that fails: every set-up function leaves what was there before. */
#ifndef VQM_HEADER_ONLY
#define VQM_HEADER_ONLY
#endif
#define VQM_ENV_HEADER "nomem_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/mock.h>
#include <vqmeta/queue.h>

#include "strategies.h"

static uint8_t memory[0x4000] __attribute__((__aligned__(4096)));
static uint32_t freed;

static void count_free(struct vqm_mapping *m)
{
	(void)m;
	freed++;
}

static void tables_survive_a_failed_allocation(void **state)
{
	struct vqm_mapping m = {1, count_free};
	struct vqm_region in[] = {{{0}, {0x8000}, 0x1000, memory, &m},
				  {{0x1000}, {0x9000}, 0x1000, memory + 0x1000, &m}};
	struct vqm_regions *t = NULL, *out = NULL;

	(void)state;
	nomem_fail_at = 1;
	assert_int_equal(vqm_regions_build(&out, in, 2), -ENOMEM);
	assert_int_equal(vqm_regions_build(&t, in, 1), 0);
	nomem_fail_at = 1;
	assert_int_equal(vqm_regions_add(&out, t, &in[1]), -ENOMEM);
	nomem_fail_at = 1;
	assert_int_equal(vqm_regions_remove(&out, t, &in[0]), -ENOMEM);
	assert_null(out);
	assert_int_equal(m.refs, 2);
	assert_int_equal(t->count, 1);
	assert_int_equal(t->refs, 1);
	assert_ptr_equal(vqm_regions_find(t, vqm_gpa_of(0)), &t->region[0]);
	vqm_regions_release(t);
	assert_int_equal(m.refs, 1);
	assert_int_equal(freed, 0);
}

static void a_device_or_a_driver_is_not_made_without_memory(void **state)
{
	struct vqm_mock_config config = {memory, sizeof(memory), {0}, 0, 8, 0, VQM_LITTLE_ENDIAN};
	struct vqm_mock m;
	struct vqm_dev dev = {0};

	(void)state;
	nomem_fail_at = 1;
	assert_int_equal(vqm_dev_init(&dev), -ENOMEM);
	nomem_fail_at = 1;
	assert_int_equal(vqm_mock_init(&m, &config), -ENOMEM);
	assert_int_equal(vqm_mock_init(&m, &config), 0);
	vqm_mock_fini(&m);
}

static void serve_one(struct vqm_queue *q, struct vqm_mock *m, bool indirect)
{
	struct vqm_mock_buf b = {{0x3000}, 16};
	struct vqm_mock_used used;
	struct vqm_frag frag[4];
	struct vqm_chain c;
	struct vqm_done d;

	vqm_chain_init(&c, frag, 4);
	if (indirect) {
		assert_true(vqm_mock_add_indirect(m, vqm_gpa_of(0x2000), NULL, 0, &b, 1, NULL) >=
			    0);
		vqm_mock_expose(m);
	} else {
		assert_true(vqm_mock_post(m, &b, 1, NULL, 0, NULL) >= 0);
	}
	vqm_begin(q);
	assert_int_equal(vqm_pop(q, &c), 1);
	d = vqm_chain_done(&c, 16);
	assert_int_equal(vqm_publish(q, &d, 1), 0);
	vqm_need_notify(q);
	vqm_arm(q);
	vqm_end(q);
	assert_int_equal(vqm_mock_reap(m, &used), 1);
}

/* Q1; case 1.31: a table of 4 GiB is refused without asking for memory. */
static void the_queue_allocates_nothing_after_set_up(void **state)
{
	struct vqm_region in = {{0}, {0x8000}, sizeof(memory), memory, NULL};
	struct vqm_mock_config config = {memory,
					 sizeof(memory),
					 {0},
					 0,
					 8,
					 1ull << VQM_F_VERSION_1 | 1ull << VQM_F_INDIRECT_DESC,
					 VQM_LITTLE_ENDIAN};
	struct vqm_queue_config qc = {8, config.features, {{0}}, VQM_LITTLE_ENDIAN, 0, 0, NULL};
	static struct vqm_queue q;
	struct vqm_regions *t = NULL;
	struct vqm_mock m;
	struct vqm_dev dev = {0};

	(void)state;
	assert_int_equal(vqm_mock_init(&m, &config), 0);
	assert_int_equal(vqm_dev_init(&dev), 0);
	assert_int_equal(vqm_regions_build(&t, &in, 1), 0);
	nomem_largest = 0;
	vqm_dev_set_regions(&dev, t);
	assert_int_equal(vqm_queue_init(&q, &dev, 0, strategies[0].sync), 0);
	qc.addr[VQM_AREA_DESC].v = 0x8000 + m.desc_gpa.v;
	qc.addr[VQM_AREA_AVAIL].v = 0x8000 + m.avail_gpa.v;
	qc.addr[VQM_AREA_USED].v = 0x8000 + m.used_gpa.v;
	assert_int_equal(vqm_queue_start(&q, &qc), 0);
	serve_one(&q, &m, false);
	serve_one(&q, &m, true);
	vqm_mock_lie(&m, VQM_LIE_INDIRECT_HUGE);
	vqm_mock_add_indirect(&m, vqm_gpa_of(0x2000), &(struct vqm_mock_buf){{0x3000}, 16}, 1, NULL,
			      0, NULL);
	vqm_mock_expose(&m);
	vqm_begin(&q);
	assert_int_equal(vqm_pop(&q, &(struct vqm_chain){0}), -EINVAL);
	vqm_end(&q);
	vqm_invalidate(&dev, vqm_uva_of(0x8000), 0x1000, VQM_NO_WAIT);
	vqm_prefetch(&q);
	assert_int_equal(nomem_largest, 0);
	vqm_queue_fini(&q);
	vqm_dev_fini(&dev);
	vqm_mock_fini(&m);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_survive_a_failed_allocation),
		cmocka_unit_test(a_device_or_a_driver_is_not_made_without_memory),
		cmocka_unit_test(the_queue_allocates_nothing_after_set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
