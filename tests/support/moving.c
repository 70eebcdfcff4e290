/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "moving.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint8_t *map(const struct moving *m, void *at)
{
	void *p = mmap(at, m->size, PROT_READ | PROT_WRITE, MAP_SHARED | (at ? MAP_FIXED : 0),
		       m->fd, 0);

	if (p == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return (uint8_t *)p;
}

static void unmap_last(struct vqm_mapping *mapping)
{
	struct alias *a = (struct alias *)(void *)mapping;

	if (a->of->kill_on_free)
		moving_kill(a);
	pthread_mutex_lock(&a->of->lock);
	a->busy = false;
	pthread_mutex_unlock(&a->of->lock);
}

void moving_init(struct moving *m, size_t size, bool kill_on_free)
{
	uint32_t i, canary = 0x600d600d;

	memset(m, 0, sizeof(*m));
	m->size = size;
	m->fd = memfd_create("moving", MFD_CLOEXEC);
	if (m->fd < 0 || ftruncate(m->fd, (off_t)size)) {
		perror("memfd");
		exit(1);
	}
	m->kill_on_free = kill_on_free;
	m->home = map(m, NULL);
	m->other = map(m, NULL);
	memcpy(m->home + size - MOVING_CANARY, &canary, sizeof(canary));
	pthread_mutex_init(&m->lock, NULL);
	for (i = 0; i < MOVING_ALIASES; i++) {
		m->alias[i].of = m;
		m->alias[i].mapping.free = unmap_last;
		m->alias[i].base = map(m, NULL);
	}
}

void moving_fini(struct moving *m)
{
	uint32_t i;

	for (i = 0; i < MOVING_ALIASES; i++)
		munmap(m->alias[i].base, m->size);
	munmap(m->home, m->size);
	munmap(m->other, m->size);
	close(m->fd);
}

struct alias *moving_take(struct moving *m)
{
	struct alias *a = NULL;
	uint32_t i;

	pthread_mutex_lock(&m->lock);
	for (i = 0; i < MOVING_ALIASES && !a; i++) {
		a = &m->alias[m->turn++ % MOVING_ALIASES];
		if (a->busy)
			a = NULL;
		else
			a->busy = true;
	}
	pthread_mutex_unlock(&m->lock);
	if (a) {
		map(m, a->base);
		a->mapping.refs = 1;
		__atomic_store_n(&a->dead, 0, __ATOMIC_RELAXED);
	}
	return a;
}

void moving_kill(struct alias *a)
{
	uint32_t *canary = (uint32_t *)(void *)(a->base + a->of->size - MOVING_CANARY);
	size_t size = a->of->size;

	__atomic_store_n(&a->dead, 1, __ATOMIC_RELAXED);
	*canary = 0x600d600d; /* no change; a race detector sees who was not waited for */
	if (a->kills++ & 1) {
		mprotect(a->base, size, PROT_NONE);
		return;
	}
	if (mmap(a->base, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		abort();
	memset(a->base, 0xee, size);
}
