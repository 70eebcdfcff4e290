/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The lock of a device: every function of it and of its queues' mappings runs under it. */
#ifndef VQMETA_IMPL_LOCK_H
#define VQMETA_IMPL_LOCK_H

#include <vqmeta/map.h>

/* Waiting for the lock in a section is a deadlock, since its holder may wait for that section. */
static inline void vqm_dev_check_caller_(struct vqm_dev *dev)
{
	struct vqm_map *map;

	for (map = dev->maps; map; map = map->next)
		vqm_guard_outside_(&map->guard);
}

/* Its holder may also wait until this thread is quiescent: be offline meanwhile. */
static inline void vqm_dev_lock_(struct vqm_dev *dev)
{
	bool online = vqm_env_rcu_qsbr_is_online();

	if (VQM_DEBUG_)
		vqm_assert_(vqm_env_load_ptr(&dev->owner) != vqm_env_self(),
			    "a device called from its own callback");
	if (online)
		vqm_env_rcu_qsbr_offline();
	vqm_env_lock(&dev->lock);
	dev->online = online;
	if (VQM_DEBUG_) {
		vqm_dev_check_caller_(dev);
		vqm_env_store_ptr(&dev->owner, vqm_env_self());
	}
}

/* Does not wait, so it may be called in a section. */
static inline bool vqm_dev_try_lock_(struct vqm_dev *dev)
{
	if (!vqm_env_trylock(&dev->lock))
		return false;
	dev->online = false;
	if (VQM_DEBUG_)
		vqm_env_store_ptr(&dev->owner, vqm_env_self());
	return true;
}

static inline void vqm_dev_unlock_(struct vqm_dev *dev)
{
	bool online = dev->online;

	if (VQM_DEBUG_)
		vqm_env_store_ptr(&dev->owner, NULL);
	vqm_env_unlock(&dev->lock);
	if (online)
		vqm_env_rcu_qsbr_online();
}

#endif /* VQMETA_IMPL_LOCK_H */
