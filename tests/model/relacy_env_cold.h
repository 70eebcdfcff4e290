/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What no model is about: references, locks, memory. Part of relacy_env.h. */
#ifndef MODEL_RELACY_ENV_COLD_H
#define MODEL_RELACY_ENV_COLD_H

#include <vqmeta/env/no_rcu.h>

/* Threads of a model do not run at the same time, and none gives up a reference in a section. */

static inline void vqm_env_ref_get(unsigned int *p)
{
	++*p;
}

static inline bool vqm_env_ref_put(unsigned int *p)
{
	return --*p == 0;
}

/* One thread of a model invalidates and publishes: a second one would find the lock taken. */
struct vqm_env_lock {
	bool held;
};

static inline void vqm_env_lock_init(struct vqm_env_lock *l)
{
	l->held = false;
}

static inline void vqm_env_lock_fini(struct vqm_env_lock *l)
{
	RL_ASSERT(!l->held);
}

static inline bool vqm_env_trylock(struct vqm_env_lock *l)
{
	bool free = !l->held;

	l->held = true;
	return free;
}

static inline void vqm_env_lock(struct vqm_env_lock *l)
{
	RL_ASSERT(!l->held);
	l->held = true;
}

static inline void vqm_env_unlock(struct vqm_env_lock *l)
{
	l->held = false;
}

static inline void *vqm_env_alloc(size_t size)
{
	return (calloc)(1, size);
}

static inline void vqm_env_free(void *p)
{
	(free)(p);
}

static inline void vqm_env_zero(void *p, size_t size)
{
	memset(p, 0, size);
}

static inline void vqm_env_copy(void *dst, const void *src, size_t size)
{
	memcpy(dst, src, size);
	model_copied(dst, size);
}

static inline void *vqm_env_self(void)
{
	return (void *)(uintptr_t)(rl::thread_index() + 1);
}

static inline void vqm_env_bug(const char *what)
{
	fprintf(stderr, "vqmeta: %s\n", what);
	abort();
}

#endif /* MODEL_RELACY_ENV_COLD_H */
