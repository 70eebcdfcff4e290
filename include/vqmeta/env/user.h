/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The surroundings of a user-space program: GNU atomics on plain integers, pthread locks. */
#ifndef VQMETA_ENV_USER_H
#define VQMETA_ENV_USER_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <vqmeta/env/user_atomic.h>
#include <vqmeta/env/user_membarrier.h>
#include <vqmeta/env/user_wire.h>

#ifdef VQM_HAVE_URCU
#include <vqmeta/env/user_rcu.h>
#else
#include <vqmeta/env/no_rcu.h>
#endif

#define VQM_LIKELY(x)	  __builtin_expect(!!(x), 1)
#define VQM_UNLIKELY(x)	  __builtin_expect(!!(x), 0)
#define VQM_NOINLINE	  __attribute__((__noinline__, __unused__))
#define VQM_ALWAYS_INLINE static inline __attribute__((__always_inline__, __unused__))
#define VQM_CACHE_ALIGNED __attribute__((__aligned__(64)))

static inline vqm_wire16 vqm_env_load16(const vqm_wire16 *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

static inline vqm_wire16 vqm_env_load16_acquire(const vqm_wire16 *p)
{
	return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static inline vqm_wire32 vqm_env_load32(const vqm_wire32 *p)
{
	return __atomic_load_n(p, __ATOMIC_RELAXED);
}

/* Once is what counts; a 32-bit processor may take two steps. */
static inline vqm_wire64 vqm_env_load64(const vqm_wire64 *p)
{
	return *(const volatile vqm_wire64 *)p;
}

static inline void vqm_env_store16(vqm_wire16 *p, vqm_wire16 v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

static inline void vqm_env_store16_release(vqm_wire16 *p, vqm_wire16 v)
{
	__atomic_store_n(p, v, __ATOMIC_RELEASE);
}

static inline void vqm_env_store32(vqm_wire32 *p, vqm_wire32 v)
{
	__atomic_store_n(p, v, __ATOMIC_RELAXED);
}

/* Volatile: the compiler must neither repeat nor drop the load. */
typedef vqm_wire64 __attribute__((__may_alias__)) vqm_env_alias64;

struct vqm_env_packed64 {
	vqm_wire64 v;
} __attribute__((__packed__, __may_alias__));

static inline vqm_wire64 vqm_env_load64_alias(const void *p)
{
	return *(const volatile vqm_env_alias64 *)p;
}

static inline vqm_wire64 vqm_env_load64_unaligned(const void *p)
{
	return ((const volatile struct vqm_env_packed64 *)p)->v;
}

static inline void *vqm_env_self(void)
{
	return (void *)(uintptr_t)pthread_self();
}

/* Debug builds only: the caller broke a contract. */
static inline void vqm_env_bug(const char *what)
{
	fprintf(stderr, "vqmeta: %s\n", what);
	abort();
}

struct vqm_env_lock {
	pthread_mutex_t mutex;
};

static inline void vqm_env_lock_init(struct vqm_env_lock *l)
{
	pthread_mutex_init(&l->mutex, NULL);
}

static inline void vqm_env_lock_fini(struct vqm_env_lock *l)
{
	pthread_mutex_destroy(&l->mutex);
}

static inline void vqm_env_lock(struct vqm_env_lock *l)
{
	pthread_mutex_lock(&l->mutex);
}

static inline bool vqm_env_trylock(struct vqm_env_lock *l)
{
	return pthread_mutex_trylock(&l->mutex) == 0;
}

static inline void vqm_env_unlock(struct vqm_env_lock *l)
{
	pthread_mutex_unlock(&l->mutex);
}

static inline void *vqm_env_alloc(size_t size)
{
	return calloc(1, size);
}

static inline void vqm_env_free(void *p)
{
	free(p);
}

static inline void vqm_env_zero(void *p, size_t size)
{
	__builtin_memset(p, 0, size);
}

static inline void vqm_env_copy(void *dst, const void *src, size_t size)
{
	__builtin_memcpy(dst, src, size);
}

#endif /* VQMETA_ENV_USER_H */
