/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "strategies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

bool strategy_runs(const struct strategy *s)
{
	return vqm_sync_supported(s->sync) == 0;
}

void strategies_attach(void)
{
	uint32_t i;

	for (i = 0; i < STRATEGIES; i++) {
		if (vqm_sync_attach(strategies[i].sync))
			printf("skipped: this build cannot run %s\n", strategies[i].name);
		else
			vqm_sync_offline(strategies[i].sync);
	}
}

void strategies_detach(void)
{
	uint32_t i;

	for (i = 0; i < STRATEGIES; i++) {
		if (!strategy_runs(&strategies[i]))
			continue;
		vqm_sync_online(strategies[i].sync);
		vqm_sync_detach(strategies[i].sync);
	}
}

int strategies_run(const struct CMUnitTest *test, uint32_t count)
{
	struct CMUnitTest *all = (struct CMUnitTest *)calloc(STRATEGIES * count, sizeof(*all));
	char(*name)[128] = (char(*)[128])calloc(STRATEGIES * count, sizeof(*name));
	uint32_t i, total = 0;
	int failed;

	if (!all || !name)
		abort();
	strategies_attach();
	for (i = 0; i < STRATEGIES * count; i++) {
		const struct strategy *s = &strategies[i / count];

		if (!strategy_runs(s))
			continue;
		snprintf(name[total], sizeof(*name), "%s [%s]", test[i % count].name, s->name);
		all[total] = test[i % count];
		all[total].name = name[total];
		all[total++].initial_state = (void *)(uintptr_t)s;
	}
	failed = total ? _cmocka_run_group_tests("strategies", all, total, NULL, NULL) : 77;
	strategies_detach();
	free(name);
	free(all);
	return failed;
}
