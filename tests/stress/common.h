/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the stress tests share: chance that can be repeated, a deadline, and what a fault means. */
#ifndef STRESS_COMMON_H
#define STRESS_COMMON_H

#include <stdbool.h>
#include <stdint.h>

/* From VQM_STRESS_SEED and VQM_STRESS_SECONDS, or the time and 3. */
uint64_t stress_seed(void);
double stress_seconds(void);

uint32_t dice(uint64_t *seed, uint32_t n);

/* The time is up so many seconds from now. */
void set_deadline(double seconds);
bool time_is_up(void);

/* From here on a fault ends the program with one line: it touched what was taken away. */
void catch_faults(void);

#endif /* STRESS_COMMON_H */
