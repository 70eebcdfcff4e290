/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Requests of the block device, each with every engine there is. */
#include "disk.h"

#include <string.h>

enum {
	LEN = 4096,
};

static const size_t pieces[] = {DISK_SEPARATE, 1, 7, 512, DISK_JOINED};

/* BLK-04, BLK-16, SR-25 */
static void data_goes_to_the_disk_in_any_framing(void **state)
{
	struct disk *d = *state;
	uint8_t bytes[LEN];
	size_t i;

	disk_pattern(bytes, sizeof(bytes));
	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		disk_reset(d);
		d->piece = pieces[i];
		disk_ask(d, REQUEST_OUT, 8);
		disk_out(d, bytes, LEN);
		disk_in(d, 1);
		disk_expect(d, STATUS_OK, 1);
		assert_int_equal(d->request.moved, LEN);
		disk_expect_filled(d, 0, 8, 0);
		disk_expect_bytes(d, 8, bytes, LEN);
		disk_expect_filled(d, 16, 8, 0);
	}
}

/* BLK-04, BLK-16, SR-25 */
static void data_comes_from_the_disk_in_any_framing(void **state)
{
	struct disk *d = *state;
	uint8_t bytes[LEN];
	size_t i, k;

	disk_pattern(bytes, sizeof(bytes));
	disk_put(d, 8, bytes, LEN);
	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		d->piece = pieces[i];
		disk_ask(d, REQUEST_IN, 8);
		disk_in(d, LEN);
		disk_in(d, 1);
		disk_expect(d, STATUS_OK, LEN + 1);
		assert_int_equal(d->request.moved, LEN);
		for (k = 0; k < LEN; k++)
			assert_int_equal(*disk_written(d, k), bytes[k]);
	}
}

/* BLK-04 */
static void only_the_part_of_its_direction_is_data(void **state)
{
	struct disk *d = *state;
	uint8_t bytes[LEN];

	disk_pattern(bytes, sizeof(bytes));
	disk_ask(d, REQUEST_OUT, 8);
	disk_out(d, bytes, BLK_SECTOR);
	disk_in(d, 5);
	disk_expect(d, STATUS_OK, 0);
	disk_expect_bytes(d, 8, bytes, BLK_SECTOR);
	disk_ask(d, REQUEST_IN, 8);
	disk_out(d, bytes, 3);
	disk_in(d, BLK_SECTOR + 1);
	disk_expect(d, STATUS_OK, BLK_SECTOR + 1);
	assert_int_equal(*disk_written(d, BLK_SECTOR - 1), bytes[BLK_SECTOR - 1]);
}

static void read_sectors(struct disk *d, uint64_t sector, uint32_t n, uint8_t status)
{
	disk_ask(d, REQUEST_IN, sector);
	disk_in(d, n * BLK_SECTOR);
	disk_in(d, 1);
	disk_expect(d, status, status == STATUS_OK ? n * BLK_SECTOR + 1 : n == 0);
}

static void write_sectors(struct disk *d, uint64_t sector, uint32_t n, uint8_t status)
{
	uint8_t bytes[LEN];

	disk_pattern(bytes, sizeof(bytes));
	disk_ask(d, REQUEST_OUT, sector);
	disk_out(d, bytes, n * BLK_SECTOR);
	disk_in(d, 1);
	disk_expect(d, status, 1);
	assert_int_equal(d->request.moved, status == STATUS_OK ? n * BLK_SECTOR : 0);
}

/* BLK-07, BLK-08 */
static void the_last_sector_can_be_reached_and_no_other(void **state)
{
	struct disk *d = *state;

	read_sectors(d, DISK_SECTORS - 1, 1, STATUS_OK);
	read_sectors(d, DISK_SECTORS - 1, 2, STATUS_IOERR);
	read_sectors(d, DISK_SECTORS, 0, STATUS_OK);
	read_sectors(d, DISK_SECTORS, 1, STATUS_IOERR);
	read_sectors(d, DISK_SECTORS + 1, 0, STATUS_IOERR);
	write_sectors(d, DISK_SECTORS - 1, 2, STATUS_IOERR);
	write_sectors(d, DISK_SECTORS, 1, STATUS_IOERR);
	disk_expect_filled(d, DISK_SECTORS - 1, 1, 0);
	write_sectors(d, DISK_SECTORS - 1, 1, STATUS_OK);
}

/* BLK-08 */
static void a_sector_does_not_wrap_to_the_front_of_the_disk(void **state)
{
	static const uint64_t sectors[] = {1ull << 32, 1ull << 54,     1ull << 55,
					   1ull << 63, UINT64_MAX - 1, UINT64_MAX};
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < sizeof(sectors) / sizeof(sectors[0]); i++) {
		read_sectors(d, sectors[i], 1, STATUS_IOERR);
		read_sectors(d, sectors[i], 2, STATUS_IOERR);
		write_sectors(d, sectors[i], 2, STATUS_IOERR);
	}
	disk_expect_filled(d, 0, 8, 0);
}

/* BLK-08 */
static void data_comes_in_whole_sectors(void **state)
{
	static const size_t lens[] = {1, 511, 513, 1023};
	struct disk *d = *state;
	uint8_t bytes[LEN];
	size_t i;

	disk_pattern(bytes, sizeof(bytes));
	for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		disk_ask(d, REQUEST_OUT, 0);
		disk_out(d, bytes, lens[i]);
		disk_in(d, 1);
		disk_expect(d, STATUS_IOERR, 1);
		disk_ask(d, REQUEST_IN, 0);
		disk_in(d, lens[i] + 1);
		disk_expect(d, STATUS_IOERR, 0);
		assert_int_equal(*disk_written(d, 0), DISK_UNTOUCHED);
	}
	disk_expect_filled(d, 0, 8, 0);
}

/* BLK-09 */
static void a_read_only_disk_is_not_written_to(void **state)
{
	struct disk *d = *state;

	d->blk.read_only = true;
	disk_accept(d, 0);
	write_sectors(d, 0, 1, STATUS_IOERR);
	write_sectors(d, 0, 0, STATUS_IOERR);
	disk_expect_filled(d, 0, 1, 0);
	read_sectors(d, 0, 1, STATUS_OK);
}

/* BLK-05, BLK-06 */
static void other_types_are_not_supported(void **state)
{
	static const uint32_t types[] = {2,  3,	 6,   7,	  9,	      10,	 12,
					 14, 15, 16,  17,	  18,	      20,	 22,
					 24, 26, 256, 0x01000000, 0x80000000, UINT32_MAX};
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		disk_ask(d, types[i], 0);
		disk_in(d, 1);
		disk_expect(d, STATUS_UNSUPP, 1);
		disk_ask(d, types[i], 0);
		disk_in(d, BLK_SECTOR + 1);
		disk_expect(d, STATUS_UNSUPP, 0);
	}
}

static void expect_id(struct disk *d, size_t room)
{
	size_t i, n = room < BLK_ID_LEN ? room : BLK_ID_LEN;

	disk_ask(d, REQUEST_GET_ID, 0);
	disk_in(d, room + 1);
	disk_expect(d, STATUS_OK, (uint32_t)(room <= BLK_ID_LEN ? n + 1 : n));
	for (i = 0; i < room; i++)
		assert_int_equal(*disk_written(d, i), i < n ? d->blk.id[i] : DISK_UNTOUCHED);
}

/* BLK-10, BLK-16 */
static void get_id_gives_as_much_of_the_serial_number_as_fits(void **state)
{
	struct disk *d = *state;
	size_t room;

	for (room = 0; room <= 30; room++) {
		d->piece = DISK_SEPARATE;
		expect_id(d, room);
		d->piece = 3;
		expect_id(d, room);
	}
}

/* BLK-05, BLK-13 */
static void a_flush_has_no_data(void **state)
{
	static const uint32_t types[] = {REQUEST_FLUSH, REQUEST_FLUSH_OUT};
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < 2; i++) {
		disk_ask(d, types[i], 0);
		disk_in(d, 1);
		disk_expect(d, STATUS_OK, 1);
		disk_ask(d, types[i], UINT64_MAX);
		disk_out(d, "data", 4);
		disk_in(d, 5);
		disk_expect(d, STATUS_OK, 0);
	}
}

/* BLK-06 */
static void flush_has_to_be_accepted(void **state)
{
	struct disk *d = *state;

	disk_accept(d, ~(1ull << BLK_F_FLUSH));
	disk_ask(d, REQUEST_FLUSH, 0);
	disk_in(d, 1);
	disk_expect(d, STATUS_UNSUPP, 1);
}

/* BLK-04, BLK-18 */
static void the_status_has_a_fragment_of_its_own_or_has_not(void **state)
{
	struct disk *d = *state;
	uint8_t *status;

	disk_fill(d, 1, 1, 0x5a);
	disk_ask(d, REQUEST_IN, 1);
	status = disk_in(d, BLK_SECTOR + 1) + BLK_SECTOR;
	disk_expect(d, STATUS_OK, BLK_SECTOR + 1);
	assert_int_equal(*status, STATUS_OK);
	disk_ask(d, REQUEST_IN, 1);
	disk_in(d, BLK_SECTOR);
	status = disk_in(d, 1);
	disk_expect(d, STATUS_OK, BLK_SECTOR + 1);
	assert_int_equal(*status, STATUS_OK);
	assert_int_equal(status[-1], DISK_UNTOUCHED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(data_goes_to_the_disk_in_any_framing),
		DISK_TEST(data_comes_from_the_disk_in_any_framing),
		DISK_TEST(only_the_part_of_its_direction_is_data),
		DISK_TEST(the_last_sector_can_be_reached_and_no_other),
		DISK_TEST(a_sector_does_not_wrap_to_the_front_of_the_disk),
		DISK_TEST(data_comes_in_whole_sectors),
		DISK_TEST(a_read_only_disk_is_not_written_to),
		DISK_TEST(other_types_are_not_supported),
		DISK_TEST(get_id_gives_as_much_of_the_serial_number_as_fits),
		DISK_TEST(a_flush_has_no_data),
		DISK_TEST(flush_has_to_be_accepted),
		DISK_TEST(the_status_has_a_fragment_of_its_own_or_has_not),
	};
	int failed = cmocka_run_group_tests_name("sync", tests, engine_sync, engine_close);

	if (!engine_has_uring())
		return failed;
	failed += cmocka_run_group_tests_name("io_uring", tests, engine_uring, engine_close);
	failed += cmocka_run_group_tests_name("io_uring, registered memory", tests,
					      engine_registered, engine_close);
	return failed;
}
