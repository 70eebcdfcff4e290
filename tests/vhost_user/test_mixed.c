/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A program whose workers run another strategy than the server was told: refused. */
#define VQM_SYNC_FIXED VQM_SYNC_SPIN

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/vhost_user.h>

static void nothing(void *ctx, uint32_t index)
{
	(void)ctx;
	(void)index;
}

static void the_build_of_the_workers_is_asked_too(void **state)
{
	const struct vqm_vhost_user_ops ops = {.start = nothing, .stop = nothing};
	struct vqm_vhost_user_config config;
	struct vqm_vhost_user *s = NULL;
	uint32_t sync;

	(void)state;
	memset(&config, 0, sizeof(config));
	config.ops = &ops;
	config.queues = 1;
	config.features = 1ull << VQM_F_VERSION_1;
	for (sync = 0; sync <= VQM_SYNC_COUNT; sync++) {
		config.sync = (enum vqm_sync)sync;
		if (sync == VQM_SYNC_SPIN)
			continue;
		assert_int_equal(vqm_vhost_user_new(&s, &config), -EINVAL);
		assert_null(s);
	}
	assert_int_equal(vqm_vhost_user_new(&s, NULL), -EINVAL);
	config.sync = VQM_SYNC_SPIN;
	assert_int_equal(vqm_vhost_user_new(&s, &config), 0);
	vqm_vhost_user_free(s);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_build_of_the_workers_is_asked_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
