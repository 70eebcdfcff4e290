/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The engine that overlaps: a step is a submission, guest memory is registered where possible. */
#define _GNU_SOURCE
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <linux/falloc.h>
#include <stdlib.h>
#include <time.h>

enum {
	BUFFER_MAX = 1 << 30, /* largest buffer the kernel registers */
	BUFFERS_MAX = 1024,
	SETTLED_MS = 100, /* registering is dear: not for a table that is about to change again */
};

/*
 * @memory is held as long as it is registered, so that its address is not reused meanwhile.
 * @seen is the table of the last request, unchanged since @since; it is only compared.
 */
struct uring {
	struct io_uring ring;
	uint32_t inflight;
	struct vqm_regions *memory;
	const struct vqm_regions *seen;
	uint64_t since;
	struct iovec *buf;
	uint32_t n_buf, recent;
};

static int uring_open(struct io *io, uint32_t depth)
{
	struct uring *u = calloc(1, sizeof(*u));
	int err;

	if (!u)
		return -ENOMEM;
	err = io_uring_queue_init(depth, &u->ring, 0);
	if (err)
		free(u);
	else
		io->state = u;
	return err;
}

static void uring_forget(struct io *io)
{
	struct uring *u = io->state;

	if (u->n_buf > 0)
		io_uring_unregister_buffers(&u->ring);
	free(u->buf);
	u->buf = NULL;
	u->n_buf = u->recent = 0;
	vqm_regions_release(u->memory);
	u->memory = NULL;
}

static void uring_close(struct io *io)
{
	struct uring *u = io->state;

	uring_forget(io);
	io_uring_queue_exit(&u->ring);
	free(u);
}

/* Cuts a table into buffers. With @buf NULL it only counts them. */
static uint64_t cut(const struct vqm_regions *t, struct iovec *buf)
{
	uint64_t n = 0, off;
	uint32_t i;

	for (i = 0; i < t->count; i++) {
		const struct vqm_region *g = &t->region[i];

		for (off = 0; g->host && off < g->size; off += BUFFER_MAX, n++) {
			if (!buf)
				continue;
			buf[n].iov_base = g->host + off;
			buf[n].iov_len = g->size - off < BUFFER_MAX ? g->size - off : BUFFER_MAX;
		}
	}
	return n;
}

/* A table that cannot be registered is remembered too: it is not tried again for every request. */
static void adopt(struct io *io, struct vqm_regions *t)
{
	struct uring *u = io->state;
	uint64_t n = cut(t, NULL);

	uring_forget(io);
	vqm_regions_hold(t);
	u->memory = t;
	if (n == 0 || n > BUFFERS_MAX)
		return;
	u->buf = calloc(n, sizeof(*u->buf));
	if (!u->buf)
		return;
	cut(t, u->buf);
	if (io_uring_register_buffers(&u->ring, u->buf, (unsigned int)n) == 0)
		u->n_buf = (uint32_t)n;
}

static bool holds(const struct iovec *buf, const struct vqm_frag *f)
{
	uintptr_t off = (uintptr_t)f->base - (uintptr_t)buf->iov_base;

	return off < buf->iov_len && f->len <= buf->iov_len - off;
}

/* Number of the buffer a fragment lies in, -1 for none. The last one found is likely again. */
static int find(struct uring *u, const struct vqm_frag *f)
{
	uint32_t i;

	if (u->n_buf > 0 && holds(&u->buf[u->recent], f))
		return (int)u->recent;
	for (i = 0; i < u->n_buf; i++) {
		if (holds(&u->buf[i], f)) {
			u->recent = i;
			return (int)i;
		}
	}
	return -1;
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool has_settled(struct uring *u, const struct vqm_regions *t)
{
	uint64_t now = now_ms();

	if (u->seen != t) {
		u->seen = t;
		u->since = now;
	}
	return now - u->since >= SETTLED_MS;
}

static int fixed_buffer(struct io *io, const struct request *r)
{
	struct uring *u = io->state;
	int buffer = -1;

	if (!io->registered)
		return -1;
	if (r->memory != u->memory && has_settled(u, r->memory) && u->inflight == 0)
		adopt(io, r->memory);
	if (r->memory == u->memory && r->step.n == 1)
		buffer = find(u, r->step.frag);
	io->fixed += buffer >= 0;
	return buffer;
}

static void prepare_transfer(struct io *io, struct io_uring_sqe *sqe, const struct request *r)
{
	const struct io_step *s = &r->step;
	/* struct vqm_frag is laid out as struct iovec. */
	const struct iovec *iov = (const struct iovec *)s->frag;
	int buffer = fixed_buffer(io, r);
	bool write = s->op == IO_WRITE;

	if (write && buffer >= 0)
		io_uring_prep_write_fixed(sqe, io->file, iov->iov_base, (unsigned int)iov->iov_len,
					  s->offset, buffer);
	else if (buffer >= 0)
		io_uring_prep_read_fixed(sqe, io->file, iov->iov_base, (unsigned int)iov->iov_len,
					 s->offset, buffer);
	else if (write)
		io_uring_prep_writev(sqe, io->file, iov, s->n, s->offset);
	else
		io_uring_prep_readv(sqe, io->file, iov, s->n, s->offset);
	if (write && s->durable)
		sqe->rw_flags |= RWF_DSYNC;
}

static void prepare(struct io *io, struct io_uring_sqe *sqe, const struct request *r)
{
	const struct io_step *s = &r->step;

	off_t offset = (off_t)s->offset, len = (off_t)s->len;
	int punch = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
	int zero = FALLOC_FL_ZERO_RANGE | FALLOC_FL_KEEP_SIZE;

	switch (s->op) {
	case IO_READ:
	case IO_WRITE: prepare_transfer(io, sqe, r); return;
	case IO_FLUSH: io_uring_prep_fsync(sqe, io->file, IORING_FSYNC_DATASYNC); return;
	case IO_PUNCH: io_uring_prep_fallocate(sqe, io->file, punch, offset, len); return;
	case IO_ZERO: io_uring_prep_fallocate(sqe, io->file, zero, offset, len); return;
	}
}

static void uring_submit(struct io *io, struct request *r)
{
	struct uring *u = io->state;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&u->ring);

	/* The ring has room for every request once; a full one is a mistake of ours. */
	if (!sqe) {
		while (request_stepped(r, -EIO))
			;
		io_done_(io, r);
		return;
	}
	prepare(io, sqe, r);
	io_uring_sqe_set_data(sqe, r);
	u->inflight++;
}

static int uring_commit(struct io *io)
{
	struct uring *u = io->state;
	int n;

	while (io_uring_sq_ready(&u->ring) > 0) {
		n = io_uring_submit(&u->ring);
		if (n <= 0 && n != -EINTR)
			return n ? n : -EAGAIN;
	}
	return 0;
}

static void uring_reap(struct io *io)
{
	struct uring *u = io->state;
	struct io_uring_cqe *cqe;
	struct request *r;
	int res;

	while (io_uring_peek_cqe(&u->ring, &cqe) == 0) {
		r = io_uring_cqe_get_data(cqe);
		res = cqe->res;
		io_uring_cqe_seen(&u->ring, cqe);
		u->inflight--;
		if (request_stepped(r, res))
			uring_submit(io, r);
		else
			io_done_(io, r);
	}
}

static bool uring_holds(const struct io *io)
{
	const struct uring *u = io->state;

	return u->memory != NULL;
}

static int uring_fd(const struct io *io)
{
	const struct uring *u = io->state;

	return u->ring.ring_fd;
}

const struct io_engine io_engine_uring = {
	.name = "io_uring",
	.open = uring_open,
	.close = uring_close,
	.submit = uring_submit,
	.commit = uring_commit,
	.reap = uring_reap,
	.forget = uring_forget,
	.holds = uring_holds,
	.fd = uring_fd,
};
