/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The only place where the version is written; the build reads it from here. */
#ifndef VQMETA_VERSION_H
#define VQMETA_VERSION_H

#include <vqmeta/env.h>

#define VQM_VERSION_MAJOR 0
#define VQM_VERSION_MINOR 1
#define VQM_VERSION_PATCH 0

/**
 * vqm_version() - version of the library that runs, where the macros tell that of the headers
 *
 * Return: major << 16 | minor << 8 | patch.
 */
VQM_API uint32_t vqm_version(void);

#ifdef VQM_HEADER_ONLY
#include <vqmeta/impl/version.h>
#endif

#endif /* VQMETA_VERSION_H */
