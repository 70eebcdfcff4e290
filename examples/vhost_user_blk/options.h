/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The command line. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "io.h"

#include <vqmeta/sync.h>

/**
 * struct options - what the user asked for
 * @socket:     path to listen on, or NULL
 * @fd:         connected socket to serve instead, or -1
 * @file:       backing file
 * @serial:     up to BLK_ID_LEN bytes
 * @queues:     request queues
 * @invalidate: microseconds between demonstrations of an invalidation; 0 for none
 */
struct options {
	const char *socket;
	int fd;
	const char *file;
	const char *serial;
	uint32_t queues;
	bool read_only;
	enum vqm_sync sync;
	bool single_thread;
	enum io_choice engine;
	bool registered;
	uint32_t invalidate;
	bool stats;
};

enum options_result {
	OPTIONS_RUN,
	OPTIONS_DONE,  /* help or the like was printed */
	OPTIONS_WRONG, /* what is wrong was printed */
};

enum options_result options_parse(struct options *o, int argc, char **argv);

#endif
