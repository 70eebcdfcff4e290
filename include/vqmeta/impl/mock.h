/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_MOCK_H
#define VQMETA_IMPL_MOCK_H

#include <vqmeta/mock.h>

/* The driver's own byte order helpers: it shares only layouts with the device side. */
static inline uint16_t vqm_mock_16_(const struct vqm_mock *m, uint16_t v)
{
	return m->big_endian != VQM_ENV_BIG_ENDIAN ? vqm_env_swap16(v) : v;
}

static inline uint32_t vqm_mock_32_(const struct vqm_mock *m, uint32_t v)
{
	return m->big_endian != VQM_ENV_BIG_ENDIAN ? vqm_env_swap32(v) : v;
}

static inline uint64_t vqm_mock_64_(const struct vqm_mock *m, uint64_t v)
{
	return m->big_endian != VQM_ENV_BIG_ENDIAN ? vqm_env_swap64(v) : v;
}

static inline void vqm_mock_store16_(struct vqm_mock *m, vqm_wire16 *p, uint16_t v)
{
	vqm_env_store16(p, vqm_env_wire16(vqm_mock_16_(m, v)));
}

static inline uint16_t vqm_mock_load16_(const struct vqm_mock *m, const vqm_wire16 *p)
{
	return vqm_mock_16_(m, vqm_env_unwire16(vqm_env_load16(p)));
}

static inline vqm_wire16 *vqm_mock_used_event_(struct vqm_mock *m)
{
	return &m->avail->ring[m->config.num];
}

static inline vqm_wire16 *vqm_mock_avail_event_(struct vqm_mock *m)
{
	return (vqm_wire16 *)(void *)&m->used->ring[m->config.num];
}

/* Offsets of the parts within the ring: table, available area, used area, each with its event. */
static inline uint64_t vqm_mock_avail_off_(uint32_t num)
{
	return 16 * (uint64_t)num;
}

static inline uint64_t vqm_mock_used_off_(uint32_t num)
{
	return (vqm_mock_avail_off_(num) + 6 + 2 * (uint64_t)num + 3) & ~3ull;
}

VQM_API uint64_t vqm_mock_ring_size(uint32_t num)
{
	return vqm_mock_used_off_(num) + 6 + 8 * (uint64_t)num;
}

static inline bool vqm_mock_config_ok_(const struct vqm_mock_config *c)
{
	if (c->num == 0 || c->num > VQM_QUEUE_NUM_MAX || (c->num & (c->num - 1)))
		return false;
	if (((uintptr_t)c->mem | c->base.v | c->ring) & 15)
		return false;
	return c->ring <= c->size && vqm_mock_ring_size(c->num) <= c->size - c->ring;
}

VQM_API int vqm_mock_init(struct vqm_mock *m, const struct vqm_mock_config *config)
{
	uint8_t *ring = (uint8_t *)config->mem + config->ring;
	uint32_t i;

	if (!vqm_mock_config_ok_(config))
		return -EINVAL;
	vqm_env_zero(m, sizeof(*m));
	m->config = *config;
	m->chain = (struct vqm_mock_chain *)vqm_env_alloc(config->num * sizeof(m->chain[0]));
	if (!m->chain)
		return -ENOMEM;
	vqm_env_zero(ring, vqm_mock_ring_size(config->num));
	m->desc = (struct vqm_desc *)(void *)ring;
	m->avail = (struct vqm_avail *)(void *)(ring + vqm_mock_avail_off_(config->num));
	m->used = (struct vqm_used *)(void *)(ring + vqm_mock_used_off_(config->num));
	m->desc_gpa = vqm_gpa_of(config->base.v + config->ring);
	m->avail_gpa = vqm_gpa_of(m->desc_gpa.v + vqm_mock_avail_off_(config->num));
	m->used_gpa = vqm_gpa_of(m->desc_gpa.v + vqm_mock_used_off_(config->num));
	m->event_idx = vqm_has_feature(config->features, VQM_F_EVENT_IDX);
	m->big_endian = !vqm_has_feature(config->features, VQM_F_VERSION_1) &&
			config->order == VQM_BIG_ENDIAN;
	m->num_free = config->num;
	for (i = 0; i < config->num; i++)
		m->chain[i].next = (uint16_t)(i + 1);
	return 0;
}

VQM_API void vqm_mock_fini(struct vqm_mock *m)
{
	vqm_env_free(m->chain);
	m->chain = NULL;
}

VQM_API void *vqm_mock_at(const struct vqm_mock *m, struct vqm_gpa gpa, uint64_t len)
{
	uint64_t off = gpa.v - m->config.base.v;

	if (off > m->config.size || len > m->config.size - off)
		return NULL;
	return (uint8_t *)m->config.mem + off;
}

/* Takes @count descriptors from the free list; they stay linked. */
static inline int vqm_mock_take_(struct vqm_mock *m, uint32_t count)
{
	uint16_t head = m->free_head, i = head;
	uint32_t n;

	if (count == 0)
		return -EINVAL;
	if (count > m->num_free)
		return -ENOBUFS;
	for (n = 0; n < count; n++)
		i = m->chain[i].next;
	m->free_head = i;
	m->num_free -= count;
	return head;
}

static inline void vqm_mock_give_(struct vqm_mock *m, uint16_t head, uint16_t count)
{
	uint16_t i = head, n;

	for (n = 1; n < count; n++)
		i = m->chain[i].next;
	m->chain[i].next = m->free_head;
	m->free_head = head;
	m->num_free += count;
}

/* Section 2.7.10: was the index the device asked about among those just exposed? */
static inline bool vqm_mock_passed_(uint16_t event, uint16_t from, uint16_t to)
{
	return (uint16_t)(event - from) < (uint16_t)(to - from);
}

VQM_API bool vqm_mock_expose(struct vqm_mock *m)
{
	uint16_t from = m->told;

	/* [A2] release; descriptors and entries before the index; pairs with the device's [A1]. */
	vqm_env_store16_release(&m->avail->idx, vqm_env_wire16(vqm_mock_16_(m, m->avail_idx)));
	m->exposed = m->avail_idx;
	m->told = m->avail_idx;
	/* [N4] full; store of the index before load of what the device asks; pairs with [N2]. */
	vqm_env_mb();
	if (m->event_idx)
		return vqm_mock_passed_(vqm_mock_load16_(m, vqm_mock_avail_event_(m)), from,
					m->avail_idx);
	return (vqm_mock_load16_(m, &m->used->flags) & VQM_USED_F_NO_NOTIFY) == 0;
}

VQM_API int vqm_mock_post(struct vqm_mock *m, const struct vqm_mock_buf *out, uint16_t n_out,
			  const struct vqm_mock_buf *in, uint16_t n_in, void *token)
{
	int head = vqm_mock_add(m, out, n_out, in, n_in, token);

	if (head >= 0)
		vqm_mock_expose(m);
	return head;
}

static inline int vqm_mock_complain_(struct vqm_mock *m, const char *what)
{
	m->complaint = what;
	return -EINVAL;
}

/* Rules that a device may break in what it wrote, with sections of virtio 1.4. */
static inline int vqm_mock_check_(struct vqm_mock *m, uint16_t idx, uint32_t id, uint32_t len)
{
	uint16_t flags = vqm_mock_load16_(m, &m->used->flags);

	if ((uint16_t)(idx - m->last_used) > m->posted)
		return vqm_mock_complain_(m, "used index ahead of what was posted (2.7.8)");
	if (id >= m->config.num)
		return vqm_mock_complain_(m, "used id beyond the queue (2.7.8)");
	if (!m->chain[id].posted)
		return vqm_mock_complain_(m, "used id was not posted (2.7.8)");
	if (len > m->chain[id].writable)
		return vqm_mock_complain_(m, "used length beyond the writable part (2.7.8.2)");
	if (flags > 1 || (m->event_idx && flags))
		return vqm_mock_complain_(m, "used flags not 0 (2.7.10)");
	return 0;
}

VQM_API int vqm_mock_reap(struct vqm_mock *m, struct vqm_mock_used *used)
{
	/* [U2] acquire; elements and buffers after the index; pairs with the device's [U1]. */
	uint16_t idx = vqm_mock_16_(m, vqm_env_unwire16(vqm_env_load16_acquire(&m->used->idx)));
	struct vqm_used_elem *e = &m->used->ring[m->last_used & (m->config.num - 1)];
	uint32_t id = vqm_mock_32_(m, vqm_env_unwire32(vqm_env_load32(&e->id)));
	uint32_t len = vqm_mock_32_(m, vqm_env_unwire32(vqm_env_load32(&e->len)));
	int err;

	if (idx == m->last_used)
		return 0;
	err = vqm_mock_check_(m, idx, id, len);
	if (err)
		return err;
	used->token = m->chain[id].token;
	used->head = (uint16_t)id;
	used->len = len;
	m->chain[id].posted = false;
	m->posted--;
	m->last_used++;
	vqm_mock_give_(m, (uint16_t)id, m->chain[id].count);
	return 1;
}

VQM_API bool vqm_mock_arm(struct vqm_mock *m)
{
	if (m->event_idx)
		vqm_mock_store16_(m, vqm_mock_used_event_(m), m->last_used);
	else
		vqm_mock_store16_(m, &m->avail->flags, 0);
	/* [N3] full; store of what we ask before the second look at the index; pairs with [N1]. */
	vqm_env_mb();
	return vqm_mock_16_(m, vqm_env_unwire16(vqm_env_load16_acquire(&m->used->idx))) !=
	       m->last_used;
}

VQM_API void vqm_mock_disarm(struct vqm_mock *m)
{
	if (!m->event_idx)
		vqm_mock_store16_(m, &m->avail->flags, VQM_AVAIL_F_NO_INTERRUPT);
}

#endif /* VQMETA_IMPL_MOCK_H */
