/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Out-of-line copies of the cold functions of vqmeta/queue.h. */
#include <vqmeta/impl/queue_start.h>
#include <vqmeta/queue.h>
