/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Out-of-line copies of the cold functions of vqmeta/regions.h. */
#include <vqmeta/impl/regions.h>
#include <vqmeta/regions.h>
