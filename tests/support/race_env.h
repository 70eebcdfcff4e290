/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The surroundings of a user-space program in which something happens at a barrier, be it the
 * invalidator's own or the one that the readers of "asym" pay nothing for.
 */
#ifndef RACE_ENV_H
#define RACE_ENV_H

#include <pthread.h>
#include <stdint.h>

static uint32_t race_locks; /* how often a lock was waited for */

static inline int race_mutex_lock(pthread_mutex_t *m)
{
	race_locks++;
	return pthread_mutex_lock(m);
}

#define pthread_mutex_lock   race_mutex_lock
#define vqm_env_mb	     real_mb
#define vqm_env_asym_barrier real_asym_barrier
#include <vqmeta/env/user.h>
#undef pthread_mutex_lock
#undef vqm_env_mb
#undef vqm_env_asym_barrier

/* Called before barrier number race_at from now; 0: never. */
static void (*race_hook)(void);
static uint32_t race_at;
static uint32_t race_barriers; /* all of them */

static inline void race_step(void)
{
	race_barriers++;
	if (race_at > 0 && --race_at == 0)
		race_hook();
}

static inline void vqm_env_mb(void)
{
	race_step();
	real_mb();
}

static inline void vqm_env_asym_barrier(void)
{
	race_step();
	real_asym_barrier();
}

#endif /* RACE_ENV_H */
