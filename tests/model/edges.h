/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which edge of doc/ordering.md an ordered operation of the library belongs to, and losing one.
 *
 * A model runs on the shipped text. Each operation of its environment learns from the compiler
 * where it was called, and reads the label from the comment above that line: so any edge can be
 * lost at run time, without another build.
 */
#ifndef MODEL_EDGES_H
#define MODEL_EDGES_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model_site {
	const char *file;
	int line;
	const char *function;
};

/* As a default argument: the place of the caller. */
#define MODEL_HERE                                                                                 \
	{                                                                                          \
		__builtin_FILE(), __builtin_LINE(), __builtin_FUNCTION()                           \
	}

enum {
	MODEL_EDGES = 64,
	MODEL_LABEL = 8,
	MODEL_NAME = 64,
};

struct model_edge {
	struct model_site site;
	const char *kind;
	char label[MODEL_LABEL]; /* empty: an operation of the model, not of an edge */
	bool lost;
};

static struct model_edge model_edges[MODEL_EDGES];
static unsigned int model_edge_count;
static const char *model_lose; /* LABEL or LABEL:PART of FUNCTION@LINE, NULL for none */

/* "[C1]" in a line of text gives "C1". */
static inline bool model_label_in(const char *text, char *label)
{
	for (; (text = strchr(text, '[')); text++) {
		const char *end = text + 1;

		while (isupper((unsigned char)*end))
			end++;
		if (end == text + 1 || !isdigit((unsigned char)*end))
			continue;
		while (isdigit((unsigned char)*end))
			end++;
		if (*end != ']' || end - text > MODEL_LABEL)
			continue;
		memcpy(label, text + 1, (size_t)(end - text - 1));
		label[end - text - 1] = '\0';
		return true;
	}
	return false;
}

/* Does a line end a statement or a block? */
static inline bool model_ends(const char *text)
{
	size_t len = strcspn(text, "\n");

	return len == 0 || strchr(";{}", text[len - 1]);
}

/* One line on the way to the call: a label holds from its comment to the end of the statement. */
static inline void model_read_line(const char *text, bool *comment, char *label)
{
	if (!*comment && model_ends(text))
		label[0] = '\0';
	if (strstr(text, "/*")) {
		*comment = true;
		label[0] = '\0';
	}
	if (*comment && label[0] == '\0')
		model_label_in(text, label);
	if (strstr(text, "*/"))
		*comment = false;
}

static inline void model_read_label(struct model_edge *e)
{
	FILE *f = fopen(e->site.file, "r");
	bool comment = false;
	char text[256];
	int line;

	for (line = 1; f && line <= e->site.line && fgets(text, sizeof(text), f); line++) {
		if (line == e->site.line)
			model_label_in(text, e->label);
		else
			model_read_line(text, &comment, e->label);
	}
	if (!f || line <= e->site.line) {
		fprintf(stderr, "cannot read line %d of %s\n", e->site.line, e->site.file);
		exit(2);
	}
	fclose(f);
}

/* LABEL:FUNCTION@LINE */
static inline void model_name(const struct model_edge *e, char *name, size_t size)
{
	snprintf(name, size, "%s:%s@%d", e->label, e->site.function, e->site.line);
}

static inline bool model_is_lost(const struct model_edge *e)
{
	const char *part = model_lose ? strchr(model_lose, ':') : NULL;
	char name[MODEL_NAME];

	if (!model_lose || !part)
		return model_lose && strcmp(e->label, model_lose) == 0;
	model_name(e, name, sizeof(name));
	return strncmp(name, model_lose, (size_t)(part + 1 - model_lose)) == 0 &&
	       strstr(name, part + 1);
}

/* Called by every ordered operation: has it to be a relaxed one, or none? */
static inline bool model_lost(const char *kind, struct model_site at)
{
	struct model_edge *e = model_edges;

	for (; e < model_edges + model_edge_count; e++) {
		if (e->site.line == at.line && e->kind == kind &&
		    strcmp(e->site.file, at.file) == 0)
			return e->lost;
	}
	if (model_edge_count == MODEL_EDGES) {
		fprintf(stderr, "more than %d ordered operations\n", MODEL_EDGES);
		exit(2);
	}
	model_edge_count++;
	e->site = at;
	e->kind = kind;
	model_read_label(e);
	e->lost = model_is_lost(e);
	return e->lost;
}

#endif /* MODEL_EDGES_H */
