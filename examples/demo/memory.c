// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory.h"

enum {
	PAGE = 4096,
	GAP = MIB, /* between regions that are not meant to be adjacent */
};

static const uint64_t GUEST_BASE = 0x100000000ull;

struct vqm_gpa memory_gpa(const struct memory *m, uint64_t off)
{
	(void)m;
	return vqm_gpa_of(GUEST_BASE + off);
}

struct vqm_uva memory_uva(const struct memory *m, uint64_t off)
{
	return vqm_uva_of((uintptr_t)m->window + off);
}

uint64_t memory_slot(const struct memory *m, uint32_t queue, uint32_t slot, int hot)
{
	const struct region *r = &m->region[hot < 0 ? m->queues : m->queues + 2 + (uint32_t)hot];

	return r->off + ((uint64_t)queue * DEPTH + slot) * SLOT_SIZE;
}

static int new_file(const char *name, uint64_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0 || ftruncate(fd, (off_t)size) < 0)
		die("no memory file of %llu bytes: %s", (unsigned long long)size, strerror(errno));
	return fd;
}

static void map_region(const struct memory *m, const struct region *r)
{
	void *at = m->window + r->off;

	if (mmap(at, r->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, r->fd,
		 (off_t)r->fd_off) == MAP_FAILED)
		die("cannot map region %s: %s", r->name, strerror(errno));
}

/* Appends a region @gap bytes after the last one. */
static struct region *place(struct memory *m, const char *name, uint32_t number, uint64_t size,
			    uint64_t gap)
{
	struct region *r = &m->region[m->count++];

	snprintf(r->name, sizeof(r->name), "%s %u", name, number);
	r->off = m->size + gap;
	r->size = size;
	r->fd = -1;
	r->state = REGION_AWAY;
	m->size = r->off + size;
	return r;
}

static void lay_out(struct memory *m, uint64_t ring_bytes)
{
	uint64_t slots = (uint64_t)m->queues * DEPTH, data = slots * SLOT_SIZE, low;
	uint32_t i;

	for (i = 0; i < m->queues; i++)
		place(m, "ring", i, (ring_bytes + PAGE - 1) / PAGE * PAGE, GAP);
	/* The border is in the middle of the data of a slot. */
	low = slots / 2 * SLOT_SIZE + SLOT_HEAD + 16 * PAGE;
	place(m, "data", 0, low, GAP);
	place(m, "data", 1, data - low, 0)->fd_off = low;
	for (i = 0; i < HOT_REGIONS; i++)
		place(m, "hot", i, data, GAP);
	m->size += GAP;
}

void memory_init(struct memory *m, uint32_t queues, uint64_t ring_bytes)
{
	uint32_t i;

	memset(m, 0, sizeof(*m));
	pthread_mutex_init(&m->lock, NULL);
	m->queues = queues;
	lay_out(m, ring_bytes);
	m->window =
		mmap(NULL, m->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (m->window == MAP_FAILED)
		die("cannot reserve %llu bytes: %s", (unsigned long long)m->size, strerror(errno));
	for (i = 0; i < queues + 2; i++) {
		struct region *r = &m->region[i];

		if (r->fd_off)
			r->fd = dup(r[-1].fd);
		else
			r->fd = new_file(r->name, i < queues ? r->size : r->size + r[1].size);
		map_region(m, r);
		r->state = REGION_HERE;
	}
}

void memory_fini(struct memory *m)
{
	uint32_t i;

	for (i = 0; i < m->count; i++) {
		if (m->region[i].fd >= 0)
			close(m->region[i].fd);
	}
	munmap(m->window, m->size);
	pthread_mutex_destroy(&m->lock);
}

uint32_t memory_hold_hot(struct memory *m)
{
	uint32_t held = 0, i;

	pthread_mutex_lock(&m->lock);
	for (i = 0; i < HOT_REGIONS; i++) {
		if (memory_hot(m, i)->state == REGION_HERE) {
			memory_hot(m, i)->users++;
			held |= 1u << i;
		}
	}
	pthread_mutex_unlock(&m->lock);
	return held;
}

void memory_release_hot(struct memory *m, uint32_t held)
{
	uint32_t i;

	pthread_mutex_lock(&m->lock);
	for (i = 0; i < HOT_REGIONS; i++)
		memory_hot(m, i)->users -= (held >> i) & 1;
	pthread_mutex_unlock(&m->lock);
}

void memory_renew_hot(struct region *r, const struct memory *m)
{
	if (r->fd >= 0)
		close(r->fd);
	r->fd = new_file(r->name, r->size);
	map_region(m, r);
}

uint32_t memory_set_state(struct memory *m, struct region *r, enum region_state state)
{
	uint32_t users;

	pthread_mutex_lock(&m->lock);
	r->state = state;
	users = r->users;
	pthread_mutex_unlock(&m->lock);
	return users;
}
