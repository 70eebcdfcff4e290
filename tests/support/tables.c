/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

uint8_t table_host[8];

struct vqm_region table_region(uint64_t gpa, uint64_t size)
{
	uint64_t uva = size < 1ull << 40 ? gpa ^ 0x40000000 : gpa;
	struct vqm_region r = {{gpa}, {uva}, size, table_host, NULL};

	return r;
}

void table_refused(const struct vqm_region *in, uint32_t count)
{
	struct vqm_regions *out = (struct vqm_regions *)(void *)table_host;

	assert_int_equal(vqm_regions_build(&out, in, count), -EINVAL);
	assert_ptr_equal(out, table_host);
}

struct vqm_regions *table_built(const struct vqm_region *in, uint32_t count)
{
	struct vqm_regions *out = NULL;

	assert_int_equal(vqm_regions_build(&out, in, count), 0);
	assert_non_null(out);
	assert_int_equal(out->count, count);
	return out;
}
