/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The flat backend, and words of a ring that lie across its edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/split_copy.h>

enum {
	BASE = 0x4000,
	SIZE = 64,
	CANARY = 0x5a,
	NUM = 8,
};

struct fixture {
	uint8_t mem[SIZE + 64];
	struct vqm_flat flat;
};

static struct fixture fx;

static int setup(void **state)
{
	memset(fx.mem, CANARY, sizeof(fx.mem));
	vqm_flat_init(&fx.flat, vqm_uva_of(BASE), fx.mem, SIZE);
	*state = &fx.flat;
	return 0;
}

static void a_copy_reaches_every_byte_of_the_buffer(void **state)
{
	const struct vqm_backend *b = &((struct vqm_flat *)*state)->backend;
	uint8_t buf[SIZE];
	uint64_t at, len;

	for (at = 0; at <= SIZE; at++) {
		for (len = 0; len <= SIZE - at; len++) {
			memset(buf, (int)at, sizeof(buf));
			assert_int_equal(b->copy_to(b, vqm_uva_of(BASE + at), buf, len), 0);
			memset(buf, 0xff, sizeof(buf));
			assert_int_equal(b->copy_from(b, buf, vqm_uva_of(BASE + at), len), 0);
			assert_true(len == 0 || (buf[0] == at && buf[len - 1] == at));
			assert_true(len == SIZE || buf[len] == 0xff);
		}
	}
}

static void a_copy_beyond_the_buffer_is_refused(void **state)
{
	const struct vqm_backend *b = &((struct vqm_flat *)*state)->backend;
	static const struct {
		uint64_t at;
		size_t len;
	} v[] = {
		{BASE, SIZE + 1},     {BASE + SIZE, 1}, {BASE + SIZE - 1, 2}, {BASE - 1, 1},
		{BASE - 1, 2},	      {0, 1},		{UINT64_MAX, 1},      {UINT64_MAX - 7, 16},
		{BASE + 1, SIZE_MAX}, {BASE, SIZE_MAX},
	};
	uint8_t buf[2 * SIZE] = {0};
	uint32_t i;

	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(b->copy_from(b, buf, vqm_uva_of(v[i].at), v[i].len), -EFAULT);
		assert_int_equal(b->copy_to(b, vqm_uva_of(v[i].at), buf, v[i].len), -EFAULT);
	}
	for (i = 0; i < sizeof(fx.mem); i++)
		assert_int_equal(fx.mem[i], CANARY);
}

/* Where an area must start so that its word at @off, of @bytes, misses the last byte. */
static struct vqm_uva cut(uint64_t off, uint64_t bytes)
{
	return vqm_uva_of(BASE + SIZE - off - bytes + 1);
}

static void reading_across_the_edge_gives_efault_and_no_value(void **state)
{
	const struct vqm_backend *b = &((struct vqm_flat *)*state)->backend;
	enum vqm_order o = VQM_LITTLE_ENDIAN;
	struct vqm_desc_val d = {1, 2, 3, 4};
	uint32_t id = 7, len = 8;
	uint16_t v = 9;

	assert_int_equal(vqm_copy_get_avail_flags(b, cut(0, 2), o, &v), -EFAULT);
	assert_int_equal(vqm_copy_get_avail_idx_acquire(b, cut(2, 2), o, &v), -EFAULT);
	assert_int_equal(vqm_copy_get_avail_head(b, cut(4, 2), 0, o, &v), -EFAULT);
	assert_int_equal(vqm_copy_get_avail_head(b, cut(18, 2), 7, o, &v), -EFAULT);
	assert_int_equal(vqm_copy_get_used_event(b, cut(4 + 2 * NUM, 2), NUM, o, &v), -EFAULT);
	assert_int_equal(vqm_copy_get_used_flags(b, cut(0, 2), o, &v), -EFAULT);
	assert_int_equal(vqm_copy_get_used_idx(b, cut(2, 2), o, &v), -EFAULT);
	assert_int_equal(vqm_copy_get_avail_event(b, cut(4 + 8 * NUM, 2), NUM, o, &v), -EFAULT);
	assert_int_equal(v, 9);
	assert_int_equal(vqm_copy_get_used_elem(b, cut(4, 8), 0, o, &id, &len), -EFAULT);
	assert_int_equal(vqm_copy_get_used_elem(b, cut(60, 8), 7, o, &id, &len), -EFAULT);
	assert_int_equal(id, 7);
	assert_int_equal(len, 8);
	assert_int_equal(vqm_copy_get_desc(b, cut(0, 16), 0, o, &d), -EFAULT);
	assert_int_equal(vqm_copy_get_desc(b, cut(112, 16), 7, o, &d), -EFAULT);
	assert_true(d.addr == 1 && d.len == 2 && d.flags == 3 && d.next == 4);
}

static void writing_across_the_edge_gives_efault_and_no_change(void **state)
{
	const struct vqm_backend *b = &((struct vqm_flat *)*state)->backend;
	enum vqm_order o = VQM_BIG_ENDIAN;
	uint32_t i;

	assert_int_equal(vqm_copy_put_used_flags(b, cut(0, 2), 1, o), -EFAULT);
	assert_int_equal(vqm_copy_put_used_idx_release(b, cut(2, 2), 1, o), -EFAULT);
	assert_int_equal(vqm_copy_put_used_elem(b, cut(4, 8), 0, 1, 2, o), -EFAULT);
	assert_int_equal(vqm_copy_put_used_elem(b, cut(60, 8), 7, 1, 2, o), -EFAULT);
	assert_int_equal(vqm_copy_put_avail_event(b, cut(4 + 8 * NUM, 2), NUM, 1, o), -EFAULT);
	for (i = 0; i < sizeof(fx.mem); i++)
		assert_int_equal(fx.mem[i], CANARY);
}

static void the_last_word_before_the_edge_is_reached(void **state)
{
	const struct vqm_backend *b = &((struct vqm_flat *)*state)->backend;
	enum vqm_order o = VQM_LITTLE_ENDIAN;
	struct vqm_desc_val d;
	uint16_t v;

	assert_int_equal(vqm_copy_get_avail_head(b, vqm_uva_of(BASE + SIZE - 20), 7, o, &v), 0);
	assert_int_equal(vqm_copy_get_desc(b, vqm_uva_of(BASE + SIZE - 16), 0, o, &d), 0);
	assert_int_equal(vqm_copy_put_used_elem(b, vqm_uva_of(BASE + SIZE - 12), 0, 1, 2, o), 0);
	assert_int_equal(fx.mem[SIZE - 8], 1);
	assert_int_equal(fx.mem[SIZE - 4], 2);
	assert_int_equal(fx.mem[SIZE], CANARY);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_copy_reaches_every_byte_of_the_buffer, setup),
		cmocka_unit_test_setup(a_copy_beyond_the_buffer_is_refused, setup),
		cmocka_unit_test_setup(reading_across_the_edge_gives_efault_and_no_value, setup),
		cmocka_unit_test_setup(writing_across_the_edge_gives_efault_and_no_change, setup),
		cmocka_unit_test_setup(the_last_word_before_the_edge_is_reached, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
