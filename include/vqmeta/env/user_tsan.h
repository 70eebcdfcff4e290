/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What ThreadSanitizer is told about orderings inside liburcu, which is not built with it: what a
 * thread did before it announced the end of a section comes before the end of a grace period.
 * Nothing in other builds.
 */
#ifndef VQMETA_ENV_USER_TSAN_H
#define VQMETA_ENV_USER_TSAN_H

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define VQM_TSAN_
#endif
#elif defined(__SANITIZE_THREAD__)
#define VQM_TSAN_
#endif

#ifdef VQM_TSAN_

#ifdef __cplusplus
extern "C" {
#endif
void __tsan_acquire(void *tag);
void __tsan_release(void *tag);
#ifdef __cplusplus
}
#endif

static inline void vqm_env_tsan_acquire_(void (*tag)(void))
{
	__tsan_acquire((void *)(uintptr_t)tag);
}

static inline void vqm_env_tsan_release_(void (*tag)(void))
{
	__tsan_release((void *)(uintptr_t)tag);
}

#else

static inline void vqm_env_tsan_acquire_(void (*tag)(void))
{
	(void)tag;
}

static inline void vqm_env_tsan_release_(void (*tag)(void))
{
	(void)tag;
}

#endif

#endif /* VQMETA_ENV_USER_TSAN_H */
