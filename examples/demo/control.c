// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "control.h"
#include "pattern.h"

enum {
	PAUSE_MAX_US = 1000, /* between two changes */
	AWAY_MAX_US = 500,   /* while a ring is away */
	USED_BYTES = 6 + 8 * QUEUE_SIZE,
};

static void pause_up_to(uint64_t *random, uint32_t us)
{
	struct timespec t = {0, (long)random_below(random, us) * 1000};

	nanosleep(&t, NULL);
}

static void give_back(struct control *c, struct region *r)
{
	memory_set_state(c->memory, r, REGION_HERE);
	if (random_below(&c->random, 4)) {
		frontend_add_region(c->front, c->memory, r);
		return;
	}
	frontend_set_table(c->front, c->memory, &c->random);
	score_add(&c->score->tables, 1);
}

/*
 * Takes the region of a ring away, with requests in flight, and gives it back. In between the
 * device must not touch it: of the ring only the device writes the used area, so nothing changes.
 */
static void take_ring(struct control *c)
{
	uint32_t queue = (uint32_t)random_below(&c->random, c->memory->queues);
	const void *used = c->worker[queue].driver.used;
	struct region *r = memory_ring(c->memory, queue);
	uint8_t before[USED_BYTES];

	frontend_remove_region(c->front, c->memory, r);
	memory_set_state(c->memory, r, REGION_AWAY);
	memcpy(before, used, sizeof(before));
	pause_up_to(&c->random, AWAY_MAX_US);
	if (memcmp(before, used, sizeof(before)))
		die("queue %u: the device wrote into a ring that was taken away", queue);
	give_back(c, r);
	score_add(&c->score->rings, 1);
}

/* Plugs a hot region, stops its use, or unplugs it once it is not used any more. */
static void advance_hot(struct control *c, struct region *r)
{
	switch (r->state) {
	case REGION_AWAY:
		memory_renew_hot(r, c->memory);
		frontend_add_region(c->front, c->memory, r);
		memory_set_state(c->memory, r, REGION_HERE);
		score_add(&c->score->plugs, 1);
		return;
	case REGION_HERE: memory_set_state(c->memory, r, REGION_DRAINS); return;
	case REGION_DRAINS:
		if (memory_set_state(c->memory, r, REGION_DRAINS))
			return;
		frontend_remove_region(c->front, c->memory, r);
		memory_set_state(c->memory, r, REGION_AWAY);
		score_add(&c->score->unplugs, 1);
		return;
	}
}

static void change_something(struct control *c)
{
	switch (random_below(&c->random, 4)) {
	case 0:
		frontend_set_table(c->front, c->memory, &c->random);
		score_add(&c->score->tables, 1);
		return;
	case 1: take_ring(c); return;
	default:
		advance_hot(c,
			    memory_hot(c->memory, (uint32_t)random_below(&c->random, HOT_REGIONS)));
	}
}

void *control_run(void *control)
{
	struct control *c = control;

	while (!atomic_load(&c->stop)) {
		change_something(c);
		pause_up_to(&c->random, PAUSE_MAX_US);
	}
	return NULL;
}
