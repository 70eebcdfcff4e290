/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "spy.h"

#include <liburing.h>

/* The names are those of the linker: --wrap. */
int __real_io_uring_submit(struct io_uring *ring);
int __wrap_io_uring_submit(struct io_uring *ring);

/* The rings of these tests have one entry. */
int __wrap_io_uring_submit(struct io_uring *ring)
{
	const struct io_uring_sqe *sqe = &ring->sq.sqes[0];

	spy.opcode = sqe->opcode;
	spy.flags = (int)sqe->rw_flags;
	spy.mode = (int)sqe->len;
	return __real_io_uring_submit(ring);
}
