/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Tables of guest memory. Numbers are those of the collected defects, ids those of the checklist.
 */
#define _GNU_SOURCE
#include "ring.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
	PAGE = 0x1000,
};

static uint32_t count(struct frontend *f)
{
	struct vqm_regions *t = vqm_dev_regions(vqm_vhost_user_dev(f->server));
	uint32_t n = t->count;

	vqm_regions_release(t);
	return n;
}

/* What the server sees at a guest address; NULL for a hole. The table stays in force. */
static uint8_t *host(struct frontend *f, uint64_t gpa)
{
	struct vqm_regions *t = vqm_dev_regions(vqm_vhost_user_dev(f->server));
	struct vqm_frag frag = {NULL, 0};

	if (vqm_regions_translate(t, vqm_gpa_of(gpa), 1, &frag, 1, NULL) != 1)
		frag.base = NULL;
	vqm_regions_release(t);
	return frag.base;
}

static void expect_refused(struct frontend *f, const struct mem *m, int fd)
{
	struct table t = {.count = 1, .region[0] = *m};
	uint32_t fds = frontend_count_fds(), maps = frontend_count_maps(), n = count(f);

	assert_int_not_equal(frontend_add_mem(f, m, fd), 0);
	assert_int_not_equal(frontend_tell(f, SET_MEM_TABLE, &t, 40, &fd, 1), 0);
	assert_int_equal(count(f), n);
	assert_int_equal(frontend_count_fds(), fds);
	assert_int_equal(frontend_count_maps(), maps);
	assert_string_equal(f->log, "");
}

/* VU-41, VU-47, VU-51, 4.31 */
static void a_table_maps_each_region_from_its_own_file(void **state)
{
	struct frontend *f = *state;
	uint32_t i, fds;

	frontend_negotiate(f);
	for (i = 0; i < BANKS; i++) {
		frontend_add_bank(f, i, i * 0x100000ull, 2 * PAGE, i * PAGE);
		f->bank[i].file[i * PAGE + 5] = (uint8_t)(0x40 + i);
	}
	fds = frontend_count_fds();
	assert_int_equal(frontend_set_table(f, BANKS), 0);
	assert_string_equal(f->log, "m");
	assert_int_equal(frontend_count_fds(), fds);
	for (i = 0; i < BANKS; i++)
		assert_int_equal(*host(f, i * 0x100000ull + 5), 0x40 + i);
	assert_null(host(f, 2 * PAGE));
	assert_int_equal(frontend_set_table(f, 1), 0);
	assert_int_equal(frontend_count_maps(), f->maps + BANKS + 1);
	assert_int_equal(frontend_set_table(f, 0), 0); /* 4.36 */
	assert_int_equal(frontend_count_maps(), f->maps + BANKS);
	assert_null(host(f, 5));
}

/* 5.10, VU-48 */
static void an_offset_need_not_be_at_the_beginning_of_a_page(void **state)
{
	struct frontend *f = *state;
	struct bank *b;

	frontend_negotiate(f);
	b = frontend_add_bank(f, 0, 0x10000, PAGE, 0x800);
	memcpy(b->file + 0x800, "begin", 5);
	memcpy(b->file + 0x800 + PAGE - 3, "end", 3);
	assert_int_equal(frontend_set_table(f, 1), 0);
	assert_memory_equal(host(f, 0x10000), "begin", 5);
	assert_memory_equal(host(f, 0x10000 + PAGE - 3), "end", 3);
	assert_null(host(f, 0x10000 + PAGE));
}

/* 5.11 */
static void a_file_must_be_as_long_as_its_region(void **state)
{
	struct frontend *f = *state;
	struct bank *b;
	struct mem m;

	frontend_negotiate(f);
	b = frontend_add_bank(f, 0, 0x10000, PAGE, PAGE);
	m = b->as;
	m.size++;
	expect_refused(f, &m, b->fd);
	m.size = 2 * PAGE;
	expect_refused(f, &m, b->fd);
	m = b->as;
	m.offset++;
	expect_refused(f, &m, b->fd);
	m.offset = 2 * PAGE;
	expect_refused(f, &m, b->fd);
	assert_int_equal(frontend_add_mem(f, &b->as, b->fd), 0);
}

/* 5.08, VU-49 */
static void sizes_and_offsets_that_wrap_are_refused(void **state)
{
	struct frontend *f = *state;
	static const struct mem bad[] = {
		{0, PAGE, 0, UINT64_MAX - 0xfff},
		{0, PAGE, 0, UINT64_MAX - 0x1000},
		{0, PAGE, 0, INT64_MAX - 0xfff},
		{0, UINT64_MAX - 0x10, 0, 0},
		{0, UINT64_MAX, 0, 1},
		{0, INT64_MAX, 0, INT64_MAX},
		{0, PAGE, 0, 1ull << 63},
		{0, 0, 0, 0},
		{UINT64_MAX - 0xffe, PAGE, 0, 0},
		{0, PAGE, UINT64_MAX - 0xffe, 0},
	};
	struct mem last = {UINT64_MAX - 0xfff, PAGE, UINT64_MAX - 0xfff, 0};
	uint32_t i;

	frontend_negotiate(f);
	frontend_add_bank(f, 0, 0, PAGE, 0);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		expect_refused(f, &bad[i], f->bank[0].fd);
	assert_int_equal(frontend_add_mem(f, &last, f->bank[0].fd), 0); /* 4.07 */
	assert_non_null(host(f, UINT64_MAX));
}

/* 5.05, 5.11 */
static void what_cannot_be_mapped_is_refused(void **state)
{
	struct frontend *f = *state;
	struct bank *b;
	char name[32];
	int fd, pipe_fd[2];

	frontend_negotiate(f);
	b = frontend_add_bank(f, 0, 0, PAGE, 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", b->fd);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	expect_refused(f, &b->as, fd);
	close(fd);
	assert_int_equal(pipe2(pipe_fd, O_CLOEXEC), 0);
	expect_refused(f, &b->as, pipe_fd[0]);
	expect_refused(f, &b->as, f->kick[0]);
	expect_refused(f, &b->as, f->fd);
	close(pipe_fd[0]);
	close(pipe_fd[1]);
	fd = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	expect_refused(f, &b->as, fd);
	close(fd);
	fd = open("/dev/zero", O_RDWR | O_CLOEXEC);
	assert_int_equal(frontend_add_mem(f, &b->as, fd), 0);
	close(fd);
}

/* 5.05: the third of four files is read-only */
static void a_table_that_fails_half_way_leaves_the_old_one(void **state)
{
	struct frontend *f = *state;
	char name[32];
	uint32_t i, fds;
	int good;

	frontend_negotiate(f);
	for (i = 0; i < BANKS; i++)
		frontend_add_bank(f, i, i * 0x100000ull, PAGE, 0);
	f->bank[1].file[0] = 0x77;
	assert_int_equal(frontend_set_table(f, 2), 0);
	fds = frontend_count_fds();
	good = f->bank[2].fd;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", good);
	f->bank[2].fd = open(name, O_RDONLY | O_CLOEXEC);
	assert_int_not_equal(frontend_set_table(f, BANKS), 0);
	close(f->bank[2].fd);
	f->bank[2].fd = good;
	assert_int_equal(count(f), 2);
	assert_int_equal(*host(f, 0x100000), 0x77);
	assert_int_equal(frontend_count_fds(), fds);
	assert_int_equal(frontend_count_maps(), f->maps + BANKS + 2);
	assert_string_equal(f->log, "m");
}

/* VU-46 */
static void overlap_in_either_address_space_is_refused(void **state)
{
	struct frontend *f = *state;
	struct mem m;

	frontend_negotiate(f);
	frontend_add_bank(f, 0, 0x100000, 4 * PAGE, 0);
	frontend_add_bank(f, 1, 0x200000, 4 * PAGE, 0);
	assert_int_equal(frontend_set_table(f, 1), 0);
	m = f->bank[1].as;
	m.gpa = f->bank[0].as.gpa + 4 * PAGE - 1;
	assert_int_not_equal(frontend_add_mem(f, &m, f->bank[1].fd), 0);
	f->bank[1].as.gpa = m.gpa;
	assert_int_not_equal(frontend_set_table(f, 2), 0);
	m.gpa = 0x200000;
	m.uva = f->bank[0].as.uva - 4 * PAGE + 1;
	assert_int_not_equal(frontend_add_mem(f, &m, f->bank[1].fd), 0);
	f->bank[1].as = m;
	assert_int_not_equal(frontend_set_table(f, 2), 0);
	assert_int_equal(count(f), 1);
	assert_string_equal(f->log, "m");
	/* Neighbours are no overlap. */
	m.gpa = f->bank[0].as.gpa + 4 * PAGE;
	m.uva = f->bank[0].as.uva - 4 * PAGE;
	assert_int_equal(frontend_add_mem(f, &m, f->bank[1].fd), 0);
	assert_int_equal(count(f), 2);
}

/* VU-44, VU-45, 4.14, 4.15, 5.06 */
static void a_region_is_removed_by_its_addresses_and_size(void **state)
{
	struct frontend *f = *state;
	struct mem m;
	struct single s = {0};
	uint32_t i, fds = frontend_count_fds();

	frontend_negotiate(f);
	for (i = 0; i < 3; i++)
		frontend_add_bank(f, i, 0x100000 + i * 4 * PAGE, 4 * PAGE, 0);
	f->bank[2].file[0] = 0x33;
	assert_int_equal(frontend_set_table(f, 3), 0);
	for (i = 0; i < 3; i++) {
		m = f->bank[1].as;
		*(i == 0 ? &m.gpa : i == 1 ? &m.uva : &m.size) -= PAGE;
		assert_int_not_equal(frontend_rem_mem(f, &m), 0);
	}
	m = f->bank[1].as;
	m.gpa += PAGE;
	m.uva += PAGE;
	m.size = PAGE;
	assert_int_not_equal(frontend_rem_mem(f, &m), 0);
	assert_int_equal(count(f), 3);
	s.region = f->bank[1].as;
	s.region.offset = 12345; /* is not looked at */
	assert_int_equal(frontend_tell(f, REM_MEM_REG, &s, sizeof(s), f->kick, 1), 0);
	assert_int_not_equal(frontend_rem_mem(f, &s.region), 0);
	assert_int_equal(*host(f, f->bank[2].as.gpa), 0x33);
	assert_int_equal(frontend_rem_mem(f, &f->bank[0].as), 0);
	assert_int_equal(frontend_rem_mem(f, &f->bank[2].as), 0);
	assert_int_not_equal(frontend_rem_mem(f, &f->bank[2].as), 0);
	assert_int_equal(count(f), 0);
	assert_int_equal(frontend_count_maps(), f->maps + 3);
	assert_int_equal(frontend_count_fds(), fds + 3);
	assert_string_equal(f->log, "mmmm");
}

/* VU-43, 4.13 */
static void there_is_room_for_as_many_regions_as_promised(void **state)
{
	struct frontend *f = *state;
	struct mem m = {0, PAGE, 0, 0};
	uint32_t i;

	frontend_negotiate(f);
	frontend_add_bank(f, 0, 0, PAGE, 0);
	for (i = 0; i <= 509; i++) {
		m.gpa = m.uva = i * 2ull * PAGE;
		assert_int_equal(!frontend_add_mem(f, &m, f->bank[0].fd), i < 509);
	}
	assert_int_equal(count(f), 509);
	m.gpa = m.uva = 0;
	assert_int_equal(frontend_rem_mem(f, &m), 0);
	assert_int_equal(frontend_add_mem(f, &m, f->bank[0].fd), 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, frontend_setup, frontend_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_table_maps_each_region_from_its_own_file),
		TEST(an_offset_need_not_be_at_the_beginning_of_a_page),
		TEST(a_file_must_be_as_long_as_its_region),
		TEST(sizes_and_offsets_that_wrap_are_refused),
		TEST(what_cannot_be_mapped_is_refused),
		TEST(a_table_that_fails_half_way_leaves_the_old_one),
		TEST(overlap_in_either_address_space_is_refused),
		TEST(a_region_is_removed_by_its_addresses_and_size),
		TEST(there_is_room_for_as_many_regions_as_promised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
