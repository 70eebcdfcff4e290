/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A worker between a driver and a disk. The server is played by the test. */
#include "disk.h"
#include "worker.h"

#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <vqmeta/mock.h>

enum {
	NUM = 16,
	RING = 0x8000, /* in guest memory, behind the buffers */
	TABLE = 0x7000,
	LOOKS = 200,
	PATIENCE_MS = 5,
	VERSION_1 = 32,
	INDIRECT = 28,
};

/**
 * struct bench - the fixture
 * @errors:        reported to the front-end
 * @notifications: sent to the driver
 */
static struct bench {
	struct disk disk;
	struct vqm_dev dev;
	struct vqm_queue queue;
	struct vqm_mock driver;
	struct worker *worker;
	struct stats stats;
	int kick, errors, notifications;
} bench;

struct vqm_queue *vqm_vhost_user_queue(struct vqm_vhost_user *s, uint32_t i)
{
	(void)s;
	(void)i;
	return &bench.queue;
}

int vqm_vhost_user_kick_fd(const struct vqm_vhost_user *s, uint32_t i)
{
	(void)s;
	(void)i;
	return bench.kick;
}

void vqm_vhost_user_notify(struct vqm_vhost_user *s, uint32_t i)
{
	(void)s;
	(void)i;
	bench.notifications++;
}

void vqm_vhost_user_error(struct vqm_vhost_user *s, uint32_t i)
{
	(void)s;
	(void)i;
	bench.errors++;
}

static void start_driver(struct bench *b)
{
	const uint64_t features = 1ull << VERSION_1 | 1ull << INDIRECT;
	const struct vqm_mock_config guest = {
		.mem = b->disk.mem,
		.size = DISK_MEMORY,
		.ring = RING,
		.num = NUM,
		.features = features,
	};
	struct vqm_queue_config config = {.num = NUM, .features = features};

	memset(b->disk.mem, 0, DISK_MEMORY);
	assert_int_equal(vqm_mock_init(&b->driver, &guest), 0);
	config.addr[VQM_AREA_DESC].v = (uintptr_t)b->driver.desc;
	config.addr[VQM_AREA_AVAIL].v = (uintptr_t)b->driver.avail;
	config.addr[VQM_AREA_USED].v = (uintptr_t)b->driver.used;
	assert_int_equal(vqm_queue_start(&b->queue, &config), 0);
}

static int start(void **state)
{
	const struct worker_config config = {
		.blk = &bench.disk.blk,
		.engine = IO_AUTO,
		.registered = true,
	};
	struct bench *b = &bench;

	*state = b;
	memset(b, 0, sizeof(*b));
	disk_open(&b->disk);
	disk_reset(&b->disk);
	b->kick = eventfd(0, EFD_NONBLOCK);
	assert_int_equal(vqm_dev_init(&b->dev), 0);
	vqm_regions_hold(b->disk.table);
	vqm_dev_set_regions(&b->dev, b->disk.table);
	assert_int_equal(vqm_queue_init(&b->queue, &b->dev, 0, VQM_SYNC_SPIN), 0);
	start_driver(b);
	return worker_start(&b->worker, &config);
}

static void stop_worker(struct bench *b)
{
	worker_stop(b->worker, &b->stats);
	b->worker = NULL;
}

static int stop(void **state)
{
	struct bench *b = *state;

	if (b->worker)
		stop_worker(b);
	vqm_queue_stop(&b->queue);
	vqm_queue_fini(&b->queue);
	vqm_dev_fini(&b->dev);
	vqm_mock_fini(&b->driver);
	close(b->kick);
	disk_close(&b->disk);
	return 0;
}

/* Posts a request for one sector, its memory in page @page. */
static void post(struct bench *b, uint32_t page, uint32_t type, uint64_t sector)
{
	uint64_t gpa = page * 4096ull;
	const struct vqm_mock_buf header = {{gpa}, 16}, data = {{gpa + 1024}, BLK_SECTOR};
	const struct vqm_mock_buf out[2] = {header, data}, in[2] = {data, {{gpa + 16}, 1}};
	uint8_t *at = b->disk.mem + gpa;
	int head;

	memset(at, 0, 16);
	at[0] = (uint8_t)type;
	at[8] = (uint8_t)sector;
	at[16] = 0xff;
	if (type == REQUEST_OUT)
		head = vqm_mock_post(&b->driver, out, 2, in + 1, 1, at);
	else
		head = vqm_mock_post(&b->driver, out, 1, in, 2, at);
	assert_true(head >= 0);
}

/* What poll() would be told, after all that can be done now is done. */
static int work(struct bench *b)
{
	int timeout;

	do
		timeout = worker_step(b->worker);
	while (timeout == WORKER_AGAIN);
	return timeout;
}

static void wait_for(struct bench *b, uint32_t page, uint32_t len)
{
	struct pollfd fds[WORKER_FDS];
	struct vqm_mock_used used;
	int n, i;

	for (i = 0; (n = vqm_mock_reap(&b->driver, &used)) == 0 && i < LOOKS; i++) {
		work(b);
		worker_fds(b->worker, fds);
		if (poll(fds, WORKER_FDS, PATIENCE_MS) > 0)
			worker_woken(b->worker, fds);
	}
	assert_int_equal(n, 1);
	assert_ptr_equal(used.token, b->disk.mem + page * 4096);
	assert_int_equal(used.len, len);
}

static void a_sector_is_written_and_read_back(void **state)
{
	struct bench *b = *state;
	uint8_t *to = b->disk.mem + 4096 + 1024, bytes[BLK_SECTOR];

	disk_pattern(bytes, sizeof(bytes));
	memcpy(b->disk.mem + 1024, bytes, sizeof(bytes));
	post(b, 0, REQUEST_OUT, 8);
	wait_for(b, 0, 1);
	disk_expect_bytes(&b->disk, 8, bytes, sizeof(bytes));
	post(b, 1, REQUEST_IN, 8);
	wait_for(b, 1, BLK_SECTOR + 1);
	assert_memory_equal(to, bytes, sizeof(bytes));
	assert_int_equal(to[16 - 1024], STATUS_OK);
	assert_int_equal(b->notifications, 2);
	stop_worker(b);
	assert_int_equal(b->stats.requests, 2);
	assert_int_equal(b->stats.bytes_written, BLK_SECTOR);
	assert_int_equal(b->stats.bytes_read, BLK_SECTOR);
	assert_int_equal(b->stats.failed, 0);
}

/* BLK-17 */
static void a_bad_chain_comes_back_empty_and_the_next_is_served(void **state)
{
	struct bench *b = *state;

	vqm_mock_lie(&b->driver, VQM_LIE_UNMAPPED);
	post(b, 0, REQUEST_IN, 0);
	post(b, 1, REQUEST_IN, 0);
	wait_for(b, 0, 0);
	wait_for(b, 1, BLK_SECTOR + 1);
	stop_worker(b);
	assert_int_equal(b->stats.bad_chains, 1);
	assert_int_equal(b->stats.requests, 1);
	assert_int_equal(b->errors, 0);
}

/* BLK-04: more buffers than were told the driver, which it need not keep to. */
static void a_slot_grows_with_the_chain(void **state)
{
	struct vqm_mock_buf out[201] = {{{0}, 16}}, in = {{16}, 1};
	struct bench *b = *state;
	uint32_t i;

	b->disk.mem[0] = REQUEST_OUT;
	memset(b->disk.mem + 1024, 0x5a, 200 * 64);
	for (i = 0; i < 200; i++)
		out[i + 1] = (struct vqm_mock_buf){{1024 + i * 64}, 64};
	assert_true(vqm_mock_add_indirect(&b->driver, vqm_gpa_of(TABLE), out, 201, &in, 1,
					  b->disk.mem) >= 0);
	vqm_mock_expose(&b->driver);
	wait_for(b, 0, 1);
	disk_expect_filled(&b->disk, 0, 25, 0x5a);
}

static void a_ring_that_is_taken_away_is_mapped_again(void **state)
{
	struct bench *b = *state;
	int area;

	post(b, 0, REQUEST_IN, 0);
	wait_for(b, 0, BLK_SECTOR + 1);
	for (area = 0; area < 3; area++) {
		post(b, 0, REQUEST_IN, 0);
		assert_int_equal(vqm_invalidate(&b->dev, b->queue.map.addr[area].uva,
						b->queue.map.addr[area].size, VQM_MAY_WAIT),
				 0);
		wait_for(b, 0, BLK_SECTOR + 1);
	}
	stop_worker(b);
	assert_true(b->stats.prefetches >= 3);
	assert_int_equal(b->stats.lost, 0);
}

static void a_ring_that_makes_no_sense_is_given_up_once(void **state)
{
	struct bench *b = *state;

	vqm_mock_lie(&b->driver, VQM_LIE_AVAIL_AHEAD);
	post(b, 0, REQUEST_IN, 0);
	assert_int_equal(work(b), WORKER_SLEEP);
	assert_int_equal(work(b), WORKER_SLEEP);
	assert_int_equal(b->errors, 1);
	stop_worker(b);
	assert_int_equal(b->stats.broken, 1);
	assert_int_equal(b->stats.requests, 0);
}

static void stopping_publishes_what_is_on_its_way(void **state)
{
	struct bench *b = *state;
	struct vqm_mock_used used;

	post(b, 0, REQUEST_IN, 0);
	worker_step(b->worker);
	post(b, 1, REQUEST_IN, 0);
	stop_worker(b);
	assert_int_equal(vqm_mock_reap(&b->driver, &used), 1);
	assert_int_equal(used.len, BLK_SECTOR + 1);
	assert_int_equal(vqm_mock_reap(&b->driver, &used), 0);
	assert_int_equal(b->stats.requests, 1);
	assert_int_equal(b->stats.lost, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_sector_is_written_and_read_back),
		TEST(a_bad_chain_comes_back_empty_and_the_next_is_served),
		TEST(a_slot_grows_with_the_chain),
		TEST(a_ring_that_is_taken_away_is_mapped_again),
		TEST(a_ring_that_makes_no_sense_is_given_up_once),
		TEST(stopping_publishes_what_is_on_its_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
