/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The surroundings of a user-space program in which a waiting loop makes something happen. */
#ifndef RELAX_ENV_H
#define RELAX_ENV_H

#define vqm_env_relax real_relax
#include <vqmeta/env/user.h>
#undef vqm_env_relax

static void (*relax_hook)(void); /* called in place of each pause */

static inline void vqm_env_relax(unsigned int spins)
{
	(void)spins;
	relax_hook();
}

#endif /* RELAX_ENV_H */
