/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Write-back or write-through: who chooses it, and what is stable when. */
#include "disk.h"
#include "spy.h"

#include <errno.h>

enum {
	AT_WRITEBACK = 32,
};

static const uint64_t flush = 1ull << BLK_F_FLUSH, wce = 1ull << BLK_F_CONFIG_WCE;

static uint8_t writeback(const struct disk *d)
{
	uint8_t byte = 0xee;

	assert_int_equal(blk_get_config(&d->blk, AT_WRITEBACK, &byte, 1), 0);
	return byte;
}

static int choose(struct disk *d, uint8_t byte)
{
	return blk_set_config(&d->blk, AT_WRITEBACK, &byte, 1);
}

/* BLK-15 */
static void writeback_starts_as_the_driver_can_flush(void **state)
{
	struct disk *d = *state;

	disk_accept(d, wce);
	assert_int_equal(writeback(d), 0);
	disk_accept(d, flush);
	assert_int_equal(writeback(d), 1);
	disk_accept(d, flush | wce);
	assert_int_equal(writeback(d), 1);
	blk_reset(&d->blk);
	assert_int_equal(writeback(d), 1);
}

/* Features are set again to turn logging on and off, for example. */
static void the_choice_of_a_driver_outlives_features_set_again(void **state)
{
	struct disk *d = *state;

	disk_accept(d, flush | wce);
	assert_int_equal(choose(d, 0), 0);
	blk_accept(&d->blk, flush | wce | 1ull << 26);
	assert_int_equal(writeback(d), 0);
	blk_accept(&d->blk, wce);
	assert_int_equal(choose(d, 1), 0);
	blk_accept(&d->blk, wce | 1ull << BLK_F_MQ);
	assert_int_equal(writeback(d), 1);
}

static void a_new_driver_has_accepted_nothing(void **state)
{
	struct disk *d = *state;

	disk_accept(d, flush | wce);
	assert_int_equal(choose(d, 0), 0);
	blk_reset(&d->blk);
	assert_false(blk_has(&d->blk, BLK_F_FLUSH));
	assert_false(blk_has(&d->blk, BLK_F_CONFIG_WCE));
	assert_int_equal(writeback(d), 1);
	assert_false(blk_is_writeback(&d->blk));
}

/* BLK-14 */
static void turning_the_cache_off_makes_it_stable(void **state)
{
	struct disk *d = *state;

	disk_accept(d, flush | wce);
	spy_reset();
	assert_int_equal(choose(d, 1), 0);
	assert_int_equal(choose(d, 2), -EINVAL);
	assert_int_equal(spy.fdatasync, 0);
	assert_int_equal(choose(d, 0), 0);
	assert_int_equal(spy.fdatasync, 1);
	spy.fdatasync_err = EIO;
	assert_int_equal(choose(d, 0), -EIO);
	assert_int_equal(writeback(d), 0);
	spy_reset();
}

static void write_a_sector(struct disk *d)
{
	const uint8_t bytes[BLK_SECTOR] = {0};

	disk_ask(d, REQUEST_OUT, 0);
	disk_out(d, bytes, sizeof(bytes));
	disk_in(d, 1);
	disk_expect(d, STATUS_OK, 1);
}

static void read_a_sector(struct disk *d)
{
	disk_ask(d, REQUEST_IN, 0);
	disk_in(d, BLK_SECTOR + 1);
	disk_expect(d, STATUS_OK, BLK_SECTOR + 1);
}

/* BLK-14, BLK-15 */
static void writes_are_durable_for_whom_cannot_flush(void **state)
{
	const struct {
		uint64_t accepted;
		enum { NOT_CHOSEN, OFF, ON } choice;
		bool durable;
	} cases[] = {
		{0, NOT_CHOSEN, true},
		{0, ON, true},
		{flush, NOT_CHOSEN, false},
		{wce, NOT_CHOSEN, true},
		{wce, ON, false},
		{wce, OFF, true},
		{flush | wce, NOT_CHOSEN, false},
		{flush | wce, OFF, true},
		{flush | wce, ON, false},
	};
	struct disk *d = *state;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		disk_accept(d, cases[i].accepted);
		if (cases[i].choice != NOT_CHOSEN)
			assert_int_equal(choose(d, cases[i].choice == ON), 0);
		write_a_sector(d);
		assert_int_equal(d->request.step.durable, cases[i].durable);
		read_a_sector(d);
		assert_false(d->request.step.durable);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(writeback_starts_as_the_driver_can_flush),
		DISK_TEST(the_choice_of_a_driver_outlives_features_set_again),
		DISK_TEST(a_new_driver_has_accepted_nothing),
		DISK_TEST(turning_the_cache_off_makes_it_stable),
		DISK_TEST(writes_are_durable_for_whom_cannot_flush),
	};

	return cmocka_run_group_tests(tests, engine_sync, engine_close);
}
