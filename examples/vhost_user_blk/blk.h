/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The disk: its backing file, its configuration space, and what the driver agreed to. */
#ifndef BLK_H
#define BLK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	BLK_SECTOR_SHIFT = 9,
	BLK_SECTOR = 1 << BLK_SECTOR_SHIFT,
	BLK_SEG_MAX = 126,    /* data descriptors of a request, as told the driver */
	BLK_ID_LEN = 20,      /* of the serial number */
	BLK_CONFIG_MAX = 256, /* what a front-end may ask for */
	BLK_RANGE_SEGS = 32,  /* segments of a DISCARD or WRITE_ZEROES request */
	BLK_DISCARD_SECTORS = 1 << 22,
	BLK_ZERO_SECTORS = 1 << 16,
	BLK_QUEUES_MAX = 16,
};

/* Feature bits (virtio 1.4, section 5.2.3). */
enum {
	BLK_F_SEG_MAX = 2,
	BLK_F_RO = 5,
	BLK_F_BLK_SIZE = 6,
	BLK_F_FLUSH = 9,
	BLK_F_CONFIG_WCE = 11,
	BLK_F_MQ = 12,
	BLK_F_DISCARD = 13,
	BLK_F_WRITE_ZEROES = 14,
};

/**
 * struct blk - a disk
 * @fd:        backing file
 * @sectors:   its size in sectors of 512 bytes
 * @read_only: nothing is ever written
 * @can_punch: the file has not refused to have holes punched
 * @queues:    request queues
 * @id:        serial number, padded with NUL
 * @features:  what the driver accepted
 * @writeback: of configuration space: a write may complete before it is stable
 *
 * @features and @writeback are written by the control thread while workers read them.
 */
struct blk {
	int fd;
	uint64_t sectors;
	bool read_only;
	bool can_punch;
	uint16_t queues;
	char id[BLK_ID_LEN];
	_Atomic uint64_t features;
	atomic_bool writeback;
};

/**
 * blk_open() - open the backing file
 *
 * Return: 0, -ENOTBLK when it is neither a regular file nor a block device, or -errno.
 */
int blk_open(struct blk *b, const char *path, bool read_only);
void blk_close(struct blk *b);

/* What the device offers. */
uint64_t blk_offer(const struct blk *b);

/* A new driver: nothing is accepted yet. */
void blk_reset(struct blk *b);

/* What the driver accepted. Decides between write-back and write-through (5.2.5.2). */
void blk_accept(struct blk *b, uint64_t features);

static inline bool blk_has(struct blk *b, unsigned int bit)
{
	return (atomic_load_explicit(&b->features, memory_order_relaxed) >> bit) & 1;
}

/* Nobody who cannot flush has agreed to anything but write-through. */
static inline bool blk_is_writeback(struct blk *b)
{
	return atomic_load_explicit(&b->writeback, memory_order_relaxed) &&
	       (blk_has(b, BLK_F_FLUSH) || blk_has(b, BLK_F_CONFIG_WCE));
}

/**
 * blk_get_config() - read configuration space; beyond its end it is zero
 *
 * Return: 0, -EINVAL for more than a front-end may ask for.
 */
int blk_get_config(const struct blk *b, uint32_t offset, void *buf, uint32_t len);

/**
 * blk_set_config() - write configuration space: the one byte "writeback"
 *
 * Return: 0, -EINVAL for anything else, or what fdatasync() said when it is switched off.
 */
int blk_set_config(struct blk *b, uint32_t offset, const void *buf, uint32_t len);

#endif
