/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_VERSION_H
#define VQMETA_IMPL_VERSION_H

#include <vqmeta/version.h>

VQM_API uint32_t vqm_version(void)
{
	return VQM_VERSION_MAJOR << 16 | VQM_VERSION_MINOR << 8 | VQM_VERSION_PATCH;
}

#endif /* VQMETA_IMPL_VERSION_H */
