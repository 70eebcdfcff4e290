/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "disk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
	SETTLED_MS = 120, /* a little more than memory has to be there before it is registered */
};

int disk_file(uint64_t size)
{
	int file = memfd_create("disk", MFD_CLOEXEC);

	assert_true(file >= 0);
	assert_int_equal(ftruncate(file, (off_t)size), 0);
	return file;
}

int disk_blk_open(struct blk *b, int file, bool read_only)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return blk_open(b, path, read_only);
}

void disk_open(struct disk *d)
{
	struct vqm_region region = {.size = DISK_MEMORY};
	int file = disk_file((uint64_t)DISK_SECTORS * BLK_SECTOR);

	memset(d, 0, sizeof(*d));
	assert_int_equal(disk_blk_open(&d->blk, file, false), 0);
	close(file);
	memcpy(d->blk.id, "twenty bytes, no NUL", BLK_ID_LEN);
	d->mem = mmap(NULL, DISK_MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(d->mem, MAP_FAILED);
	d->before = malloc(DISK_MEMORY);
	d->writable = calloc(DISK_MEMORY, sizeof(*d->writable));
	assert_non_null(d->before);
	assert_non_null(d->writable);
	region.host = d->mem;
	region.uva.v = (uintptr_t)d->mem;
	assert_int_equal(vqm_regions_build(&d->table, &region, 1), 0);
	assert_int_equal(request_init(&d->request, DISK_FRAGS), 0);
}

void disk_close(struct disk *d)
{
	request_fini(&d->request);
	vqm_regions_release(d->table);
	free(d->writable);
	free(d->before);
	munmap(d->mem, DISK_MEMORY);
	blk_close(&d->blk);
}

void disk_reset(struct disk *d)
{
	assert_int_equal(ftruncate(d->blk.fd, 0), 0);
	assert_int_equal(ftruncate(d->blk.fd, (off_t)DISK_SECTORS * BLK_SECTOR), 0);
	d->blk.sectors = DISK_SECTORS;
	d->blk.read_only = false;
	d->blk.can_punch = true;
	d->piece = DISK_SEPARATE;
	disk_accept(d, blk_offer(&d->blk));
}

void disk_accept(struct disk *d, uint64_t features)
{
	blk_reset(&d->blk);
	blk_accept(&d->blk, features);
}

void disk_put(struct disk *d, uint64_t sector, const void *bytes, size_t len)
{
	assert_int_equal(pwrite(d->blk.fd, bytes, len, (off_t)sector * BLK_SECTOR), len);
}

void disk_fill(struct disk *d, uint64_t sector, uint64_t sectors, uint8_t byte)
{
	uint8_t bytes[BLK_SECTOR];

	memset(bytes, byte, sizeof(bytes));
	for (; sectors > 0; sectors--)
		disk_put(d, sector++, bytes, sizeof(bytes));
}

void disk_expect_bytes(struct disk *d, uint64_t sector, const void *bytes, size_t len)
{
	uint8_t *found = calloc(1, len);
	ssize_t n = pread(d->blk.fd, found, len, (off_t)sector * BLK_SECTOR);
	bool same = n == (ssize_t)len && memcmp(found, bytes, len) == 0;

	free(found);
	assert_true(same);
}

void disk_expect_filled(struct disk *d, uint64_t sector, uint64_t sectors, uint8_t byte)
{
	uint8_t bytes[BLK_SECTOR];

	memset(bytes, byte, sizeof(bytes));
	for (; sectors > 0; sectors--)
		disk_expect_bytes(d, sector++, bytes, sizeof(bytes));
}

void disk_pattern(uint8_t *bytes, size_t len)
{
	uint32_t word = 1;
	size_t i;

	for (i = 0; i < len; i++) {
		word = word * 1664525 + 1013904223;
		bytes[i] = (uint8_t)(word >> 24);
	}
}

static int open_engine(void **state, enum io_choice choice, bool registered)
{
	struct disk *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	*state = d;
	disk_open(d);
	return io_open(&d->io, choice, d->blk.fd, 1, registered);
}

int engine_sync(void **state)
{
	return open_engine(state, IO_SYNC, false);
}

int engine_uring(void **state)
{
	return open_engine(state, IO_URING, false);
}

void engine_settle(void)
{
	const struct timespec settle = {.tv_nsec = SETTLED_MS * 1000000l};

	nanosleep(&settle, NULL);
}

int engine_registered(void **state)
{
	int i, err = open_engine(state, IO_URING, true);

	for (i = 0; i < 2 && !err; i++) {
		disk_reset(*state);
		disk_ask(*state, REQUEST_IN, 0);
		disk_in(*state, BLK_SECTOR + 1);
		disk_expect(*state, STATUS_OK, BLK_SECTOR + 1);
		engine_settle();
	}
	return err;
}

int engine_close(void **state)
{
	struct disk *d = *state;

	io_close(&d->io);
	disk_close(d);
	free(d);
	return 0;
}

bool engine_has_uring(void)
{
	struct io io;
	int err = io_open(&io, IO_URING, -1, 1, false);

	if (!err)
		io_close(&io);
	else
		print_message("skipped: io_uring, %s\n", strerror(-err));
	return !err;
}

int engine_reset(void **state)
{
	disk_reset(*state);
	return 0;
}
