/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A queue from init to fini: checking a configuration, starting, stopping. */
#ifndef VQMETA_IMPL_QUEUE_START_H
#define VQMETA_IMPL_QUEUE_START_H

#include <vqmeta/impl/lock.h>
#include <vqmeta/impl/queue.h>

VQM_API int vqm_queue_init_(struct vqm_queue *q, struct vqm_dev *dev, uint16_t index,
			    enum vqm_sync sync)
{
	int err = vqm_map_init_(&q->map, dev, sync);

	if (err)
		return err;
	vqm_env_zero((uint8_t *)q + sizeof(q->map), sizeof(*q) - sizeof(q->map));
	q->index = index;
	return 0;
}

VQM_API int vqm_queue_fini(struct vqm_queue *q)
{
	vqm_queue_stop(q);
	return vqm_map_fini(&q->map);
}

static inline int vqm_queue_check_area_(struct vqm_queue *q, uint32_t area,
					const struct vqm_area_addr *a)
{
	q->fault.area = (uint8_t)area;
	if (a->uva.v % vqm_area_align(area))
		return vqm_fault_(q, VQM_RULE_ALIGN, -EINVAL, a->uva.v, vqm_area_align(area));
	if (vqm_range_is_bad(a->uva.v, a->size))
		return vqm_fault_(q, VQM_RULE_AREA_WRAP, -EINVAL, a->uva.v, a->size);
	return 0;
}

static inline int vqm_queue_check_features_(struct vqm_queue *q, uint64_t features)
{
	static const uint8_t refused[] = {VQM_F_ACCESS_PLATFORM, VQM_F_RING_PACKED, VQM_F_IN_ORDER};
	uint32_t i;

	for (i = 0; i < sizeof(refused); i++) {
		if (vqm_has_feature(features, refused[i]))
			return vqm_fault_(q, VQM_RULE_FEATURE, -EOPNOTSUPP, refused[i], 0);
	}
	return 0;
}

/* Checks a configuration and gives the areas it describes. */
static inline int vqm_queue_check_(struct vqm_queue *q, const struct vqm_queue_config *config,
				   struct vqm_area_addr *addr)
{
	bool event_idx = vqm_has_feature(config->features, VQM_F_EVENT_IDX);
	int err = vqm_queue_check_features_(q, config->features);
	uint32_t i;

	if (err)
		return err;
	if (!vqm_queue_num_valid(config->num))
		return vqm_fault_(q, VQM_RULE_NUM, -EINVAL, config->num, VQM_QUEUE_NUM_MAX);
	if (config->max_chain && config->max_chain < config->num)
		return vqm_fault_(q, VQM_RULE_MAX_CHAIN, -EINVAL, config->max_chain, config->num);
	addr[VQM_AREA_DESC].size = vqm_split_desc_size(config->num);
	addr[VQM_AREA_AVAIL].size = vqm_split_avail_size(config->num, event_idx);
	addr[VQM_AREA_USED].size = vqm_split_used_size(config->num, event_idx);
	for (i = 0; i < VQM_AREA_COUNT && !err; i++) {
		addr[i].uva = config->addr[i];
		err = vqm_queue_check_area_(q, i, &addr[i]);
	}
	return err;
}

static inline void vqm_queue_configure_(struct vqm_queue *q, const struct vqm_queue_config *config)
{
	uint32_t longest = VQM_CHAIN_DEFAULT;
	bool modern = vqm_has_feature(config->features, VQM_F_VERSION_1);

	if (longest < config->num)
		longest = config->num;
	q->num = config->num;
	q->max_chain = config->max_chain ? config->max_chain : longest;
	q->order = (uint8_t)(modern ? VQM_LITTLE_ENDIAN : config->order);
	q->event_idx = vqm_has_feature(config->features, VQM_F_EVENT_IDX);
	q->indirect = vqm_has_feature(config->features, VQM_F_INDIRECT_DESC);
	q->notify_on_empty = vqm_has_feature(config->features, VQM_F_NOTIFY_ON_EMPTY);
	q->backend = config->backend;
	q->next = config->next;
	q->seen = config->next;
	q->unsignalled = 65536; /* the driver's wish is unknown: the first answer is yes */
	q->broken = false;
	q->skippable = false;
	vqm_env_zero(&q->fault, sizeof(q->fault));
	q->started = true;
}

/* Reads the used index in place, if the ring is mapped. Under the lock nobody takes it away. */
static inline bool vqm_queue_peek_used_(struct vqm_queue *q, struct vqm_way *w)
{
	const struct vqm_view *view;
	bool direct;

	vqm_dev_lock_(q->map.dev);
	view = vqm_map_current_(&q->map);
	direct = view->direct;
	if (direct) {
		vqm_way_direct_(w, view);
		vqm_way_get_used_idx_(w, &q->used_idx);
	}
	vqm_dev_unlock_(q->map.dev);
	return direct;
}

/* The used index is where the last session left it in memory, not a message (vhost-user). */
static inline int vqm_queue_adopt_(struct vqm_queue *q)
{
	struct vqm_way w;
	uint16_t flight;
	int err = 0;

	vqm_env_zero(&w, sizeof(w));
	w.num = q->num;
	w.order = (enum vqm_order)q->order;
	w.addr = q->map.addr;
	if (!vqm_queue_peek_used_(q, &w)) {
		w.backend = q->backend;
		if (!w.backend || vqm_way_get_used_idx_(&w, &q->used_idx))
			err = vqm_fault_(q, VQM_RULE_RING_GONE, -ESTALE, 0, 0);
	}
	flight = (uint16_t)(q->next - q->used_idx);
	q->inflight = flight <= q->num ? flight : 0;
	q->plain = q->order == VQM_LITTLE_ENDIAN;
	return err;
}

/* Can the backend read every byte of an area? */
static inline bool vqm_area_reachable_(const struct vqm_backend *b, const struct vqm_area_addr *a)
{
	uint8_t bytes[256];
	uint64_t off, part;

	for (off = 0; off < a->size; off += part) {
		part = a->size - off < sizeof(bytes) ? a->size - off : sizeof(bytes);
		if (b->copy_from(b, bytes, vqm_uva_of(a->uva.v + off), (size_t)part))
			return false;
	}
	return true;
}

/* Maps the areas; if one is left out, all of them must be within reach of the backend. */
static inline int vqm_queue_map_(struct vqm_queue *q, const struct vqm_backend *b)
{
	int err = vqm_map_prefetch(&q->map);
	uint32_t i, mapped;

	if (err == -EAGAIN)
		return vqm_fault_(q, VQM_RULE_RING_GONE, err, 0, 0);
	if (!err)
		return 0;
	mapped = vqm_map_areas(&q->map);
	for (i = 0; i < VQM_AREA_COUNT; i++) {
		const struct vqm_area_addr *a = &q->map.addr[i];

		if (b ? vqm_area_reachable_(b, a) : mapped & (1u << i))
			continue;
		q->fault.area = (uint8_t)i;
		return vqm_fault_(q, VQM_RULE_AREA_UNMAPPED, -EFAULT, a->uva.v, a->size);
	}
	return 0;
}

VQM_API int vqm_queue_start(struct vqm_queue *q, const struct vqm_queue_config *config)
{
	struct vqm_area_addr addr[VQM_AREA_COUNT];
	uint16_t next = q->next;
	int err;

	if (q->started)
		return -EBUSY;
	err = vqm_queue_check_(q, config, addr);
	if (err)
		return err;
	vqm_map_set_addr(&q->map, addr);
	err = vqm_queue_map_(q, config->backend);
	if (!err) {
		vqm_queue_configure_(q, config);
		err = vqm_queue_adopt_(q);
	}
	if (err) {
		vqm_queue_stop(q);
		q->next = next;
	}
	return err;
}

VQM_API uint16_t vqm_queue_stop(struct vqm_queue *q)
{
	vqm_assert_(q->depth == 0, "a queue stopped in an open burst: begin without end");
	if (q->map.dev)
		vqm_map_set_addr(&q->map, NULL);
	q->started = false;
	q->plain = false;
	q->broken = false;
	q->skippable = false;
	q->inflight = 0;
	return q->next;
}

VQM_API void vqm_queue_set_cache(struct vqm_queue *q, bool on)
{
	vqm_env_zero(q->tlb, sizeof(q->tlb));
	q->tlb_off = !on;
}

VQM_API struct vqm_regions *vqm_queue_hold(struct vqm_queue *q)
{
	struct vqm_regions *t = q->view ? q->view->regions : q->held;

	if (t)
		vqm_regions_hold(t);
	return t;
}

#endif /* VQMETA_IMPL_QUEUE_START_H */
