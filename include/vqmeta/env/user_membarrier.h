/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A barrier that the other threads of the process pay for: membarrier(2), Linux 4.14. */
#ifndef VQMETA_ENV_USER_MEMBARRIER_H
#define VQMETA_ENV_USER_MEMBARRIER_H

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#if !defined(__cplusplus) && !defined(__USE_MISC)
extern long syscall(long number, ...); /* strict C11 hides it */
#endif

enum { /* as in <linux/membarrier.h>, which older systems lack */
       VQM_MEMBARRIER_GLOBAL_ = 1 << 0,
       VQM_MEMBARRIER_EXPEDITED_ = 1 << 3,
       VQM_MEMBARRIER_REGISTER_ = 1 << 4,
};

static inline int vqm_env_membarrier_(int command)
{
	return (int)syscall(SYS_membarrier, command, 0, 0);
}

/* Registers the process: once is enough, again is harmless, a fork inherits it. */
static inline int vqm_env_asym_init(void)
{
	return vqm_env_membarrier_(VQM_MEMBARRIER_REGISTER_) ? -EOPNOTSUPP : 0;
}

/*
 * Going on without the barrier is not an option: tries until one way succeeds. It fails only if a
 * system call filter that denies it was set after vqm_env_asym_init(): set filters first.
 */
static inline void vqm_env_asym_barrier(void)
{
	while (vqm_env_membarrier_(VQM_MEMBARRIER_EXPEDITED_) &&
	       vqm_env_membarrier_(VQM_MEMBARRIER_GLOBAL_))
		sched_yield();
}

#endif /* VQMETA_ENV_USER_MEMBARRIER_H */
