/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Kicks in, calls and errors out, and exchanging their descriptors while a worker runs. */
#define _GNU_SOURCE
#include "ring.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static void kick(int fd)
{
	uint64_t one = 1;

	assert_int_equal(write(fd, &one, sizeof(one)), sizeof(one));
}

static bool is_kicked(struct frontend *f)
{
	uint64_t value;

	return read(vqm_vhost_user_kick_fd(f->server, 0), &value, sizeof(value)) == sizeof(value);
}

/* VU-72, VU-73: other than that, the front-end's own descriptor does */
static void a_kick_reaches_the_worker_and_reading_it_does_not_block(void **state)
{
	struct frontend *f = *state;

	ring_start(f, 0, 256, 0);
	assert_false(is_kicked(f));
	kick(f->kick[0]);
	assert_true(is_kicked(f));
	assert_false(is_kicked(f));
}

/* VU-72 */
static void another_kick_descriptor_restarts_the_worker(void **state)
{
	struct frontend *f = *state;

	ring_start(f, 0, 256, 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_KICK, 0, f->kick[1]), 0);
	assert_string_equal(f->log, "e0s0");
	kick(f->kick[0]);
	assert_false(is_kicked(f));
	kick(f->kick[1]);
	assert_true(is_kicked(f));
	ring_offer(f, 0, 256, 0, 4, RING_GPA + RING_DATA);
	assert_int_equal(ring_pop(f, 0, NULL), 4);
}

/* VU-70, VU-78 */
static void bit_8_asks_for_polling_and_a_stray_file_is_closed(void **state)
{
	struct frontend *f = *state;
	uint32_t fds, request;

	ring_start(f, 0, 256, 0);
	fds = frontend_count_fds();
	for (request = SET_VRING_KICK; request <= SET_VRING_ERR; request++) {
		assert_int_equal(frontend_tell_u64(f, request, NO_FD), 0);
		assert_int_equal(frontend_tell_fd(f, request, NO_FD, f->kick[0]), 0);
	}
	assert_int_equal(frontend_count_fds(), fds - 3);
	assert_int_equal(vqm_vhost_user_kick_fd(f->server, 0), -1);
	assert_true(f->running[0]);
	ring_signals(f->call[0]);
	vqm_vhost_user_notify(f->server, 0);
	vqm_vhost_user_error(f->server, 0);
	assert_int_equal(ring_signals(f->call[0]), 0);
	assert_int_equal(ring_signals(f->err[0]), 0);
	/* Started by a kick without descriptor, too. */
	assert_int_equal(ring_get_base(f, 0), 0);
	assert_int_equal(frontend_tell_u64(f, SET_VRING_KICK, NO_FD), 0);
	assert_true(f->running[0]);
}

/* VU-72 */
static void another_call_descriptor_is_signalled_once(void **state)
{
	struct frontend *f = *state;

	ring_start(f, 0, 256, 0);
	ring_signals(f->call[0]);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, 0, f->call[1]), 0);
	assert_int_equal(ring_signals(f->call[1]), 1);
	assert_int_equal(ring_signals(f->call[0]), 0);
	vqm_vhost_user_notify(f->server, 0);
	assert_int_equal(ring_signals(f->call[1]), 1);
	assert_int_equal(ring_signals(f->call[0]), 0);
	assert_string_equal(f->log, "");
	ring_get_base(f, 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, 0, f->call[0]), 0);
	assert_int_equal(ring_signals(f->call[0]), 0); /* VU-84 */
}

/* VU-73 */
static void a_full_eventfd_or_pipe_does_not_block_the_worker(void **state)
{
	struct frontend *f = *state;
	uint64_t full = UINT64_MAX - 1;
	uint32_t i;
	int fd[2];

	ring_start(f, 0, 256, 0);
	ring_signals(f->call[0]);
	assert_int_equal(write(f->call[0], &full, sizeof(full)), sizeof(full));
	vqm_vhost_user_notify(f->server, 0);
	assert_true(ring_signals(f->call[0]) == full);
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, 0, fd[1]), 0);
	for (i = 0; i < 20000; i++)
		vqm_vhost_user_notify(f->server, 0);
	assert_int_equal(ring_signals(fd[0]), 1);
	close(fd[0]);
	close(fd[1]);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, 0, fd[1]), 0);
	for (i = 0; i < 20000; i++)
		vqm_vhost_user_notify(f->server, 0);
	assert_int_equal(ring_signals(fd[0]), 1);
	close(fd[0]);
	close(fd[1]);
}

/* SIGPIPE would end this program. */
static void a_pipe_or_socket_nobody_reads_does_not_kill(void **state)
{
	struct frontend *f = *state;
	int fd[2];

	ring_start(f, 0, 256, 0);
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	close(fd[0]);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, 0, fd[1]), 0);
	vqm_vhost_user_notify(f->server, 0);
	close(fd[1]);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd), 0);
	close(fd[0]);
	assert_int_equal(frontend_tell_fd(f, SET_VRING_CALL, 0, fd[1]), 0);
	vqm_vhost_user_notify(f->server, 0);
	close(fd[1]);
}

struct worker {
	struct frontend *f;
	atomic_bool stop;
	atomic_uint notified;
	uint16_t served;
};

/* Serves queue 0 as fast as it can, whatever happens to its memory and descriptors. */
static void *serve(void *arg)
{
	struct worker *w = arg;
	struct vqm_queue *q = vqm_vhost_user_queue(w->f->server, 0);
	int head;

	while (!atomic_load(&w->stop)) {
		vqm_vhost_user_notify(w->f->server, 0);
		atomic_fetch_add(&w->notified, 1);
		head = ring_pop(w->f, 0, NULL);
		if (head == -ESTALE)
			vqm_prefetch(q);
		while (head >= 0 && ring_publish(w->f, 0, (uint16_t)head))
			vqm_prefetch(q);
		w->served = (uint16_t)(w->served + (head >= 0));
	}
	return NULL;
}

static void exchange_everything(struct frontend *f, uint32_t turn)
{
	frontend_tell_fd(f, SET_VRING_CALL, 0, f->call[turn % 2]);
	frontend_tell_fd(f, SET_VRING_ERR, 0, f->err[turn % 2]);
	assert_int_equal(frontend_rem_mem(f, &f->bank[0].as), 0);
	assert_int_equal(frontend_add_mem(f, &f->bank[0].as, f->bank[0].fd), 0);
	assert_int_equal(frontend_set_table(f, 1), 0);
	assert_int_equal(frontend_tell_state(f, SET_VRING_BASE, 1, turn % 1000), 0);
}

/* VU-72, VU-85, 5.01 */
static void everything_may_be_exchanged_while_a_worker_runs(void **state)
{
	struct frontend *f = *state;
	struct worker w = {.f = f};
	pthread_t thread;
	uint32_t i, before;

	ring_start(f, 0, 256, 0);
	for (i = 0; i < 200; i++)
		ring_offer(f, 0, 256, (uint16_t)i, (uint16_t)i, RING_GPA + RING_DATA);
	assert_int_equal(pthread_create(&thread, NULL, serve, &w), 0);
	for (i = 0; i < 300; i++)
		exchange_everything(f, i);
	ring_signals(f->call[1]); /* the last one */
	before = atomic_load(&w.notified);
	while (atomic_load(&w.notified) - before < 3000)
		sched_yield();
	atomic_store(&w.stop, true);
	pthread_join(thread, NULL);
	assert_true(ring_signals(f->call[1]) > 0);
	assert_int_equal(w.served, 200);
	assert_int_equal(ring_used_idx(f, 0), 200);
	assert_int_equal(ring_get_base(f, 0), 200);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, frontend_setup, frontend_teardown)

/* O_NONBLOCK belongs to the front-end as well: a full call that blocks must not hold a worker. */
static void a_full_call_without_nonblock_does_not_hold_the_worker(void **state)
{
	struct frontend *f = *state;
	uint64_t full = UINT64_MAX - 1, value;

	ring_start(f, 0, 256, 0);
	ring_signals(f->call[0]);
	assert_int_equal(write(f->call[0], &full, sizeof(full)), sizeof(full));
	assert_int_equal(fcntl(f->call[0], F_SETFL, 0), 0);
	vqm_vhost_user_notify(f->server, 0);
	assert_int_equal(read(f->call[0], &value, sizeof(value)), sizeof(value));
	assert_true(value == full);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_kick_reaches_the_worker_and_reading_it_does_not_block),
		TEST(a_full_call_without_nonblock_does_not_hold_the_worker),
		TEST(another_kick_descriptor_restarts_the_worker),
		TEST(bit_8_asks_for_polling_and_a_stray_file_is_closed),
		TEST(another_call_descriptor_is_signalled_once),
		TEST(a_full_eventfd_or_pipe_does_not_block_the_worker),
		TEST(a_pipe_or_socket_nobody_reads_does_not_kill),
		TEST(everything_may_be_exchanged_while_a_worker_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
