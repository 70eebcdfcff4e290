/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * P1 while a queue is started: the thread that starts it need not be attached to anything, so what
 * it reads of the ring is protected by the lock of the device instead of a section.
 */
#ifndef VQM_HEADER_ONLY
#define VQM_HEADER_ONLY
#endif
#define VQM_ENV_HEADER "load_env.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/queue.h>

enum { SIZE = 0x1000, UVA = 0x40000 };

static uint8_t mem[SIZE] __attribute__((__aligned__(4096)));
static struct vqm_dev dev;
static uint32_t loads;

static void look_at_the_lock(void)
{
	assert_false(vqm_env_trylock(&dev.lock));
	loads++;
}

static void starting_reads_the_ring_under_the_lock(void **state)
{
	struct vqm_queue_config config = {8,
					  1ull << VQM_F_VERSION_1,
					  {{UVA}, {UVA + 0x100}, {UVA + 0x200}},
					  VQM_LITTLE_ENDIAN,
					  0,
					  0,
					  NULL};
	struct vqm_region r = {{0}, {UVA}, SIZE, mem, NULL};
	static struct vqm_queue q;
	struct vqm_regions *t = NULL;

	(void)state;
	assert_int_equal(vqm_dev_init(&dev), 0);
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	vqm_dev_set_regions(&dev, t);
	assert_int_equal(vqm_queue_init(&q, &dev, 0, VQM_SYNC_COUNTER), 0);
	load_hook = look_at_the_lock;
	assert_int_equal(vqm_queue_start(&q, &config), 0);
	load_hook = NULL;
	assert_int_equal(loads, 1);
	assert_int_equal(vqm_queue_fini(&q), 0);
	assert_int_equal(vqm_dev_fini(&dev), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(starting_reads_the_ring_under_the_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
