/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Bursts: one in the other, and by which way; what a queue gives back when it ends. */
#include <string.h>

#include <pthread.h>

#include "rig.h"

static struct rig *ready(void **state)
{
	struct rig *r = rig_of(state);

	guest_desc(&r->g, 0, 0x1000, 16, 0, 0);
	return r;
}

static void take_away(struct rig *r, uint32_t area)
{
	assert_int_equal(vqm_invalidate(&r->dev, r->config.addr[area], 1, VQM_MAY_WAIT), 0);
}

/* Fallback: the same calls work on each way, and go direct again once the ring is mapped. */
static void bursts_are_counted_by_the_way_they_went(void **state)
{
	struct rig *r = rig_of(state);
	struct vqm_bursts was, is;
	uint32_t i;

	rig_start(r, 8, 0);
	guest_desc(&r->g, 0, 0x1000, 16, 0, 0);
	was = vqm_queue_bursts(&r->q);
	for (i = 0; i < 3; i++)
		rig_expect_service(r, 0);
	is = vqm_queue_bursts(&r->q);
	assert_true(r->v.copy ? is.copied > was.copied && is.direct == was.direct
			      : is.direct > was.direct && is.copied == was.copied);
	assert_int_equal(is.unmapped, was.unmapped);
	assert_int_equal(vqm_prefetch(&r->q), 0);
	was = vqm_queue_bursts(&r->q);
	rig_expect_service(r, 0);
	is = vqm_queue_bursts(&r->q);
	assert_int_equal(is.copied, was.copied);
	assert_true(is.direct > was.direct);
	take_away(r, VQM_AREA_USED);
	was = vqm_queue_bursts(&r->q);
	assert_int_equal(rig_pop(r), r->v.copy ? 0 : -ESTALE);
	is = vqm_queue_bursts(&r->q);
	assert_int_equal(is.direct, was.direct);
	assert_int_equal(is.copied, was.copied + r->v.copy);
	assert_int_equal(is.unmapped, was.unmapped + !r->v.copy);
}

/* An inner burst is part of the outermost one, and so is what it popped. */
static void bursts_nest(void **state)
{
	struct rig *r = ready(state);
	struct vqm_done done = {0, 0, 0};
	struct vqm_bursts was, is;

	rig_start(r, 8, 0);
	guest_desc(&r->g, 0, 0x1000, 16, 0, 0);
	guest_offer(&r->g, 0);
	was = vqm_queue_bursts(&r->q);
	vqm_begin(&r->q);
	vqm_begin(&r->q);
	assert_int_equal(vqm_pop(&r->q, &r->chain[0]), 1);
	vqm_begin(&r->q);
	vqm_end(&r->q);
	vqm_end(&r->q);
	if (r->v.strategy->tells && r->v.strategy->waits && !r->v.copy)
		assert_int_equal(vqm_guard_wait(&r->q.map.guard, false), -EAGAIN);
	rig_expect_frag(r, 0, 0x1000, 16);
	assert_int_equal(vqm_publish(&r->q, &done, 1), 0);
	vqm_end(&r->q);
	if (r->v.strategy->tells)
		assert_int_equal(vqm_guard_wait(&r->q.map.guard, false), 0);
	is = vqm_queue_bursts(&r->q);
	assert_int_equal(is.direct + is.copied, was.direct + was.copied + 1);
	assert_int_equal(guest_used_idx(&r->g), 1);
}

static void *map_all(void *arg)
{
	vqm_map_prefetch(&((struct rig *)arg)->q.map);
	return NULL;
}

static void map_elsewhere(struct rig *r)
{
	pthread_t t;

	assert_int_equal(pthread_create(&t, NULL, map_all, r), 0);
	pthread_join(t, NULL);
	assert_int_equal(vqm_guard_wait(&r->q.map.guard, false) == 0, !r->v.strategy->waits);
}

/* What was reachable when the outermost burst began stays so, also for the inner ones. */
static void a_nested_burst_sees_what_the_outermost_one_saw(void **state)
{
	struct rig *r = ready(state);
	struct vqm_done done = {0, 0, 0};
	uint32_t a;

	if (r->v.copy)
		return;
	rig_start(r, 8, 0);
	for (a = 0; a < VQM_AREA_COUNT; a++) {
		take_away(r, a);
		guest_desc(&r->g, 0, 0x1000, 16, 0, 0);
		guest_offer(&r->g, 0);
		vqm_begin(&r->q);
		map_elsewhere(r); /* needs not wait */
		vqm_begin(&r->q);
		assert_int_equal(vqm_pop(&r->q, &r->chain[0]), -ESTALE);
		vqm_end(&r->q);
		assert_false(vqm_is_direct(&r->q));
		vqm_end(&r->q);
		vqm_begin(&r->q);
		assert_true(vqm_is_direct(&r->q));
		assert_int_equal(vqm_pop(&r->q, &r->chain[0]), 1);
		if (r->v.strategy->waits)
			assert_int_equal(vqm_invalidate(&r->dev, r->config.addr[a], 1, VQM_NO_WAIT),
					 -EAGAIN);
		vqm_begin(&r->q);
		assert_int_equal(vqm_publish(&r->q, &done, 1), 0);
		vqm_end(&r->q);
		vqm_end(&r->q);
		assert_int_equal(guest_used_idx(&r->g), a + 1);
	}
}

static uint32_t reported;

static void count(void *arg, struct vqm_map *map, enum vqm_area area, void *host, uint64_t size)
{
	struct rig *r = (struct rig *)arg;

	assert_ptr_equal(map, &r->q.map);
	assert_true(host && size);
	reported |= 1u << area;
	reported += 0x100;
}

static uint32_t take_reported(void)
{
	uint32_t n = reported;

	reported = 0;
	return n;
}

/* cases 9.06 and 9.07: a stop, a fini, and a start that fails half-way give all areas back once. */
static void a_queue_that_ends_gives_its_areas_back(void **state)
{
	struct rig *r = ready(state);

	take_reported();
	vqm_dev_set_unmapped(&r->dev, count, r);
	rig_configure(r, 8, 0);
	rig_set_regions(r);
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	assert_int_equal(take_reported(), 0);
	vqm_queue_stop(&r->q);
	assert_int_equal(take_reported(), 0x307);
	vqm_queue_stop(&r->q);
	assert_int_equal(take_reported(), 0);
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	assert_int_equal(vqm_queue_start(&r->q, &r->config), -EBUSY);
	assert_int_equal(take_reported(), 0);
	assert_int_equal(vqm_queue_fini(&r->q), 0);
	assert_int_equal(take_reported(), 0x307);
	assert_int_equal(vqm_queue_fini(&r->q), -EINVAL);
	assert_int_equal(take_reported(), 0);
	assert_int_equal(vqm_queue_init(&r->q, &r->dev, 5, r->v.strategy->sync), 0);
}

static void a_start_that_fails_gives_back_what_it_had_mapped(void **state)
{
	struct rig *r = ready(state);
	uint32_t a;

	take_reported();
	vqm_dev_set_unmapped(&r->dev, count, r);
	rig_configure(r, 8, 0);
	rig_set_regions(r);
	r->config.backend = NULL;
	for (a = 0; a < VQM_AREA_COUNT; a++) {
		struct vqm_uva good = r->config.addr[a];

		r->config.addr[a] = vqm_uva_of(0x1000);
		assert_int_equal(vqm_queue_start(&r->q, &r->config), -EFAULT);
		assert_int_equal(take_reported(), 0x200 | (7 & ~(1u << a)));
		r->config.addr[a] = good;
		assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
		vqm_queue_stop(&r->q);
		assert_int_equal(take_reported(), 0x307);
	}
}

/* Two queues of one device are init and fini each once; what is in the list stays as it is. */
static void init_and_fini_are_once(void **state)
{
	struct rig *r = ready(state);
	struct vqm_queue saved;

	rig_start(r, 8, 0);
	memcpy(&saved, &r->q, sizeof(saved));
	assert_int_equal(vqm_queue_init(&r->q, &r->dev, 7, r->v.strategy->sync), -EBUSY);
	assert_int_equal(vqm_map_init(&r->q.map, &r->dev, r->v.strategy->sync), -EBUSY);
	assert_int_equal(vqm_dev_init(&r->dev), -EBUSY);
	assert_int_equal(vqm_dev_fini(&r->dev), -EBUSY);
	assert_memory_equal(&saved, &r->q, sizeof(saved));
	rig_expect_service(r, 0);
	assert_int_equal(vqm_queue_fini(&r->q), 0);
	assert_int_equal(vqm_queue_fini(&r->q), -EINVAL);
	assert_int_equal(vqm_map_fini(&r->q.map), -EINVAL);
	vqm_queue_stop(&r->q); /* harmless */
	assert_int_equal(vqm_dev_fini(&r->dev), 0);
	assert_int_equal(vqm_dev_fini(&r->dev), -EINVAL);
	assert_int_equal(vqm_dev_init(&r->dev), 0);
	assert_int_equal(vqm_queue_init(&r->q, &r->dev, 5, r->v.strategy->sync), 0);
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(bursts_are_counted_by_the_way_they_went),
		RIG_TEST(bursts_nest),
		RIG_TEST(a_nested_burst_sees_what_the_outermost_one_saw),
		RIG_TEST(a_queue_that_ends_gives_its_areas_back),
		RIG_TEST(a_start_that_fails_gives_back_what_it_had_mapped),
		RIG_TEST(init_and_fini_are_once),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
