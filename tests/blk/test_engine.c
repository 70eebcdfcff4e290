/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the engines ask the kernel for. */
#define _GNU_SOURCE
#include "disk.h"
#include "spy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/io_uring.h>
#include <sys/uio.h>

enum {
	FULL = 0x5a,
	UNMAP = 1,
	PUNCH = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	ZERO = FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE,
};

static void write_one(struct disk *d, bool durable)
{
	const uint8_t bytes[BLK_SECTOR] = {0};

	disk_accept(d, durable ? 0 : ~0ull);
	disk_ask(d, REQUEST_OUT, 0);
	disk_out(d, bytes, sizeof(bytes));
	disk_in(d, 1);
	disk_expect(d, STATUS_OK, 1);
}

static void read_one(struct disk *d)
{
	disk_ask(d, REQUEST_IN, 0);
	disk_in(d, BLK_SECTOR);
	disk_in(d, 1);
	disk_expect(d, STATUS_OK, BLK_SECTOR + 1);
}

static void zero(struct disk *d, uint32_t flags)
{
	disk_fill(d, 8, 8, FULL);
	disk_ask(d, REQUEST_WRITE_ZEROES, 0);
	disk_segment(d, 8, 8, flags);
	disk_in(d, 1);
	spy_reset();
}

/* BLK-14 */
static void a_durable_write_is_synchronous(void **state)
{
	struct disk *d = *state;

	write_one(d, true);
	assert_int_equal(spy.pwritev2_flags, RWF_DSYNC);
	write_one(d, false);
	assert_int_equal(spy.pwritev2_flags, 0);
	assert_int_equal(spy.pwritev2, 2);
}

/* BLK-13 */
static void a_flush_is_one_of_data(void **state)
{
	struct disk *d = *state;

	disk_ask(d, REQUEST_FLUSH, 0);
	disk_in(d, 1);
	disk_expect(d, STATUS_OK, 1);
	assert_int_equal(spy.fdatasync, 1);
	spy.fdatasync_err = EIO;
	disk_ask(d, REQUEST_FLUSH, 0);
	disk_in(d, 1);
	disk_expect(d, STATUS_IOERR, 1);
}

/* BLK-14 */
static void zeroes_without_a_cache_are_flushed(void **state)
{
	struct disk *d = *state;

	disk_accept(d, 1ull << BLK_F_WRITE_ZEROES);
	zero(d, 0);
	disk_expect(d, STATUS_OK, 1);
	assert_int_equal(spy.pwritev2_flags, RWF_DSYNC);
	assert_int_equal(spy.fdatasync, 1);
}

/* BLK-12 */
static void holes_and_zeroes_keep_the_size_of_the_file(void **state)
{
	struct disk *d = *state;

	zero(d, UNMAP);
	disk_expect(d, STATUS_OK, 1);
	assert_int_equal(spy.fallocate, 1);
	assert_int_equal(spy.fallocate_mode, PUNCH);
	assert_int_equal(spy.fallocate_offset, 8 * BLK_SECTOR);
	assert_int_equal(spy.fallocate_len, 8 * BLK_SECTOR);
	zero(d, 0);
	disk_expect(d, STATUS_OK, 1);
	assert_int_equal(spy.fallocate, 1);
	assert_int_equal(spy.fallocate_mode, ZERO);
}

/* BLK-12 */
static void a_file_that_cannot_be_zeroed_is_written_to(void **state)
{
	struct disk *d = *state;

	zero(d, UNMAP);
	spy.fallocate_err = EOPNOTSUPP;
	disk_expect(d, STATUS_OK, 1);
	assert_int_equal(spy.fallocate, 2);
	assert_int_equal(spy.pwritev2, 1);
	disk_expect_filled(d, 8, 8, 0);
	zero(d, UNMAP);
	spy.fallocate_err = EIO;
	disk_expect(d, STATUS_IOERR, 1);
	disk_expect_filled(d, 8, 8, FULL);
}

/* A file that has become shorter than the disk was. */
static void what_is_not_in_the_file_cannot_be_read(void **state)
{
	struct disk *d = *state;

	d->blk.sectors = 2 * DISK_SECTORS;
	disk_ask(d, REQUEST_IN, DISK_SECTORS - 1);
	disk_in(d, 2 * BLK_SECTOR + 1);
	disk_expect(d, STATUS_IOERR, 0);
}

/* BLK-13, BLK-14 */
static void io_uring_is_asked_for_the_same(void **state)
{
	struct disk *d = *state;

	write_one(d, true);
	assert_int_equal(spy.opcode, IORING_OP_WRITEV);
	assert_int_equal(spy.flags, RWF_DSYNC);
	write_one(d, false);
	assert_int_equal(spy.flags, 0);
	read_one(d);
	assert_int_equal(spy.opcode, IORING_OP_READV);
	disk_ask(d, REQUEST_FLUSH, 0);
	disk_in(d, 1);
	disk_expect(d, STATUS_OK, 1);
	assert_int_equal(spy.opcode, IORING_OP_FSYNC);
	assert_int_equal(spy.flags, IORING_FSYNC_DATASYNC);
	zero(d, UNMAP);
	disk_expect(d, STATUS_OK, 1);
	assert_int_equal(spy.opcode, IORING_OP_FALLOCATE);
	assert_int_equal(spy.mode, PUNCH);
	engine_settle();
	read_one(d);
	assert_int_equal(d->io.fixed, 0);
	assert_false(io_holds_memory(&d->io));
}

static void io_uring_is_taken_where_nothing_was_asked_for(void **state)
{
	struct disk *d = *state;
	struct io io;

	assert_int_equal(io_open(&io, IO_AUTO, d->blk.fd, 1, false), 0);
	assert_string_equal(io.engine->name, "io_uring");
	assert_true(io_fd(&io) >= 0);
	io_close(&io);
}

/* BLK-14 */
static void registered_memory_is_used_where_it_can_be(void **state)
{
	struct disk *d = *state;
	uint64_t fixed = d->io.fixed;

	assert_true(io_holds_memory(&d->io));
	if (fixed == 0)
		skip(); /* no more memory may be locked */
	write_one(d, true);
	assert_int_equal(spy.opcode, IORING_OP_WRITE_FIXED);
	assert_int_equal(spy.flags, RWF_DSYNC);
	write_one(d, false);
	assert_int_equal(spy.flags, 0);
	read_one(d);
	assert_int_equal(spy.opcode, IORING_OP_READ_FIXED);
	assert_int_equal(d->io.fixed, fixed + 3);
	d->piece = BLK_SECTOR / 2;
	read_one(d);
	assert_int_equal(spy.opcode, IORING_OP_READV);
	assert_int_equal(d->io.fixed, fixed + 3);
}

static void memory_that_is_forgotten_is_not_held(void **state)
{
	struct disk *d = *state;
	uint64_t fixed = d->io.fixed;

	io_forget(&d->io);
	assert_false(io_holds_memory(&d->io));
	assert_int_equal(d->table->refs, 1);
	io_forget(&d->io);
	/* It has settled before, so it is registered again. */
	read_one(d);
	assert_true(io_holds_memory(&d->io));
	assert_int_equal(d->table->refs, 2);
	assert_true(d->io.fixed == fixed + 1 || fixed == 0);
}

/* The same memory in two regions, which meet in the middle of a read. */
static struct vqm_regions *two_regions(struct disk *d, uint64_t first)
{
	struct vqm_region half[2] = {{.size = first}, {.size = DISK_MEMORY - first}};
	struct vqm_regions *table;

	half[0].host = d->mem;
	half[1].host = d->mem + first;
	half[1].gpa.v = first;
	half[0].uva.v = (uintptr_t)half[0].host;
	half[1].uva.v = (uintptr_t)half[1].host;
	assert_int_equal(vqm_regions_build(&table, half, 2), 0);
	return table;
}

static void memory_is_registered_when_it_has_settled(void **state)
{
	struct disk *d = *state;
	struct vqm_regions *before = d->table;
	uint64_t fixed = d->io.fixed;

	d->table = two_regions(d, BLK_SECTOR / 2);
	read_one(d);
	assert_int_equal(d->table->refs, 1);
	engine_settle();
	read_one(d);
	assert_int_equal(d->table->refs, 2);
	assert_int_equal(spy.opcode, IORING_OP_READV);
	assert_int_equal(d->io.fixed, fixed);
	io_forget(&d->io);
	vqm_regions_release(d->table);
	d->table = before;
}

static int set_up(void **state)
{
	spy_reset();
	return engine_reset(state);
}

#define TEST(name) cmocka_unit_test_setup(name, set_up)

int main(void)
{
	const struct CMUnitTest sync[] = {
		TEST(a_durable_write_is_synchronous),
		TEST(a_flush_is_one_of_data),
		TEST(zeroes_without_a_cache_are_flushed),
		TEST(holes_and_zeroes_keep_the_size_of_the_file),
		TEST(a_file_that_cannot_be_zeroed_is_written_to),
		TEST(what_is_not_in_the_file_cannot_be_read),
	};
	const struct CMUnitTest uring[] = {
		TEST(io_uring_is_asked_for_the_same),
		TEST(io_uring_is_taken_where_nothing_was_asked_for),
		TEST(what_is_not_in_the_file_cannot_be_read),
	};
	const struct CMUnitTest registered[] = {
		TEST(registered_memory_is_used_where_it_can_be),
		TEST(memory_that_is_forgotten_is_not_held),
		TEST(memory_is_registered_when_it_has_settled),
	};
	int failed = cmocka_run_group_tests(sync, engine_sync, engine_close);

	if (!engine_has_uring())
		return failed;
	failed += cmocka_run_group_tests(uring, engine_uring, engine_close);
	return failed + cmocka_run_group_tests(registered, engine_registered, engine_close);
}
