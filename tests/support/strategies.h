/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The strategies that this build of a test can run: all, or the one fixed at build time. */
#ifndef STRATEGIES_H
#define STRATEGIES_H

#include <vqmeta/sync.h>

struct strategy {
	enum vqm_sync sync;
	const char *name;
	bool waits; /* an invalidation is held up by a section; with "none" the caller excludes */
};

static const struct strategy strategies[] = {
#ifdef VQM_SYNC_FIXED
	{VQM_SYNC_FIXED, "fixed", VQM_SYNC_FIXED != VQM_SYNC_NONE},
#else
	{VQM_SYNC_NONE, "none", false},
	{VQM_SYNC_SPIN, "spin", true},
	{VQM_SYNC_COUNTER, "counter", true},
#endif
};

enum {
	STRATEGIES = sizeof(strategies) / sizeof(strategies[0]),
};

struct CMUnitTest;

/* Runs each test once per strategy, with the struct strategy as its initial state. */
int strategies_run(const struct CMUnitTest *test, uint32_t count);

#endif /* STRATEGIES_H */
