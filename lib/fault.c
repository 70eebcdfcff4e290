/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Out-of-line copies of the cold functions of vqmeta/fault.h. */
#include <vqmeta/fault.h>
#include <vqmeta/impl/fault.h>
