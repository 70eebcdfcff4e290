/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One strategy, fixed at build time, header-only. Compiled once per case, with
 *
 *	CASE		 its name
 *	VQM_SYNC_FIXED	 the strategy
 *	MAPPED		 0: the ring is reached through a backend
 *	QUIESCENT_EVERY	 sections between two announcements of a quiescent state, for "rcu_qsbr"
 */
#include "sync_case.h"

#ifndef MAPPED
#define MAPPED 1
#endif
#ifndef QUIESCENT_EVERY
#define QUIESCENT_EVERY 32
#endif
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)
#define TEXT_(a)    #a
#define TEXT(a)	    TEXT_(a)

static struct vqm_guard guard VQM_CACHE_ALIGNED;
static uint32_t past; /* sections, for the next announcement */

/* Nothing for strategies that ask for no announcements. */
static inline void section_is_over(void)
{
	if (++past % QUIESCENT_EVERY == 0)
		vqm_sync_quiescent(VQM_SYNC_FIXED);
}

static int attach(void)
{
	int err = vqm_sync_attach(VQM_SYNC_FIXED);

	return err ? err : vqm_guard_init(&guard, VQM_SYNC_FIXED);
}

static void detach(void)
{
	vqm_sync_detach(VQM_SYNC_FIXED);
}

static VQM_NOINLINE void run_empty(uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		vqm_env_barrier();
}

/* What the section would enclose must not leave it, nor may sections be merged. */
static VQM_NOINLINE void run_sections(uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++) {
		vqm_guard_begin(&guard);
		vqm_env_barrier();
		vqm_guard_end(&guard);
		section_is_over();
	}
}

static VQM_NOINLINE int serve(struct bench_rig *r, uint32_t k)
{
	int n, i;

	vqm_begin(&r->q);
	n = vqm_pop_batch(&r->q, r->chain, k);
	for (i = 0; i < n; i++)
		r->done[i] = vqm_chain_done(&r->chain[i], 0);
	if (n > 0)
		vqm_publish(&r->q, r->done, (uint32_t)n);
	vqm_end(&r->q);
	return n;
}

static VQM_NOINLINE void run_chains(struct bench_rig *r, uint32_t k, uint32_t total)
{
	uint32_t served;

	for (served = 0; served < total;) {
		int n = serve(r, k);

		if (n <= 0)
			bench_must(-EIO, "serve");
		served += (uint32_t)n;
		section_is_over();
	}
}

/*
 * About as long as serving a chain takes. It uses nothing that an invalidation takes away, so that
 * "none" is measured without a data race.
 */
static inline void work(void)
{
	uint64_t x = 1;
	int i;

	for (i = 0; i < 12; i++) {
		x *= 3;
		__asm__ __volatile__("" : "+r"(x));
	}
}

static void read_sections(struct bench_rig *r, struct sync_reader *reader)
{
	bench_must(vqm_sync_attach(VQM_SYNC_FIXED), "attach");
	__atomic_store_n(&reader->running, 1, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&reader->stop, __ATOMIC_RELAXED)) {
		vqm_guard_begin(&r->q.map.guard);
		vqm_env_load_ptr_acquire(&r->q.map.live);
		work();
		vqm_guard_end(&r->q.map.guard);
		section_is_over();
	}
	vqm_sync_detach(VQM_SYNC_FIXED);
}

static void invalidate(struct bench_rig *r)
{
	struct vqm_area_addr a = vqm_queue_area(&r->q, VQM_AREA_USED);

	bench_must(vqm_invalidate(&r->dev, a.uva, a.size, VQM_MAY_WAIT), "invalidate");
}

static void prefetch(struct bench_rig *r)
{
	bench_must(vqm_prefetch(&r->q), "prefetch");
}

extern const struct sync_case JOIN(sync_case_, CASE);

const struct sync_case JOIN(sync_case_, CASE) = {
	.name = TEXT(CASE),
	.sync = VQM_SYNC_FIXED,
	.mapped = MAPPED,
	.attach = attach,
	.detach = detach,
	.empty = run_empty,
	.sections = run_sections,
	.chains = run_chains,
	.read = read_sections,
	.invalidate = invalidate,
	.prefetch = prefetch,
};
