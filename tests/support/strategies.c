/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "strategies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

int strategies_run(const struct CMUnitTest *test, uint32_t count)
{
	struct CMUnitTest *all = (struct CMUnitTest *)calloc(STRATEGIES * count, sizeof(*all));
	char(*name)[128] = (char(*)[128])calloc(STRATEGIES * count, sizeof(*name));
	uint32_t i;
	int failed;

	if (!all || !name)
		abort();
	for (i = 0; i < STRATEGIES * count; i++) {
		const struct strategy *s = &strategies[i / count];

		snprintf(name[i], sizeof(*name), "%s [%s]", test[i % count].name, s->name);
		all[i] = test[i % count];
		all[i].name = name[i];
		all[i].initial_state = (void *)(uintptr_t)s;
	}
	failed = _cmocka_run_group_tests("strategies", all, STRATEGIES * count, NULL, NULL);
	free(name);
	free(all);
	return failed;
}
