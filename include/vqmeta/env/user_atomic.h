/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the threads of a user-space program share, and its barriers: GNU atomics. */
#ifndef VQMETA_ENV_USER_ATOMIC_H
#define VQMETA_ENV_USER_ATOMIC_H

#include <sched.h>
#include <stdbool.h>

static inline unsigned long vqm_env_load_word(const unsigned long *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline unsigned long vqm_env_load_word_acquire(const unsigned long *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static inline void vqm_env_store_word(unsigned long *p, unsigned long v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

static inline void vqm_env_store_word_release(unsigned long *p, unsigned long v)
{
	__atomic_store_n(p, v, __ATOMIC_RELEASE);
}

static inline unsigned long vqm_env_fetch_add_word(unsigned long *p, unsigned long v)
{
	return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);
}

static inline bool vqm_env_cas_word(unsigned long *p, unsigned long from, unsigned long to)
{
	return __atomic_compare_exchange_n(p, &from, to, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

static inline void vqm_env_or_word(unsigned long *p, unsigned long bits)
{
	__atomic_fetch_or(p, bits, __ATOMIC_RELAXED);
}

static inline void vqm_env_and_word_release(unsigned long *p, unsigned long bits)
{
	__atomic_fetch_and(p, bits, __ATOMIC_RELEASE);
}

static inline void *vqm_env_load_ptr(void *const *pp)
{
	return __atomic_load_n(pp, __ATOMIC_RELAXED);
}

static inline void vqm_env_store_ptr(void **pp, void *v)
{
	__atomic_store_n(pp, v, __ATOMIC_RELAXED);
}

static inline void *vqm_env_load_ptr_acquire(void *const *pp)
{
	return __atomic_load_n(pp, __ATOMIC_ACQUIRE);
}

static inline void vqm_env_store_ptr_release(void **pp, void *v)
{
	__atomic_store_n(pp, v, __ATOMIC_RELEASE);
}

static inline void vqm_env_ref_get(unsigned int *p)
{
	__atomic_fetch_add(p, 1, __ATOMIC_RELAXED);
}

static inline bool vqm_env_ref_put(unsigned int *p)
{
	return __atomic_fetch_sub(p, 1, __ATOMIC_ACQ_REL) == 1;
}

/* For the compiler only. */
static inline void vqm_env_barrier(void)
{
	__asm__ __volatile__("" ::: "memory");
}

/* A locked add to the stack orders a store before a load for half the price of mfence. */
static inline void vqm_env_mb(void)
{
#if defined(__x86_64__)
	__asm__ __volatile__("lock; addl $0,-128(%%rsp)" ::: "memory", "cc");
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/* A locked instruction is a full barrier by itself on x86. */
static inline void vqm_env_or_word_mb(unsigned long *p, unsigned long bits)
{
#if defined(__x86_64__)
	__atomic_fetch_or(p, bits, __ATOMIC_SEQ_CST);
	vqm_env_barrier();
#else
	__atomic_fetch_or(p, bits, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

static inline void vqm_env_rmb(void)
{
#if defined(__x86_64__)
	__asm__ __volatile__("" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

static inline void vqm_env_wmb(void)
{
#if defined(__x86_64__)
	__asm__ __volatile__("" ::: "memory");
#else
	__atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

/* The thread waited for may have been preempted: spin shortly, then let it run. */
static inline void vqm_env_relax(unsigned int spins)
{
	if (spins >= 64) {
		sched_yield();
		return;
	}
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("yield" ::: "memory");
#endif
}

#endif /* VQMETA_ENV_USER_ATOMIC_H */
