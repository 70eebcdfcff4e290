/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "maps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>

static const uint64_t place[] = {MAPS_DESC, MAPS_AVAIL, MAPS_USED};
static const uint64_t size[] = {0x80, 0x16, 0x1000};

struct vqm_uva maps_uva(uint64_t gpa)
{
	return vqm_uva_of(GUEST_UVA + gpa);
}

struct vqm_regions *maps_table(const struct maps *m, uint8_t *host)
{
	struct vqm_region r = guest_region(&m->g, 0);
	struct vqm_regions *t = NULL;

	r.host = host;
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	return t;
}

int maps_setup(void **state)
{
	struct maps *m = (struct maps *)aligned_alloc(64, (sizeof(*m) + 63) & ~(size_t)63);
	uint32_t i;

	assert_non_null(m);
	memset(m, 0, sizeof(*m));
	m->s = (const struct strategy *)*state;
	guest_add_bank(&m->g, 0, 0x8000);
	memset(m->map, 0x5a, sizeof(m->map)); /* init must not count on zeroes */
	assert_int_equal(vqm_dev_init(&m->dev), 0);
	vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
	for (i = 0; i < VQM_AREA_COUNT; i++) {
		m->addr[i].uva = maps_uva(place[i]);
		m->addr[i].size = size[i];
	}
	for (i = 0; i < MAPS; i++) {
		assert_int_equal(vqm_map_init(&m->map[i], &m->dev, m->s->sync), 0);
		vqm_map_set_addr(&m->map[i], m->addr);
		assert_int_equal(vqm_map_prefetch(&m->map[i]), 0);
		assert_true(maps_has(m, i, 7));
	}
	*state = m;
	return 0;
}

int maps_teardown(void **state)
{
	struct maps *m = (struct maps *)*state;
	uint32_t i;

	for (i = 0; i < MAPS; i++)
		vqm_map_fini(&m->map[i]);
	vqm_dev_fini(&m->dev);
	guest_fini(&m->g);
	free(m);
	return 0;
}

struct vqm_view maps_view(struct vqm_map *map)
{
	struct vqm_view v;

	vqm_guard_begin(&map->guard);
	v = *(const struct vqm_view *)vqm_env_load_ptr_acquire(&map->live);
	vqm_guard_end(&map->guard);
	return v;
}

struct publisher {
	struct maps *m;
	uint32_t i;
	int err;
};

static void *publisher(void *arg)
{
	struct publisher *p = (struct publisher *)arg;

	p->err = vqm_map_publish(&p->m->map[p->i], VQM_AREA_USED, guest_at(&p->m->g, MAPS_USED));
	return NULL;
}

int maps_publish_elsewhere(struct maps *m, uint32_t i)
{
	struct publisher p = {m, i, 0};
	pthread_t t;

	assert_int_equal(pthread_create(&t, NULL, publisher, &p), 0);
	pthread_join(t, NULL);
	return p.err;
}

bool maps_has(struct maps *m, uint32_t i, uint32_t areas)
{
	struct vqm_view v = maps_view(&m->map[i]);
	uint32_t a;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		void *expected = areas & 1u << a ? guest_at(&m->g, place[a]) : NULL;

		if (v.area[a] != expected)
			return false;
	}
	return v.direct == (areas == 7) && v.regions == m->dev.regions;
}
