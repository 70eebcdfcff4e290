/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "common.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static struct timespec until;

uint64_t stress_seed(void)
{
	const char *seed = getenv("VQM_STRESS_SEED");

	return seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
}

double stress_seconds(void)
{
	const char *seconds = getenv("VQM_STRESS_SECONDS");

	return seconds ? strtod(seconds, NULL) : 3;
}

uint32_t dice(uint64_t *seed, uint32_t n)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*seed >> 33) % n;
}

void set_deadline(double seconds)
{
	clock_gettime(CLOCK_MONOTONIC, &until);
	seconds += (double)until.tv_nsec / 1e9;
	until.tv_sec += (time_t)seconds;
	until.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9);
}

bool time_is_up(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec > until.tv_sec ||
	       (now.tv_sec == until.tv_sec && now.tv_nsec >= until.tv_nsec);
}

static void on_fault(int sig)
{
	static const char text[] = "FAILED: touched memory that was taken away\n";

	(void)sig;
	if (write(1, text, sizeof(text) - 1) < 0)
		_exit(2);
	_exit(1);
}

void catch_faults(void)
{
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
}
