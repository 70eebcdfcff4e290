// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The queue against the mock driver, both as shipped: requests there, answers back, and nobody
 * sleeps while there is something to do.
 *
 * Buffers, descriptors and available entries are memory in which any race is an error; the rest of
 * the ring are words that may be read stale.
 */
#include <vqmeta/mock.h>
#include <vqmeta/queue.h>

#include "driver.h"
#include "ring_parts.h"

enum {
	NUM = 2,      /* of the queue */
	REQUESTS = 3, /* one more, so that the ring is reused */
	BUFFER = 16,
	RING = NUM * BUFFER,
	MEMORY = 256,
	DRIVER = 0, /* threads */
	DEVICE = 1,
	COPY = 1, /* variants: reach the ring by copying, */
	EVENT_IDX = 1 << VQM_F_EVENT_IDX,
};

struct ring_suite : rl::test_suite<ring_suite, 2> {
	struct model_memory memory;
	struct vqm_dev dev;
	struct vqm_queue q;
	struct vqm_mock m;
	struct bell bell[2];
	rl::var<int> buffer[NUM];
	alignas(16) uint8_t mem[MEMORY];
	struct vqm_backend backend;
	static ring_suite *self;

	/* A word of the ring, or the two of an element or a descriptor; else it is only a try. */
	static int copy_from(const struct vqm_backend *, void *dst, struct vqm_uva src, size_t len)
	{
		size_t off, step = len == 2 ? 2 : len / 2;

		for (off = 0; off < len && (len == 2 || len == 8 || len == 16); off += step)
			put_word((char *)dst + off, model_load(self->mem + src.v + off, false),
				 step);
		return 0;
	}

	static int copy_to(const struct vqm_backend *, struct vqm_uva dst, const void *src,
			   size_t len)
	{
		size_t off, step = len == 2 ? 2 : len / 2;

		for (off = 0; off < len; off += step)
			model_store(self->mem + dst.v + off,
				    get_word((const char *)src + off, step), false);
		return 0;
	}

	static void expect(int value, int wanted)
	{
		RL_ASSERT(value == wanted);
	}

	void register_ring()
	{
		int i;

		model_add_cell(&m.avail->flags, 0);
		model_add_cell(&m.avail->idx, 0);
		model_add_cell(&m.avail->ring[NUM], 0);
		model_add_cell(&m.used->flags, 0);
		model_add_cell(&m.used->idx, 0);
		model_add_cell(&m.used->ring[NUM], 0);
		for (i = 0; i < NUM; i++) {
			model_add_plain(&m.avail->ring[i], 0);
			model_add_plain(&m.desc[i].addr, 0);
			model_add_plain(&m.desc[i].len, 0);
			model_add_cell(&m.used->ring[i].id, 0);
			model_add_cell(&m.used->ring[i].len, 0);
		}
	}

	void start(uint64_t features)
	{
		struct vqm_queue_config config;
		struct vqm_region region;
		struct vqm_regions *table;

		memset(&region, 0, sizeof(region));
		region.size = model_variant & COPY ? RING : MEMORY;
		region.host = mem;
		memset(&config, 0, sizeof(config));
		config.num = NUM;
		config.features = features;
		config.backend = &backend;
		config.addr[VQM_AREA_DESC].v = m.desc_gpa.v;
		config.addr[VQM_AREA_AVAIL].v = m.avail_gpa.v;
		config.addr[VQM_AREA_USED].v = m.used_gpa.v;
		memset(&dev, 0, sizeof(dev));
		memset(&q, 0, sizeof(q));
		expect(vqm_dev_init(&dev), 0);
		expect(vqm_regions_build(&table, &region, 1), 0);
		vqm_dev_set_regions(&dev, table);
		expect(vqm_queue_init(&q, &dev, 0, VQM_SYNC_NONE), 0);
		model_add_cell(&q.map.live, (uintptr_t)q.map.live);
		expect(vqm_queue_start(&q, &config), 0);
	}

	void before()
	{
		uint64_t features = 1ull << VQM_F_VERSION_1 | (model_variant & EVENT_IDX);
		struct vqm_mock_config config;

		memset(&config, 0, sizeof(config));
		config.mem = mem;
		config.size = MEMORY;
		config.ring = RING;
		config.num = NUM;
		config.features = features;
		self = this;
		backend = {copy_from, copy_to};
		model_now = &memory;
		expect(vqm_mock_init(&m, &config), 0);
		for (rl::var<int> &b : buffer)
			b($) = 0;
		for (struct bell &b : bell)
			b.init();
		register_ring();
		start(features);
		model_flush();
	}

	void after()
	{
		vqm_queue_fini(&q);
		vqm_dev_fini(&dev);
		vqm_mock_fini(&m);
		model_now = NULL;
	}

	/* A buffer holds the number of its request, then the answer to it. */
	void post(int request)
	{
		int i = request % NUM;
		struct vqm_mock_buf in = {{(uint64_t)i * BUFFER}, BUFFER};

		buffer[i]($) = request;
		RL_ASSERT(vqm_mock_add(&m, NULL, 0, &in, 1, &buffer[i]) >= 0);
		if (vqm_mock_expose(&m))
			bell[DEVICE].ring();
	}

	void driver()
	{
		int posted = 0, reaped = 0;

		while (reaped < REQUESTS) {
			struct vqm_mock_used used;

			if (posted < REQUESTS && posted - reaped < NUM && rl::rand(2)) {
				post(posted++);
				continue;
			}
			if (vqm_mock_reap(&m, &used) > 0) {
				expect((*(rl::var<int> *)used.token)($), ~reaped);
				expect((int)used.len, reaped + 1);
				reaped++;
				continue;
			}
			RL_ASSERT(!m.complaint);
			if (posted > reaped && !vqm_mock_arm(&m))
				bell[DRIVER].sleep(&bell[DEVICE]);
			vqm_mock_disarm(&m);
		}
	}

	/* Serves one request if there is one; false: sleep. */
	bool serve(int *served)
	{
		struct vqm_frag frag;
		struct vqm_chain c;
		int n;

		vqm_chain_init(&c, &frag, 1);
		n = vqm_pop(&q, &c);
		if (n > 0) {
			rl::var<int> &b = buffer[((uint8_t *)frag.base - mem) / BUFFER];
			struct vqm_done done = {c.head, c.slots, (uint32_t)*served + 1};

			expect(b($), *served);
			b($) = ~*served;
			expect(vqm_publish(&q, &done, 1), 0);
			++*served;
			if (vqm_need_notify(&q))
				bell[DRIVER].ring();
			return true;
		}
		expect(n, 0);
		return vqm_arm(&q);
	}

	void device()
	{
		int served = 0;

		while (served < REQUESTS) {
			bool more;

			vqm_begin(&q);
			more = serve(&served);
			if (more)
				vqm_disarm(&q);
			vqm_end(&q);
			if (!more)
				bell[DEVICE].sleep(&bell[DRIVER]);
		}
	}

	void thread(unsigned int index)
	{
		model_thread_begin();
		if (index == DRIVER)
			driver();
		else
			device();
		bell[index].finish();
		model_thread_end();
	}
};

ring_suite *ring_suite::self;

static const struct model_run runs[] = {
	{"event_idx", rl::simulate<ring_suite>, EVENT_IDX, 200000, "AUN"},
	{"flags", rl::simulate<ring_suite>, 0, 200000, "AUN"},
	{"event_idx.copy", rl::simulate<ring_suite>, EVENT_IDX | COPY, 200000, "AUN"},
	{"flags.copy", rl::simulate<ring_suite>, COPY, 200000, "AUN"},
	{NULL, NULL, 0, 0, NULL},
};

int main(int argc, char **argv)
{
	return model_main(runs, argc, argv);
}
