/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "io.h"

#include <string.h>

static int open_engine(struct io *io, const struct io_engine *engine, uint32_t depth)
{
	io->engine = engine;
	return engine->open(io, depth);
}

int io_open(struct io *io, enum io_choice choice, int file, uint32_t depth, bool registered)
{
	int err;

	memset(io, 0, sizeof(*io));
	io->file = file;
	io->registered = registered;
	io->done_end = &io->done;
	if (choice == IO_SYNC)
		return open_engine(io, &io_engine_sync, depth);
	err = open_engine(io, &io_engine_uring, depth);
	return err && choice == IO_AUTO ? open_engine(io, &io_engine_sync, depth) : err;
}

void io_close(struct io *io)
{
	io->engine->close(io);
}

void io_done_(struct io *io, struct request *r)
{
	r->next = NULL;
	*io->done_end = r;
	io->done_end = &r->next;
}

struct request *io_reap(struct io *io)
{
	struct request *r;

	if (!io->done)
		io->engine->reap(io);
	r = io->done;
	if (!r)
		return NULL;
	io->done = r->next;
	if (!io->done)
		io->done_end = &io->done;
	return r;
}
