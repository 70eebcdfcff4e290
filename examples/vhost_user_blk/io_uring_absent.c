/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Takes the place of io_uring.c in a build without liburing. */
#include "io.h"

#include <errno.h>

static int absent_open(struct io *io, uint32_t depth)
{
	(void)io;
	(void)depth;
	return -ENOSYS;
}

const struct io_engine io_engine_uring = {
	.name = "io_uring",
	.open = absent_open,
};
