/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The same order where a ring is reached by copying: barriers around the copies of an index. */
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

#include <vqmeta/split_copy.h>

static uint8_t mem[64];

static int copy_from(const struct vqm_backend *b, void *dst, struct vqm_uva src, size_t len)
{
	(void)b;
	memcpy(dst, mem + src.v, len);
	trace_add('l', mem + src.v, (uint32_t)len);
	return 0;
}

static int copy_to(const struct vqm_backend *b, struct vqm_uva dst, const void *src, size_t len)
{
	(void)b;
	memcpy(mem + dst.v, src, len);
	trace_add('s', mem + dst.v, (uint32_t)len);
	return 0;
}

static const struct vqm_backend backend = {copy_from, copy_to};

/* SR-92: what is copied later comes after the index. */
static void an_acquire_barrier_follows_the_available_index(void **state)
{
	uint16_t idx;

	(void)state;
	traced = 0;
	assert_int_equal(
		vqm_copy_get_avail_idx_acquire(&backend, vqm_uva_of(0), VQM_LITTLE_ENDIAN, &idx),
		0);
	assert_int_equal(traced, 2);
	assert_ptr_equal(trace[0].at, mem + 2);
	assert_int_equal(trace[0].bytes, 2);
	assert_int_equal(trace[1].what, 'b');
}

/* SR-93: elements come before the index, whatever a copy is made of. */
static void a_full_barrier_precedes_the_used_index(void **state)
{
	(void)state;
	traced = 0;
	assert_int_equal(
		vqm_copy_put_used_elem(&backend, vqm_uva_of(0), 0, 1, 2, VQM_LITTLE_ENDIAN), 0);
	assert_int_equal(
		vqm_copy_put_used_idx_release(&backend, vqm_uva_of(0), 1, VQM_LITTLE_ENDIAN), 0);
	assert_int_equal(traced, 3);
	assert_ptr_equal(trace[0].at, mem + 4);
	assert_int_equal(trace[0].bytes, 8);
	assert_int_equal(trace[1].what, 'm');
	assert_ptr_equal(trace[2].at, mem + 2);
	assert_int_equal(trace[2].bytes, 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_acquire_barrier_follows_the_available_index),
		cmocka_unit_test(a_full_barrier_precedes_the_used_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
