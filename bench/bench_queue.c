/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Cost of a chain through a split ring: pop and publish, driver part not counted.
 *
 *	bench_queue                     times all cases, interleaved; a line per case
 *	bench_queue IMPL K L ROUNDS     runs one case, for counting instructions of serve_*()
 *
 * K chains per batch, L descriptors per chain, ring of 256, one region.
 */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "reference.h"

/* Repeats until each case has REPEATS values from a fast machine, at most REPEATS_MAX times. */
enum { ROUNDS = 200, REPEATS = 25, REPEATS_MAX = 250 };

static struct bench_rig rig;
static struct reference ref;
static struct reference_frag raw[BENCH_BATCH_MAX * BENCH_LEN_MAX];

typedef int serve_fn(uint32_t k);

__attribute__((noinline)) int serve_limit(uint32_t k);
__attribute__((noinline)) int serve_checked(uint32_t k);
__attribute__((noinline)) int serve_batch(uint32_t k);
__attribute__((noinline)) int serve_chain(uint32_t k);

int serve_limit(uint32_t k)
{
	return reference_limit(&ref, raw, k);
}

int serve_checked(uint32_t k)
{
	return reference_checked(&ref, raw, k);
}

int serve_batch(uint32_t k)
{
	int n, i;

	vqm_begin(&rig.q);
	n = vqm_pop_batch(&rig.q, rig.chain, k);
	for (i = 0; i < n; i++)
		rig.done[i] = vqm_chain_done(&rig.chain[i], 0);
	if (n > 0)
		vqm_publish(&rig.q, rig.done, (uint32_t)n);
	vqm_end(&rig.q);
	return n;
}

int serve_chain(uint32_t k)
{
	uint32_t n;

	vqm_begin(&rig.q);
	for (n = 0; n < k && vqm_pop(&rig.q, &rig.chain[0]) > 0; n++) {
		rig.done[0] = vqm_chain_done(&rig.chain[0], 0);
		vqm_publish(&rig.q, rig.done, 1);
	}
	vqm_end(&rig.q);
	return (int)n;
}

static const struct impl {
	const char *name;
	serve_fn *serve;
	bool raw;
} impls[] = {
	{"limit", serve_limit, true},
	{"checked", serve_checked, true},
	{"batch", serve_batch, false},
	{"chain", serve_chain, false},
};

static const uint32_t shapes[][2] = {{32, 1}, {32, 4}, {1, 1}};

enum { IMPLS = sizeof(impls) / sizeof(impls[0]), SHAPES = sizeof(shapes) / sizeof(shapes[0]) };

/* A fresh ring, seen by the library and by the raw loops alike. */
static void rig_up(void)
{
	bench_rig_up(&rig, VQM_SYNC_COUNTER, true);
	ref.desc = rig.mock.desc;
	ref.avail = rig.mock.avail;
	ref.used = rig.mock.used;
	ref.host = rig.mem;
	ref.gpa = rig.region.gpa.v;
	ref.size = rig.region.size;
	ref.num = BENCH_NUM;
	ref.next = 0;
}

/* Fills the ring, then serves all of it; returns the time the serving took. */
static uint64_t one_round(const struct impl *impl, uint32_t k, uint32_t l)
{
	uint32_t i, total = bench_rig_fill(&rig, l);
	uint64_t start = bench_now_ns();

	for (i = 0; i < total;) {
		int n = impl->serve(k);

		if (n <= 0)
			bench_must(-EIO, "serve");
		i += (uint32_t)n;
	}
	start = bench_now_ns() - start;
	bench_rig_reap(&rig);
	return start;
}

static double chain_ns(const struct impl *impl, uint32_t k, uint32_t l, int rounds)
{
	uint64_t ns = 0;
	int i;

	rig_up();
	one_round(impl, k, l);
	for (i = 0; i < rounds; i++)
		ns += one_round(impl, k, l);
	bench_rig_down(&rig);
	return (double)ns / rounds / (BENCH_NUM / l);
}

static struct bench_series series[SHAPES][IMPLS];

/* Returns whether every case has enough values. */
static bool time_once(void)
{
	bool enough = true;
	int s, i;

	for (s = 0; s < SHAPES; s++) {
		for (i = 0; i < IMPLS; i++) {
			double before = bench_calibrate();
			double ns = chain_ns(&impls[i], shapes[s][0], shapes[s][1], ROUNDS);

			bench_add(&series[s][i], ns, before, bench_calibrate());
			enough = enough && bench_usable(&series[s][i]) >= REPEATS;
		}
	}
	return enough;
}

static void time_all(void)
{
	int s, i;

	for (i = 0; i < REPEATS_MAX && !time_once(); i++)
		;
	for (s = 0; s < SHAPES; s++) {
		for (i = 0; i < IMPLS; i++) {
			struct bench_result r = bench_result(&series[s][i]);

			printf("split-k%u-l%u-r1-seq %s chain_ns %.2f ns %.2f %.2f\n", shapes[s][0],
			       shapes[s][1], impls[i].name, r.percentile[50], r.percentile[10],
			       r.percentile[90]);
		}
	}
}

int main(int argc, char **argv)
{
	int i;

	bench_pin(0);
	if (argc == 1) {
		time_all();
		return 0;
	}
	for (i = 0; argc == 5 && i < IMPLS; i++) {
		if (strcmp(argv[1], impls[i].name) == 0) {
			chain_ns(&impls[i], (uint32_t)atoi(argv[2]), (uint32_t)atoi(argv[3]),
				 atoi(argv[4]));
			return 0;
		}
	}
	fprintf(stderr, "usage: bench_queue [limit|checked|batch|chain K L ROUNDS]\n");
	return 2;
}
