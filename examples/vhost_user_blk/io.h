/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Doing the steps of requests, by io_uring or by plain system calls. One per worker.
 *
 *	io_submit()	a request whose first step is set
 *	io_commit()	hand what was submitted to the kernel
 *	io_reap()	a request whose steps are all done
 */
#ifndef IO_H
#define IO_H

#include "request.h"

enum io_choice {
	IO_AUTO,
	IO_URING,
	IO_SYNC,
};

struct io;

/* An engine is one file with these functions. They report by io_done_(). */
struct io_engine {
	const char *name;
	int (*open)(struct io *io, uint32_t depth);
	void (*close)(struct io *io);
	void (*submit)(struct io *io, struct request *r);
	int (*commit)(struct io *io);
	void (*reap)(struct io *io);
	void (*forget)(struct io *io);
	bool (*holds)(const struct io *io);
	int (*fd)(const struct io *io);
};

extern const struct io_engine io_engine_uring, io_engine_sync;

/**
 * struct io - I/O of one worker; members are private but @fixed
 * @registered: whether to register guest memory with the kernel
 * @fixed:      transfers that went through registered memory
 */
struct io {
	const struct io_engine *engine;
	void *state;
	int file;
	bool registered;
	uint64_t fixed;
	struct request *done, **done_end;
};

/**
 * io_open() - choose and set up an engine
 * @depth:      most requests on their way at once
 * @registered: register guest memory with io_uring; what cannot be registered goes the plain way
 *
 * Return: 0, or why @choice cannot be had; IO_AUTO and IO_SYNC always can.
 */
int io_open(struct io *io, enum io_choice choice, int file, uint32_t depth, bool registered);
void io_close(struct io *io);

static inline void io_submit(struct io *io, struct request *r)
{
	io->engine->submit(io, r);
}

/* Return: 0, or -errno: nothing is lost, call it again. */
static inline int io_commit(struct io *io)
{
	return io->engine->commit(io);
}

/* May submit further steps: io_commit() before sleeping. Return: a finished request, or NULL. */
struct request *io_reap(struct io *io);

/* Lets go of guest memory that was registered. Context: no request is on its way. */
static inline void io_forget(struct io *io)
{
	io->engine->forget(io);
}

/* Is there guest memory to let go of? */
static inline bool io_holds_memory(const struct io *io)
{
	return io->engine->holds(io);
}

/* What becomes readable when io_reap() has something; -1 when that is after io_submit() already. */
static inline int io_fd(const struct io *io)
{
	return io->engine->fd(io);
}

static inline bool io_is_ready(const struct io *io)
{
	return io->done != NULL;
}

void io_done_(struct io *io, struct request *r);

#endif
