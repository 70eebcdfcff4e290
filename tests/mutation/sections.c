/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shortest sections against shortest invalidations: on real processors a missing full barrier is
 * seen as poison, a missing release or acquire by a race detector. Both need many tries a second,
 * which the larger stress tests have not.
 *
 * usage: sections STRATEGY MILLISECONDS	ends at once when poison was seen
 * exit: 0 nothing seen, 1 poison seen, 2 usage, 77 cannot run
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <vqmeta/sync.h>

enum {
	LOOKS = 4,
	POISON = 0xdead,
};

static const char *const names[VQM_SYNC_COUNT] = {
	"none", "spin", "flag", "counter", "seqcount", "rcu", "rcu_qsbr", "asym",
};

struct object {
	unsigned long state; /* looked at while others may write it: atomic, to no race detector */
	unsigned long mark;  /* plain: written by sections, then by the invalidator */
} __attribute__((__aligned__(64)));

/* On lines of their own, so that each side waits for the other's. */
static struct vqm_guard guard __attribute__((__aligned__(64)));
static void *live __attribute__((__aligned__(64)));
static struct object object[2];
static uint32_t stop __attribute__((__aligned__(64)));
static uint32_t poisoned;

static void *reader(void *arg)
{
	uint32_t i;

	if (vqm_sync_attach((enum vqm_sync)guard.sync))
		return arg;
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		struct object *o;

		vqm_guard_begin(&guard);
		o = (struct object *)vqm_env_load_ptr_acquire(&live);
		for (i = 0; i < LOOKS; i++) {
			vqm_env_relax(0); /* longer than poison needs to come here */
			if (__atomic_load_n(&o->state, __ATOMIC_RELAXED) == POISON)
				__atomic_store_n(&poisoned, 1, __ATOMIC_RELAXED);
		}
		o->mark++;
		vqm_guard_end(&guard);
		vqm_sync_quiescent((enum vqm_sync)guard.sync);
	}
	vqm_sync_detach((enum vqm_sync)guard.sync);
	return NULL;
}

static uint64_t milliseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static unsigned long invalidate_for(uint64_t span)
{
	uint64_t end = milliseconds() + span;
	unsigned long n = 0;
	uint32_t i;

	while ((n & 63) ||
	       (!__atomic_load_n(&poisoned, __ATOMIC_RELAXED) && milliseconds() < end)) {
		struct object *old = &object[n & 1], *fresh = &object[++n & 1];

		__atomic_store_n(&fresh->state, 0, __ATOMIC_RELAXED);
		vqm_env_store_ptr_release(&live, fresh);
		vqm_guard_barrier(&guard);
		vqm_guard_wait(&guard, true);
		__atomic_store_n(&old->state, POISON, __ATOMIC_RELAXED);
		old->mark = 0;
		for (i = n * 7 & 31; i > 0; i--) /* meets another point of a section each time */
			vqm_env_relax(0);
	}
	return n;
}

int main(int argc, char **argv)
{
	unsigned long n;
	pthread_t t;
	int s = 0;

	while (argc == 3 && s < VQM_SYNC_COUNT && strcmp(names[s], argv[1]))
		s++;
	if (argc != 3 || s == VQM_SYNC_COUNT)
		return 2;
	if (vqm_guard_init(&guard, (enum vqm_sync)s))
		return 77;
	live = &object[0];
	if (pthread_create(&t, NULL, reader, NULL))
		return 77;
	n = invalidate_for(strtoul(argv[2], NULL, 10));
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	pthread_join(t, NULL);
	printf("%s: %lu invalidations%s\n", argv[1], n, poisoned ? ", FAILED: poison seen" : "");
	return poisoned != 0;
}
