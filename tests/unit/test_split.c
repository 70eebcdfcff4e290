/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What each word of a split ring means: bytes in, values out, directly and through a backend. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/split_copy.h>

enum {
	BASE = 0x4000,
	ROOM = 0x80000,
};

static const enum vqm_order orders[] = {VQM_LITTLE_ENDIAN, VQM_BIG_ENDIAN};

/* Aligned as the areas are; filled with a pattern in which every byte differs from its neighbours.
 */
static uint8_t mem[ROOM] __attribute__((__aligned__(64)));

static void fill(void)
{
	uint32_t i;

	for (i = 0; i < sizeof(mem); i++)
		mem[i] = (uint8_t)(i * 167 + (i >> 8) * 13 + 1);
}

/* The naive reading of some bytes. */
static uint64_t bytes_at(const uint8_t *p, uint32_t n, enum vqm_order o)
{
	uint64_t v = 0;
	uint32_t i;

	for (i = 0; i < n; i++)
		v = v << 8 | p[o == VQM_BIG_ENDIAN ? i : n - 1 - i];
	return v;
}

static struct vqm_flat flat_of(size_t size)
{
	struct vqm_flat f;

	vqm_flat_init(&f, vqm_uva_of(BASE), mem, size);
	return f;
}

/* SR-03, SR-19, SR-101; 16 bits at a time. */
static void walk_avail(uint32_t num, enum vqm_order o)
{
	const struct vqm_avail *a = (const struct vqm_avail *)(const void *)mem;
	struct vqm_flat f = flat_of(6 + 2ull * num);
	const struct vqm_backend *b = &f.backend;
	struct vqm_uva at = {BASE};
	uint16_t v = 0, i;

	assert_int_equal(vqm_get_avail_flags(a, o), bytes_at(mem, 2, o));
	assert_int_equal(vqm_copy_get_avail_flags(b, at, o, &v), 0);
	assert_int_equal(v, bytes_at(mem, 2, o));
	assert_int_equal(vqm_get_avail_idx(a, o), bytes_at(mem + 2, 2, o));
	assert_int_equal(vqm_get_avail_idx_acquire(a, o), bytes_at(mem + 2, 2, o));
	assert_int_equal(vqm_copy_get_avail_idx_acquire(b, at, o, &v), 0);
	assert_int_equal(v, bytes_at(mem + 2, 2, o));
	for (i = 0; i < num; i++) {
		assert_int_equal(vqm_get_avail_head(a, i, o), bytes_at(mem + 4 + 2 * i, 2, o));
		assert_int_equal(vqm_copy_get_avail_head(b, at, i, o, &v), 0);
		assert_int_equal(v, bytes_at(mem + 4 + 2 * i, 2, o));
	}
	assert_int_equal(vqm_get_used_event(a, num, o), bytes_at(mem + 4 + 2 * num, 2, o));
	assert_int_equal(vqm_copy_get_used_event(b, at, num, o, &v), 0);
	assert_int_equal(v, bytes_at(mem + 4 + 2 * num, 2, o));
}

static void walk_desc(uint32_t num, enum vqm_order o)
{
	const struct vqm_desc *d = (const struct vqm_desc *)(const void *)mem;
	struct vqm_flat f = flat_of(16ull * num);
	struct vqm_desc_val v[3];
	uint32_t i, k;

	for (i = 0; i < num; i++) {
		const uint8_t *p = mem + 16 * i;

		v[0] = vqm_get_desc(d + i, o);
		v[1] = vqm_get_desc_unaligned(p, o);
		assert_int_equal(
			vqm_copy_get_desc(&f.backend, vqm_uva_of(BASE), (uint16_t)i, o, &v[2]), 0);
		for (k = 0; k < 3; k++) {
			assert_true(v[k].addr == bytes_at(p, 8, o));
			assert_int_equal(v[k].len, bytes_at(p + 8, 4, o));
			assert_int_equal(v[k].flags, bytes_at(p + 12, 2, o));
			assert_int_equal(v[k].next, bytes_at(p + 14, 2, o));
		}
	}
}

/* SR-04 */
static void walk_used(uint32_t num, enum vqm_order o)
{
	const struct vqm_used *u = (const struct vqm_used *)(const void *)mem;
	struct vqm_flat f = flat_of(6 + 8ull * num);
	const struct vqm_backend *b = &f.backend;
	struct vqm_uva at = {BASE};
	uint32_t id = 0, len = 0;
	uint16_t v = 0, i;

	assert_int_equal(vqm_get_used_flags(u, o), bytes_at(mem, 2, o));
	assert_int_equal(vqm_copy_get_used_flags(b, at, o, &v), 0);
	assert_int_equal(v, bytes_at(mem, 2, o));
	assert_int_equal(vqm_get_used_idx(u, o), bytes_at(mem + 2, 2, o));
	assert_int_equal(vqm_copy_get_used_idx(b, at, o, &v), 0);
	assert_int_equal(v, bytes_at(mem + 2, 2, o));
	for (i = 0; i < num; i++) {
		const uint8_t *p = mem + 4 + 8 * i;

		assert_int_equal(vqm_get_used_id(u, i, o), bytes_at(p, 4, o));
		assert_int_equal(vqm_get_used_len(u, i, o), bytes_at(p + 4, 4, o));
		assert_int_equal(vqm_copy_get_used_elem(b, at, i, o, &id, &len), 0);
		assert_int_equal(id, bytes_at(p, 4, o));
		assert_int_equal(len, bytes_at(p + 4, 4, o));
	}
	assert_int_equal(vqm_get_avail_event(u, num, o), bytes_at(mem + 4 + 8 * num, 2, o));
	assert_int_equal(vqm_copy_get_avail_event(b, at, num, o, &v), 0);
	assert_int_equal(v, bytes_at(mem + 4 + 8 * num, 2, o));
}

static void every_word_of_a_ring_is_read_where_it_lies(void **state)
{
	static const uint32_t nums[] = {1, 8, 256, 32768};
	uint32_t i, k;

	(void)state;
	fill();
	for (i = 0; i < 4; i++) {
		for (k = 0; k < 2; k++) {
			walk_avail(nums[i], orders[k]);
			walk_desc(nums[i] < 1024 ? nums[i] : 1024, orders[k]);
			walk_used(nums[i], orders[k]);
		}
	}
}

/* Expects that a store changed exactly @n bytes at @off, to @value. */
static void changed(uint32_t off, uint32_t n, uint64_t value, enum vqm_order o)
{
	static uint8_t before[ROOM];
	uint8_t *now = mem;

	memcpy(before, mem, sizeof(mem));
	assert_true(bytes_at(now + off, n, o) == value);
	fill();
	memcpy(before + off, mem + off, n);
	assert_memory_equal(before, mem, sizeof(mem));
}

static void store_each_word(uint32_t num, enum vqm_order o)
{
	struct vqm_used *u = (struct vqm_used *)(void *)mem;
	struct vqm_flat f = flat_of(6 + 8ull * num);
	const struct vqm_backend *b = &f.backend;
	struct vqm_uva at = {BASE};
	uint16_t slot;

	vqm_put_used_flags(u, 0x1234, o);
	changed(0, 2, 0x1234, o);
	assert_int_equal(vqm_copy_put_used_flags(b, at, 0x1234, o), 0);
	changed(0, 2, 0x1234, o);
	vqm_put_used_idx_release(u, 0xfffe, o);
	changed(2, 2, 0xfffe, o);
	assert_int_equal(vqm_copy_put_used_idx_release(b, at, 0xfffe, o), 0);
	changed(2, 2, 0xfffe, o);
	for (slot = 0; slot < num; slot++) {
		vqm_put_used_elem(u, slot, 0x01020304, 0x05060708, o);
		changed(4 + 8u * slot, 8,
			o == VQM_BIG_ENDIAN ? 0x0102030405060708 : 0x0506070801020304, o);
		assert_int_equal(vqm_copy_put_used_elem(b, at, slot, 0x01020304, 0x05060708, o), 0);
		changed(4 + 8u * slot, 8,
			o == VQM_BIG_ENDIAN ? 0x0102030405060708 : 0x0506070801020304, o);
	}
	/* case 8.09: at 4 + 8n, also with n = 1 */
	vqm_put_avail_event(u, num, 0xabcd, o);
	changed(4 + 8 * num, 2, 0xabcd, o);
	assert_int_equal(vqm_copy_put_avail_event(b, at, num, 0xabcd, o), 0);
	changed(4 + 8 * num, 2, 0xabcd, o);
}

static void every_store_changes_its_word_only(void **state)
{
	uint32_t k;

	(void)state;
	fill();
	for (k = 0; k < 2; k++) {
		store_each_word(1, orders[k]);
		store_each_word(8, orders[k]);
	}
}

/* case 8.01 */
static void an_index_has_the_byte_order_of_its_queue(void **state)
{
	static const uint8_t bytes[] __attribute__((__aligned__(4))) = {0, 0, 1, 2};
	const struct vqm_avail *a = (const struct vqm_avail *)(const void *)bytes;

	(void)state;
	assert_int_equal(vqm_get_avail_idx_acquire(a, VQM_LITTLE_ENDIAN), 0x0201);
	assert_int_equal(vqm_get_avail_idx_acquire(a, VQM_BIG_ENDIAN), 0x0102);
}

/* case 8.05: both bytes of a word belong to one value, whatever was there before. */
static void an_index_is_read_and_written_whole(void **state)
{
	struct vqm_used *u = (struct vqm_used *)(void *)mem;
	uint32_t i;

	(void)state;
	for (i = 0; i < 65536; i += 255) {
		vqm_put_used_idx_release(u, (uint16_t)i, VQM_LITTLE_ENDIAN);
		assert_int_equal(vqm_get_used_idx(u, VQM_LITTLE_ENDIAN), i);
		assert_int_equal(mem[2], i & 255);
		assert_int_equal(mem[3], i >> 8);
	}
}

/* case 1.08 */
static void a_descriptor_may_lie_at_any_address(void **state)
{
	uint32_t off, k;

	(void)state;
	fill();
	for (off = 0; off < 16; off++) {
		for (k = 0; k < 2; k++) {
			struct vqm_desc_val v = vqm_get_desc_unaligned(mem + off, orders[k]);

			assert_true(v.addr == bytes_at(mem + off, 8, orders[k]));
			assert_int_equal(v.len, bytes_at(mem + off + 8, 4, orders[k]));
			assert_int_equal(v.flags, bytes_at(mem + off + 12, 2, orders[k]));
			assert_int_equal(v.next, bytes_at(mem + off + 14, 2, orders[k]));
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_of_a_ring_is_read_where_it_lies),
		cmocka_unit_test(every_store_changes_its_word_only),
		cmocka_unit_test(an_index_has_the_byte_order_of_its_queue),
		cmocka_unit_test(an_index_is_read_and_written_whole),
		cmocka_unit_test(a_descriptor_may_lie_at_any_address),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
