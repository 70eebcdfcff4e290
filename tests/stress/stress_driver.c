/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The driver of the stress test: keeps the ring full, checks every answer, sleeps when it may. */
#define _GNU_SOURCE
#include <string.h>

#include "stress.h"

uint64_t answer_to(uint64_t request)
{
	return request * 0x9e3779b97f4a7c15ull + 1;
}

void doze(sem_t *s, const char *complaint)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 20;
	if (sem_timedwait(s, &t))
		fail(complaint);
}

static uint64_t expected[SLOTS];
static bool out_there[SLOTS];

static void post(uint64_t *seed, uint32_t slot)
{
	uint64_t request = *seed, nothing = 0;
	uint8_t *at = st.data.home + slot * SLOT;
	struct vqm_mock_buf out = {{DATA + slot * SLOT}, 8}, in = {{DATA + slot * SLOT + 64}, 8};
	void *token = &expected[slot];
	int head;

	memcpy(at, &request, 8);
	memcpy(at + 64, &nothing, 8);
	if (dice(seed, 2))
		head = vqm_mock_add(&st.m, &out, 1, &in, 1, token);
	else
		head = vqm_mock_add_indirect(&st.m, vqm_gpa_of(RING + TABLES + 32 * slot), &out, 1,
					     &in, 1, token);
	if (head < 0)
		return; /* no descriptors left */
	expected[slot] = answer_to(request);
	out_there[slot] = true;
	st.chains++;
}

static uint32_t reap(void)
{
	struct vqm_mock_used used;
	uint32_t n = 0;
	uint64_t got;
	int err;

	while ((err = vqm_mock_reap(&st.m, &used)) > 0) {
		uint32_t slot = (uint32_t)((uint64_t *)used.token - expected);

		memcpy(&got, st.data.home + slot * SLOT + 64, 8);
		if (!out_there[slot] || used.len != 8 || got != expected[slot])
			fail("a chain came back twice, or with a wrong answer");
		out_there[slot] = false;
		n++;
	}
	if (err)
		fail(st.m.complaint);
	return n;
}

void *driver(void *arg)
{
	uint64_t seed = st.seed ^ 3;
	uint32_t slot, n;
	bool over;

	do {
		over = time_is_up();
		for (slot = 0, n = 0; slot < SLOTS && !over; slot++) {
			if (out_there[slot])
				continue;
			post(&seed, slot);
			n += out_there[slot];
			if (dice(&seed, 4) == 0)
				break;
		}
		if (n > 0 && vqm_mock_expose(&st.m))
			sem_post(&st.kick);
		if (reap() == 0 && st.m.posted > 0 && n == 0 && !vqm_mock_arm(&st.m))
			doze(&st.call, "a notification was lost");
	} while (!over || st.m.posted > 0);
	__atomic_store_n(&st.stop, 1, __ATOMIC_RELEASE);
	sem_post(&st.kick);
	return arg;
}
