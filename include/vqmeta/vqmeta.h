/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Everything but the mock driver and the vhost-user server. */
#ifndef VQMETA_VQMETA_H
#define VQMETA_VQMETA_H

#include <vqmeta/queue.h>
#include <vqmeta/version.h>

#endif /* VQMETA_VQMETA_H */
