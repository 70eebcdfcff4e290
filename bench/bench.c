/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "bench.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { GUEST_BASE = 1 << 20, BUFFERS = 0x10000, CALIBRATION = 10000 };

void bench_must(int err, const char *what)
{
	if (err) {
		fprintf(stderr, "%s: %s\n", what, strerror(-err));
		exit(1);
	}
}

static void driver_up(struct bench_rig *r)
{
	struct vqm_mock_config driver = {0};

	driver.mem = r->mem;
	driver.size = sizeof(r->mem);
	driver.base = vqm_gpa_of(GUEST_BASE);
	driver.num = BENCH_NUM;
	driver.features = 1ull << VQM_F_VERSION_1 | 1ull << VQM_F_EVENT_IDX;
	bench_must(vqm_mock_init(&r->mock, &driver), "mock");
	vqm_flat_init(&r->flat, vqm_uva_of(GUEST_BASE), r->mem, sizeof(r->mem));
}

/* The table describes the buffers always, the addresses of the ring only when it is mapped. */
static void device_up(struct bench_rig *r, enum vqm_sync sync, bool mapped)
{
	struct vqm_regions *table;

	r->region.gpa = vqm_gpa_of(GUEST_BASE);
	r->region.uva = vqm_uva_of(mapped ? GUEST_BASE : 1ull << 40);
	r->region.size = sizeof(r->mem);
	r->region.host = r->mem;
	bench_must(vqm_dev_init(&r->dev), "device");
	bench_must(vqm_regions_build(&table, &r->region, 1), "regions");
	vqm_dev_set_regions(&r->dev, table);
	bench_must(vqm_queue_init(&r->q, &r->dev, 0, sync), "queue");
}

void bench_rig_up(struct bench_rig *r, enum vqm_sync sync, bool mapped)
{
	struct vqm_queue_config config = {0};
	int i;

	driver_up(r);
	device_up(r, sync, mapped);
	config.num = BENCH_NUM;
	config.features = r->mock.config.features;
	config.addr[VQM_AREA_DESC] = vqm_uva_of(r->mock.desc_gpa.v);
	config.addr[VQM_AREA_AVAIL] = vqm_uva_of(r->mock.avail_gpa.v);
	config.addr[VQM_AREA_USED] = vqm_uva_of(r->mock.used_gpa.v);
	config.backend = mapped ? NULL : &r->flat.backend;
	bench_must(vqm_queue_start(&r->q, &config), "start");
	for (i = 0; i < BENCH_BATCH_MAX; i++)
		vqm_chain_init(&r->chain[i], r->frag[i], BENCH_LEN_MAX);
}

void bench_rig_down(struct bench_rig *r)
{
	bench_must(vqm_queue_fini(&r->q), "queue");
	bench_must(vqm_dev_fini(&r->dev), "device");
	vqm_mock_fini(&r->mock);
}

uint32_t bench_rig_fill(struct bench_rig *r, uint32_t len)
{
	struct vqm_mock_buf buf[BENCH_LEN_MAX];
	uint32_t i, total = BENCH_NUM / len;

	for (i = 0; i < BENCH_LEN_MAX; i++) {
		buf[i].gpa = vqm_gpa_of(GUEST_BASE + BUFFERS + 0x1000 * i);
		buf[i].len = 64;
	}
	for (i = 0; i < total; i++)
		vqm_mock_add(&r->mock, buf, (uint16_t)len, NULL, 0, NULL);
	vqm_mock_expose(&r->mock);
	return total;
}

void bench_rig_reap(struct bench_rig *r)
{
	struct vqm_mock_used used;

	while (vqm_mock_reap(&r->mock, &used) > 0)
		;
}

uint64_t bench_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static double best_speed;

/* Steps that wait for each other; the better one of two is rid of interrupts. */
double bench_calibrate(void)
{
	double best = 0;
	int i, n;

	for (i = 0; i < 2; i++) {
		uint64_t start = bench_now_ns(), x = start;
		double ns;

		for (n = 0; n < CALIBRATION; n++) {
			x *= 3;
			__asm__ __volatile__("" : "+r"(x));
		}
		ns = (double)(bench_now_ns() - start);
		if (i == 0 || ns < best)
			best = ns;
	}
	if (best_speed == 0 || best < best_speed)
		best_speed = best;
	return best;
}

bool bench_pin(int nth)
{
	cpu_set_t allowed, one;
	int cpu;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return false;
	for (cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &allowed) && nth-- == 0)
			break;
	}
	if (cpu == CPU_SETSIZE)
		return false;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof(one), &one) == 0;
}

void bench_add(struct bench_series *s, double value, double before, double after)
{
	if (s->count == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->values = realloc(s->values, s->room * sizeof(s->values[0]));
		bench_must(s->values ? 0 : -ENOMEM, "values");
	}
	s->values[s->count].speed = before > after ? before : after;
	s->values[s->count++].value = value;
}

uint32_t bench_usable(const struct bench_series *s)
{
	uint32_t i, n = 0;

	for (i = 0; i < s->count; i++)
		n += s->values[i].speed <= 1.03 * best_speed;
	return n;
}

static int by_speed(const void *a, const void *b)
{
	double x = ((const struct bench_value *)a)->speed;
	double y = ((const struct bench_value *)b)->speed;

	return x < y ? -1 : x > y;
}

static int by_value(const void *a, const void *b)
{
	double x = ((const struct bench_value *)a)->value;
	double y = ((const struct bench_value *)b)->value;

	return x < y ? -1 : x > y;
}

struct bench_result bench_result(struct bench_series *s)
{
	struct bench_result result = {0};
	uint32_t p;

	if (s->count == 0)
		return result;
	result.count = bench_usable(s);
	if (result.count < (s->count + 4) / 5)
		result.count = (s->count + 4) / 5;
	qsort(s->values, s->count, sizeof(s->values[0]), by_speed);
	qsort(s->values, result.count, sizeof(s->values[0]), by_value);
	for (p = 0; p <= 100; p++)
		result.percentile[p] = s->values[(uint64_t)(result.count - 1) * p / 100].value;
	return result;
}
