/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* DISCARD and WRITE_ZEROES step by step, on files that cannot do it all. */
#include "disk.h"

#include <errno.h>
#include <string.h>

enum {
	UNMAP = 1,
	AT_ONCE = (1 << 18) / BLK_SECTOR, /* zeroes that are written, in sectors */
	UNLIMITED = 1 << 23,		  /* sectors, more than any segment may have */
};

static void start(struct disk *d, uint32_t type, uint32_t sectors, uint32_t flags)
{
	disk_ask(d, type, 0);
	disk_segment(d, 8, sectors, flags);
	disk_in(d, 1);
	assert_true(disk_start(d));
}

/* What is to be done next, with @sectors from @sector on. */
static void expect_step(const struct disk *d, enum io_op op, uint64_t sector, uint64_t sectors)
{
	const struct io_step *s = &d->request.step;
	uint64_t len = op == IO_WRITE ? s->frag[0].len : s->len;

	assert_int_equal(s->op, op);
	assert_int_equal(s->offset, sector * BLK_SECTOR);
	assert_int_equal(len, sectors * BLK_SECTOR);
}

static void expect_zeroes(const struct disk *d)
{
	const struct io_step *s = &d->request.step;
	const uint8_t *p = s->frag[0].base;
	size_t i;

	assert_int_equal(s->n, 1);
	for (i = 0; i < s->frag[0].len; i++)
		assert_int_equal(p[i], 0);
}

/* BLK-12 */
static void a_hole_is_made_where_it_is_wanted(void **state)
{
	struct disk *d = *state;

	start(d, REQUEST_DISCARD, 8, 0);
	expect_step(d, IO_PUNCH, 8, 8);
	assert_false(request_stepped(&d->request, 0));
	disk_expect_end(d, STATUS_OK, 1);
	start(d, REQUEST_WRITE_ZEROES, 8, UNMAP);
	expect_step(d, IO_PUNCH, 8, 8);
	assert_false(request_stepped(&d->request, 0));
	disk_expect_end(d, STATUS_OK, 1);
	start(d, REQUEST_WRITE_ZEROES, 8, 0);
	expect_step(d, IO_ZERO, 8, 8);
	assert_false(request_stepped(&d->request, 0));
	disk_expect_end(d, STATUS_OK, 1);
}

/* BLK-12 */
static void without_holes_there_are_zeroes_and_without_them_writes(void **state)
{
	struct disk *d = *state;

	start(d, REQUEST_WRITE_ZEROES, 8, UNMAP);
	expect_step(d, IO_PUNCH, 8, 8);
	assert_true(request_stepped(&d->request, -EOPNOTSUPP));
	expect_step(d, IO_ZERO, 8, 8);
	assert_true(request_stepped(&d->request, -EOPNOTSUPP));
	expect_step(d, IO_WRITE, 8, 8);
	expect_zeroes(d);
	assert_false(request_stepped(&d->request, 8 * BLK_SECTOR));
	disk_expect_end(d, STATUS_OK, 1);
}

/* BLK-12 */
static void what_a_file_refused_is_not_tried_again(void **state)
{
	struct disk *d = *state;

	disk_ask(d, REQUEST_WRITE_ZEROES, 0);
	disk_segment(d, 8, 8, UNMAP);
	disk_segment(d, 24, 8, UNMAP);
	disk_segment(d, 40, 8, 0);
	disk_in(d, 1);
	assert_true(disk_start(d));
	assert_true(request_stepped(&d->request, -EOPNOTSUPP));
	expect_step(d, IO_ZERO, 8, 8);
	assert_true(request_stepped(&d->request, 0));
	expect_step(d, IO_ZERO, 24, 8);
	assert_true(request_stepped(&d->request, -EOPNOTSUPP));
	expect_step(d, IO_WRITE, 24, 8);
	assert_true(request_stepped(&d->request, 8 * BLK_SECTOR));
	expect_step(d, IO_WRITE, 40, 8);
	assert_false(request_stepped(&d->request, 8 * BLK_SECTOR));
	disk_expect_end(d, STATUS_OK, 1);
	start(d, REQUEST_WRITE_ZEROES, 8, UNMAP);
	expect_step(d, IO_PUNCH, 8, 8); /* by the next request it is */
	assert_false(request_stepped(&d->request, 0));
	disk_expect_end(d, STATUS_OK, 1);
}

/* BLK-12 */
static void zeroes_are_written_piece_by_piece(void **state)
{
	struct disk *d = *state;

	start(d, REQUEST_WRITE_ZEROES, AT_ONCE + 4, 0);
	assert_true(request_stepped(&d->request, -EOPNOTSUPP));
	expect_step(d, IO_WRITE, 8, AT_ONCE);
	expect_zeroes(d);
	assert_true(request_stepped(&d->request, BLK_SECTOR));
	expect_step(d, IO_WRITE, 9, AT_ONCE);
	assert_true(request_stepped(&d->request, (int64_t)AT_ONCE * BLK_SECTOR));
	expect_step(d, IO_WRITE, 9 + AT_ONCE, 3);
	assert_true(request_stepped(&d->request, -EINTR));
	expect_step(d, IO_WRITE, 9 + AT_ONCE, 3);
	assert_false(request_stepped(&d->request, 3 * BLK_SECTOR));
	disk_expect_end(d, STATUS_OK, 1);
}

static void zeroes_that_cannot_be_written_are_an_error(void **state)
{
	static const int64_t results[] = {-ENOSPC, -EOPNOTSUPP, 0, 8 * BLK_SECTOR + 1, INT64_MAX};
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		start(d, REQUEST_WRITE_ZEROES, 8, 0);
		assert_true(request_stepped(&d->request, -EOPNOTSUPP));
		assert_false(request_stepped(&d->request, results[i]));
		disk_expect_end(d, STATUS_IOERR, 1);
	}
	start(d, REQUEST_WRITE_ZEROES, 8, 0);
	assert_false(request_stepped(&d->request, -ENOSPC));
	disk_expect_end(d, STATUS_IOERR, 1);
}

/* BLK-11 */
static void a_discard_that_cannot_be_done_is_not_supported(void **state)
{
	struct disk *d = *state;

	start(d, REQUEST_DISCARD, 8, 0);
	assert_false(request_stepped(&d->request, -EOPNOTSUPP));
	disk_expect_end(d, STATUS_UNSUPP, 1);
	start(d, REQUEST_DISCARD, 8, 0);
	assert_false(request_stepped(&d->request, -EIO));
	disk_expect_end(d, STATUS_IOERR, 1);
}

/* BLK-14 */
static void without_a_cache_ranges_are_stable_before_they_are_done(void **state)
{
	static const uint32_t types[] = {REQUEST_DISCARD, REQUEST_WRITE_ZEROES};
	struct disk *d = *state;
	size_t i;

	disk_accept(d, 1ull << BLK_F_DISCARD | 1ull << BLK_F_WRITE_ZEROES);
	for (i = 0; i < 2; i++) {
		start(d, types[i], 8, 0);
		assert_true(request_stepped(&d->request, 0));
		assert_int_equal(d->request.step.op, IO_FLUSH);
		assert_false(request_stepped(&d->request, 0));
		disk_expect_end(d, STATUS_OK, 1);
		start(d, types[i], 8, 0);
		assert_true(request_stepped(&d->request, 0));
		assert_false(request_stepped(&d->request, -EIO));
		disk_expect_end(d, STATUS_IOERR, 1);
	}
}

static void expect_limit(struct disk *d, uint32_t type, uint32_t sectors)
{
	start(d, type, sectors, 0);
	assert_int_equal(d->request.step.len, (uint64_t)sectors * BLK_SECTOR);
	assert_false(request_stepped(&d->request, 0));
	disk_expect_end(d, STATUS_OK, 1);
	disk_ask(d, type, 0);
	disk_segment(d, 8, sectors + 1, 0);
	disk_in(d, 1);
	assert_false(disk_start(d));
	disk_expect_end(d, STATUS_IOERR, 1);
}

/* BLK-11 */
static void a_segment_is_as_long_as_was_told_at_most(void **state)
{
	struct disk *d = *state;

	d->blk.sectors = UNLIMITED;
	expect_limit(d, REQUEST_DISCARD, BLK_DISCARD_SECTORS);
	expect_limit(d, REQUEST_WRITE_ZEROES, BLK_ZERO_SECTORS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(a_hole_is_made_where_it_is_wanted),
		DISK_TEST(without_holes_there_are_zeroes_and_without_them_writes),
		DISK_TEST(what_a_file_refused_is_not_tried_again),
		DISK_TEST(zeroes_are_written_piece_by_piece),
		DISK_TEST(zeroes_that_cannot_be_written_are_an_error),
		DISK_TEST(a_discard_that_cannot_be_done_is_not_supported),
		DISK_TEST(without_a_cache_ranges_are_stable_before_they_are_done),
		DISK_TEST(a_segment_is_as_long_as_was_told_at_most),
	};

	return cmocka_run_group_tests(tests, engine_sync, engine_close);
}
