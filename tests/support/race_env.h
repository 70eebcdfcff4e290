/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The surroundings of a user-space program in which something happens at every full barrier. */
#ifndef RACE_ENV_H
#define RACE_ENV_H

#define vqm_env_mb real_mb
#include <vqmeta/env/user.h>
#undef vqm_env_mb

/* Called before full barrier number race_at from now; 0: never. */
static void (*race_hook)(void);
static uint32_t race_at;

static inline void vqm_env_mb(void)
{
	if (race_at > 0 && --race_at == 0)
		race_hook();
	real_mb();
}

#endif /* RACE_ENV_H */
