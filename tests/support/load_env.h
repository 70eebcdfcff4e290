/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The surroundings of a user-space program in which something happens before a load of 16 bits. */
#ifndef LOAD_ENV_H
#define LOAD_ENV_H

#define vqm_env_load16 real_load16
#include <vqmeta/env/user.h>
#undef vqm_env_load16

static void (*load_hook)(void);

static inline vqm_wire16 vqm_env_load16(const vqm_wire16 *p)
{
	if (load_hook)
		load_hook();
	return real_load16(p);
}

#endif /* LOAD_ENV_H */
