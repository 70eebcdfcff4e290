/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* P5: each mapping that goes away is reported once, by every way out, after its last section. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>

#include "maps.h"

struct report {
	struct vqm_map *map;
	enum vqm_area area;
	void *host;
	uint64_t size;
};

static struct report reports[64];
static uint32_t reported, tables_freed;
static void *self;

static void unmapped(void *arg, struct vqm_map *map, enum vqm_area area, void *host, uint64_t size)
{
	struct report r = {map, area, host, size};

	assert_ptr_equal(arg, &self);
	assert_int_equal(tables_freed, 0); /* what the table holds is still there */
	reports[__atomic_fetch_add(&reported, 1, __ATOMIC_RELEASE)] = r;
}

static int setup(void **state)
{
	int err = maps_setup(state);

	reported = tables_freed = 0;
	vqm_dev_set_unmapped(&maps_of(state)->dev, unmapped, &self);
	return err;
}

/* Exactly these areas of map @i were reported since the last look, with where they had been. */
static void expect(struct maps *m, uint32_t i, uint32_t areas)
{
	static const uint64_t place[] = {MAPS_DESC, MAPS_AVAIL, MAPS_USED};
	uint32_t n, a;

	for (n = 0; n < reported; n++) {
		if (reports[n].map != &m->map[i])
			continue;
		a = reports[n].area;
		assert_true(areas & 1u << a);
		areas &= ~(1u << a);
		assert_ptr_equal(reports[n].host, guest_at(&m->g, place[a]));
		assert_int_equal(reports[n].size, m->addr[a].size);
	}
	assert_int_equal(areas, 0);
}

static void expect_all(struct maps *m, uint32_t areas)
{
	uint32_t i;

	for (i = 0; i < MAPS; i++)
		expect(m, i, areas);
	reported = 0;
}

/* case 9.06 */
static void an_invalidated_area_is_reported_for_each_queue(void **state)
{
	struct maps *m = maps_of(state);
	uint32_t a;

	for (a = 0; a < VQM_AREA_COUNT; a++) {
		vqm_invalidate(&m->dev, m->addr[a].uva, 1, maps_no_wait(m));
		expect_all(m, 1u << a);
		vqm_invalidate(&m->dev, m->addr[a].uva, 1, maps_no_wait(m));
		expect_all(m, 0); /* once */
	}
	vqm_map_set_addr(&m->map[0], m->addr);
	expect_all(m, 0); /* nothing was mapped */
	assert_int_equal(vqm_map_prefetch(&m->map[1]), 0);
	assert_int_equal(vqm_map_publish(&m->map[1], VQM_AREA_USED, guest_at(&m->g, MAPS_USED)),
			 -EBUSY);
	expect_all(m, 0); /* mapping is no unmapping, nor is a refusal */
	assert_int_equal(vqm_map_fini(&m->map[1]), 0);
	expect(m, 1, ALL);
	assert_int_equal(vqm_map_init(&m->map[1], &m->dev, m->s->sync), 0);
}

static void new_addresses_report_what_the_old_ones_had(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_area_addr addr[VQM_AREA_COUNT] = {m->addr[0], m->addr[1], m->addr[2]};

	addr[VQM_AREA_USED].uva = maps_uva(0x6000);
	addr[VQM_AREA_USED].size = 8;
	vqm_map_set_addr(&m->map[0], addr);
	expect(m, 0, ALL);
	expect(m, 1, 0);
	reported = 0;
	assert_int_equal(vqm_map_prefetch(&m->map[0]), 0);
	vqm_map_set_addr(&m->map[0], NULL);
	assert_int_equal(reported, 3);
	assert_ptr_equal(reports[VQM_AREA_USED].host, guest_at(&m->g, 0x6000));
	assert_int_equal(reports[VQM_AREA_USED].size, 8);
}

static void another_table_reports_what_moved(void **state)
{
	static uint8_t elsewhere[0x8000] __attribute__((__aligned__(4096)));
	struct maps *m = maps_of(state);

	vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
	expect_all(m, 0); /* the same bytes at the same address */
	vqm_dev_set_regions(&m->dev, maps_table(m, elsewhere));
	expect_all(m, ALL);
	vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
	assert_int_equal(reported, MAPS * 3);
	assert_ptr_equal(reports[0].host, elsewhere + MAPS_DESC);
	reported = 0;
	vqm_dev_set_regions(&m->dev, maps_table(m, NULL));
	expect_all(m, ALL);
}

static void freed(struct vqm_mapping *mapping)
{
	(void)mapping;
	tables_freed++;
}

/* The owner of the memory hears of the mapping before the memory goes. */
static void a_mapping_is_reported_before_its_table_is_gone(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_region r = guest_region(&m->g, 0);
	struct vqm_mapping mapping = {1, freed};
	struct vqm_regions *t = NULL;

	r.host = m->g.bank[0].mem;
	r.mapping = &mapping;
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	vqm_mapping_release(&mapping);
	vqm_dev_set_regions(&m->dev, t);
	vqm_dev_set_regions(&m->dev, maps_table(m, NULL));
	assert_int_equal(tables_freed, 1);
	tables_freed = 0;
	expect_all(m, ALL);
}

static struct vqm_dev *reentered;
static struct maps *reentering;

static void take_more_away(struct vqm_mapping *mapping)
{
	(void)mapping;
	if (tables_freed++ == 0)
		vqm_dev_set_regions(reentered, maps_table(reentering, NULL));
}

/* case 9.13: the function that frees a mapping may change the device. */
static void freeing_a_mapping_may_change_the_table(void **state)
{
	struct maps *m = maps_of(state);
	struct vqm_region r = guest_region(&m->g, 0);
	struct vqm_mapping mapping = {1, take_more_away};
	struct vqm_regions *t = NULL;

	reentered = &m->dev;
	reentering = m;
	vqm_dev_set_unmapped(&m->dev, NULL, NULL);
	r.mapping = &mapping;
	assert_int_equal(vqm_regions_build(&t, &r, 1), 0);
	vqm_mapping_release(&mapping);
	vqm_dev_set_regions(&m->dev, t);
	vqm_dev_set_regions(&m->dev, maps_table(m, m->g.bank[0].mem));
	assert_int_equal(tables_freed, 1);
	assert_true(maps_has(m, 0, 0));
	assert_int_equal(reported, 0); /* switched off */
}

struct reader {
	struct maps *m;
	uint32_t inside, leave;
};

static void *reader(void *arg)
{
	struct reader *r = (struct reader *)arg;
	struct vqm_guard *g = &r->m->map[1].guard;

	vqm_sync_attach(r->m->s->sync);
	vqm_guard_begin(g);
	__atomic_store_n(&r->inside, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&r->leave, __ATOMIC_ACQUIRE))
		sched_yield();
	vqm_guard_end(g);
	vqm_sync_detach(r->m->s->sync);
	return NULL;
}

static void *taker(void *arg)
{
	struct reader *r = (struct reader *)arg;

	vqm_invalidate(&r->m->dev, maps_uva(MAPS_USED), 1, VQM_MAY_WAIT);
	return NULL;
}

/* Not for the first queue either, as long as one of those affected is in a section. */
static void nothing_is_reported_while_a_section_runs(void **state)
{
	struct maps *m = maps_of(state);
	struct reader r = {m, 0, 0};
	pthread_t reading, taking;
	uint32_t i;

	if (!m->s->waits)
		return;
	assert_int_equal(pthread_create(&reading, NULL, reader, &r), 0);
	while (!__atomic_load_n(&r.inside, __ATOMIC_ACQUIRE))
		sched_yield();
	assert_int_equal(vqm_invalidate(&m->dev, maps_uva(MAPS_USED), 1, VQM_NO_WAIT), -EAGAIN);
	assert_int_equal(reported, 0);
	assert_int_equal(pthread_create(&taking, NULL, taker, &r), 0);
	for (i = 0; i < 100; i++) {
		assert_int_equal(__atomic_load_n(&reported, __ATOMIC_ACQUIRE), 0);
		sched_yield();
	}
	__atomic_store_n(&r.leave, 1, __ATOMIC_RELEASE);
	pthread_join(taking, NULL);
	pthread_join(reading, NULL);
	expect_all(m, USED);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, maps_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(an_invalidated_area_is_reported_for_each_queue),
		TEST(new_addresses_report_what_the_old_ones_had),
		TEST(another_table_reports_what_moved),
		TEST(a_mapping_is_reported_before_its_table_is_gone),
		TEST(freeing_a_mapping_may_change_the_table),
		TEST(nothing_is_reported_while_a_section_runs),
	};

	return strategies_run(tests, sizeof(tests) / sizeof(tests[0]));
}
