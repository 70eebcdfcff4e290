/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The surroundings of a user-space program whose allocator fails on request. */
#ifndef NOMEM_ENV_H
#define NOMEM_ENV_H

#define vqm_env_alloc vqm_env_alloc_for_real
#include <vqmeta/env/user.h>
#undef vqm_env_alloc

/* Allocation number nomem_fail_at from now fails; 0: none. nomem_largest: the largest asked for. */
static uint32_t nomem_fail_at;
static size_t nomem_largest;

static inline void *vqm_env_alloc(size_t size)
{
	if (size > nomem_largest)
		nomem_largest = size;
	if (nomem_fail_at > 0 && --nomem_fail_at == 0)
		return NULL;
	return vqm_env_alloc_for_real(size);
}

#endif /* NOMEM_ENV_H */
