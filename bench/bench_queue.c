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
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vqmeta/mock.h>
#include <vqmeta/vqmeta.h>

#include "reference.h"

enum { NUM = 256, BATCH_MAX = 32, LEN_MAX = 8, ROUNDS = 400, REPEATS = 15 };

struct rig {
	struct vqm_dev dev;
	struct vqm_queue q;
	struct vqm_mock mock;
	struct reference ref;
	uint8_t mem[1 << 21] VQM_CACHE_ALIGNED;
	struct vqm_chain chain[BATCH_MAX];
	struct vqm_frag frag[BATCH_MAX][LEN_MAX];
	struct vqm_done done[BATCH_MAX];
	struct reference_frag raw[BATCH_MAX * LEN_MAX];
};

static struct rig rig;

typedef int serve_fn(uint32_t k);

__attribute__((noinline)) int serve_limit(uint32_t k);
__attribute__((noinline)) int serve_checked(uint32_t k);
__attribute__((noinline)) int serve_batch(uint32_t k);
__attribute__((noinline)) int serve_chain(uint32_t k);

int serve_limit(uint32_t k)
{
	return reference_limit(&rig.ref, rig.raw, k);
}

int serve_checked(uint32_t k)
{
	return reference_checked(&rig.ref, rig.raw, k);
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

static void must(int err, const char *what)
{
	if (err) {
		fprintf(stderr, "%s: %s\n", what, strerror(-err));
		exit(1);
	}
}

/* A fresh ring, seen by the library and by the raw loops alike. */
static void rig_up(void)
{
	struct vqm_region region = {{1 << 20}, {1 << 20}, sizeof(rig.mem), rig.mem, NULL};
	struct vqm_mock_config driver = {0};
	struct vqm_queue_config config = {0};
	struct vqm_regions *table;
	int i;

	driver.mem = rig.mem;
	driver.size = sizeof(rig.mem);
	driver.base = region.gpa;
	driver.num = config.num = NUM;
	driver.features = config.features = 1ull << VQM_F_VERSION_1 | 1ull << VQM_F_EVENT_IDX;
	must(vqm_mock_init(&rig.mock, &driver), "mock");
	config.addr[VQM_AREA_DESC] = vqm_uva_of(rig.mock.desc_gpa.v);
	config.addr[VQM_AREA_AVAIL] = vqm_uva_of(rig.mock.avail_gpa.v);
	config.addr[VQM_AREA_USED] = vqm_uva_of(rig.mock.used_gpa.v);
	must(vqm_dev_init(&rig.dev), "device");
	must(vqm_regions_build(&table, &region, 1), "regions");
	vqm_dev_set_regions(&rig.dev, table);
	must(vqm_queue_init(&rig.q, &rig.dev, 0, VQM_SYNC_COUNTER), "queue");
	must(vqm_queue_start(&rig.q, &config), "start");
	for (i = 0; i < BATCH_MAX; i++)
		vqm_chain_init(&rig.chain[i], rig.frag[i], LEN_MAX);
	rig.ref.desc = rig.mock.desc;
	rig.ref.avail = rig.mock.avail;
	rig.ref.used = rig.mock.used;
	rig.ref.host = rig.mem;
	rig.ref.gpa = region.gpa.v;
	rig.ref.size = region.size;
	rig.ref.num = NUM;
	rig.ref.next = 0;
}

static void rig_down(void)
{
	vqm_queue_fini(&rig.q);
	vqm_dev_fini(&rig.dev);
	vqm_mock_fini(&rig.mock);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Fills the ring, then serves all of it; returns the time the serving took. */
static uint64_t one_round(const struct impl *impl, uint32_t k, uint32_t l)
{
	struct vqm_mock_buf buf[LEN_MAX];
	struct vqm_mock_used used;
	uint32_t i, total = NUM / l;
	uint64_t start;

	for (i = 0; i < LEN_MAX; i++) {
		buf[i].gpa = vqm_gpa_of((1 << 20) + 0x10000 + 0x1000 * i);
		buf[i].len = 64;
	}
	for (i = 0; i < total; i++)
		vqm_mock_add(&rig.mock, buf, (uint16_t)l, NULL, 0, NULL);
	vqm_mock_expose(&rig.mock);
	start = now_ns();
	for (i = 0; i < total;) {
		int n = impl->serve(k);

		if (n <= 0)
			must(-EIO, "serve");
		i += (uint32_t)n;
	}
	start = now_ns() - start;
	while (vqm_mock_reap(&rig.mock, &used) > 0)
		;
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
	rig_down();
	return (double)ns / rounds / (NUM / l);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void time_all(void)
{
	static double ns[SHAPES][IMPLS][REPEATS];
	int s, i, r;

	for (r = 0; r < REPEATS; r++)
		for (s = 0; s < SHAPES; s++)
			for (i = 0; i < IMPLS; i++)
				ns[s][i][r] =
					chain_ns(&impls[i], shapes[s][0], shapes[s][1], ROUNDS);
	for (s = 0; s < SHAPES; s++) {
		for (i = 0; i < IMPLS; i++) {
			qsort(ns[s][i], REPEATS, sizeof(double), by_value);
			printf("split-k%u-l%u-r1-seq %s chain_ns %.2f ns %.2f %.2f\n", shapes[s][0],
			       shapes[s][1], impls[i].name, ns[s][i][REPEATS / 2], ns[s][i][0],
			       ns[s][i][REPEATS - 1]);
		}
	}
}

int main(int argc, char **argv)
{
	int i;

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
