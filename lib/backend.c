/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Out-of-line copies of the cold functions of vqmeta/backend.h. */
#include <vqmeta/backend.h>
#include <vqmeta/impl/backend.h>
