/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What must have happened before a release, as one thread can see it:
 *  - a view is complete when it is put in force, and is not written to as long as it is;
 *  - a table that a burst copies through is held before the burst leaves its section;
 *  - what was taken away is reported after the wait.
 */
#define VQM_ENV_HEADER "order_env.h"

#include <stdio.h>

#include <vqmeta/queue.h>

enum {
	NUM = 8,
	RING = 0x1000,
	SIZE = 0x2000,
};

static uint8_t mem[SIZE] __attribute__((__aligned__(4096)));
static uint8_t elsewhere[SIZE] __attribute__((__aligned__(4096)));
static struct vqm_dev dev;
static struct vqm_queue q;
static struct vqm_view in_force; /* as it was put in force */
static unsigned int published, left, reported, failed;
static bool waited; /* since a view was put in force */

static void fail(const char *what)
{
	printf("FAILED: %s\n", what);
	failed = 1;
}

static void publishing(const void *view)
{
	published++;
	waited = false;
	in_force = *(const struct vqm_view *)view;
}

static void check_view(void)
{
	const struct vqm_view *v = (const struct vqm_view *)q.map.live;
	uint32_t i, areas = 0;

	for (i = 0; i < VQM_AREA_COUNT; i++) {
		areas += in_force.area[i] != NULL;
		if (v->area[i] != in_force.area[i])
			fail("an area was written to a view in force");
	}
	if (in_force.direct != (areas == VQM_AREA_COUNT) || v->direct != in_force.direct ||
	    v->epoch != in_force.epoch || v->regions != in_force.regions)
		fail("a view was incomplete when it was put in force");
}

/* The section ends: from here on only a reference keeps the table. */
static void leaving(void)
{
	if (!q.held)
		return;
	left++;
	if (q.held->refs < 2)
		fail("a table is used after the section without a reference");
}

/* The wait of an invalidation looks at the word of the reader. */
static void looking(void)
{
	waited = true;
}

static void unmapped(void *arg, struct vqm_map *map, enum vqm_area area, void *host, uint64_t size)
{
	(void)arg, (void)map, (void)area, (void)host, (void)size;
	reported++;
	if (!waited)
		fail("reported before the wait");
}

static int copy(const struct vqm_backend *b, void *dst, struct vqm_uva src, size_t len)
{
	(void)b;
	__builtin_memcpy(dst, mem + src.v, len);
	return 0;
}

static int copy_to(const struct vqm_backend *b, struct vqm_uva dst, const void *src, size_t len)
{
	(void)b;
	__builtin_memcpy(mem + dst.v, src, len);
	return 0;
}

static void set_table(uint8_t *host)
{
	struct vqm_region r = {{0}, {0}, SIZE, host, NULL};
	struct vqm_regions *t = NULL;

	if (vqm_regions_build(&t, &r, 1))
		fail("no table");
	vqm_dev_set_regions(&dev, t);
	check_view();
}

static void set_up(void)
{
	static const struct vqm_backend backend = {copy, copy_to};
	struct vqm_queue_config c = {NUM,
				     1ull << VQM_F_VERSION_1,
				     {{0}, {RING}, {RING + 0x100}},
				     VQM_LITTLE_ENDIAN,
				     0,
				     0,
				     &backend};

	order_publishing = publishing;
	order_leaving = leaving;
	order_looking = looking;
	if (vqm_dev_init(&dev) || vqm_queue_init(&q, &dev, 0, VQM_SYNC_COUNTER))
		fail("set-up");
	vqm_dev_set_unmapped(&dev, unmapped, NULL);
	set_table(mem);
	if (vqm_queue_start(&q, &c))
		fail("start");
	check_view();
}

int main(void)
{
	unsigned int i;

	set_up();
	for (i = 0; i < 4; i++) {
		vqm_map_prefetch(&q.map);
		check_view();
		if (vqm_invalidate(&dev, vqm_uva_of(RING), 1, VQM_MAY_WAIT))
			fail("invalidate");
		check_view();
		vqm_begin(&q); /* by copying */
		vqm_end(&q);
		set_table(mem);
		set_table(elsewhere);
		set_table(mem);
		vqm_invalidate(&dev, vqm_uva_of(0), 1, VQM_MAY_WAIT);
		check_view();
		vqm_map_publish(&q.map, VQM_AREA_DESC, mem);
		check_view();
	}
	vqm_queue_fini(&q);
	vqm_dev_fini(&dev);
	if (published < 16 || left < 4 || reported < 16)
		fail("the program has not looked");
	return (int)failed;
}
