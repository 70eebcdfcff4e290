/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What vqmeta/env.h asks for, on memory that Relacy simulates: see cells.h and access.h.
 *
 * Every ordered operation also exists without its order, for text from which an edge was taken
 * away, and loses its order when its edge is to be lost: see edges.h.
 */
#ifndef MODEL_RELACY_ENV_H
#define MODEL_RELACY_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"
#include "edges.h"

#undef VQM_DEBUG /* its assertions are of no edge */

#define VQM_LIKELY(x)	  __builtin_expect(!!(x), 1)
#define VQM_UNLIKELY(x)	  __builtin_expect(!!(x), 0)
#define VQM_NOINLINE	  __attribute__((__noinline__, __unused__))
#define VQM_ALWAYS_INLINE static inline __attribute__((__always_inline__, __unused__))
#define VQM_CACHE_ALIGNED /* storage of Relacy is aligned for a pointer only */

#include <vqmeta/env/user_wire.h>

/* Wire words. */

static inline vqm_wire16 vqm_env_load16(const vqm_wire16 *p)
{
	return (vqm_wire16)model_load(p, false);
}

static inline vqm_wire16 vqm_env_load16_acquire(const vqm_wire16 *p,
						struct model_site at = MODEL_HERE)
{
	return (vqm_wire16)model_load(p, !model_lost("acquire", at));
}

static inline vqm_wire32 vqm_env_load32(const vqm_wire32 *p)
{
	return (vqm_wire32)model_load(p, false);
}

/* A descriptor may be one of the ring or a copy of it. */
static inline vqm_wire64 vqm_env_load64_alias(const void *p)
{
	uint64_t v;

	if (model_is_cell(p))
		return model_load(p, false);
	memcpy(&v, p, sizeof(v));
	return v;
}

static inline vqm_wire64 vqm_env_load64(const vqm_wire64 *p)
{
	return vqm_env_load64_alias(p);
}

static inline vqm_wire64 vqm_env_load64_unaligned(const void *p)
{
	return vqm_env_load64_alias(p);
}

static inline void vqm_env_store16(vqm_wire16 *p, vqm_wire16 v)
{
	model_store(p, v, false);
}

static inline void vqm_env_store16_release(vqm_wire16 *p, vqm_wire16 v,
					   struct model_site at = MODEL_HERE)
{
	model_store(p, v, !model_lost("release", at));
}

static inline void vqm_env_store32(vqm_wire32 *p, vqm_wire32 v)
{
	model_store(p, v, false);
}

/* Words. */

static inline unsigned long vqm_env_load_word(const unsigned long *p)
{
	return (unsigned long)model_load(p, false);
}

static inline unsigned long vqm_env_load_word_acquire(const unsigned long *p,
						      struct model_site at = MODEL_HERE)
{
	return (unsigned long)model_load(p, !model_lost("acquire", at));
}

static inline void vqm_env_store_word(unsigned long *p, unsigned long v)
{
	*p = v;
	model_store(p, v, false);
}

static inline void vqm_env_store_word_release(unsigned long *p, unsigned long v,
					      struct model_site at = MODEL_HERE)
{
	*p = v;
	model_store(p, v, !model_lost("release", at));
}

static inline unsigned long vqm_env_fetch_add_word(unsigned long *p, unsigned long v)
{
	return (unsigned long)model_modify(p, MODEL_ADD, v, rl::mo_relaxed);
}

static inline bool vqm_env_cas_word(unsigned long *p, unsigned long from, unsigned long to)
{
	return model_compare(p, from, to);
}

static inline void vqm_env_or_word(unsigned long *p, unsigned long bits)
{
	model_modify(p, MODEL_OR, bits, rl::mo_relaxed);
}

static inline void vqm_env_or_word_mb(unsigned long *p, unsigned long bits,
				      struct model_site at = MODEL_HERE)
{
	bool lost = model_lost("full", at);

	if (!lost)
		model_fence(rl::mo_seq_cst);
	model_modify(p, MODEL_OR, bits, rl::mo_relaxed);
	if (!lost)
		model_fence(rl::mo_seq_cst);
}

static inline void vqm_env_and_word(unsigned long *p, unsigned long bits)
{
	model_modify(p, MODEL_AND, bits, rl::mo_relaxed);
}

static inline void vqm_env_and_word_release(unsigned long *p, unsigned long bits,
					    struct model_site at = MODEL_HERE)
{
	model_modify(p, MODEL_AND, bits,
		     model_lost("release", at) ? rl::mo_relaxed : rl::mo_release);
}

/* Pointers. */

static inline void *vqm_env_load_ptr(void *const *pp)
{
	return (void *)(uintptr_t)model_load(pp, false);
}

static inline void *vqm_env_load_ptr_acquire(void *const *pp, struct model_site at = MODEL_HERE)
{
	return (void *)(uintptr_t)model_load(pp, !model_lost("acquire", at));
}

/* Told what is about to be published, by whoever also has to write it in the model. */
static void (*model_publishing)(void *v);

static inline void model_store_ptr(void **pp, void *v, bool release)
{
	if (model_publishing)
		model_publishing(v);
	*pp = v;
	model_store(pp, (uintptr_t)v, release);
}

static inline void vqm_env_store_ptr(void **pp, void *v)
{
	model_store_ptr(pp, v, false);
}

static inline void vqm_env_store_ptr_release(void **pp, void *v, struct model_site at = MODEL_HERE)
{
	model_store_ptr(pp, v, !model_lost("release", at));
}

/* Barriers. */

static inline void vqm_env_mb(struct model_site at = MODEL_HERE)
{
	model_interrupt();
	if (model_lost("full", at))
		return;
	model_flush();
	model_fence(rl::mo_seq_cst);
}

static inline void vqm_env_rmb(struct model_site at = MODEL_HERE)
{
	if (!model_lost("acquire", at))
		model_fence(rl::mo_acquire);
}

static inline void vqm_env_wmb(struct model_site at = MODEL_HERE)
{
	if (!model_lost("release", at))
		model_fence(rl::mo_release);
}

static inline void vqm_env_barrier(struct model_site at = MODEL_HERE)
{
	model_interrupt();
	if (!model_lost("compiler", at))
		model_flush();
}

static inline int vqm_env_asym_init(void)
{
	return 0;
}

static inline void vqm_env_asym_barrier(struct model_site at = MODEL_HERE)
{
	if (!model_lost("everywhere", at))
		model_interrupt_all();
}

static inline void vqm_env_relax(unsigned int spins)
{
	(void)spins;
	model_yield();
}

#include "relacy_env_cold.h"

#endif /* MODEL_RELACY_ENV_H */
