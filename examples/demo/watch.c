// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <endian.h>
#include <poll.h>
#include <stdio.h>

#include "watch.h"

enum {
	STUCK_SECONDS = 10,
	TICK_MS = 50,
};

unsigned long long watch_changes(const struct score *s)
{
	/* A ring that was away is two changes. */
	return score_get(&s->plugs) + score_get(&s->unplugs) + 2 * score_get(&s->rings) +
	       score_get(&s->tables);
}

static void print_progress(const struct watch *w, double seconds)
{
	const struct score *s = w->control->score;

	printf("%3.0f s: %llu of %u MiB written, %llu verified, %llu wrong bytes, "
	       "%llu region changes\n",
	       seconds, score_get(&s->written) / MIB, w->total_mib, score_get(&s->verified) / MIB,
	       score_get(&s->mismatches), watch_changes(s));
	fflush(stdout);
}

static uint16_t load_index(const vqm_wire16 *p)
{
	return le16toh(vqm_env_unwire16(vqm_env_load16(p)));
}

static void print_state(const struct control *c)
{
	const char *waits = atomic_load(&c->front->channel.waits);
	uint32_t i;

	fprintf(stderr, "%llu requests posted, %llu completed\n", score_get(&c->score->posted),
		score_get(&c->score->completed));
	for (i = 0; i < c->memory->queues; i++) {
		const struct vqm_mock *d = &c->worker[i].driver;

		fprintf(stderr, "queue %u: available index %u, used index %u\n", i,
			load_index(&d->avail->idx), load_index(&d->used->idx));
	}
	fprintf(stderr, "control thread: %s %s\n", waits ? "waits for the answer to" : "idle,",
		waits ? waits : "no answer is due");
	pthread_mutex_lock(&c->memory->lock);
	for (i = 0; i < c->memory->count; i++) {
		static const char *const state[] = {"away", "draining", "here"};
		const struct region *r = &c->memory->region[i];

		fprintf(stderr, "region %s: %s, %u users\n", r->name, state[r->state], r->users);
	}
	pthread_mutex_unlock(&c->memory->lock);
}

void *watch_run(void *watch)
{
	struct watch *w = watch;
	unsigned long long seen = 0, now;
	double start = seconds_now(), moved = start, next = start + 1;

	while (!atomic_load(&w->stop)) {
		poll(NULL, 0, TICK_MS);
		if (seconds_now() >= next) {
			print_progress(w, next - start);
			next += 1;
		}
		now = score_get(&w->control->score->completed);
		if (now != seen)
			moved = seconds_now();
		seen = now;
		if (seconds_now() - moved < STUCK_SECONDS && seconds_now() - start < w->seconds_max)
			continue;
		print_state(w->control);
		die("%s", seconds_now() - moved < STUCK_SECONDS ? "not done in the time allowed"
								: "no request completed for 10 s");
	}
	return NULL;
}
