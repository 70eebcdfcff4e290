/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Running a model: options, schedulers, and what each edge is worth. */
#ifndef MODEL_DRIVER_H
#define MODEL_DRIVER_H

#include <ostream>

#include "edges.h"

/*
 * @variant: what distinguishes runs of the same suite, which would take long to compile twice
 * @about:   first letters of the labels whose loss must be found; NULL: of all
 */
struct model_run {
	const char *name;
	bool (*simulate)(rl::test_params &params);
	int variant;
	unsigned long iterations;
	const char *about;
};

static int model_variant;

struct model_options {
	unsigned long iterations; /* 0: as many as the model says */
	rl::scheduler_type_e search;
	bool history;
	bool edges; /* lose each edge in turn: all must be found */
};

/* Simulates once; true when nothing was found. */
static inline bool model_passes(const struct model_run *run, const struct model_options *o,
				const char *lose, bool quiet)
{
	std::ostream hidden(NULL); /* what Relacy writes must not allocate */
	rl::test_params params;
	bool ok;

	model_variant = run->variant;
	model_lose = lose;
	model_edge_count = 0;
	params.iteration_count = o->iterations ? o->iterations : run->iterations;
	params.search_type = o->search;
	params.context_bound = 3;
	params.progress_stream = &hidden;
	if (quiet)
		params.output_stream = &hidden;
	params.output_history = o->history;
	params.execution_depth_limit = 4000;
	ok = run->simulate(params);
	printf("%-14s %-36s %-6s after %lu runs%s%s\n", run->name, lose ? lose : "-",
	       ok ? "passed" : "found", (unsigned long)params.stop_iteration, ok ? "" : ": ",
	       ok ? "" : rl::test_result_str(params.test_result));
	fflush(stdout);
	return ok;
}

/* The edges that the last simulation met, one name each. */
static inline unsigned int model_names(const char *about, char name[][MODEL_NAME])
{
	unsigned int i, n = 0;

	for (i = 0; i < model_edge_count; i++) {
		const struct model_edge *e = &model_edges[i];

		if (e->label[0] && (!about || strchr(about, e->label[0])))
			model_name(e, name[n++], MODEL_NAME);
	}
	return n;
}

static inline int model_every_edge(const struct model_run *run, const struct model_options *o)
{
	char name[MODEL_EDGES][MODEL_NAME];
	unsigned int i, n;
	bool missed = !model_passes(run, o, NULL, false);

	n = missed ? 0 : model_names(run->about, name);
	missed |= n == 0;
	for (i = 0; i < n; i++)
		missed |= model_passes(run, o, name[i], true);
	return missed;
}

/* 0: passed; 1: something was found; 2: there is no such edge. */
static inline int model_one(const struct model_run *run, const struct model_options *o,
			    const char *lose)
{
	bool ok = model_passes(run, o, lose, false);
	unsigned int i;

	for (i = 0; ok && lose && i < model_edge_count && !model_edges[i].lost; i++)
		;
	if (ok && lose && i == model_edge_count) {
		fprintf(stderr, "%s: no ordered operation has this label\n", lose);
		return 2;
	}
	return !ok;
}

static inline int model_usage(const struct model_run *run, const char *program)
{
	fprintf(stderr,
		"usage: %s NAME [--weaken LABEL[:PART] | --edges] [--iterations N]\n"
		"\t[--search random|full|bound] [--history]\n"
		"names:",
		program);
	for (; run->name; run++)
		fprintf(stderr, " %s", run->name);
	fprintf(stderr, "\n");
	return 2;
}

static inline bool model_search(const char *name, rl::scheduler_type_e *search)
{
	static const char *const names[] = {"random", "bound", "full"};
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (strcmp(name, names[i]) == 0) {
			*search = (rl::scheduler_type_e)i;
			return true;
		}
	}
	return false;
}

static inline int model_main(const struct model_run *run, int argc, char **argv)
{
	struct model_options o = {0, rl::sched_random, false, false};
	const struct model_run *r = run;
	const char *lose = NULL;
	int i;

	while (argc > 1 && r->name && strcmp(r->name, argv[1]))
		r++;
	if (argc < 2 || !r->name)
		return model_usage(run, argv[0]);
	for (i = 2; i < argc; i++) {
		bool more = i + 1 < argc;

		if (strcmp(argv[i], "--history") == 0)
			o.history = true;
		else if (strcmp(argv[i], "--edges") == 0)
			o.edges = true;
		else if (more && strcmp(argv[i], "--weaken") == 0)
			lose = argv[++i];
		else if (more && strcmp(argv[i], "--iterations") == 0)
			o.iterations = strtoul(argv[++i], NULL, 10);
		else if (!more || strcmp(argv[i], "--search") ||
			 !model_search(argv[++i], &o.search))
			return model_usage(run, argv[0]);
	}
	return o.edges ? model_every_edge(r, &o) : model_one(r, &o, lose);
}

#endif /* MODEL_DRIVER_H */
