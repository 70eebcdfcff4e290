// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "pattern.h"
#include "worker.h"

enum {
	BATCH_MAX = 8,	   /* requests made visible at once */
	FLUSH_EVERY = 256, /* requests, about, while writing */
};

static int new_eventfd(void)
{
	int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	if (fd < 0)
		die("no eventfd: %s", strerror(errno));
	return fd;
}

void worker_init(struct worker *w, uint32_t queue, struct memory *m, uint64_t features)
{
	struct vqm_mock_config config = {
		.mem = m->window,
		.size = m->size,
		.base = memory_gpa(m, 0),
		.ring = memory_ring(m, queue)->off,
		.num = QUEUE_SIZE,
		.features = features,
	};
	uint32_t i;

	if (vqm_mock_init(&w->driver, &config) < 0)
		die("no ring for queue %u", queue);
	w->queue = queue;
	w->memory = m;
	w->kick = new_eventfd();
	w->call = new_eventfd();
	w->err = new_eventfd();
	for (i = 0; i < DEPTH; i++) {
		w->request[i].queue = queue;
		w->request[i].slot = i;
		w->idle[i] = i;
	}
	w->idle_count = DEPTH;
}

void worker_fini(struct worker *w)
{
	close(w->kick);
	close(w->call);
	close(w->err);
	vqm_mock_fini(&w->driver);
}

/* A request that is ready to be added; NULL when there is none, or no room for one. */
static struct request *next_request(struct worker *w)
{
	static const struct extent nothing = {0, 0};
	const struct extent *e = &nothing;
	struct request *r = w->blocked;

	if (r || w->idle_count == 0)
		return r;
	r = &w->request[w->idle[w->idle_count - 1]];
	r->type = w->job->type;
	if (r->type == DISK_WRITE && random_below(&w->random, FLUSH_EVERY) == 0)
		r->type = DISK_FLUSH;
	else
		e = plan_take(&w->job->plan);
	if (!e)
		return NULL;
	r->extent = *e;
	w->idle_count--;
	request_prepare(r, w->memory, w->job->key, w->seg_max, &w->random);
	return r;
}

static void post(struct worker *w)
{
	uint64_t batch = 1 + random_below(&w->random, BATCH_MAX), one = 1, n = 0;
	struct request *r;

	while (n < batch && (r = next_request(w))) {
		int head = request_add(r, w->memory, &w->driver, &w->random);

		w->blocked = head == -ENOBUFS ? r : NULL;
		if (w->blocked)
			break;
		if (head < 0)
			die("queue %u: cannot post a request: %s", w->queue, strerror(-head));
		r->busy = true;
		score_add(&w->score->indirect, r->indirect);
		score_add(&w->score->hot, r->held != 0);
		n++;
	}
	score_add(&w->score->posted, n);
	if (n && vqm_mock_expose(&w->driver) && write(w->kick, &one, sizeof(one)) < 0 &&
	    errno != EAGAIN)
		die("queue %u: cannot kick: %s", w->queue, strerror(errno));
}

static void complete(struct worker *w, const struct vqm_mock_used *used)
{
	struct request *r = used->token;

	if (!r->busy)
		die("queue %u: request %u completed twice", w->queue, r->slot);
	r->busy = false;
	score_add(&w->score->mismatches, request_finish(r, w->memory, w->job->key, used->len));
	if (r->type == DISK_WRITE)
		score_add(&w->score->written, r->extent.len);
	if (r->type == DISK_READ)
		score_add(&w->score->verified, r->extent.len);
	score_add(&w->score->completed, 1);
	w->idle[w->idle_count++] = r->slot;
}

/* Return: how many requests came back. */
static uint32_t reap(struct worker *w)
{
	struct vqm_mock_used used;
	uint32_t n = 0;
	int err;

	while ((err = vqm_mock_reap(&w->driver, &used)) > 0) {
		complete(w, &used);
		n++;
	}
	if (err < 0)
		die("queue %u: the device broke a rule: %s", w->queue, w->driver.complaint);
	return n;
}

/* Until the device calls. There is no time-out: a call that is lost must not go unnoticed. */
static void wait_for_call(struct worker *w)
{
	struct pollfd p[2] = {{w->call, POLLIN, 0}, {w->err, POLLIN, 0}};
	uint64_t count;

	if (poll(p, 2, -1) < 0 && errno != EINTR)
		die("cannot poll: %s", strerror(errno));
	if (p[1].revents)
		die("queue %u: the backend says that the queue is broken", w->queue);
	if (p[0].revents && read(w->call, &count, sizeof(count)) < 0 && errno != EAGAIN)
		die("cannot read an eventfd: %s", strerror(errno));
}

void *worker_run(void *worker)
{
	struct worker *w = worker;

	for (;;) {
		post(w);
		if (w->driver.posted == 0)
			return NULL;
		if (reap(w) == 0 && !vqm_mock_arm(&w->driver))
			wait_for_call(w);
	}
}
