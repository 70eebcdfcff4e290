/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a debug build says to callers that break a contract, and that it says nothing to others. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pthread.h>

#include "rig.h"

/* Runs it in a child: what it says when it aborts, empty when it comes back. */
static const char *last_words(void (*misuse)(struct rig *r), struct rig *r)
{
	static char text[256];
	ssize_t n, total = 0;
	int fd[2], status;
	pid_t child;

	assert_int_equal(pipe(fd), 0);
	child = fork();
	if (child == 0) {
		dup2(fd[1], STDERR_FILENO);
		signal(SIGABRT, SIG_DFL);
		alarm(10); /* a deadlock is an answer too, but not the wanted one */
		misuse(r);
		_exit(0);
	}
	close(fd[1]);
	while ((n = read(fd[0], text + total, sizeof(text) - 1 - (size_t)total)) > 0)
		total += n;
	text[total] = '\0';
	close(fd[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(total ? WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT : status == 0);
	return text;
}

static void expect_words(void **state, void (*misuse)(struct rig *r), const char *words)
{
	struct rig *r = rig_of(state);
	const char *said;

	if (!r->q.started)
		rig_start(r, 8, 0);
	said = last_words(misuse, r);
	if (!strstr(said, words) || (!*words && *said))
		fail_msg("wanted \"%s\", got \"%s\"", words, said);
}

static void in_a_thread(struct rig *r, void *(*f)(void *arg))
{
	pthread_t t;

	pthread_create(&t, NULL, f, r);
	pthread_join(t, NULL);
}

static void *begin(void *arg)
{
	vqm_begin(&((struct rig *)arg)->q);
	return NULL;
}

static void *end(void *arg)
{
	vqm_end(&((struct rig *)arg)->q);
	return NULL;
}

static void begin_for_ever(struct rig *r)
{
	for (;;)
		vqm_begin(&r->q);
}

static void stop_in_a_burst(struct rig *r)
{
	vqm_begin(&r->q);
	vqm_queue_stop(&r->q);
}

static void end_twice(struct rig *r)
{
	vqm_begin(&r->q);
	vqm_end(&r->q);
	vqm_end(&r->q);
}

static void end_elsewhere(struct rig *r)
{
	vqm_begin(&r->q);
	in_a_thread(r, end);
}

static void begin_elsewhere(struct rig *r)
{
	vqm_begin(&r->q);
	in_a_thread(r, begin);
}

static void prefetch_in_a_burst(struct rig *r)
{
	vqm_begin(&r->q);
	vqm_prefetch(&r->q);
}

static void a_begin_without_end_is_found(void **state)
{
	expect_words(state, begin_for_ever, "begin without end");
	expect_words(state, stop_in_a_burst, "begin without end");
	expect_words(state, prefetch_in_a_burst, "in an open burst");
}

static void an_end_without_begin_is_found(void **state)
{
	expect_words(state, end_twice, "end without begin");
}

static void a_burst_belongs_to_one_thread(void **state)
{
	expect_words(state, end_elsewhere, "of another thread");
	expect_words(state, begin_elsewhere, "of another thread");
}

static void guard_begins_twice(struct rig *r)
{
	vqm_guard_begin(&r->q.map.guard);
	vqm_guard_begin(&r->q.map.guard);
}

static void guard_ends_first(struct rig *r)
{
	vqm_guard_end(&r->q.map.guard);
}

static void *guard_begin(void *arg)
{
	vqm_guard_begin(&((struct rig *)arg)->q.map.guard);
	return NULL;
}

static void *guard_end(void *arg)
{
	vqm_guard_end(&((struct rig *)arg)->q.map.guard);
	return NULL;
}

static void guard_begins_elsewhere(struct rig *r)
{
	vqm_guard_begin(&r->q.map.guard);
	in_a_thread(r, guard_begin);
}

static void guard_ends_elsewhere(struct rig *r)
{
	vqm_guard_begin(&r->q.map.guard);
	in_a_thread(r, guard_end);
}

static void guard_nests(struct rig *r)
{
	vqm_guard_begin(&r->q.map.guard);
	vqm_guard_begin(&r->q.map.guard);
	vqm_guard_end(&r->q.map.guard);
	vqm_guard_end(&r->q.map.guard);
	vqm_guard_begin(&r->q.map.guard);
	vqm_guard_end(&r->q.map.guard);
}

static void a_guard_is_checked_too(void **state)
{
	bool nests = rig_of(state)->v.strategy->sync == VQM_SYNC_COUNTER;

	expect_words(state, guard_begins_twice, nests ? "" : "begin without end");
	expect_words(state, guard_nests, nests ? "" : "begin without end");
	expect_words(state, guard_ends_first, "end without begin");
	expect_words(state, guard_begins_elsewhere, "another thread");
	expect_words(state, guard_ends_elsewhere, "end by another thread");
}

static void wait_in_a_section(struct rig *r)
{
	vqm_guard_begin(&r->q.map.guard);
	vqm_guard_wait(&r->q.map.guard, true);
}

static void barrier_in_a_section(struct rig *r)
{
	vqm_guard_begin(&r->q.map.guard);
	vqm_guard_barrier(&r->q.map.guard);
}

static void invalidate_in_a_burst(struct rig *r)
{
	vqm_prefetch(&r->q);
	vqm_begin(&r->q);
	vqm_invalidate(&r->dev, r->config.addr[0], 1, VQM_MAY_WAIT);
}

static void replace_the_table_in_a_burst(struct rig *r)
{
	vqm_prefetch(&r->q);
	vqm_begin(&r->q);
	rig_set_regions(r);
}

static void publish_in_a_burst(struct rig *r)
{
	vqm_prefetch(&r->q);
	vqm_begin(&r->q);
	vqm_map_publish(&r->q.map, VQM_AREA_USED, r);
}

static void look_in_a_burst(struct rig *r)
{
	vqm_prefetch(&r->q);
	vqm_begin(&r->q);
	vqm_map_areas(&r->q.map);
}

static void try_in_a_burst(struct rig *r)
{
	int err;

	vqm_prefetch(&r->q);
	vqm_begin(&r->q);
	err = vqm_invalidate(&r->dev, r->config.addr[0], 1, VQM_NO_WAIT);
	vqm_end(&r->q);
	if (r->v.strategy->waits && err != -EAGAIN)
		_exit(1);
}

static void an_invalidation_in_a_section_is_found(void **state)
{
	struct rig *r = rig_of(state);

	expect_words(state, wait_in_a_section, "inside a section");
	expect_words(state, barrier_in_a_section, "inside a section");
	expect_words(state, invalidate_in_a_burst, "inside a section");
	expect_words(state, replace_the_table_in_a_burst, "inside a section");
	expect_words(state, publish_in_a_burst, "inside a section");
	expect_words(state, look_in_a_burst, "inside a section");
	/* One that does not wait is no mistake: reclaim may come from anywhere. */
	if (r->v.strategy->waits)
		expect_words(state, try_in_a_burst, "");
}

static void call_back(void *arg, struct vqm_map *map, enum vqm_area area, void *host, uint64_t size)
{
	(void)area;
	(void)host;
	(void)size;
	vqm_map_prefetch(map);
	(void)arg;
}

static void call_the_device_from_its_callback(struct rig *r)
{
	vqm_prefetch(&r->q);
	vqm_dev_set_unmapped(&r->dev, call_back, NULL);
	vqm_invalidate(&r->dev, r->config.addr[0], 1, VQM_MAY_WAIT);
}

static void a_callback_that_calls_the_device_is_found(void **state)
{
	expect_words(state, call_the_device_from_its_callback, "from its own callback");
}

static void work_as_intended(struct rig *r)
{
	guest_desc(&r->g, 0, 0x1000, 16, 0, 0);
	rig_expect_service(r, 0);
	vqm_begin(&r->q);
	vqm_begin(&r->q);
	vqm_end(&r->q);
	vqm_end(&r->q);
	in_a_thread(r, begin); /* the next burst may be another thread's */
}

static void nothing_is_said_to_others(void **state)
{
	expect_words(state, work_as_intended, "");
}

int main(void)
{
	static const struct rig_test tests[] = {
		RIG_TEST(a_begin_without_end_is_found),
		RIG_TEST(an_end_without_begin_is_found),
		RIG_TEST(a_burst_belongs_to_one_thread),
		RIG_TEST(a_guard_is_checked_too),
		RIG_TEST(an_invalidation_in_a_section_is_found),
		RIG_TEST(a_callback_that_calls_the_device_is_found),
		RIG_TEST(nothing_is_said_to_others),
	};

	return rig_main(tests, sizeof(tests) / sizeof(tests[0]));
}
