// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A vhost-user front-end that writes and verifies a disk while it takes the backend's memory away.
 *
 *	vhost_user_blk --socket-path=S --blk-file=IMAGE --num-queues=2 &
 *	vqm_demo --socket-path=S
 *
 * One thread per queue drives the disk (worker.c, disk.c), through a ring of the mock driver. About
 * every millisecond the control thread (control.c) plugs or unplugs memory that requests use, takes
 * the region of a ring away and gives it back, or sends the whole memory table again.
 *
 * Every byte is a function of its place, the seed and the pass: what was lost, misplaced or left
 * over from an earlier pass is found, and so is a request that completes twice or never, and a
 * ring that is written to while it is away. Status 0 means that there was nothing of all that.
 */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "pattern.h"
#include "watch.h"

struct demo {
	const char *socket_path;
	uint32_t size_mib, queues, seconds_max;
	uint64_t seed;
	struct frontend front;
	struct memory memory;
	struct score score;
	struct worker worker[QUEUES_MAX];
	struct control control;
	struct watch watch;
	double write_seconds, verify_seconds;
};

void die(const char *format, ...)
{
	static atomic_flag dying = ATOMIC_FLAG_INIT;
	va_list args;

	/* What other threads find wrong afterwards is a consequence. */
	while (atomic_flag_test_and_set(&dying))
		pause();
	fflush(stdout);
	fputs("vqm_demo: FAILED: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	_exit(1);
}

double seconds_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static const char usage[] =
	"usage: vqm_demo --socket-path=PATH [OPTION...]\n"
	"  --socket-path=PATH  where a vhost-user-blk backend listens\n"
	"  --size-mib=N        how much to write and to verify (default 1024)\n"
	"  --queues=N          1 to 4 (default 2)\n"
	"  --seed=N            decides the data and all random choices (default: the time)\n"
	"  --seconds-max=N     give up after so long (default 300)\n";

static uint64_t number(const char *text, uint64_t min, uint64_t max)
{
	char *end;
	uint64_t v = strtoull(text, &end, 0);

	if (*text == '\0' || *text == '-' || *end != '\0' || v < min || v > max)
		die("%s is no number from %llu to %llu", text, (unsigned long long)min,
		    (unsigned long long)max);
	return v;
}

static void parse(struct demo *d, int argc, char **argv)
{
	static const struct option options[] = {
		{"socket-path", 1, NULL, 'p'},
		{"size-mib", 1, NULL, 'm'},
		{"queues", 1, NULL, 'q'},
		{"seed", 1, NULL, 's'},
		{"seconds-max", 1, NULL, 't'},
		{"help", 0, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) >= 0) {
		switch (c) {
		case 'p': d->socket_path = optarg; break;
		case 'm': d->size_mib = (uint32_t)number(optarg, 1, 1 << 20); break;
		case 'q': d->queues = (uint32_t)number(optarg, 1, QUEUES_MAX); break;
		case 's': d->seed = number(optarg, 0, UINT64_MAX); break;
		case 't': d->seconds_max = (uint32_t)number(optarg, 1, 1 << 20); break;
		case 'h': fputs(usage, stdout); exit(0);
		default: fputs(usage, stderr); exit(2);
		}
	}
	if (!d->socket_path || optind < argc) {
		fputs(usage, stderr);
		exit(2);
	}
}

static void set_up(struct demo *d)
{
	uint64_t random = d->seed;
	uint32_t i;

	channel_connect(&d->front.channel, d->socket_path);
	frontend_negotiate(&d->front, d->queues);
	memory_init(&d->memory, d->queues, vqm_mock_ring_size(QUEUE_SIZE));
	frontend_set_table(&d->front, &d->memory, &random);
	for (i = 0; i < d->queues; i++) {
		struct worker *w = &d->worker[i];

		worker_init(w, i, &d->memory, d->front.features);
		w->seg_max = d->front.seg_max;
		w->score = &d->score;
		w->random = random_next(&random);
		frontend_start_queue(&d->front, i, &w->driver, w->kick, w->call, w->err);
	}
	d->control.front = &d->front;
	d->control.memory = &d->memory;
	d->control.score = &d->score;
	d->control.worker = d->worker;
	d->control.random = random_next(&random);
	d->watch.control = &d->control;
	d->watch.total_mib = d->size_mib;
	d->watch.seconds_max = d->seconds_max;
}

static pthread_t start(void *(*run)(void *), void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, run, arg))
		die("no thread");
	return thread;
}

/* All workers do a job. Return: the seconds it took. */
static double run_job(struct demo *d, struct job *job, enum disk_type type)
{
	double began = seconds_now();
	pthread_t thread[QUEUES_MAX];
	uint32_t i;

	job->type = type;
	for (i = 0; i < d->queues; i++) {
		d->worker[i].job = job;
		thread[i] = start(worker_run, &d->worker[i]);
	}
	for (i = 0; i < d->queues; i++)
		pthread_join(thread[i], NULL);
	plan_free(&job->plan);
	return seconds_now() - began;
}

/* Writes, flushes and verifies the disk again and again, until the size asked for is reached. */
static void run_passes(struct demo *d)
{
	uint64_t left = (uint64_t)d->size_mib * MIB, random = mix64(d->seed);
	uint64_t capacity = d->front.capacity / REQUEST_MIN * REQUEST_MIN, pass, bytes;
	struct job job;

	if (!capacity)
		die("the disk has no room");
	for (pass = 0; left; pass++, left -= bytes) {
		bytes = capacity < left ? capacity : left;
		job.key = pattern_key(d->seed, pass);
		plan_make(&job.plan, bytes, &random);
		d->write_seconds += run_job(d, &job, DISK_WRITE);
		plan_make_empty(&job.plan, 1);
		d->write_seconds += run_job(d, &job, DISK_FLUSH);
		plan_make(&job.plan, bytes, &random);
		d->verify_seconds += run_job(d, &job, DISK_READ);
	}
}

/* After the last request each side must have counted the same. */
static void stop_queues(struct demo *d)
{
	uint32_t i, base;

	for (i = 0; i < d->queues; i++) {
		struct vqm_mock *driver = &d->worker[i].driver;

		base = frontend_stop_queue(&d->front, i);
		if (base != driver->avail_idx || driver->last_used != driver->avail_idx)
			die("queue %u: %u chains posted and %u reaped (mod 65536), backend at %u",
			    i, driver->avail_idx, driver->last_used, base);
	}
}

static int report(const struct demo *d)
{
	const struct score *s = &d->score;
	bool right =
		!score_get(&s->mismatches) && score_get(&s->posted) == score_get(&s->completed);

	printf("written: %u MiB, %.0f MiB/s\n", d->size_mib, d->size_mib / d->write_seconds);
	printf("verified: %u MiB, %.0f MiB/s\n", d->size_mib, d->size_mib / d->verify_seconds);
	printf("requests: %llu posted, %llu completed, %llu indirect, %llu with data in "
	       "hot-plugged "
	       "memory\n",
	       score_get(&s->posted), score_get(&s->completed), score_get(&s->indirect),
	       score_get(&s->hot));
	printf("region changes: %llu: %llu plugged, %llu unplugged, ring taken away and given back "
	       "%llu times, %llu whole tables\n",
	       watch_changes(s), score_get(&s->plugs), score_get(&s->unplugs), score_get(&s->rings),
	       score_get(&s->tables));
	printf("mismatches: %llu bytes\n", score_get(&s->mismatches));
	if (!right)
		die("data or requests were lost");
	if (!score_get(&s->unplugs) || !score_get(&s->rings) || !score_get(&s->tables))
		die("too short a run to prove anything");
	return 0;
}

int main(int argc, char **argv)
{
	static struct demo d = {.size_mib = 1024, .queues = 2, .seconds_max = 300};
	pthread_t control, watch;
	uint32_t i;

	d.seed = (uint64_t)time(NULL);
	parse(&d, argc, argv);
	set_up(&d);
	printf("disk of %llu MiB, %u queues of %d, seed %llu\n",
	       (unsigned long long)d.front.capacity / MIB, d.queues, QUEUE_SIZE,
	       (unsigned long long)d.seed);
	fflush(stdout);
	control = start(control_run, &d.control);
	watch = start(watch_run, &d.watch);
	run_passes(&d);
	atomic_store(&d.control.stop, true);
	pthread_join(control, NULL);
	stop_queues(&d);
	atomic_store(&d.watch.stop, true);
	pthread_join(watch, NULL);
	for (i = 0; i < d.queues; i++)
		worker_fini(&d.worker[i]);
	memory_fini(&d.memory);
	close(d.front.channel.fd);
	return report(&d);
}
