/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Strategy "none": the caller sees to it that nothing of dev.h and map.h runs during a section,
 * not only no invalidation: whatever changes a mapping rewrites what the section looks at.
 */
#ifndef VQMETA_SYNC_NONE_H
#define VQMETA_SYNC_NONE_H

#include <vqmeta/sync/guard.h>

VQM_INLINE void vqm_none_begin_(struct vqm_guard *g)
{
	(void)g;
}

VQM_INLINE void vqm_none_end_(struct vqm_guard *g)
{
	(void)g;
}

VQM_INLINE void vqm_none_barrier_(struct vqm_guard *g)
{
	(void)g;
}

VQM_INLINE int vqm_none_wait_(struct vqm_guard *g, bool may_wait)
{
	(void)g;
	(void)may_wait;
	return 0;
}

#endif /* VQMETA_SYNC_NONE_H */
