/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Read-copy-update of a user-space program: liburcu, flavours "memb" and "qsbr". Used where
 * VQM_HAVE_URCU is defined. A section of "memb" is two calls; with _LGPL_SOURCE defined as well, if
 * its terms suit, it is inline (the full barriers of that code are then mfence).
 */
#ifndef VQMETA_ENV_USER_RCU_H
#define VQMETA_ENV_USER_RCU_H

#include <urcu/urcu-memb.h>
#include <urcu/urcu-qsbr.h>
#include <vqmeta/env/user_tsan.h>

static inline int vqm_env_rcu_init(void)
{
	return 0;
}

static inline int vqm_env_rcu_qsbr_init(void)
{
	return 0;
}

static inline void vqm_env_rcu_attach(void)
{
	urcu_memb_register_thread();
}

static inline void vqm_env_rcu_detach(void)
{
	urcu_memb_unregister_thread();
}

static inline void vqm_env_rcu_qsbr_attach(void)
{
	urcu_qsbr_register_thread();
}

static inline void vqm_env_rcu_qsbr_detach(void)
{
	vqm_env_tsan_release_(urcu_qsbr_synchronize_rcu);
	urcu_qsbr_unregister_thread();
}

static inline void vqm_env_rcu_qsbr_quiescent(void)
{
	vqm_env_tsan_release_(urcu_qsbr_synchronize_rcu);
	urcu_qsbr_quiescent_state();
}

static inline void vqm_env_rcu_qsbr_offline(void)
{
	vqm_env_tsan_release_(urcu_qsbr_synchronize_rcu);
	urcu_qsbr_thread_offline();
}

static inline void vqm_env_rcu_qsbr_online(void)
{
	urcu_qsbr_thread_online();
}

static inline bool vqm_env_rcu_qsbr_is_online(void)
{
	return urcu_qsbr_read_ongoing();
}

static inline bool vqm_env_rcu_is_inside(void)
{
	return urcu_memb_read_ongoing();
}

static inline void vqm_env_rcu_begin(void)
{
	urcu_memb_read_lock();
}

static inline void vqm_env_rcu_end(void)
{
	vqm_env_tsan_release_(urcu_memb_synchronize_rcu);
	urcu_memb_read_unlock();
}

static inline void vqm_env_rcu_wait(void)
{
	urcu_memb_synchronize_rcu();
	vqm_env_tsan_acquire_(urcu_memb_synchronize_rcu);
}

/* There is nothing to mark: a section is what lies between two quiescent states. */
static inline void vqm_env_rcu_qsbr_begin(void)
{
	__asm__ __volatile__("" ::: "memory");
}

static inline void vqm_env_rcu_qsbr_end(void)
{
	__asm__ __volatile__("" ::: "memory");
}

static inline void vqm_env_rcu_qsbr_wait(void)
{
	urcu_qsbr_synchronize_rcu();
	vqm_env_tsan_acquire_(urcu_qsbr_synchronize_rcu);
}

#endif /* VQMETA_ENV_USER_RCU_H */
