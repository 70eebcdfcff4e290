/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The engine that works everywhere: a step is a system call. */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/uio.h>
#include <unistd.h>

static int64_t perform(int file, const struct io_step *s)
{
	/* struct vqm_frag is laid out as struct iovec. */
	const struct iovec *iov = (const struct iovec *)s->frag;
	off_t offset = (off_t)s->offset, len = (off_t)s->len;
	int flags = s->durable ? RWF_DSYNC : 0;
	int punch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	int zero = FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE;

	switch (s->op) {
	case IO_READ: return preadv(file, iov, (int)s->n, offset);
	case IO_WRITE: return pwritev2(file, iov, (int)s->n, offset, flags);
	case IO_FLUSH: return fdatasync(file);
	case IO_PUNCH: return fallocate(file, punch, offset, len);
	case IO_ZERO: return fallocate(file, zero, offset, len);
	}
	return 0;
}

static int sync_open(struct io *io, uint32_t depth)
{
	(void)io;
	(void)depth;
	return 0;
}

static void sync_submit(struct io *io, struct request *r)
{
	int64_t res;

	do {
		res = perform(io->file, &r->step);
		if (res < 0)
			res = -errno;
	} while (request_stepped(r, res));
	io_done_(io, r);
}

static int sync_commit(struct io *io)
{
	(void)io;
	return 0;
}

static void sync_nothing(struct io *io)
{
	(void)io;
}

static bool sync_holds(const struct io *io)
{
	(void)io;
	return false;
}

static int sync_fd(const struct io *io)
{
	(void)io;
	return -1;
}

const struct io_engine io_engine_sync = {
	.name = "sync",
	.open = sync_open,
	.close = sync_nothing,
	.submit = sync_submit,
	.commit = sync_commit,
	.reap = sync_nothing,
	.forget = sync_nothing,
	.holds = sync_holds,
	.fd = sync_fd,
};
