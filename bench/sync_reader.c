/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "sync_reader.h"

#include <pthread.h>

static struct {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const struct sync_case *job;
	struct bench_rig *rig;
	bool pinned, ready, over;
	struct sync_reader state;
} reader = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void *reader_main(void *unused)
{
	bool pinned = bench_pin(1);

	pthread_mutex_lock(&reader.lock);
	reader.pinned = pinned;
	reader.ready = true;
	pthread_cond_broadcast(&reader.changed);
	for (;;) {
		while (!reader.job && !reader.over)
			pthread_cond_wait(&reader.changed, &reader.lock);
		if (reader.over)
			break;
		pthread_mutex_unlock(&reader.lock);
		reader.job->read(reader.rig, &reader.state);
		pthread_mutex_lock(&reader.lock);
		reader.job = NULL;
		pthread_cond_broadcast(&reader.changed);
	}
	pthread_mutex_unlock(&reader.lock);
	return unused;
}

bool sync_reader_init(void)
{
	bench_must(-pthread_create(&reader.thread, NULL, reader_main, NULL), "thread");
	pthread_mutex_lock(&reader.lock);
	while (!reader.ready)
		pthread_cond_wait(&reader.changed, &reader.lock);
	pthread_mutex_unlock(&reader.lock);
	return reader.pinned;
}

void sync_reader_fini(void)
{
	pthread_mutex_lock(&reader.lock);
	reader.over = true;
	pthread_cond_broadcast(&reader.changed);
	pthread_mutex_unlock(&reader.lock);
	pthread_join(reader.thread, NULL);
}

void sync_reader_start(const struct sync_case *c, struct bench_rig *r)
{
	reader.state.stop = 0;
	reader.state.running = 0;
	pthread_mutex_lock(&reader.lock);
	reader.rig = r;
	reader.job = c;
	pthread_cond_broadcast(&reader.changed);
	pthread_mutex_unlock(&reader.lock);
	while (!__atomic_load_n(&reader.state.running, __ATOMIC_ACQUIRE))
		vqm_env_relax(0);
}

void sync_reader_stop(void)
{
	__atomic_store_n(&reader.state.stop, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&reader.lock);
	while (reader.job)
		pthread_cond_wait(&reader.changed, &reader.lock);
	pthread_mutex_unlock(&reader.lock);
}
