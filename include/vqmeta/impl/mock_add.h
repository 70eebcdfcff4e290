/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Writing chains, honest and spoilt. */
#ifndef VQMETA_IMPL_MOCK_ADD_H
#define VQMETA_IMPL_MOCK_ADD_H

#include <vqmeta/impl/mock.h>

static inline void vqm_mock_put_desc_(struct vqm_mock *m, struct vqm_desc *d,
				      const struct vqm_mock_buf *b, uint16_t flags, uint16_t next)
{
	struct vqm_desc v;

	v.addr = vqm_env_wire64(vqm_mock_64_(m, b->gpa.v));
	v.len = vqm_env_wire32(vqm_mock_32_(m, b->len));
	v.flags = vqm_env_wire16(vqm_mock_16_(m, flags));
	v.next = vqm_env_wire16(vqm_mock_16_(m, next));
	vqm_env_copy(d, &v, sizeof(v));
}

/* What the lie does to descriptor @i of @count of a chain, in the ring or in a table. */
static inline void vqm_mock_spoil_desc_(const struct vqm_mock *m, uint16_t i, uint16_t count,
					struct vqm_mock_buf *b, uint16_t *flags)
{
	bool last = i + 1 == count;

	if (m->lie == VQM_LIE_LOOP_EMPTY)
		b->len = 0;
	if (m->lie == VQM_LIE_LOOP)
		*flags &= (uint16_t)~VQM_DESC_F_WRITE;
	if ((m->lie == VQM_LIE_LOOP || m->lie == VQM_LIE_LOOP_EMPTY) && last)
		*flags |= VQM_DESC_F_NEXT;
	if (m->lie == VQM_LIE_NEXT_TOO_BIG && i == 0)
		*flags |= VQM_DESC_F_NEXT;
	if (m->lie == VQM_LIE_WRITE_FIRST)
		*flags = (uint16_t)((*flags & ~VQM_DESC_F_WRITE) | (last ? 0 : VQM_DESC_F_WRITE));
	if (m->lie == VQM_LIE_UNMAPPED && i == 0)
		b->gpa.v = m->config.base.v + m->config.size;
	if (m->lie == VQM_LIE_WRAP && i == 0)
		b->gpa.v = 0ull - b->len / 2;
	if (m->lie == VQM_LIE_INDIRECT_NESTED && i == 0)
		*flags |= VQM_DESC_F_INDIRECT;
}

/* The next field as the lie wants it; the honest one otherwise. */
static inline uint16_t vqm_mock_spoil_next_(const struct vqm_mock *m, uint16_t i, uint16_t count,
					    uint16_t first, uint16_t next)
{
	bool last = i + 1 == count;

	if (m->lie == VQM_LIE_NEXT_TOO_BIG && i == 0)
		return VQM_QUEUE_NUM_MAX;
	if ((m->lie == VQM_LIE_LOOP || m->lie == VQM_LIE_LOOP_EMPTY) && last)
		return first;
	return next;
}

struct vqm_mock_list_ {
	const struct vqm_mock_buf *out, *in;
	uint16_t n_out, count;
};

/* Buffer @i of a chain with its direction, spoilt if that is wanted. */
static inline struct vqm_mock_buf
vqm_mock_nth_(const struct vqm_mock *m, const struct vqm_mock_list_ *l, uint16_t i, uint16_t *flags)
{
	struct vqm_mock_buf b = i < l->n_out ? l->out[i] : l->in[i - l->n_out];

	*flags = (uint16_t)((i < l->n_out ? 0 : VQM_DESC_F_WRITE) |
			    (i + 1 < l->count ? VQM_DESC_F_NEXT : 0));
	vqm_mock_spoil_desc_(m, i, l->count, &b, flags);
	return b;
}

/* Writes the available entry and remembers the chain. */
static inline int vqm_mock_offer_(struct vqm_mock *m, uint16_t head, uint16_t count,
				  const struct vqm_mock_list_ *l, void *token)
{
	struct vqm_mock_chain *c = &m->chain[head];
	uint16_t slot = m->avail_idx & (uint16_t)(m->config.num - 1);
	uint16_t i;

	c->token = token;
	c->count = count;
	c->posted = true;
	c->writable = 0;
	for (i = l->n_out; i < l->count; i++)
		c->writable += l->in[i - l->n_out].len;
	vqm_mock_store16_(m, &m->avail->ring[slot],
			  m->lie == VQM_LIE_HEAD_TOO_BIG ? (uint16_t)m->config.num : head);
	m->avail_idx++;
	m->posted++;
	if (m->lie == VQM_LIE_AVAIL_AHEAD)
		m->avail_idx = (uint16_t)(m->last_used + m->config.num + 1);
	m->lie = VQM_LIE_NONE;
	return head;
}

VQM_API int vqm_mock_add(struct vqm_mock *m, const struct vqm_mock_buf *out, uint16_t n_out,
			 const struct vqm_mock_buf *in, uint16_t n_in, void *token)
{
	struct vqm_mock_list_ l = {out, in, n_out, (uint16_t)(n_out + n_in)};
	int head = vqm_mock_take_(m, (uint32_t)n_out + n_in);
	uint16_t i, at, flags;

	if (head < 0)
		return head;
	at = (uint16_t)head;
	for (i = 0; i < l.count; i++) {
		struct vqm_mock_buf b = vqm_mock_nth_(m, &l, i, &flags);
		uint16_t next = m->chain[at].next;

		vqm_mock_put_desc_(m, &m->desc[at], &b, flags,
				   vqm_mock_spoil_next_(m, i, l.count, (uint16_t)head, next));
		at = next;
	}
	return vqm_mock_offer_(m, (uint16_t)head, l.count, &l, token);
}

/* The descriptor that refers to a table, spoilt if that is wanted. */
static inline void vqm_mock_refer_(struct vqm_mock *m, uint16_t head, struct vqm_gpa table,
				   uint16_t count)
{
	struct vqm_mock_buf b = {table, 16u * count};
	uint16_t flags = VQM_DESC_F_INDIRECT;

	if (m->lie == VQM_LIE_INDIRECT_EMPTY)
		b.len = 0;
	if (m->lie == VQM_LIE_INDIRECT_ODD)
		b.len += 8;
	if (m->lie == VQM_LIE_INDIRECT_HUGE)
		b.len = 0xfffffff0u;
	if (m->lie == VQM_LIE_INDIRECT_NEXT)
		flags |= VQM_DESC_F_NEXT;
	vqm_mock_put_desc_(m, &m->desc[head], &b, flags, m->chain[head].next);
}

VQM_API int vqm_mock_add_indirect(struct vqm_mock *m, struct vqm_gpa table,
				  const struct vqm_mock_buf *out, uint16_t n_out,
				  const struct vqm_mock_buf *in, uint16_t n_in, void *token)
{
	struct vqm_mock_list_ l = {out, in, n_out, (uint16_t)(n_out + n_in)};
	uint8_t *t = (uint8_t *)vqm_mock_at(m, table, 16ull * l.count);
	int head = t && l.count ? vqm_mock_take_(m, 1) : -EINVAL;
	uint16_t i, flags;

	if (head < 0)
		return head;
	for (i = 0; i < l.count; i++) {
		struct vqm_mock_buf b = vqm_mock_nth_(m, &l, i, &flags);
		uint16_t next = vqm_mock_spoil_next_(m, i, l.count, 0, (uint16_t)(i + 1));

		vqm_mock_put_desc_(m, (struct vqm_desc *)(void *)(t + 16u * i), &b, flags, next);
	}
	vqm_mock_refer_(m, (uint16_t)head, table, l.count);
	return vqm_mock_offer_(m, (uint16_t)head, 1, &l, token);
}

#endif /* VQMETA_IMPL_MOCK_ADD_H */
