/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Strategies that this build or machine cannot run: refused by every init, with nothing changed. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "maps.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <vqmeta/queue.h>

static bool is_refused(enum vqm_sync sync, int with)
{
	static struct vqm_dev dev;
	static struct vqm_queue q, before_q;
	static struct vqm_map map, before_map;
	struct vqm_guard g, before;
	bool ok;

	memset(&g, 0x5a, sizeof(g));
	memset(&q, 0x5a, sizeof(q));
	memset(&map, 0x5a, sizeof(map));
	memcpy(&before, &g, sizeof(g));
	memcpy(&before_q, &q, sizeof(q));
	memcpy(&before_map, &map, sizeof(map));
	if (vqm_dev_init(&dev))
		return false;
	ok = vqm_sync_supported(sync) == with && vqm_sync_attach(sync) == with &&
	     vqm_guard_init(&g, sync) == with && vqm_map_init(&map, &dev, sync) == with &&
	     vqm_queue_init(&q, &dev, 0, sync) == with && !memcmp(&before, &g, sizeof(g)) &&
	     !memcmp(&before_q, &q, sizeof(q)) && !memcmp(&before_map, &map, sizeof(map));
	return vqm_dev_fini(&dev) == 0 && ok;
}

static void an_unknown_strategy_is_refused(void **state)
{
	(void)state;
	assert_true(is_refused(VQM_SYNC_COUNT, -EINVAL));
	assert_true(is_refused((enum vqm_sync)(VQM_SYNC_COUNT + 7), -EINVAL));
	assert_true(is_refused((enum vqm_sync)UINT32_MAX, -EINVAL));
}

/* What is inline in a program decides, and what the library was built with. */
static void rcu_needs_liburcu(void **state)
{
	(void)state;
#ifdef VQM_HAVE_URCU
	assert_int_equal(vqm_sync_supported(VQM_SYNC_RCU), 0);
	assert_int_equal(vqm_sync_supported(VQM_SYNC_RCU_QSBR), 0);
#else
	assert_true(is_refused(VQM_SYNC_RCU, -EOPNOTSUPP));
	assert_true(is_refused(VQM_SYNC_RCU_QSBR, -EOPNOTSUPP));
#endif
}

/* Makes membarrier() fail from here on, as a container may: the commands with one of these bits. */
static bool deny(uint32_t commands, uint32_t err)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args)),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, commands, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | err),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(filter[0]), filter};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum { CHILD_REFUSED, CHILD_RAN, CHILD_NO_FILTER };

static int try_asym_without(uint32_t err)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (!deny(UINT32_MAX, err))
			_exit(CHILD_NO_FILTER);
		_exit(is_refused(VQM_SYNC_ASYM, -EOPNOTSUPP) ? CHILD_REFUSED : CHILD_RAN);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void asym_needs_membarrier(void **state)
{
	int with_enosys = try_asym_without(ENOSYS);

	(void)state;
	if (with_enosys == CHILD_NO_FILTER)
		skip(); /* no seccomp here */
	assert_int_equal(with_enosys, CHILD_REFUSED);
	assert_int_equal(try_asym_without(EPERM), CHILD_REFUSED);
}

/* The status of a child in which these commands fail once the strategy was chosen. */
static int barrier_without(uint32_t commands)
{
	struct vqm_guard g;
	int status;
	pid_t child = fork();

	if (child == 0) {
		if (vqm_guard_init(&g, VQM_SYNC_ASYM) || !deny(commands, EPERM))
			_exit(CHILD_NO_FILTER);
		alarm(1);
		vqm_guard_barrier(&g);
		_exit(CHILD_RAN);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* Another way is found; without any the invalidator hangs rather than going on. */
static void asym_never_goes_on_without_a_barrier(void **state)
{
	int status = barrier_without(VQM_MEMBARRIER_EXPEDITED_);

	(void)state;
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CHILD_NO_FILTER)
		skip(); /* no seccomp here */
	assert_int_equal(WEXITSTATUS(status), CHILD_RAN);
	status = barrier_without(UINT32_MAX);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_strategy_is_refused),
		cmocka_unit_test(rcu_needs_liburcu),
		cmocka_unit_test(asym_needs_membarrier),
		cmocka_unit_test(asym_never_goes_on_without_a_barrier),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
