/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The surroundings of a user-space program that writes down every access to a ring, and lets a test
 * change the ring after each load: what a second look would see.
 */
#ifndef TRACE_ENV_H
#define TRACE_ENV_H

#define vqm_env_load16		 real_load16
#define vqm_env_load16_acquire	 real_load16_acquire
#define vqm_env_load32		 real_load32
#define vqm_env_load64		 real_load64
#define vqm_env_load64_alias	 real_load64_alias
#define vqm_env_load64_unaligned real_load64_unaligned
#define vqm_env_store16		 real_store16
#define vqm_env_store16_release	 real_store16_release
#define vqm_env_store32		 real_store32
#define vqm_env_mb		 real_mb
#define vqm_env_rmb		 real_rmb
#include <vqmeta/env/user.h>
#undef vqm_env_load16
#undef vqm_env_load16_acquire
#undef vqm_env_load32
#undef vqm_env_load64
#undef vqm_env_load64_alias
#undef vqm_env_load64_unaligned
#undef vqm_env_store16
#undef vqm_env_store16_release
#undef vqm_env_store32
#undef vqm_env_mb
#undef vqm_env_rmb

enum {
	TRACE_MAX = 4096,
};

struct trace_event {
	char what; /* 'l' load, 'a' load acquire, 's' store, 'r' store release, 'm' full barrier,
		    * 'b' acquire barrier */
	const void *at;
	uint32_t bytes;
};

static struct trace_event trace[TRACE_MAX];
static uint32_t traced;
static void (*trace_after_load)(void);

static inline void trace_add(char what, const void *at, uint32_t bytes)
{
	if (traced < TRACE_MAX) {
		trace[traced].what = what;
		trace[traced].at = at;
		trace[traced].bytes = bytes;
	}
	traced++;
	if (trace_after_load && (what == 'l' || what == 'a'))
		trace_after_load();
}

static inline vqm_wire16 vqm_env_load16(const vqm_wire16 *p)
{
	vqm_wire16 w = real_load16(p);

	trace_add('l', p, 2);
	return w;
}

static inline vqm_wire16 vqm_env_load16_acquire(const vqm_wire16 *p)
{
	vqm_wire16 w = real_load16_acquire(p);

	trace_add('a', p, 2);
	return w;
}

static inline vqm_wire32 vqm_env_load32(const vqm_wire32 *p)
{
	vqm_wire32 w = real_load32(p);

	trace_add('l', p, 4);
	return w;
}

static inline vqm_wire64 vqm_env_load64(const vqm_wire64 *p)
{
	vqm_wire64 w = real_load64(p);

	trace_add('l', p, 8);
	return w;
}

static inline vqm_wire64 vqm_env_load64_alias(const void *p)
{
	vqm_wire64 w = real_load64_alias(p);

	trace_add('l', p, 8);
	return w;
}

static inline vqm_wire64 vqm_env_load64_unaligned(const void *p)
{
	vqm_wire64 w = real_load64_unaligned(p);

	trace_add('l', p, 8);
	return w;
}

static inline void vqm_env_store16(vqm_wire16 *p, vqm_wire16 v)
{
	trace_add('s', p, 2);
	real_store16(p, v);
}

static inline void vqm_env_store16_release(vqm_wire16 *p, vqm_wire16 v)
{
	trace_add('r', p, 2);
	real_store16_release(p, v);
}

static inline void vqm_env_store32(vqm_wire32 *p, vqm_wire32 v)
{
	trace_add('s', p, 4);
	real_store32(p, v);
}

static inline void vqm_env_mb(void)
{
	trace_add('m', NULL, 0);
	real_mb();
}

static inline void vqm_env_rmb(void)
{
	trace_add('b', NULL, 0);
	real_rmb();
}

#endif /* TRACE_ENV_H */
