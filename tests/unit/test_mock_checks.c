/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the mock driver complains about, and what it refuses to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/mock.h>

enum {
	SIZE = 0x1000,
	NUM = 4,
	USED = 80, /* 64 bytes of descriptors, 14 of available area, 2 of padding */
};

static uint8_t mem[SIZE + 1] __attribute__((__aligned__(16)));

static struct vqm_mock_config good(uint64_t features)
{
	struct vqm_mock_config c = {mem, SIZE, {0}, 0, NUM, features, VQM_LITTLE_ENDIAN};

	return c;
}

static void put(uint32_t at, uint32_t v, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		mem[at + i] = (uint8_t)(v >> 8 * i);
}

/* One posted chain with 16 writable bytes; then the device writes an element and an index. */
static int device_says(uint64_t features, uint32_t id, uint32_t len, uint32_t idx, uint32_t flags,
		       const char **complaint)
{
	struct vqm_mock_config c = good(features);
	struct vqm_mock_buf b = {{0x800}, 16};
	struct vqm_mock_used used;
	struct vqm_mock m;
	int err;

	assert_int_equal(vqm_mock_init(&m, &c), 0);
	assert_int_equal(vqm_mock_post(&m, NULL, 0, &b, 1, NULL), 0);
	put(USED, flags, 2);
	put(USED + 4, id, 4);
	put(USED + 8, len, 4);
	put(USED + 2, idx, 2);
	err = vqm_mock_reap(&m, &used);
	*complaint = m.complaint;
	vqm_mock_fini(&m);
	return err;
}

static void a_device_that_breaks_a_rule_is_told_on(void **state)
{
	static const struct {
		uint64_t features;
		uint32_t id, len, idx, flags;
		const char *words;
	} v[] = {
		{0, 0, 0, 2, 0, "ahead"},
		{0, 0, 0, 0xffff, 0, "ahead"},
		{0, 4, 0, 1, 0, "beyond the queue"},
		{0, 0x10000, 0, 1, 0, "beyond the queue"},
		{0, 1, 0, 1, 0, "not posted"},
		{0, 0, 17, 1, 0, "writable"},
		{0, 0, 0, 1, 2, "flags"},
		{1ull << VQM_F_EVENT_IDX, 0, 0, 1, 1, "flags"},
	};
	const char *complaint;
	uint32_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(device_says(v[i].features, v[i].id, v[i].len, v[i].idx, v[i].flags,
					     &complaint),
				 -EINVAL);
		assert_non_null(complaint);
		assert_non_null(strstr(complaint, v[i].words));
	}
	assert_int_equal(device_says(0, 0, 16, 1, 1, &complaint), 1);
	assert_int_equal(device_says(0, 0, 16, 0, 0, &complaint), 0);
}

static void a_bad_configuration_is_refused(void **state)
{
	struct vqm_mock_config c;
	struct vqm_mock m;
	uint32_t i;

	(void)state;
	for (i = 0; i < 9; i++) {
		c = good(0);
		c.num = i == 0 ? 0 : i == 1 ? 3 : i == 2 ? 65536 : NUM;
		c.mem = mem + (i == 3);
		c.base.v = i == 4 ? 8 : 0;
		c.ring = i == 5 ? 8 : i == 6 ? SIZE - 16 : i == 7 ? SIZE + 16 : 0;
		c.size = i == 8 ? vqm_mock_ring_size(NUM) - 1 : SIZE;
		assert_int_equal(vqm_mock_init(&m, &c), -EINVAL);
	}
	c = good(0);
	c.size = vqm_mock_ring_size(NUM);
	assert_int_equal(vqm_mock_init(&m, &c), 0);
	vqm_mock_fini(&m);
	assert_int_equal(vqm_mock_ring_size(NUM), USED + 6 + 8 * NUM);
	assert_int_equal(vqm_mock_ring_size(1), 16 + 8 + 14);
}

static void a_chain_needs_buffers_and_free_descriptors(void **state)
{
	struct vqm_mock_config c = good(0);
	struct vqm_mock_buf b[5] = {{{0x800}, 1}};
	struct vqm_mock m;

	(void)state;
	assert_int_equal(vqm_mock_init(&m, &c), 0);
	assert_int_equal(vqm_mock_add(&m, b, 0, b, 0, NULL), -EINVAL);
	assert_int_equal(vqm_mock_add_indirect(&m, vqm_gpa_of(0x400), b, 0, b, 0, NULL), -EINVAL);
	assert_int_equal(vqm_mock_add_indirect(&m, vqm_gpa_of(SIZE - 16), b, 1, b, 1, NULL),
			 -EINVAL);
	assert_int_equal(vqm_mock_add_indirect(&m, vqm_gpa_of(SIZE), b, 1, b, 0, NULL), -EINVAL);
	assert_int_equal(vqm_mock_add(&m, b, 3, b, 2, NULL), -ENOBUFS);
	assert_int_equal(vqm_mock_add(&m, b, 2, b, 1, NULL), 0);
	assert_int_equal(vqm_mock_add(&m, b, 2, b, 0, NULL), -ENOBUFS);
	assert_int_equal(vqm_mock_add_indirect(&m, vqm_gpa_of(SIZE - 32), b, 1, b, 1, NULL), 3);
	assert_int_equal(mem[64 + 2], 0); /* not exposed yet */
	assert_true(vqm_mock_expose(&m));
	assert_int_equal(mem[64 + 2], 2);
	vqm_mock_fini(&m);
}

static void at_gives_memory_that_is_all_there(void **state)
{
	struct vqm_mock_config c = good(0);
	struct vqm_mock m;

	(void)state;
	c.base.v = 0x10000;
	assert_int_equal(vqm_mock_init(&m, &c), 0);
	assert_ptr_equal(vqm_mock_at(&m, vqm_gpa_of(0x10000), SIZE), mem);
	assert_ptr_equal(vqm_mock_at(&m, vqm_gpa_of(0x10fff), 1), mem + 0xfff);
	assert_null(vqm_mock_at(&m, vqm_gpa_of(0x10fff), 2));
	assert_null(vqm_mock_at(&m, vqm_gpa_of(0x10000), SIZE + 1));
	assert_null(vqm_mock_at(&m, vqm_gpa_of(0xffff), 1));
	assert_null(vqm_mock_at(&m, vqm_gpa_of(0x10001), UINT64_MAX));
	vqm_mock_fini(&m);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_that_breaks_a_rule_is_told_on),
		cmocka_unit_test(a_bad_configuration_is_refused),
		cmocka_unit_test(a_chain_needs_buffers_and_free_descriptors),
		cmocka_unit_test(at_gives_memory_that_is_all_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
