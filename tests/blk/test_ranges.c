/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* DISCARD and WRITE_ZEROES, each with every engine there is. */
#include "disk.h"

enum {
	FULL = 0x5a,
	UNMAP = 1,
};

static const uint32_t types[] = {REQUEST_DISCARD, REQUEST_WRITE_ZEROES};

static void expect_three_holes(struct disk *d, uint32_t type)
{
	disk_fill(d, 0, 64, FULL);
	disk_ask(d, type, 0);
	disk_segment(d, 8, 8, 0);
	disk_segment(d, 24, 1, 0);
	disk_segment(d, 32, 16, 0);
	disk_in(d, 1);
	disk_expect(d, STATUS_OK, 1);
	disk_expect_filled(d, 0, 8, FULL);
	disk_expect_filled(d, 8, 8, 0);
	disk_expect_filled(d, 16, 8, FULL);
	disk_expect_filled(d, 24, 1, 0);
	disk_expect_filled(d, 25, 7, FULL);
	disk_expect_filled(d, 32, 16, 0);
	disk_expect_filled(d, 48, 16, FULL);
}

/* BLK-11, BLK-12, BLK-16, SR-25 */
static void each_segment_reads_as_zeroes_and_nothing_else(void **state)
{
	static const size_t pieces[] = {DISK_SEPARATE, 1, 5, DISK_JOINED};
	struct disk *d = *state;
	size_t i, k;

	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		d->piece = pieces[i];
		for (k = 0; k < 2; k++)
			expect_three_holes(d, types[k]);
	}
}

/* BLK-12 */
static void zeroes_are_zeroes_whether_unmapped_or_not(void **state)
{
	struct disk *d = *state;

	disk_fill(d, 0, 24, FULL);
	disk_ask(d, REQUEST_WRITE_ZEROES, 0);
	disk_segment(d, 0, 8, UNMAP);
	disk_segment(d, 8, 8, 0);
	disk_in(d, 1);
	disk_expect(d, STATUS_OK, 1);
	disk_expect_filled(d, 0, 16, 0);
	disk_expect_filled(d, 16, 8, FULL);
}

/* BLK-12 */
static void unknown_flags_are_not_supported(void **state)
{
	struct disk *d = *state;
	uint32_t bit;

	disk_fill(d, 0, 16, FULL);
	for (bit = 0; bit < 32; bit++) {
		disk_ask(d, REQUEST_DISCARD, 0);
		disk_segment(d, 0, 8, 0);
		disk_segment(d, 8, 8, 1u << bit);
		disk_in(d, 1);
		disk_expect(d, STATUS_UNSUPP, 1);
		if (1u << bit == UNMAP)
			continue;
		disk_ask(d, REQUEST_WRITE_ZEROES, 0);
		disk_segment(d, 0, 8, UNMAP);
		disk_segment(d, 8, 8, UNMAP | 1u << bit);
		disk_in(d, 1);
		disk_expect(d, STATUS_UNSUPP, 1);
	}
	disk_expect_filled(d, 0, 16, FULL);
}

static void ask_for_one(struct disk *d, uint32_t type, uint64_t sector, uint32_t sectors)
{
	disk_ask(d, type, 0);
	disk_segment(d, sector, sectors, 0);
	disk_in(d, 1);
}

/* BLK-08, BLK-11 */
static void a_segment_ends_with_the_disk_at_the_latest(void **state)
{
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < 2; i++) {
		disk_fill(d, DISK_SECTORS - 8, 8, FULL);
		ask_for_one(d, types[i], DISK_SECTORS - 8, 9);
		disk_expect(d, STATUS_IOERR, 1);
		ask_for_one(d, types[i], DISK_SECTORS, 1);
		disk_expect(d, STATUS_IOERR, 1);
		ask_for_one(d, types[i], 1ull << 55, 1);
		disk_expect(d, STATUS_IOERR, 1);
		ask_for_one(d, types[i], UINT64_MAX, 1);
		disk_expect(d, STATUS_IOERR, 1);
		disk_expect_filled(d, DISK_SECTORS - 8, 8, FULL);
		ask_for_one(d, types[i], DISK_SECTORS - 8, 8);
		disk_expect(d, STATUS_OK, 1);
		disk_expect_filled(d, DISK_SECTORS - 8, 8, 0);
	}
}

/* BLK-11 */
static void a_bad_segment_keeps_the_others_from_being_served(void **state)
{
	struct disk *d = *state;
	size_t i;

	disk_fill(d, 0, 8, FULL);
	for (i = 0; i < 2; i++) {
		disk_ask(d, types[i], 0);
		disk_segment(d, 0, 8, 0);
		disk_segment(d, DISK_SECTORS, 8, 0);
		disk_segment(d, 0, 8, 0);
		disk_in(d, 1);
		disk_expect(d, STATUS_IOERR, 1);
	}
	disk_expect_filled(d, 0, 8, FULL);
}

/* BLK-11 */
static void segments_are_whole(void **state)
{
	const uint8_t zeroes[48] = {0};
	struct disk *d = *state;
	size_t i, len;

	for (i = 0; i < 2; i++) {
		for (len = 0; len <= sizeof(zeroes); len++) {
			disk_ask(d, types[i], 0);
			disk_out(d, zeroes, len);
			disk_in(d, 1);
			disk_expect(d, len > 0 && len % 16 == 0 ? STATUS_OK : STATUS_IOERR, 1);
		}
	}
}

/* BLK-11 */
static void segments_are_as_many_as_was_told(void **state)
{
	struct disk *d = *state;
	uint32_t i, k, n;

	for (i = 0; i < 2; i++) {
		for (n = BLK_RANGE_SEGS; n <= BLK_RANGE_SEGS + 1; n++) {
			disk_fill(d, 0, n, FULL);
			disk_ask(d, types[i], 0);
			for (k = 0; k < n; k++)
				disk_segment(d, k, 1, 0);
			disk_in(d, 1);
			disk_expect(d, n > BLK_RANGE_SEGS ? STATUS_IOERR : STATUS_OK, 1);
			disk_expect_filled(d, 0, n, n > BLK_RANGE_SEGS ? FULL : 0);
		}
	}
}

/* BLK-11 */
static void a_segment_of_nothing_is_served_by_doing_nothing(void **state)
{
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < 2; i++) {
		disk_fill(d, 0, 24, FULL);
		ask_for_one(d, types[i], 0, 0);
		disk_expect(d, STATUS_OK, 1);
		disk_expect_filled(d, 0, 24, FULL);
		disk_ask(d, types[i], 0);
		disk_segment(d, 0, 0, 0);
		disk_segment(d, 8, 8, 0);
		disk_segment(d, DISK_SECTORS, 0, 0);
		disk_in(d, 1);
		disk_expect(d, STATUS_OK, 1);
		disk_expect_filled(d, 0, 8, FULL);
		disk_expect_filled(d, 8, 8, 0);
		disk_expect_filled(d, 16, 8, FULL);
	}
}

/* BLK-09 */
static void a_read_only_disk_keeps_what_it_has(void **state)
{
	struct disk *d = *state;
	size_t i;

	disk_fill(d, 0, 8, FULL);
	d->blk.read_only = true;
	for (i = 0; i < 2; i++) {
		ask_for_one(d, types[i], 0, 8);
		disk_expect(d, STATUS_IOERR, 1);
	}
	disk_expect_filled(d, 0, 8, FULL);
}

/* BLK-06 */
static void each_type_has_to_be_accepted(void **state)
{
	static const uint32_t bits[] = {BLK_F_DISCARD, BLK_F_WRITE_ZEROES};
	struct disk *d = *state;
	size_t i, k;

	for (i = 0; i < 2; i++) {
		disk_accept(d, ~(1ull << bits[i]));
		for (k = 0; k < 2; k++) {
			ask_for_one(d, types[k], 0, 8);
			disk_expect(d, i == k ? STATUS_UNSUPP : STATUS_OK, 1);
		}
	}
}

/* BLK-14 */
static void without_a_cache_ranges_end_in_a_flush(void **state)
{
	struct disk *d = *state;

	disk_accept(d, 1ull << BLK_F_DISCARD | 1ull << BLK_F_WRITE_ZEROES);
	disk_fill(d, 0, 8, FULL);
	ask_for_one(d, REQUEST_WRITE_ZEROES, 0, 8);
	disk_expect(d, STATUS_OK, 1);
	disk_expect_filled(d, 0, 8, 0);
	assert_int_equal(d->request.step.op, IO_FLUSH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(each_segment_reads_as_zeroes_and_nothing_else),
		DISK_TEST(zeroes_are_zeroes_whether_unmapped_or_not),
		DISK_TEST(unknown_flags_are_not_supported),
		DISK_TEST(a_segment_ends_with_the_disk_at_the_latest),
		DISK_TEST(a_bad_segment_keeps_the_others_from_being_served),
		DISK_TEST(segments_are_whole),
		DISK_TEST(segments_are_as_many_as_was_told),
		DISK_TEST(a_segment_of_nothing_is_served_by_doing_nothing),
		DISK_TEST(a_read_only_disk_keeps_what_it_has),
		DISK_TEST(each_type_has_to_be_accepted),
		DISK_TEST(without_a_cache_ranges_end_in_a_flush),
	};
	int failed = cmocka_run_group_tests_name("sync", tests, engine_sync, engine_close);

	if (engine_has_uring())
		failed +=
			cmocka_run_group_tests_name("io_uring", tests, engine_uring, engine_close);
	return failed;
}
