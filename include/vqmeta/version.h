/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_VERSION_H
#define VQMETA_VERSION_H

#define VQM_VERSION_MAJOR 0
#define VQM_VERSION_MINOR 1
#define VQM_VERSION_PATCH 0

#endif /* VQMETA_VERSION_H */
