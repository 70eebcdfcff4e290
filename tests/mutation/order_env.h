/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The surroundings of a user-space program that looks at memory just before a release, and knows of
 * every look of a wait.
 */
#ifndef ORDER_ENV_H
#define ORDER_ENV_H

#define vqm_env_store_ptr	   real_store_ptr
#define vqm_env_store_ptr_release  real_store_ptr_release
#define vqm_env_store_word	   real_store_word
#define vqm_env_store_word_release real_store_word_release
#define vqm_env_load_word	   real_load_word
#define vqm_env_load_word_acquire  real_load_word_acquire
#include <vqmeta/env/user.h>
#undef vqm_env_store_ptr
#undef vqm_env_store_ptr_release
#undef vqm_env_store_word
#undef vqm_env_store_word_release
#undef vqm_env_load_word
#undef vqm_env_load_word_acquire

static void (*order_publishing)(const void *view);
static void (*order_leaving)(void);
static void (*order_looking)(void);

/* Without its release it is in the same place: that edge is for others to notice. */
static inline void vqm_env_store_ptr(void **pp, void *v)
{
	if (order_publishing)
		order_publishing(v);
	real_store_ptr_release(pp, v);
}

static inline void vqm_env_store_ptr_release(void **pp, void *v)
{
	vqm_env_store_ptr(pp, v);
}

static inline void vqm_env_store_word(unsigned long *p, unsigned long v)
{
	if (order_leaving)
		order_leaving();
	real_store_word_release(p, v);
}

static inline void vqm_env_store_word_release(unsigned long *p, unsigned long v)
{
	vqm_env_store_word(p, v);
}

static inline unsigned long vqm_env_load_word(const unsigned long *p)
{
	if (order_looking)
		order_looking();
	return real_load_word_acquire(p);
}

static inline unsigned long vqm_env_load_word_acquire(const unsigned long *p)
{
	return vqm_env_load_word(p);
}

#endif /* ORDER_ENV_H */
