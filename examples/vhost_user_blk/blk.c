/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "blk.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Offsets in the configuration space (5.2.4). */
enum {
	AT_CAPACITY = 0,
	AT_SEG_MAX = 12,
	AT_BLK_SIZE = 20,
	AT_WRITEBACK = 32,
	AT_NUM_QUEUES = 34,
	AT_MAX_DISCARD_SECTORS = 36,
	AT_MAX_DISCARD_SEG = 40,
	AT_DISCARD_ALIGNMENT = 44,
	AT_MAX_ZERO_SECTORS = 48,
	AT_MAX_ZERO_SEG = 52,
	AT_ZERO_MAY_UNMAP = 56,
};

static int file_size(int fd, uint64_t *size)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (S_ISBLK(st.st_mode))
		return ioctl(fd, BLKGETSIZE64, size) ? -errno : 0;
	if (!S_ISREG(st.st_mode))
		return -ENOTBLK;
	*size = (uint64_t)st.st_size;
	return 0;
}

/* Behind the end there is nothing to lose; a block device says EINVAL there, which is no answer. */
static bool may_punch(int fd, uint64_t size)
{
	int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;

	return !fallocate(fd, mode, (off_t)size, BLK_SECTOR) || errno != EOPNOTSUPP;
}

int blk_open(struct blk *b, const char *path, bool read_only)
{
	uint64_t size = 0;
	int err, fd = open(path, (read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	err = file_size(fd, &size);
	if (err) {
		close(fd);
		return err;
	}
	memset(b, 0, sizeof(*b));
	b->fd = fd;
	b->sectors = size >> BLK_SECTOR_SHIFT;
	b->read_only = read_only;
	b->can_punch = !read_only && may_punch(fd, size);
	b->queues = 1;
	blk_reset(b);
	return 0;
}

void blk_close(struct blk *b)
{
	close(b->fd);
}

uint64_t blk_offer(const struct blk *b)
{
	uint64_t f = 1ull << BLK_F_SEG_MAX | 1ull << BLK_F_BLK_SIZE | 1ull << BLK_F_FLUSH |
		     1ull << BLK_F_CONFIG_WCE;

	if (b->queues > 1)
		f |= 1ull << BLK_F_MQ;
	if (b->read_only)
		f |= 1ull << BLK_F_RO;
	else
		f |= 1ull << BLK_F_WRITE_ZEROES;
	if (b->can_punch)
		f |= 1ull << BLK_F_DISCARD;
	return f;
}

void blk_reset(struct blk *b)
{
	atomic_store(&b->features, 0);
	atomic_store(&b->writeback, true);
}

void blk_accept(struct blk *b, uint64_t features)
{
	uint64_t caching = 1ull << BLK_F_FLUSH | 1ull << BLK_F_CONFIG_WCE;
	uint64_t changed = atomic_load(&b->features) ^ features;

	/* A driver that cannot flush gets write-through, one that can may still choose it. */
	if (changed & caching)
		atomic_store(&b->writeback, (features >> BLK_F_FLUSH) & 1);
	atomic_store(&b->features, features);
}

/* Little-endian, whatever this machine is. */
static void put(uint8_t *config, uint32_t at, uint64_t value, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i++)
		config[at + i] = (uint8_t)(value >> (8 * i));
}

static void fill_config(const struct blk *b, uint8_t *config)
{
	uint64_t offer = blk_offer(b);

	put(config, AT_CAPACITY, b->sectors, 8);
	put(config, AT_SEG_MAX, BLK_SEG_MAX, 4);
	put(config, AT_BLK_SIZE, BLK_SECTOR, 4);
	put(config, AT_WRITEBACK, atomic_load(&b->writeback), 1);
	if (offer >> BLK_F_MQ & 1)
		put(config, AT_NUM_QUEUES, b->queues, 2);
	if (offer >> BLK_F_DISCARD & 1) {
		put(config, AT_MAX_DISCARD_SECTORS, BLK_DISCARD_SECTORS, 4);
		put(config, AT_MAX_DISCARD_SEG, BLK_RANGE_SEGS, 4);
		put(config, AT_DISCARD_ALIGNMENT, 4096 / BLK_SECTOR, 4);
	}
	if (offer >> BLK_F_WRITE_ZEROES & 1) {
		put(config, AT_MAX_ZERO_SECTORS, BLK_ZERO_SECTORS, 4);
		put(config, AT_MAX_ZERO_SEG, BLK_RANGE_SEGS, 4);
		put(config, AT_ZERO_MAY_UNMAP, b->can_punch, 1);
	}
}

int blk_get_config(const struct blk *b, uint32_t offset, void *buf, uint32_t len)
{
	uint8_t config[BLK_CONFIG_MAX] = {0};

	if (offset > sizeof(config) || len > sizeof(config) - offset)
		return -EINVAL;
	fill_config(b, config);
	memcpy(buf, config + offset, len);
	return 0;
}

int blk_set_config(struct blk *b, uint32_t offset, const void *buf, uint32_t len)
{
	const uint8_t *value = buf;

	if (offset != AT_WRITEBACK || len != 1 || *value > 1)
		return -EINVAL;
	/* First the new rule, then what was written under the old one. */
	atomic_store(&b->writeback, *value == 1);
	if (*value == 0 && fdatasync(b->fd))
		return -errno;
	return 0;
}
