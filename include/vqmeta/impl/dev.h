/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_DEV_H
#define VQMETA_IMPL_DEV_H

#include <vqmeta/impl/lock.h>

VQM_API int vqm_dev_init(struct vqm_dev *dev)
{
	struct vqm_regions *empty;
	int err;

	if (dev->regions)
		return -EBUSY;
	err = vqm_regions_build(&empty, NULL, 0);
	if (err)
		return err;
	vqm_env_zero(dev, sizeof(*dev));
	dev->regions = empty;
	vqm_env_lock_init(&dev->lock);
	return 0;
}

VQM_API int vqm_dev_fini(struct vqm_dev *dev)
{
	if (!dev->regions)
		return -EINVAL;
	if (dev->maps)
		return -EBUSY;
	vqm_regions_release(dev->regions);
	dev->regions = NULL;
	vqm_env_lock_fini(&dev->lock);
	return 0;
}

VQM_API void vqm_dev_set_unmapped(struct vqm_dev *dev, vqm_unmapped_fn *fn, void *arg)
{
	vqm_dev_lock_(dev);
	dev->unmapped = fn;
	dev->unmapped_arg = arg;
	vqm_dev_unlock_(dev);
}

VQM_API struct vqm_regions *vqm_dev_regions(struct vqm_dev *dev)
{
	struct vqm_regions *t;

	vqm_dev_lock_(dev);
	t = dev->regions;
	vqm_regions_hold(t);
	vqm_dev_unlock_(dev);
	return t;
}

#endif /* VQMETA_IMPL_DEV_H */
