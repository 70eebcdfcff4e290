/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Guests that go on writing to a request: what counts is what was read, once. */
#define _GNU_SOURCE
#include "disk.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	ROUNDS = 200000,
	LIFETIME_S = 10,
	FAR = 0x80, /* as the 6th byte of a sector: 2^47, behind the end of the disk */
};

/* BLK-04, BLK-08 */
static void a_header_that_is_changed_later_has_no_effect(void **state)
{
	struct disk *d = *state;
	uint8_t *header = disk_ask(d, REQUEST_IN, 8);

	disk_in(d, 2 * BLK_SECTOR + 1);
	assert_true(disk_start(d));
	memset(header, 0xff, 16);
	memset(d->before + (header - d->mem), 0xff, 16);
	assert_true(request_stepped(&d->request, BLK_SECTOR));
	assert_int_equal(d->request.step.op, IO_READ);
	assert_int_equal(d->request.step.offset, 9 * BLK_SECTOR);
	assert_false(request_stepped(&d->request, BLK_SECTOR));
	disk_expect_end(d, STATUS_OK, 2 * BLK_SECTOR + 1);
}

/* BLK-08, BLK-11 */
static void a_segment_that_is_changed_later_has_no_effect(void **state)
{
	struct disk *d = *state;
	uint8_t *segment;

	disk_ask(d, REQUEST_WRITE_ZEROES, 0);
	disk_segment(d, 0, 8, 0);
	segment = disk_segment(d, 16, 8, 0);
	disk_in(d, 1);
	assert_true(disk_start(d));
	memset(segment, 0xff, 16);
	memset(d->before + (segment - d->mem), 0xff, 16);
	assert_true(request_stepped(&d->request, 0));
	assert_int_equal(d->request.step.op, IO_ZERO);
	assert_int_equal(d->request.step.offset, 16 * BLK_SECTOR);
	assert_int_equal(d->request.step.len, 8 * BLK_SECTOR);
	assert_false(request_stepped(&d->request, 0));
	disk_expect_end(d, STATUS_OK, 1);
}

/* BLK-04 */
static void data_may_be_read_to_where_the_header_was(void **state)
{
	struct disk *d = *state;
	uint8_t bytes[BLK_SECTOR], *header;

	disk_pattern(bytes, sizeof(bytes));
	disk_put(d, 8, bytes, sizeof(bytes));
	header = disk_ask(d, REQUEST_IN, 8);
	disk_in(d, BLK_SECTOR + 1);
	d->request.chain.frag[1].base = header;
	disk_expect(d, STATUS_OK, BLK_SECTOR + 1);
	assert_memory_equal(header, bytes, sizeof(bytes));
}

/* BLK-10 */
static void a_status_may_be_written_to_where_the_header_was(void **state)
{
	struct disk *d = *state;
	uint8_t *header = disk_ask(d, REQUEST_GET_ID, 0);

	disk_in(d, BLK_ID_LEN);
	disk_in(d, 1);
	d->request.chain.frag[2].base = header;
	disk_expect(d, STATUS_OK, BLK_ID_LEN + 1);
	assert_int_equal(header[0], STATUS_OK);
}

/* A guest in a process of its own, which turns @bits of *@byte on and off until it is killed. */
static pid_t flip(uint8_t *byte, uint8_t bits)
{
	volatile uint8_t *b = byte;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	alarm(LIFETIME_S);
	for (;;)
		*b ^= bits;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The same chain again and again, since its fragments are eaten. Return: contradictions. */
static int begin_often(struct disk *d, bool (*is_sane)(const struct disk *d))
{
	struct request *r = &d->request;
	struct vqm_frag frag[8];
	int i, bad = 0;

	assert_true(r->chain.n_out + r->chain.n_in <= 8);
	memcpy(frag, r->chain.frag, sizeof(frag));
	for (i = 0; i < ROUNDS; i++) {
		memcpy(r->chain.frag, frag, sizeof(frag));
		if (request_begin(r, &d->blk) && !is_sane(d))
			bad++;
	}
	return bad;
}

static bool is_within(const struct disk *d)
{
	return d->request.step.offset < (uint64_t)DISK_SECTORS * BLK_SECTOR;
}

/* BLK-08 */
static void a_sector_that_is_flipping_never_gets_out_of_the_disk(void **state)
{
	struct disk *d = *state;
	uint8_t *header = disk_ask(d, REQUEST_IN, 8);
	pid_t guest;
	int bad;

	disk_in(d, BLK_SECTOR + 1);
	guest = flip(header + 8 + 5, FAR);
	bad = begin_often(d, is_within);
	end(guest);
	assert_int_equal(bad, 0);
}

/* BLK-08, BLK-11 */
static void a_segment_that_is_flipping_never_gets_out_of_the_disk(void **state)
{
	struct disk *d = *state;
	uint8_t *segment;
	pid_t guest;
	int bad;

	disk_ask(d, REQUEST_DISCARD, 0);
	segment = disk_segment(d, 8, 8, 0);
	disk_in(d, 1);
	guest = flip(segment + 5, FAR);
	bad = begin_often(d, is_within);
	end(guest);
	assert_int_equal(bad, 0);
}

/* A read-only disk is only read from, into what is writable. */
static bool is_a_read(const struct disk *d)
{
	const struct request *r = &d->request;

	return r->type == REQUEST_IN && r->step.op == IO_READ &&
	       r->step.frag == &r->chain.frag[r->chain.n_out];
}

/* BLK-09 */
static void a_type_that_is_flipping_never_writes_to_a_read_only_disk(void **state)
{
	const uint8_t bytes[BLK_SECTOR] = {0};
	struct disk *d = *state;
	uint8_t *header = disk_ask(d, REQUEST_IN, 8);
	pid_t guest;
	int bad;

	d->blk.read_only = true;
	disk_out(d, bytes, sizeof(bytes));
	disk_in(d, BLK_SECTOR);
	disk_in(d, 1);
	guest = flip(header, REQUEST_IN ^ REQUEST_OUT);
	bad = begin_often(d, is_a_read);
	end(guest);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(a_header_that_is_changed_later_has_no_effect),
		DISK_TEST(a_segment_that_is_changed_later_has_no_effect),
		DISK_TEST(data_may_be_read_to_where_the_header_was),
		DISK_TEST(a_status_may_be_written_to_where_the_header_was),
		DISK_TEST(a_sector_that_is_flipping_never_gets_out_of_the_disk),
		DISK_TEST(a_segment_that_is_flipping_never_gets_out_of_the_disk),
		DISK_TEST(a_type_that_is_flipping_never_writes_to_a_read_only_disk),
	};

	return cmocka_run_group_tests(tests, engine_sync, engine_close);
}
