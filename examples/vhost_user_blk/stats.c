/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

void stats_add(struct stats *to, const struct stats *s)
{
	to->requests += s->requests;
	to->failed += s->failed;
	to->bytes_read += s->bytes_read;
	to->bytes_written += s->bytes_written;
	to->fixed += s->fixed;
	to->prefetches += s->prefetches;
	to->lost += s->lost;
	to->notifications += s->notifications;
	to->kicks += s->kicks;
	to->bad_chains += s->bad_chains;
	to->broken += s->broken;
}

static void line(const char *name, uint64_t value)
{
	printf("%-22s %" PRIu64 "\n", name, value);
}

void stats_print(const struct stats *s, uint64_t invalidations)
{
	line("requests", s->requests);
	line("requests failed", s->failed);
	line("bytes read", s->bytes_read);
	line("bytes written", s->bytes_written);
	line("registered transfers", s->fixed);
	line("invalidations", invalidations);
	line("prefetches", s->prefetches);
	line("completions lost", s->lost);
	line("notifications", s->notifications);
	line("kicks", s->kicks);
	line("bad chains", s->bad_chains);
	line("broken rings", s->broken);
	fflush(stdout);
}
