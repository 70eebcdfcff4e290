/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <vqmeta/env.h>
#include <vqmeta/version.h>

/* Of the library that was linked; the macros tell the version of the headers. */
VQM_API uint32_t vqm_version(void)
{
	return VQM_VERSION_MAJOR << 16 | VQM_VERSION_MINOR << 8 | VQM_VERSION_PATCH;
}
