/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What an environment with read-copy-update supplies, for one that has none: both kinds are
 * refused by init, and nothing else is ever called.
 */
#ifndef VQMETA_ENV_NO_RCU_H
#define VQMETA_ENV_NO_RCU_H

/* Whether there is one: 0, -EOPNOTSUPP. */
static inline int vqm_env_rcu_init(void)
{
	return -EOPNOTSUPP;
}

static inline int vqm_env_rcu_qsbr_init(void)
{
	return -EOPNOTSUPP;
}

/* A thread that will run sections, and one that will not any more. */
static inline void vqm_env_rcu_attach(void) {}

static inline void vqm_env_rcu_detach(void) {}

static inline void vqm_env_rcu_qsbr_attach(void) {}

static inline void vqm_env_rcu_qsbr_detach(void) {}

/* The thread is in no section: at this moment, from here, until here. */
static inline void vqm_env_rcu_qsbr_quiescent(void) {}

static inline void vqm_env_rcu_qsbr_offline(void) {}

static inline void vqm_env_rcu_qsbr_online(void) {}

static inline bool vqm_env_rcu_qsbr_is_online(void)
{
	return false;
}

/* Read-side critical section, and a grace period. */
static inline bool vqm_env_rcu_is_inside(void)
{
	return false;
}

static inline void vqm_env_rcu_begin(void) {}

static inline void vqm_env_rcu_end(void) {}

static inline void vqm_env_rcu_wait(void) {}

static inline void vqm_env_rcu_qsbr_begin(void) {}

static inline void vqm_env_rcu_qsbr_end(void) {}

static inline void vqm_env_rcu_qsbr_wait(void) {}

#endif /* VQMETA_ENV_NO_RCU_H */
