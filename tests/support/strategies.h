/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The strategies that a test goes through: all, or the one fixed at build time. */
#ifndef STRATEGIES_H
#define STRATEGIES_H

#include <vqmeta/sync.h>

struct strategy {
	enum vqm_sync sync;
	const char *name;
	bool waits; /* an invalidation is held up by a section; with "none" the caller excludes */
	bool tells; /* a try finds out whether a section is running */
};

static const struct strategy strategies[] = {
#ifdef VQM_SYNC_FIXED
	{VQM_SYNC_FIXED, "fixed", VQM_SYNC_FIXED != VQM_SYNC_NONE,
	 VQM_SYNC_FIXED != VQM_SYNC_RCU &&VQM_SYNC_FIXED != VQM_SYNC_RCU_QSBR},
#else
	{VQM_SYNC_NONE, "none", false, true},	      {VQM_SYNC_SPIN, "spin", true, true},
	{VQM_SYNC_FLAG, "flag", true, true},	      {VQM_SYNC_COUNTER, "counter", true, true},
	{VQM_SYNC_SEQCOUNT, "seqcount", true, true},  {VQM_SYNC_RCU, "rcu", true, false},
	{VQM_SYNC_RCU_QSBR, "rcu_qsbr", true, false}, {VQM_SYNC_ASYM, "asym", true, true},
#endif
};

enum {
	STRATEGIES = sizeof(strategies) / sizeof(strategies[0]),
};

struct CMUnitTest;

/*
 * Runs each test once per strategy, with the struct strategy as its initial state. Says so and
 * leaves out what this build or machine cannot run.
 *
 * The main thread is attached for all of them, but offline: it may control, and run sections as
 * long as no other thread invalidates. A test in which one does calls vqm_sync_online().
 */
int strategies_run(const struct CMUnitTest *test, uint32_t count);

/* The same for runners of their own: begin and end of the main thread; can a strategy be run? */
void strategies_attach(void);
void strategies_detach(void);
bool strategy_runs(const struct strategy *s);

#endif /* STRATEGIES_H */
