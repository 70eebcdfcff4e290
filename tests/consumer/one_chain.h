/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One request through a ring laid out by hand: what the smallest user of the library does. */
#ifndef ONE_CHAIN_H
#define ONE_CHAIN_H

#include <vqmeta/queue.h>

/* How the worker is kept from memory that is taken away. */
#ifndef ONE_SYNC
#define ONE_SYNC VQM_SYNC_COUNTER
#endif

enum {
	ONE_NUM = 4,
	ONE_HEAD = 2,
	ONE_AVAIL = 0x100, /* offsets in the page that is all the memory of this guest */
	ONE_USED = 0x200,
	ONE_BUFFER = 0x400,
	ONE_GPA = 0x10000,
	ONE_UVA = 0x70000,
};

static uint8_t one_page[4096] __attribute__((__aligned__(4096)));

/* A driver in five stores: one writable buffer of 16 bytes. */
static inline void one_post(void)
{
	struct vqm_desc *desc = (struct vqm_desc *)(void *)one_page;
	struct vqm_avail *avail = (struct vqm_avail *)(void *)(one_page + ONE_AVAIL);

	desc[ONE_HEAD].addr = vqm_cpu_to_wire64(ONE_GPA + ONE_BUFFER, VQM_LITTLE_ENDIAN);
	desc[ONE_HEAD].len = vqm_cpu_to_wire32(16, VQM_LITTLE_ENDIAN);
	desc[ONE_HEAD].flags = vqm_cpu_to_wire16(VQM_DESC_F_WRITE, VQM_LITTLE_ENDIAN);
	avail->ring[0] = vqm_cpu_to_wire16(ONE_HEAD, VQM_LITTLE_ENDIAN);
	avail->idx = vqm_cpu_to_wire16(1, VQM_LITTLE_ENDIAN);
}

static inline int one_start(struct vqm_dev *dev, struct vqm_queue *q)
{
	struct vqm_region region;
	struct vqm_queue_config config;
	struct vqm_regions *regions;

	vqm_env_zero(&region, sizeof(region));
	region.gpa.v = ONE_GPA;
	region.uva.v = ONE_UVA;
	region.size = sizeof(one_page);
	region.host = one_page;
	vqm_env_zero(&config, sizeof(config));
	config.num = ONE_NUM;
	config.features = 1ull << VQM_F_VERSION_1;
	config.addr[VQM_AREA_DESC].v = ONE_UVA;
	config.addr[VQM_AREA_AVAIL].v = ONE_UVA + ONE_AVAIL;
	config.addr[VQM_AREA_USED].v = ONE_UVA + ONE_USED;
	if (vqm_dev_init(dev) || vqm_regions_build(&regions, &region, 1))
		return -1;
	vqm_dev_set_regions(dev, regions);
	if (vqm_queue_init(q, dev, 0, ONE_SYNC))
		return -1;
	return vqm_queue_start(q, &config);
}

static inline int one_serve(struct vqm_queue *q)
{
	struct vqm_frag frag[1];
	struct vqm_chain chain;
	struct vqm_done done;
	int err = -1;

	vqm_chain_init(&chain, frag, 1);
	vqm_begin(q);
	if (vqm_pop(q, &chain) == 1 && chain.n_in == 1 && chain.in_len == 16) {
		*(uint8_t *)frag[0].base = 42;
		done = vqm_chain_done(&chain, 1);
		err = vqm_publish(q, &done, 1);
	}
	vqm_end(q);
	return err;
}

/* 0 when the request came through, else the number of the step that failed. */
static inline int one_chain(void)
{
	const struct vqm_used *used = (const struct vqm_used *)(const void *)(one_page + ONE_USED);
	static struct vqm_dev dev;
	static struct vqm_queue q;

	one_post();
	if (vqm_sync_attach(ONE_SYNC) || one_start(&dev, &q))
		return 1;
	if (one_serve(&q))
		return 2;
	if (vqm_get_used_idx(used, VQM_LITTLE_ENDIAN) != 1 || one_page[ONE_BUFFER] != 42)
		return 3;
	if (vqm_get_used_id(used, 0, VQM_LITTLE_ENDIAN) != ONE_HEAD ||
	    vqm_get_used_len(used, 0, VQM_LITTLE_ENDIAN) != 1)
		return 4;
	vqm_queue_fini(&q);
	vqm_dev_fini(&dev);
	vqm_sync_detach(ONE_SYNC);
	return 0;
}

#endif /* ONE_CHAIN_H */
