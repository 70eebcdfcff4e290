/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What vqmeta/env.h asks for, from nothing but the compiler: no C library, no operating system.
 * Wire words are structures here, so that a missing conversion does not compile.
 */
#ifndef VQMETA_FREESTANDING_ENV_H
#define VQMETA_FREESTANDING_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ENOENT = 2,
	EIO = 5,
	EAGAIN = 11,
	ENOMEM = 12,
	EFAULT = 14,
	EBUSY = 16,
	EEXIST = 17,
	EINVAL = 22,
	ERANGE = 34,
	EOPNOTSUPP = 95,
	ENOBUFS = 105,
	ENOTCONN = 107,
	ESTALE = 116,
	ENOTRECOVERABLE = 131,
};

#define VQM_LIKELY(x)	  __builtin_expect(!!(x), 1)
#define VQM_UNLIKELY(x)	  __builtin_expect(!!(x), 0)
#define VQM_NOINLINE	  __attribute__((__noinline__, __unused__))
#define VQM_ALWAYS_INLINE static inline __attribute__((__always_inline__, __unused__))
#define VQM_CACHE_ALIGNED __attribute__((__aligned__(64)))

/* Byte order and wire words. */

#define VQM_ENV_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

#define vqm_env_swap16(v) __builtin_bswap16(v)
#define vqm_env_swap32(v) __builtin_bswap32(v)
#define vqm_env_swap64(v) __builtin_bswap64(v)

typedef struct {
	uint16_t v;
} vqm_wire16;

typedef struct {
	uint32_t v;
} vqm_wire32;

typedef struct {
	uint64_t v;
} vqm_wire64;

static inline vqm_wire16 vqm_env_wire16(uint16_t v)
{
	vqm_wire16 w = {v};

	return w;
}

static inline vqm_wire32 vqm_env_wire32(uint32_t v)
{
	vqm_wire32 w = {v};

	return w;
}

static inline vqm_wire64 vqm_env_wire64(uint64_t v)
{
	vqm_wire64 w = {v};

	return w;
}

#define vqm_env_unwire16(w) ((w).v)
#define vqm_env_unwire32(w) ((w).v)
#define vqm_env_unwire64(w) ((w).v)

static inline vqm_wire16 vqm_env_load16(const vqm_wire16 *p)
{
	return vqm_env_wire16(__atomic_load_n(&p->v, __ATOMIC_RELAXED));
}

static inline vqm_wire16 vqm_env_load16_acquire(const vqm_wire16 *p)
{
	return vqm_env_wire16(__atomic_load_n(&p->v, __ATOMIC_ACQUIRE));
}

static inline vqm_wire32 vqm_env_load32(const vqm_wire32 *p)
{
	return vqm_env_wire32(__atomic_load_n(&p->v, __ATOMIC_RELAXED));
}

static inline vqm_wire64 vqm_env_load64(const vqm_wire64 *p)
{
	return vqm_env_wire64(__atomic_load_n(&p->v, __ATOMIC_RELAXED));
}

static inline void vqm_env_store16(vqm_wire16 *p, vqm_wire16 w)
{
	__atomic_store_n(&p->v, w.v, __ATOMIC_RELAXED);
}

static inline void vqm_env_store16_release(vqm_wire16 *p, vqm_wire16 w)
{
	__atomic_store_n(&p->v, w.v, __ATOMIC_RELEASE);
}

static inline void vqm_env_store32(vqm_wire32 *p, vqm_wire32 w)
{
	__atomic_store_n(&p->v, w.v, __ATOMIC_RELAXED);
}

typedef uint64_t vqm_env_alias64 __attribute__((__may_alias__));
typedef uint64_t vqm_env_unaligned64 __attribute__((__may_alias__, __aligned__(1)));

static inline vqm_wire64 vqm_env_load64_alias(const void *p)
{
	return vqm_env_wire64(__atomic_load_n((const vqm_env_alias64 *)p, __ATOMIC_RELAXED));
}

static inline vqm_wire64 vqm_env_load64_unaligned(const void *p)
{
	return vqm_env_wire64(*(const volatile vqm_env_unaligned64 *)p);
}

/* What threads share. */

#define vqm_env_load_word(p)		 __atomic_load_n((p), __ATOMIC_RELAXED)
#define vqm_env_load_word_acquire(p)	 __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define vqm_env_store_word(p, v)	 __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define vqm_env_store_word_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define vqm_env_fetch_add_word(p, v)	 __atomic_fetch_add((p), (v), __ATOMIC_RELAXED)

static inline bool vqm_env_cas_word(unsigned long *p, unsigned long from, unsigned long to)
{
	return __atomic_compare_exchange_n(p, &from, to, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#define vqm_env_or_word(p, v)	       ((void)__atomic_fetch_or((p), (v), __ATOMIC_RELAXED))
#define vqm_env_or_word_mb(p, v)       ((void)__atomic_fetch_or((p), (v), __ATOMIC_SEQ_CST))
#define vqm_env_and_word_release(p, v) ((void)__atomic_fetch_and((p), (v), __ATOMIC_RELEASE))

#define vqm_env_load_ptr(pp)		 __atomic_load_n((pp), __ATOMIC_RELAXED)
#define vqm_env_store_ptr(pp, v)	 __atomic_store_n((pp), (v), __ATOMIC_RELAXED)
#define vqm_env_load_ptr_acquire(pp)	 __atomic_load_n((pp), __ATOMIC_ACQUIRE)
#define vqm_env_store_ptr_release(pp, v) __atomic_store_n((pp), (v), __ATOMIC_RELEASE)

#define vqm_env_ref_get(p) ((void)__atomic_fetch_add((p), 1, __ATOMIC_RELAXED))
#define vqm_env_ref_put(p) (__atomic_fetch_sub((p), 1, __ATOMIC_ACQ_REL) == 1)

#define vqm_env_mb()	     __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define vqm_env_rmb()	     __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define vqm_env_wmb()	     __atomic_thread_fence(__ATOMIC_RELEASE)
#define vqm_env_barrier()    __atomic_signal_fence(__ATOMIC_SEQ_CST)
#define vqm_env_relax(spins) ((void)(spins))

/* No system to ask for the barriers of an asymmetric pair, no threads, no RCU. */
#define vqm_env_asym_init()    (-EOPNOTSUPP)
#define vqm_env_asym_barrier() ((void)0)
#define vqm_env_self()	       NULL
#define vqm_env_bug(text)      __builtin_trap()

#include <vqmeta/env/no_rcu.h>

struct vqm_env_lock {
	bool held;
};

static inline void vqm_env_lock_init(struct vqm_env_lock *l)
{
	l->held = false;
}

static inline void vqm_env_lock_fini(struct vqm_env_lock *l)
{
	(void)l;
}

static inline bool vqm_env_trylock(struct vqm_env_lock *l)
{
	return !__atomic_test_and_set(&l->held, __ATOMIC_ACQUIRE);
}

static inline void vqm_env_lock(struct vqm_env_lock *l)
{
	while (!vqm_env_trylock(l))
		;
}

static inline void vqm_env_unlock(struct vqm_env_lock *l)
{
	__atomic_clear(&l->held, __ATOMIC_RELEASE);
}

/* Memory: handed out once, never taken back. */

static inline void *vqm_env_alloc(size_t size)
{
	static _Alignas(64) uint8_t heap[16384];
	static size_t used;
	size_t rounded = (size + 63) & ~(size_t)63;
	void *p = heap + used;

	if (size > sizeof(heap) || rounded > sizeof(heap) - used)
		return NULL;
	used += rounded;
	return p;
}

static inline void vqm_env_free(void *p)
{
	(void)p;
}

static inline void vqm_env_copy(void *dst, const void *src, size_t size)
{
	uint8_t *to = (uint8_t *)dst;
	const uint8_t *from = (const uint8_t *)src;

	while (size--)
		*to++ = *from++;
}

static inline void vqm_env_zero(void *p, size_t size)
{
	uint8_t *to = (uint8_t *)p;

	while (size--)
		*to++ = 0;
}

#endif /* VQMETA_FREESTANDING_ENV_H */
