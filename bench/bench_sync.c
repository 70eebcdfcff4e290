/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the strategies of synchronization cost the worker of a queue, and the invalidator.
 *
 *	bench_sync REPEATS SECONDS		times all cases, interleaved; a line per figure
 *	bench_sync CASE sections|chains N	runs one case, for counting instructions of run_*()
 *
 * Ends when each case has REPEATS values from when the machine was at its fastest, or after
 * SECONDS.
 */
#include <linux/membarrier.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sync_reader.h"

/* SYNC_CASES is X(none) X(spin) and so on: the build knows which objects there are. */
#define X(name) extern const struct sync_case sync_case_##name;
SYNC_CASES
#undef X

#define X(name) &sync_case_##name,
static const struct sync_case *const cases[] = {SYNC_CASES};
#undef X

enum { CASES = sizeof(cases) / sizeof(cases[0]), SECTIONS = 20000, ROUNDS = 20, WAITS = 20 };

enum { SECTION, CHAIN_K1, CHAIN_K32, WAIT, FIGURES };

static const char *const names[WAIT] = {"section_ns", "chain_ns_k1", "chain_ns_k32"};

static struct bench_series series[CASES][FIGURES];
static struct bench_series membarrier; /* the bare system call: what "asym" cannot be faster than */
static bool left_out[CASES];
static bool waits;
static struct bench_rig rig;

static double best_of_three(void (*f)(uint32_t n))
{
	double best = 0;
	int i;

	for (i = 0; i < 3; i++) {
		uint64_t start = bench_now_ns();
		double ns;

		f(SECTIONS);
		ns = (double)(bench_now_ns() - start) / SECTIONS;
		if (i == 0 || ns < best)
			best = ns;
	}
	return best;
}

static double section_ns(const struct sync_case *c)
{
	double empty = best_of_three(c->empty);

	return best_of_three(c->sections) - empty;
}

static double chain_ns(const struct sync_case *c, uint32_t k, uint32_t rounds)
{
	uint64_t ns = 0;
	uint32_t i;

	for (i = 0; i <= rounds; i++) {
		uint32_t total = bench_rig_fill(&rig, 1);
		uint64_t start = bench_now_ns();

		c->chains(&rig, k, total);
		if (i > 0) /* the first one warms up */
			ns += bench_now_ns() - start;
		bench_rig_reap(&rig);
	}
	return (double)ns / rounds / BENCH_NUM;
}

static uint64_t invalidate_ns(const struct sync_case *c)
{
	uint64_t start;

	c->prefetch(&rig);
	start = bench_now_ns();
	c->invalidate(&rig);
	return bench_now_ns() - start;
}

static uint64_t membarrier_ns(const struct sync_case *c)
{
	uint64_t start = bench_now_ns();

	(void)c;
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	return bench_now_ns() - start;
}

/* Each wait is a value of its own, since the slow ones are of interest. */
static void time_waits(const struct sync_case *c, uint64_t (*wait)(const struct sync_case *c),
		       struct bench_series *s)
{
	double before = bench_calibrate(), after;
	uint64_t ns[WAITS];
	int i;

	sync_reader_start(c, &rig);
	wait(c);
	for (i = 0; i < WAITS; i++)
		ns[i] = wait(c);
	sync_reader_stop();
	c->prefetch(&rig);
	after = bench_calibrate();
	for (i = 0; i < WAITS; i++)
		bench_add(s, (double)ns[i], before, after);
}

static double figure(const struct sync_case *c, int which)
{
	switch (which) {
	case SECTION: return section_ns(c);
	case CHAIN_K1: return chain_ns(c, 1, ROUNDS);
	default: return chain_ns(c, 32, ROUNDS);
	}
}

/* "base" has no section and nothing to take away. */
static void time_case(const struct sync_case *c, struct bench_series *s)
{
	double before, after;
	int i;

	bench_must(c->attach(), c->name);
	bench_rig_up(&rig, c->sync, c->mapped);
	before = bench_calibrate();
	for (i = c->mapped ? SECTION : CHAIN_K1; i < WAIT; i++, before = after) {
		double ns = figure(c, i);

		after = bench_calibrate();
		bench_add(&s[i], ns, before, after);
	}
	if (waits && c->mapped) {
		time_waits(c, invalidate_ns, &s[WAIT]);
		if (c->sync == VQM_SYNC_ASYM)
			time_waits(c, membarrier_ns, &membarrier);
	}
	bench_rig_down(&rig);
	c->detach();
}

/*
 * Returns whether every series has enough values. Where the stack lies makes a difference, so each
 * round has it elsewhere.
 */
static VQM_NOINLINE bool time_round(uint32_t round, uint32_t repeats)
{
	void *room = __builtin_alloca(16 * (round % 256) + 16);
	bool enough = true;
	int i, f;

	__asm__ __volatile__("" : : "r"(room) : "memory");
	for (i = 0; i < CASES; i++) {
		if (left_out[i])
			continue;
		time_case(cases[i], series[i]);
		for (f = 0; f < WAIT; f++) {
			if (enough && series[i][f].count > 0)
				enough = bench_usable(&series[i][f]) >= repeats;
		}
		if (enough && series[i][WAIT].count > 0)
			enough = bench_usable(&series[i][WAIT]) >= repeats * WAITS;
	}
	return enough;
}

static void print(const char *name, const char *what, const struct bench_result *r, int percent)
{
	if (r->count > 0)
		printf("%s %s %.2f ns %.2f %.2f %u\n", name, what, r->percentile[percent],
		       r->percentile[10], r->percentile[90], r->count);
}

static void print_waits(const char *name, struct bench_series *s)
{
	struct bench_result r = bench_result(s);

	print(name, "wait_ns_p50", &r, 50);
	print(name, "wait_ns_p99", &r, 99);
}

static int measure(uint32_t repeats, uint32_t seconds)
{
	uint64_t end = bench_now_ns() + seconds * 1000000000ull;
	int i, f;

	waits = sync_reader_init();
	bench_pin(0);
	if (!waits)
		printf("left out: waits, which need a second processor\n");
	for (i = 0; i < CASES; i++) {
		left_out[i] = vqm_sync_supported(cases[i]->sync) != 0;
		if (left_out[i])
			printf("left out: %s, which this build or machine cannot do\n",
			       cases[i]->name);
	}
	for (i = 0; !time_round((uint32_t)i, repeats) && bench_now_ns() < end; i++)
		;
	sync_reader_fini();
	for (i = 0; i < CASES; i++) {
		for (f = 0; f < WAIT; f++) {
			struct bench_result r = bench_result(&series[i][f]);

			print(cases[i]->name, names[f], &r, 50);
		}
		print_waits(cases[i]->name, &series[i][WAIT]);
	}
	print_waits("membarrier", &membarrier);
	return 0;
}

/* Something to count instructions of; no second thread. */
static int run(const struct sync_case *c, const char *what, uint32_t n)
{
	bench_must(c->attach(), c->name);
	bench_rig_up(&rig, c->sync, c->mapped);
	if (strcmp(what, "sections") == 0)
		c->sections(n);
	else
		chain_ns(c, 1, n);
	bench_rig_down(&rig);
	c->detach();
	return 0;
}

int main(int argc, char **argv)
{
	int i;

	if (argc == 3 && atoi(argv[1]) > 0)
		return measure((uint32_t)atoi(argv[1]), (uint32_t)atoi(argv[2]));
	for (i = 0; argc == 4 && i < CASES; i++) {
		if (strcmp(argv[1], cases[i]->name) == 0)
			return run(cases[i], argv[2], (uint32_t)atoi(argv[3]));
	}
	fprintf(stderr, "usage: bench_sync REPEATS SECONDS | CASE sections|chains N\n");
	return 2;
}
