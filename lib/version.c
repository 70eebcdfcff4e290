/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Out-of-line copies of the cold functions of vqmeta/version.h. */
#include <vqmeta/version.h>

#include <vqmeta/impl/version.h>
