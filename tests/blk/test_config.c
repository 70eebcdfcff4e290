/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The disk as a whole: its file, what it offers, its configuration space. */
#define _GNU_SOURCE
#include "disk.h"
#include "spy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <string.h>
#include <unistd.h>

enum {
	SPACE = 256,
	AT_WRITEBACK = 32,
};

#define BIT(bit) (1ull << (bit))

static const uint64_t always =
	BIT(BLK_F_SEG_MAX) | BIT(BLK_F_BLK_SIZE) | BIT(BLK_F_FLUSH) | BIT(BLK_F_CONFIG_WCE);

static void open_blk(struct blk *b, uint64_t size, bool read_only)
{
	int file = disk_file(size);

	assert_int_equal(disk_blk_open(b, file, read_only), 0);
	close(file);
}

static uint64_t field(const struct blk *b, uint32_t at, uint32_t bytes)
{
	uint8_t raw[8];
	uint64_t value = 0;

	assert_int_equal(blk_get_config(b, at, raw, bytes), 0);
	while (bytes-- > 0)
		value = value << 8 | raw[bytes];
	return value;
}

static int set(struct blk *b, uint32_t offset, uint8_t value, uint32_t len)
{
	const uint8_t bytes[SPACE] = {value};

	return blk_set_config(b, offset, bytes, len);
}

/* BLK-01 */
static void what_is_offered_depends_on_the_disk(void **state)
{
	struct blk b;

	(void)state;
	open_blk(&b, 4096, false);
	assert_int_equal(blk_offer(&b), always | BIT(BLK_F_WRITE_ZEROES) | BIT(BLK_F_DISCARD));
	b.queues = 2;
	assert_int_equal(blk_offer(&b),
			 always | BIT(BLK_F_WRITE_ZEROES) | BIT(BLK_F_DISCARD) | BIT(BLK_F_MQ));
	blk_close(&b);
	open_blk(&b, 4096, true);
	assert_int_equal(blk_offer(&b), always | BIT(BLK_F_RO));
	blk_close(&b);
}

/* BLK-01 */
static void discard_is_offered_if_the_file_has_holes(void **state)
{
	static const struct {
		int err;
		bool offered;
	} cases[] = {{0, true}, {EOPNOTSUPP, false}, {EINVAL, true}, {ENOSPC, true}};
	struct blk b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		spy_reset();
		spy.fallocate_err = cases[i].err;
		open_blk(&b, 4096, false);
		assert_int_equal(spy.fallocate_mode, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
		assert_int_equal(spy.fallocate_offset, 4096);
		assert_int_equal(blk_offer(&b) >> BLK_F_DISCARD & 1, cases[i].offered);
		assert_int_equal(blk_offer(&b) >> BLK_F_WRITE_ZEROES & 1, 1);
		assert_int_equal(field(&b, 56, 1), cases[i].offered);
		blk_close(&b);
	}
	spy_reset();
}

static void opening_leaves_the_file_alone(void **state)
{
	struct blk b;

	(void)state;
	open_blk(&b, 5000, false);
	assert_int_equal(lseek(b.fd, 0, SEEK_END), 5000);
	blk_close(&b);
}

static void only_files_and_block_devices_are_disks(void **state)
{
	struct blk b;

	(void)state;
	assert_int_equal(blk_open(&b, "/dev/null", false), -ENOTBLK);
	assert_int_equal(blk_open(&b, "/", true), -ENOTBLK);
	assert_int_equal(blk_open(&b, "/", false), -EISDIR);
	assert_int_equal(blk_open(&b, "/nowhere/at/all", false), -ENOENT);
}

/* BLK-02, BLK-07 */
static void capacity_counts_whole_sectors(void **state)
{
	static const uint64_t sizes[] = {0, 511, 512, 1023, 1024, 1ull << 40};
	struct blk b;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		open_blk(&b, sizes[i], false);
		assert_int_equal(b.sectors, sizes[i] / 512);
		assert_int_equal(field(&b, 0, 8), sizes[i] / 512);
		blk_close(&b);
	}
}

/* The layout of the specification, as it was read from there. */
static void expect_space(const struct blk *b, const uint8_t *space)
{
	uint8_t got[SPACE];

	assert_int_equal(blk_get_config(b, 0, got, SPACE), 0);
	assert_memory_equal(got, space, SPACE);
}

/* BLK-02, BLK-03, BLK-11, BLK-19 */
static void each_field_is_where_it_belongs(void **state)
{
	static const uint8_t space[SPACE] = {
		[0] = 0x08,  0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, /* capacity */
		[12] = 126,					       /* seg_max */
		[20] = 0x00, 0x02,				       /* blk_size */
		[32] = 1,					       /* writeback */
		[34] = 0x10,					       /* num_queues */
		[38] = 0x40,					       /* max_discard_sectors */
		[40] = 32,					       /* max_discard_seg */
		[44] = 8,					       /* discard alignment */
		[50] = 0x01, /* max_write_zeroes_sectors */
		[52] = 32,   /* max_write_zeroes_seg */
		[56] = 1,    /* may_unmap */
	};
	struct blk b;

	(void)state;
	open_blk(&b, 4096, false);
	b.sectors = 0x0102030405060708;
	b.queues = BLK_QUEUES_MAX;
	expect_space(&b, space);
	blk_close(&b);
}

/* BLK-03 */
static void fields_of_what_is_not_offered_are_zero(void **state)
{
	static const uint8_t space[SPACE] = {
		[0] = 8, [12] = 126, [20] = 0x00, 0x02, [32] = 1,
	};
	struct blk b;

	(void)state;
	open_blk(&b, 4096, true);
	expect_space(&b, space);
	blk_close(&b);
}

/* BLK-20 */
static void every_part_of_configuration_space_can_be_read(void **state)
{
	uint8_t space[SPACE], got[SPACE + 1];
	uint32_t offset, len;
	struct blk b;

	(void)state;
	open_blk(&b, 4096, false);
	assert_int_equal(blk_get_config(&b, 0, space, SPACE), 0);
	for (offset = 0; offset <= SPACE; offset++) {
		for (len = 0; len <= SPACE - offset; len++) {
			got[len] = 0xee;
			assert_int_equal(blk_get_config(&b, offset, got, len), 0);
			assert_int_equal(memcmp(got, space + offset, len), 0);
			assert_int_equal(got[len], 0xee);
		}
		for (; len <= SPACE + 1; len++)
			assert_int_equal(blk_get_config(&b, offset, got, len), -EINVAL);
	}
	blk_close(&b);
}

/* BLK-20 */
static void nothing_is_read_behind_configuration_space(void **state)
{
	uint8_t byte = 0xee;
	struct blk b;

	(void)state;
	open_blk(&b, 4096, false);
	assert_int_equal(blk_get_config(&b, SPACE, &byte, 1), -EINVAL);
	assert_int_equal(blk_get_config(&b, SPACE + 1, &byte, 0), -EINVAL);
	assert_int_equal(blk_get_config(&b, UINT32_MAX, &byte, 1), -EINVAL);
	assert_int_equal(blk_get_config(&b, 1, &byte, UINT32_MAX), -EINVAL);
	assert_int_equal(blk_get_config(&b, SPACE, &byte, UINT32_MAX - SPACE + 2), -EINVAL);
	assert_int_equal(byte, 0xee);
	blk_close(&b);
}

/* BLK-20 */
static void only_writeback_can_be_written(void **state)
{
	uint32_t offset, len;
	struct blk b;

	(void)state;
	open_blk(&b, 4096, false);
	for (offset = 0; offset <= SPACE; offset++) {
		for (len = 0; len <= SPACE - offset; len++) {
			if (offset != AT_WRITEBACK || len != 1)
				assert_int_equal(set(&b, offset, 0, len), -EINVAL);
		}
	}
	assert_int_equal(set(&b, AT_WRITEBACK, 2, 1), -EINVAL);
	assert_int_equal(set(&b, AT_WRITEBACK, 255, 1), -EINVAL);
	assert_int_equal(field(&b, AT_WRITEBACK, 1), 1);
	assert_int_equal(set(&b, AT_WRITEBACK, 0, 1), 0);
	assert_int_equal(field(&b, AT_WRITEBACK, 1), 0);
	assert_int_equal(set(&b, AT_WRITEBACK, 1, 1), 0);
	assert_int_equal(field(&b, AT_WRITEBACK, 1), 1);
	blk_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_offered_depends_on_the_disk),
		cmocka_unit_test(discard_is_offered_if_the_file_has_holes),
		cmocka_unit_test(opening_leaves_the_file_alone),
		cmocka_unit_test(only_files_and_block_devices_are_disks),
		cmocka_unit_test(capacity_counts_whole_sectors),
		cmocka_unit_test(each_field_is_where_it_belongs),
		cmocka_unit_test(fields_of_what_is_not_offered_are_zero),
		cmocka_unit_test(every_part_of_configuration_space_can_be_read),
		cmocka_unit_test(nothing_is_read_behind_configuration_space),
		cmocka_unit_test(only_writeback_can_be_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
