/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A device with three maps over one bank of memory, for the tests of mapping and invalidation. */
#ifndef MAPS_H
#define MAPS_H

#include <vqmeta/map.h>

#include "guest.h"
#include "strategies.h"

enum {
	MAPS = 3,
	MAPS_DESC = 0x1000,
	MAPS_AVAIL = 0x2000,
	MAPS_USED = 0x3000, /* the last byte of its area is 0x3fff */
};

enum { /* areas as bits, see maps_has() */
       DESC = 1 << VQM_AREA_DESC,
       AVAIL = 1 << VQM_AREA_AVAIL,
       USED = 1 << VQM_AREA_USED,
       ALL = DESC | AVAIL | USED,
};

struct maps {
	const struct strategy *s;
	struct guest g;
	struct vqm_dev dev;
	struct vqm_map map[MAPS];
	struct vqm_area_addr addr[VQM_AREA_COUNT];
};

/* Setup and teardown for cmocka; the initial state is a struct strategy. All areas are mapped. */
int maps_setup(void **state);
int maps_teardown(void **state);

struct vqm_uva maps_uva(uint64_t gpa);
/* A table of the first bank, at @host; of the caller. */
struct vqm_regions *maps_table(const struct maps *m, uint8_t *host);
/* What a section of the map sees. */
struct vqm_view maps_view(struct vqm_map *map);
/* Does map @i have exactly these areas, where the guest has them? Bits by enum vqm_area. */
bool maps_has(struct maps *m, uint32_t i, uint32_t areas);

/* Another thread publishes the used area of a map: in a section a worker must not do so itself. */
int maps_publish_elsewhere(struct maps *m, uint32_t i);

/* For an invalidation that should not have to wait: does not, where the strategy can tell. */
static inline enum vqm_wait maps_no_wait(const struct maps *m)
{
	return m->s->tells ? VQM_NO_WAIT : VQM_MAY_WAIT;
}

static inline struct maps *maps_of(void **state)
{
	return (struct maps *)*state;
}

#endif /* MAPS_H */
