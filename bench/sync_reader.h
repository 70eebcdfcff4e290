/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The second thread: it runs sections on a processor of its own, or sleeps. */
#ifndef BENCH_SYNC_READER_H
#define BENCH_SYNC_READER_H

#include "sync_case.h"

/*
 * Returns false when there is no second processor: then there is the thread, but no start. Comes
 * before bench_pin(), which the thread would inherit.
 */
bool sync_reader_init(void);
void sync_reader_fini(void);

/* Sections of @r are running when it returns, and until the stop returns. */
void sync_reader_start(const struct sync_case *c, struct bench_rig *r);
void sync_reader_stop(void);

#endif /* BENCH_SYNC_READER_H */
