/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A piece of a file as a region of guest memory. */
#ifndef VQM_VU_REGION_H
#define VQM_VU_REGION_H

#include <vqmeta/regions.h>

#include "wire.h"

/*
 * Maps what @wire says of the file @fd, which is still needed by the caller only. The mapping in
 * @out has one reference, owned by the caller. Returns 0, or -errno with a reason in @why.
 */
int vqm_vu_region_map(struct vqm_region *out, const struct vqm_vu_region *wire, int fd,
		      const char **why);

#endif /* VQM_VU_REGION_H */
