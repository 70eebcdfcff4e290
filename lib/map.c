/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Out-of-line copies of the cold functions of vqmeta/map.h. */
#include <vqmeta/impl/invalidate.h>
#include <vqmeta/map.h>
