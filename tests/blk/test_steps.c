/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Requests step by step: short transfers, failures, and what is no request. */
#include "disk.h"

#include <errno.h>
#include <string.h>

enum {
	AT_ONCE = 1024, /* fragments the kernel takes */
};

/* BLK-17 */
static void what_has_no_room_for_a_status_is_no_request(void **state)
{
	struct disk *d = *state;
	uint8_t bytes[BLK_SECTOR] = {0};

	disk_begin(d);
	disk_expect_malformed(d);
	disk_ask(d, REQUEST_IN, 0);
	disk_expect_malformed(d);
	disk_ask(d, REQUEST_OUT, 0);
	disk_out(d, bytes, sizeof(bytes));
	disk_expect_malformed(d);
}

/* BLK-17 */
static void what_has_a_short_header_is_no_request(void **state)
{
	struct disk *d = *state;
	const uint8_t header[16] = {REQUEST_IN};
	size_t i;

	for (i = 0; i < sizeof(header); i++) {
		disk_begin(d);
		disk_out(d, header, i);
		disk_in(d, BLK_SECTOR + 1);
		disk_expect_malformed(d);
	}
}

/* BLK-17 */
static void what_is_no_request_is_not_answered_as_the_one_before(void **state)
{
	struct disk *d = *state;

	disk_ask(d, REQUEST_GET_ID, 0);
	disk_in(d, BLK_ID_LEN + 1);
	disk_expect(d, STATUS_OK, BLK_ID_LEN + 1);
	disk_begin(d);
	disk_in(d, BLK_ID_LEN + 1);
	disk_expect_malformed(d);
}

static void ask_to_read(struct disk *d, uint64_t sector, uint32_t n)
{
	disk_ask(d, REQUEST_IN, sector);
	disk_in(d, n * BLK_SECTOR + 1);
	assert_true(disk_start(d));
	assert_int_equal(d->request.step.op, IO_READ);
	assert_int_equal(d->request.step.offset, sector * BLK_SECTOR);
}

static void ask_to_write(struct disk *d, uint64_t sector, uint32_t n)
{
	const uint8_t bytes[4 * BLK_SECTOR] = {0};

	disk_ask(d, REQUEST_OUT, sector);
	disk_out(d, bytes, n * BLK_SECTOR);
	disk_in(d, 1);
	assert_true(disk_start(d));
	assert_int_equal(d->request.step.op, IO_WRITE);
	assert_int_equal(d->request.step.offset, sector * BLK_SECTOR);
}

/* BLK-18 */
static void the_status_is_the_last_that_is_written(void **state)
{
	struct disk *d = *state;

	ask_to_read(d, 0, 1);
	assert_int_equal(*disk_written(d, BLK_SECTOR), DISK_UNTOUCHED);
	assert_false(request_stepped(&d->request, BLK_SECTOR));
	assert_int_equal(*disk_written(d, BLK_SECTOR), DISK_UNTOUCHED);
	disk_expect_end(d, STATUS_OK, BLK_SECTOR + 1);
}

static void a_short_transfer_goes_on_where_it_stopped(void **state)
{
	struct disk *d = *state;
	struct io_step *s = &d->request.step;

	ask_to_read(d, 4, 2);
	assert_int_equal(s->frag[0].len, 2 * BLK_SECTOR);
	assert_true(request_stepped(&d->request, 700));
	assert_int_equal(s->op, IO_READ);
	assert_int_equal(s->offset, 4 * BLK_SECTOR + 700);
	assert_int_equal(s->n, 1);
	assert_ptr_equal(s->frag[0].base, disk_written(d, 700));
	assert_int_equal(s->frag[0].len, 2 * BLK_SECTOR - 700);
	assert_false(request_stepped(&d->request, 2 * BLK_SECTOR - 700));
	disk_expect_end(d, STATUS_OK, 2 * BLK_SECTOR + 1);
}

static void the_kernel_gets_as_many_fragments_as_it_takes(void **state)
{
	struct disk *d = *state;
	struct io_step *s = &d->request.step;

	d->piece = 1;
	ask_to_read(d, 0, 4);
	assert_int_equal(s->n, AT_ONCE);
	assert_true(request_stepped(&d->request, AT_ONCE));
	assert_int_equal(s->n, AT_ONCE);
	assert_ptr_equal(s->frag[0].base, disk_written(d, AT_ONCE));
	assert_false(request_stepped(&d->request, AT_ONCE));
	disk_expect_end(d, STATUS_OK, 2 * AT_ONCE + 1);
}

/* BLK-16 */
static void data_of_a_read_that_failed_does_not_count(void **state)
{
	static const int64_t results[] = {-EIO, -EOPNOTSUPP, 0, BLK_SECTOR + 1, INT64_MAX};
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		ask_to_read(d, 0, 2);
		assert_true(request_stepped(&d->request, BLK_SECTOR));
		assert_false(request_stepped(&d->request, results[i]));
		assert_int_equal(d->request.moved, 0);
		disk_expect_end(d, STATUS_IOERR, 0);
	}
}

static void a_write_that_failed_is_an_error(void **state)
{
	static const int64_t results[] = {-ENOSPC, -EOPNOTSUPP, 0, BLK_SECTOR + 1};
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
		ask_to_write(d, 0, 1);
		assert_false(request_stepped(&d->request, results[i]));
		assert_int_equal(d->request.moved, 0);
		disk_expect_end(d, STATUS_IOERR, 1);
	}
}

static void a_flush_that_failed_is_an_error(void **state)
{
	struct disk *d = *state;

	disk_ask(d, REQUEST_FLUSH, 0);
	disk_in(d, 1);
	assert_true(disk_start(d));
	assert_int_equal(d->request.step.op, IO_FLUSH);
	assert_false(request_stepped(&d->request, -EIO));
	disk_expect_end(d, STATUS_IOERR, 1);
}

static void what_was_interrupted_is_repeated_but_not_for_ever(void **state)
{
	struct disk *d = *state;
	int i, n = 0;

	for (i = 0; i < 2; i++) {
		ask_to_read(d, 3, 1);
		assert_true(request_stepped(&d->request, i ? -EAGAIN : -EINTR));
		assert_int_equal(d->request.step.op, IO_READ);
		assert_int_equal(d->request.step.offset, 3 * BLK_SECTOR);
		assert_false(request_stepped(&d->request, BLK_SECTOR));
		disk_expect_end(d, STATUS_OK, BLK_SECTOR + 1);
	}
	ask_to_read(d, 3, 1);
	while (request_stepped(&d->request, -EINTR) && n < 1000)
		n++;
	assert_int_equal(n, 64);
	disk_expect_end(d, STATUS_IOERR, 0);
}

/* Room for chains as long as they come, up to a limit. */
static void a_slot_grows_up_to_a_limit(void **state)
{
	struct request r;

	(void)state;
	memset(&r, 0, sizeof(r));
	assert_int_equal(request_init(&r, 3), 0);
	assert_int_equal(r.chain.cap, 3);
	assert_int_equal(request_grow(&r), 0);
	assert_int_equal(r.chain.cap, 6);
	memset(r.chain.frag, 0, 6 * sizeof(*r.chain.frag));
	while (request_grow(&r) == 0)
		assert_true(r.chain.cap <= 1 << 16);
	assert_int_equal(request_grow(&r), -ENOBUFS);
	assert_int_equal(r.chain.cap, 3 << 14);
	request_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(what_has_no_room_for_a_status_is_no_request),
		DISK_TEST(what_has_a_short_header_is_no_request),
		DISK_TEST(what_is_no_request_is_not_answered_as_the_one_before),
		DISK_TEST(the_status_is_the_last_that_is_written),
		DISK_TEST(a_short_transfer_goes_on_where_it_stopped),
		DISK_TEST(the_kernel_gets_as_many_fragments_as_it_takes),
		DISK_TEST(data_of_a_read_that_failed_does_not_count),
		DISK_TEST(a_write_that_failed_is_an_error),
		DISK_TEST(a_flush_that_failed_is_an_error),
		DISK_TEST(what_was_interrupted_is_repeated_but_not_for_ever),
		DISK_TEST(a_slot_grows_up_to_a_limit),
	};

	return cmocka_run_group_tests(tests, engine_sync, engine_close);
}
