/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Wire words in user space: plain integers, and swapping them. Part of env/user.h. */
#ifndef VQMETA_ENV_USER_WIRE_H
#define VQMETA_ENV_USER_WIRE_H

#include <stdint.h>

#define VQM_ENV_BIG_ENDIAN (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

typedef uint16_t vqm_wire16;
typedef uint32_t vqm_wire32;
typedef uint64_t vqm_wire64;

static inline uint16_t vqm_env_unwire16(vqm_wire16 w)
{
	return w;
}

static inline uint32_t vqm_env_unwire32(vqm_wire32 w)
{
	return w;
}

static inline uint64_t vqm_env_unwire64(vqm_wire64 w)
{
	return w;
}

static inline vqm_wire16 vqm_env_wire16(uint16_t v)
{
	return v;
}

static inline vqm_wire32 vqm_env_wire32(uint32_t v)
{
	return v;
}

static inline vqm_wire64 vqm_env_wire64(uint64_t v)
{
	return v;
}

static inline uint16_t vqm_env_swap16(uint16_t v)
{
	return __builtin_bswap16(v);
}

static inline uint32_t vqm_env_swap32(uint32_t v)
{
	return __builtin_bswap32(v);
}

static inline uint64_t vqm_env_swap64(uint64_t v)
{
	return __builtin_bswap64(v);
}

#endif /* VQMETA_ENV_USER_WIRE_H */
