/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A disk in memory, and its requests laid out byte by byte: what a ring would hand the example,
 * without a ring.
 *
 *	disk_ask(d, REQUEST_IN, 8);		a header
 *	disk_in(d, 512 + 1);			room for data and status
 *	disk_expect(d, STATUS_OK, 513);		serve it; status byte, used length
 */
#ifndef DISK_H
#define DISK_H

#include "io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum {
	DISK_SECTORS = 4096,
	DISK_MEMORY = 1 << 17, /* of the guest */
	DISK_FRAGS = 16384,    /* a chain may have */
	DISK_UNTOUCHED = 0xee, /* what memory of the guest is full of */
	DISK_SEPARATE = 0,     /* a fragment for each disk_out() and disk_in() */
	DISK_JOINED = DISK_MEMORY,
};

/**
 * struct disk - the fixture
 * @blk:      the disk, with all that it offers accepted
 * @io:       an engine, of the tests that want one
 * @request:  the one slot
 * @table:    memory of the guest, as the engine knows it
 * @mem:      memory of the guest
 * @before:   as it was before the request was served
 * @writable: where each writable byte is, since fragments are eaten while they are filled
 * @used:     bytes of @mem that are in use
 * @piece:    longest fragment, or DISK_SEPARATE
 * @done:     what would be published
 */
struct disk {
	struct blk blk;
	struct io io;
	struct request request;
	struct vqm_regions *table;
	uint8_t *mem, *before, **writable;
	size_t used, piece;
	struct vqm_done done;
};

/* File of zeroes with no name. Closed by whoever opens it. */
int disk_file(uint64_t size);

/* Opens a file that has no name. */
int disk_blk_open(struct blk *b, int file, bool read_only);

void disk_open(struct disk *d);
void disk_close(struct disk *d);

/* As it was after disk_open(): full of zeroes, nobody's choices. For each test. */
void disk_reset(struct disk *d);

/* The driver accepts these bits, for the first time. */
void disk_accept(struct disk *d, uint64_t features);

/* Lays out a chain: readable bytes, then writable ones. Return: the first byte in the guest. */
void disk_begin(struct disk *d);
uint8_t *disk_out(struct disk *d, const void *bytes, size_t len);
uint8_t *disk_in(struct disk *d, size_t len);

/* Begins a chain with a header. Return: where it is. */
uint8_t *disk_ask(struct disk *d, uint32_t type, uint64_t sector);

/* A segment of a DISCARD or WRITE_ZEROES request. Return: where it is. */
uint8_t *disk_segment(struct disk *d, uint64_t sector, uint32_t sectors, uint32_t flags);

/* By hand: the steps are those of the test. Return: as request_begin(). */
bool disk_start(struct disk *d);

/* Ends a request. What is not the driver's to be written has to be as it was. */
void disk_end(struct disk *d);

/* The same after disk_start(), or with all steps done by the engine. */
void disk_expect_end(struct disk *d, uint8_t status, uint32_t used);
void disk_expect(struct disk *d, uint8_t status, uint32_t used);

/* No request at all: nothing is written, nothing is done. */
void disk_expect_malformed(struct disk *d);

/* Byte @i of the writable part. */
uint8_t *disk_written(struct disk *d, uint64_t i);

/* What the file holds. */
void disk_put(struct disk *d, uint64_t sector, const void *bytes, size_t len);
void disk_fill(struct disk *d, uint64_t sector, uint64_t sectors, uint8_t byte);
void disk_expect_bytes(struct disk *d, uint64_t sector, const void *bytes, size_t len);
void disk_expect_filled(struct disk *d, uint64_t sector, uint64_t sectors, uint8_t byte);

/* Bytes that no two sectors have in common. */
void disk_pattern(uint8_t *bytes, size_t len);

/* To set up and tear down a group of tests: a disk and an engine. */
int engine_sync(void **state);
int engine_uring(void **state);
int engine_registered(void **state); /* which has seen the memory long enough to register it */
int engine_close(void **state);
bool engine_has_uring(void);

/* Long enough for memory that was seen once to be registered when it is seen again. */
void engine_settle(void);

/* A test of such a group; it finds the disk as disk_reset() leaves it. */
int engine_reset(void **state);
#define DISK_TEST(name) cmocka_unit_test_setup(name, engine_reset)

#endif
