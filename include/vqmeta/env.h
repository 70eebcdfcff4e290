/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_ENV_H
#define VQMETA_ENV_H

/*
 * The only file that knows where it is compiled. An environment supplies:
 *
 *   types      uint8_t .. uint64_t, uintptr_t, size_t, bool, NULL, UINT32_MAX, UINT64_MAX
 *   errors     EAGAIN EBUSY EFAULT EINVAL EIO ENOBUFS ENOENT ENOMEM ENOTCONN ENOTRECOVERABLE
 *              EOPNOTSUPP ESTALE EEXIST ERANGE
 *   wire words vqm_wire16 vqm_wire32 vqm_wire64: what a ring holds, in the order of its queue
 *   wire loads and stores, single accesses, relaxed unless the name says otherwise
 *              vqm_env_load16(p) vqm_env_load16_acquire(p) vqm_env_load32(p) vqm_env_load64(p)
 *              vqm_env_store16(p, v) vqm_env_store16_release(p, v) vqm_env_store32(p, v)
 *              vqm_env_load64_alias(p): 8 aligned bytes of any type, once
 *              vqm_env_load64_unaligned(p): the same at any address
 *   byte order VQM_ENV_BIG_ENDIAN (0 or 1), vqm_env_swap16(v) vqm_env_swap32(v) vqm_env_swap64(v)
 *              vqm_env_wire16(v) vqm_env_unwire16(w) and 32, 64: reinterpret, no swap
 *   words      unsigned long shared between threads
 *              vqm_env_load_word(p) _load_word_acquire(p) _store_word(p, v)
 *              _store_word_release(p, v) _fetch_add_word(p, v) _cas_word(p, old, new)
 *              _or_word(p, v) _or_word_mb(p, v): full barrier before and after
 *              _and_word_release(p, v)
 *   pointers   vqm_env_load_ptr(pp) vqm_env_load_ptr_acquire(pp) vqm_env_store_ptr(pp, v)
 *              vqm_env_store_ptr_release(pp, v)
 *   references vqm_env_ref_get(p) vqm_env_ref_put(p): true when the last one went, on unsigned int
 *   barriers   vqm_env_mb() full, vqm_env_rmb() acquire fence, vqm_env_wmb() release fence,
 *              vqm_env_barrier() for the compiler only,
 *              vqm_env_relax(spins): called in a waiting loop, may give the processor away
 *   asymmetric vqm_env_asym_init(): 0, or -EOPNOTSUPP where the next one cannot work,
 *              vqm_env_asym_barrier(): full barrier on every processor that runs a reader
 *   RCU        as env/no_rcu.h, which an environment without it can include
 *   lock       struct vqm_env_lock, vqm_env_lock_init(l) _fini(l), vqm_env_lock(l)
 *              vqm_env_trylock(l) vqm_env_unlock(l): may sleep, cold paths only
 *   memory     vqm_env_alloc(size): zeroed or NULL, vqm_env_free(p),
 *              vqm_env_copy(dst, src, size), vqm_env_zero(p, size)
 *   debugging  vqm_env_self(): a pointer that tells threads apart, vqm_env_bug(text): does not
 *              return; both called only when VQM_DEBUG is defined
 *   compiler   VQM_LIKELY(x) VQM_UNLIKELY(x) VQM_NOINLINE VQM_ALWAYS_INLINE VQM_CACHE_ALIGNED
 */
#if defined(VQM_ENV_HEADER)
#include VQM_ENV_HEADER
#else
#include <vqmeta/env/user.h>
#endif

/* A debug build checks its callers as well; nothing else about it differs. */
enum {
#ifdef VQM_DEBUG
	VQM_DEBUG_ = 1,
#else
	VQM_DEBUG_ = 0,
#endif
};

/* Hot functions: inline in every mode. */
#ifndef VQM_INLINE
#define VQM_INLINE static inline
#endif

/* Cold functions: exported by the library, or a copy in each unit that is header-only. */
#if defined(VQM_HEADER_ONLY)
#define VQM_API static VQM_NOINLINE
#elif defined(__cplusplus)
#define VQM_API extern "C" __attribute__((__visibility__("default")))
#else
#define VQM_API extern __attribute__((__visibility__("default")))
#endif

/* The same off the hot path: the compiler lays out the callers around it. */
#define VQM_SLOW VQM_API __attribute__((__cold__))

#endif /* VQMETA_ENV_H */
