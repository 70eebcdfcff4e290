/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Front-ends that come through a socket in the file system. */
#define _GNU_SOURCE
#include "frontend.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char dir[32];
static char path[64];

static int in_a_directory(void **state)
{
	strcpy(dir, "/tmp/vqm-test-XXXXXX");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/socket", dir);
	frontend_setup(state);
	frontend_hang_up(*state);
	frontend_pump(*state);
	return 0;
}

static int directory_is_empty_again(void **state)
{
	frontend_teardown(state);
	assert_int_equal(rmdir(dir), 0);
	return 0;
}

static int new_socket(int type)
{
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	return fd;
}

static struct sockaddr_un name(void)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};

	strcpy(a.sun_path, path);
	return a;
}

static int come(void)
{
	struct sockaddr_un a = name();
	int fd = new_socket(SOCK_STREAM);

	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	return fd;
}

static void one_front_end_is_served_at_a_time(void **state)
{
	struct frontend *f = *state;
	int first, second;

	assert_int_equal(vqm_vhost_user_listen(f->server, path), 0);
	first = come();
	second = come();
	f->fd = second;
	frontend_send(f, GET_FEATURES, PLAIN, NULL, 0, NULL, 0);
	frontend_expect_silence(f);
	assert_int_equal(vqm_vhost_user_adopt(f->server, second), -EBUSY);
	f->fd = first;
	frontend_negotiate(f);
	close(second);
}

static void the_next_is_served_after_one_has_left(void **state)
{
	struct frontend *f = *state;
	int next;

	assert_int_equal(vqm_vhost_user_listen(f->server, path), 0);
	f->fd = come();
	next = come();
	frontend_negotiate(f);
	frontend_hang_up(f);
	frontend_pump(f);
	f->fd = next;
	next = come();
	frontend_negotiate(f);
	frontend_send(f, 255, PLAIN, NULL, 0, NULL, 0);
	frontend_pump(f); /* this one is thrown out */
	frontend_hang_up(f);
	f->fd = next;
	frontend_negotiate(f);
}

static void listening_may_begin_while_somebody_is_served(void **state)
{
	struct frontend *f = *state;
	int next;

	frontend_connect(f);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), 0);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), -EBUSY);
	next = come();
	frontend_negotiate(f);
	frontend_hang_up(f);
	f->fd = next;
	frontend_negotiate(f);
}

static void a_socket_nobody_listens_on_is_replaced(void **state)
{
	struct frontend *f = *state;
	struct sockaddr_un a = name();
	int fd = new_socket(SOCK_STREAM);

	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	close(fd);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), 0);
	f->fd = come();
	frontend_negotiate(f);
}

static void anything_else_is_left_alone(void **state)
{
	struct frontend *f = *state;
	struct sockaddr_un a = name();
	struct stat st;
	int fd = open(path, O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	close(fd);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), -EADDRINUSE);
	assert_int_equal(stat(path, &st), 0);
	unlink(path);
	fd = new_socket(SOCK_STREAM);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), -EADDRINUSE);
	close(fd);
	unlink(path);
	fd = new_socket(SOCK_DGRAM);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), -EADDRINUSE);
	close(fd);
	unlink(path);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), 0);
}

static void the_socket_of_somebody_else_is_not_removed(void **state)
{
	struct frontend *f = *state;
	struct sockaddr_un a = name();
	int fd = new_socket(SOCK_STREAM);

	assert_int_equal(vqm_vhost_user_listen(f->server, path), 0);
	unlink(path);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	vqm_vhost_user_free(f->server);
	f->server = NULL;
	assert_int_equal(unlink(path), 0);
	close(fd);
}

static void names_that_cannot_be_are_refused(void **state)
{
	struct frontend *f = *state;
	char name_108[109];

	memset(name_108, 'x', 108);
	name_108[108] = '\0';
	assert_int_equal(vqm_vhost_user_listen(f->server, name_108), -ENAMETOOLONG);
	assert_int_equal(vqm_vhost_user_listen(f->server, ""), -EINVAL);
	snprintf(path, sizeof(path), "%s/not/there", dir);
	assert_int_equal(vqm_vhost_user_listen(f->server, path), -ENOENT);
}

static void only_connected_stream_sockets_are_adopted(void **state)
{
	struct frontend *f = *state;
	int pair[2];

	assert_int_equal(vqm_vhost_user_adopt(f->server, -1), -EBADF);
	assert_int_equal(vqm_vhost_user_adopt(f->server, f->kick[0]), -ENOTSOCK);
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), 0);
	assert_int_equal(vqm_vhost_user_adopt(f->server, pair[0]), -EINVAL);
	close(pair[0]);
	close(pair[1]);
	frontend_connect(f);
	frontend_negotiate(f);
}

/* A copy that somebody else holds must not keep waking the server. */
static void an_adopted_connection_is_forgotten_though_a_copy_lives(void **state)
{
	struct frontend *f = *state;
	int pair[2], copy;

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	copy = fcntl(pair[0], F_DUPFD_CLOEXEC, 0);
	assert_int_equal(vqm_vhost_user_adopt(f->server, pair[0]), 0);
	f->fd = pair[1];
	frontend_negotiate(f);
	frontend_hang_up(f);
	frontend_pump(f);
	frontend_connect(f);
	frontend_negotiate(f);
	close(copy);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, in_a_directory, directory_is_empty_again)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(one_front_end_is_served_at_a_time),
		TEST(the_next_is_served_after_one_has_left),
		TEST(listening_may_begin_while_somebody_is_served),
		TEST(a_socket_nobody_listens_on_is_replaced),
		TEST(anything_else_is_left_alone),
		TEST(the_socket_of_somebody_else_is_not_removed),
		TEST(names_that_cannot_be_are_refused),
		TEST(only_connected_stream_sockets_are_adopted),
		TEST(an_adopted_connection_is_forgotten_though_a_copy_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
