/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Guest memory: each request makes another table; one that is refused leaves no trace. */
#include "handlers.h"
#include "region.h"

static void install(struct vqm_vhost_user *s, struct vqm_regions *t)
{
	vqm_dev_set_regions(&s->dev, t);
	if (s->config.ops->memory)
		s->config.ops->memory(s->config.ctx);
}

/* The table holds what it refers to. */
static void let_go(const struct vqm_region *r, uint32_t count)
{
	while (count-- > 0)
		vqm_mapping_release(r[count].mapping);
}

/* Overlap in the address space of the front-end: tables look at that of the guest only. */
static bool collides(const struct vqm_region *r, uint32_t count, const struct vqm_region *add)
{
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (r[i].uva.v <= add->uva.v + (add->size - 1) &&
		    add->uva.v <= r[i].uva.v + (r[i].size - 1))
			return true;
	}
	return false;
}

/* Maps all of a message; -errno with nothing left mapped. */
static int map_all(struct vqm_vhost_user *s, struct vqm_region *r)
{
	const struct vqm_vu_table *wire = &s->channel.payload.table;
	uint32_t i;
	int err;

	for (i = 0; i < wire->count; i++) {
		err = vqm_vu_region_map(&r[i], &wire->region[i], s->channel.fds[i], &s->why);
		if (!err && collides(r, i, &r[i])) {
			vqm_mapping_release(r[i].mapping);
			err = vqm_vu_refuse(s, -EINVAL, "regions overlap");
		}
		if (err) {
			let_go(r, i);
			return err;
		}
	}
	return 0;
}

int vqm_vu_set_mem_table(struct vqm_vhost_user *s)
{
	const struct vqm_vu_table *wire = &s->channel.payload.table;
	struct vqm_region r[VQM_VU_TABLE];
	struct vqm_regions *t;
	uint32_t room = s->channel.header.size - offsetof(struct vqm_vu_table, region);
	int err;

	/* User-mode Linux sends room for more regions than there are. */
	if (room % sizeof(wire->region[0]) || wire->count > room / sizeof(wire->region[0]))
		return vqm_vu_malformed(s, "bad size");
	if (wire->count != s->channel.n_fds)
		return vqm_vu_malformed(s, "not one file for each region");
	if (wire->count > s->config.max_regions)
		return vqm_vu_refuse(s, -ENOSPC, "too many regions");
	err = map_all(s, r);
	if (err)
		return err;
	err = vqm_regions_build(&t, r, wire->count);
	let_go(r, wire->count);
	if (err)
		return vqm_vu_refuse(s, err, "regions overlap, or no memory");
	install(s, t);
	return 0;
}

int vqm_vu_get_max_mem_slots(struct vqm_vhost_user *s)
{
	s->channel.payload.u64 = s->config.max_regions;
	return sizeof(s->channel.payload.u64);
}

static int add(struct vqm_vhost_user *s, const struct vqm_regions *old, struct vqm_regions **t)
{
	struct vqm_region r;
	int err;

	if (old->count >= s->config.max_regions)
		return vqm_vu_refuse(s, -ENOSPC, "too many regions");
	err = vqm_vu_region_map(&r, &s->channel.payload.single.region, s->channel.fds[0], &s->why);
	if (err)
		return err;
	s->why = "regions overlap, or no memory";
	err = collides(old->region, old->count, &r) ? -EINVAL : vqm_regions_add(t, old, &r);
	vqm_mapping_release(r.mapping);
	return err;
}

int vqm_vu_add_mem_reg(struct vqm_vhost_user *s)
{
	struct vqm_regions *old = vqm_dev_regions(&s->dev), *t;
	int err = add(s, old, &t);

	vqm_regions_release(old);
	if (!err)
		install(s, t);
	return err;
}

/* A file that comes along is closed like any other that nobody takes (VU-45). */
int vqm_vu_rem_mem_reg(struct vqm_vhost_user *s)
{
	const struct vqm_vu_region *wire = &s->channel.payload.single.region;
	struct vqm_region gone = {{wire->gpa}, {wire->uva}, wire->size, NULL, NULL};
	struct vqm_regions *old = vqm_dev_regions(&s->dev), *t;
	int err = vqm_regions_remove(&t, old, &gone);

	vqm_regions_release(old);
	if (err)
		return vqm_vu_refuse(s, err, "no such region");
	install(s, t);
	return 0;
}
