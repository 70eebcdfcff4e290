/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the benchmarks share: a ring with a driver, a clock, and a way to tell a steady machine. */
#ifndef BENCH_H
#define BENCH_H

#include <vqmeta/mock.h>
#include <vqmeta/vqmeta.h>

enum { BENCH_NUM = 256, BENCH_BATCH_MAX = 32, BENCH_LEN_MAX = 8 };

/* One split ring in guest memory, its driver, and room for what a device takes from it. */
struct bench_rig {
	struct vqm_dev dev;
	struct vqm_queue q;
	struct vqm_mock mock;
	struct vqm_flat flat;
	struct vqm_region region;
	uint8_t mem[1 << 21] VQM_CACHE_ALIGNED;
	struct vqm_chain chain[BENCH_BATCH_MAX];
	struct vqm_frag frag[BENCH_BATCH_MAX][BENCH_LEN_MAX];
	struct vqm_done done[BENCH_BATCH_MAX];
};

/* Ends the program with a message if @err is not 0. */
void bench_must(int err, const char *what);

/**
 * bench_rig_up() - a fresh ring; may be called again after bench_rig_down()
 * @r:      storage of the caller
 * @sync:   how the queue excludes invalidation
 * @mapped: false: the ring itself is reached through a backend, each access a copy
 *
 * Context: a thread attached to @sync.
 */
void bench_rig_up(struct bench_rig *r, enum vqm_sync sync, bool mapped);
void bench_rig_down(struct bench_rig *r);

/**
 * bench_rig_fill() - the driver fills the ring with chains of @len descriptors
 *
 * Return: how many chains.
 */
uint32_t bench_rig_fill(struct bench_rig *r, uint32_t len);

/* The driver takes all chains back. */
void bench_rig_reap(struct bench_rig *r);

uint64_t bench_now_ns(void);

/* Keeps this thread on the nth processor it may use; false when there are not so many. */
bool bench_pin(int nth);

/* The time of a fixed piece of work: its changes are those of the speed of the machine. */
double bench_calibrate(void);

/**
 * struct bench_series - values of one figure, each with the speed of the machine around it
 *
 * A shared machine is slower at times, and not to the same degree for all code. So only values
 * from when it was at its fastest count; see bench_result().
 */
struct bench_series {
	struct bench_value {
		double speed; /* bench_calibrate(), the slower one of before and after */
		double value;
	} * values;
	uint32_t count;
	uint32_t room;
};

void bench_add(struct bench_series *s, double value, double before, double after);

/* How many values were measured within 3 % of the best speed that this program has seen. */
uint32_t bench_usable(const struct bench_series *s);

/* @percentile[p] for p in 0..100; all 0 when there are no values. */
struct bench_result {
	double percentile[101];
	uint32_t count; /* of the values that it is made from */
};

/* Made from the usable values, or from the fifth that was measured at the best speeds if larger. */
struct bench_result bench_result(struct bench_series *s);

#endif /* BENCH_H */
