/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "device.h"

#include <stdio.h>
#include <string.h>

static void complain(const char *what, int err)
{
	fprintf(stderr, "vhost_user_blk: %s: %s\n", what, strerror(-err));
}

static void on_start(void *ctx, uint32_t index)
{
	struct device *d = ctx;
	struct worker_config config = {
		.server = d->server,
		.index = index,
		.blk = &d->blk,
		.engine = d->options->engine,
		.registered = d->options->registered,
		.threaded = !d->options->single_thread,
	};
	int err;

	if (d->workers[index])
		return;
	err = worker_start(&d->workers[index], &config);
	if (err) {
		complain("queue not served", err);
		vqm_vhost_user_error(d->server, index);
	}
}

static void on_stop(void *ctx, uint32_t index)
{
	struct device *d = ctx;

	if (d->workers[index])
		worker_stop(d->workers[index], &d->stats);
	d->workers[index] = NULL;
}

static void on_memory(void *ctx)
{
	struct device *d = ctx;
	uint32_t i;

	for (i = 0; i < BLK_QUEUES_MAX; i++) {
		if (d->workers[i])
			worker_memory_changed(d->workers[i]);
	}
}

static void on_features(void *ctx, uint64_t features)
{
	struct device *d = ctx;

	blk_accept(&d->blk, features);
}

static int on_get_config(void *ctx, uint32_t offset, void *buf, uint32_t len)
{
	struct device *d = ctx;

	return blk_get_config(&d->blk, offset, buf, len);
}

static int on_set_config(void *ctx, uint32_t offset, const void *buf, uint32_t len)
{
	struct device *d = ctx;

	return blk_set_config(&d->blk, offset, buf, len);
}

static void on_reset(void *ctx)
{
	struct device *d = ctx;

	blk_reset(&d->blk);
}

static void on_client(void *ctx, bool here)
{
	struct device *d = ctx;

	if (!here)
		d->served = true;
	blk_reset(&d->blk);
}

static void on_complaint(void *ctx, const char *what)
{
	(void)ctx;
	fprintf(stderr, "vhost_user_blk: front-end: %s\n", what);
}

static const struct vqm_vhost_user_ops ops = {
	.start = on_start,
	.stop = on_stop,
	.memory = on_memory,
	.features = on_features,
	.get_config = on_get_config,
	.set_config = on_set_config,
	.reset = on_reset,
	.client = on_client,
	.complain = on_complaint,
};

static int open_server(struct device *d)
{
	const struct options *o = d->options;
	struct vqm_vhost_user_config config = {
		.ops = &ops,
		.ctx = d,
		.queues = o->queues,
		.features = blk_offer(&d->blk),
		.sync = o->sync,
	};
	int err = vqm_vhost_user_new(&d->server, &config);

	if (err)
		return err;
	err = o->socket ? vqm_vhost_user_listen(d->server, o->socket)
			: vqm_vhost_user_adopt(d->server, o->fd);
	if (err)
		vqm_vhost_user_free(d->server);
	return err;
}

/* An engine that was asked for by name must be there. */
static int probe_engine(const struct device *d)
{
	struct io io;
	int err = io_open(&io, d->options->engine, d->blk.fd, 1, false);

	if (!err)
		io_close(&io);
	return err;
}

bool device_open(struct device *d, const struct options *options)
{
	int err;

	memset(d, 0, sizeof(*d));
	d->options = options;
	err = blk_open(&d->blk, options->file, options->read_only);
	if (err) {
		complain(options->file, err);
		return false;
	}
	d->blk.queues = (uint16_t)options->queues;
	memcpy(d->blk.id, options->serial, strlen(options->serial));
	err = probe_engine(d);
	if (err)
		complain("io_uring", err);
	else if ((err = open_server(d)) != 0)
		complain(options->socket ? options->socket : "--fd", err);
	if (err)
		blk_close(&d->blk);
	return !err;
}

void device_close(struct device *d)
{
	uint32_t i;

	/* While the rings are still there, so that everything can be published. */
	for (i = 0; i < BLK_QUEUES_MAX; i++)
		on_stop(d, i);
	vqm_vhost_user_free(d->server);
	blk_close(&d->blk);
}

void device_invalidate(struct device *d)
{
	uint32_t queues = d->options->queues, tries;

	for (tries = 0; tries < queues * VQM_AREA_COUNT; tries++) {
		uint32_t index = d->turn % queues;
		uint32_t area = d->turn / queues % VQM_AREA_COUNT;
		struct vqm_area_addr a;

		d->turn++;
		if (!d->workers[index])
			continue;
		a = vqm_queue_area(vqm_vhost_user_queue(d->server, index), (enum vqm_area)area);
		if (!vqm_invalidate(vqm_vhost_user_dev(d->server), a.uva, a.size, VQM_MAY_WAIT))
			d->invalidations++;
		return;
	}
}

int device_step(struct device *d)
{
	int timeout = WORKER_SLEEP;
	uint32_t i;

	for (i = 0; i < BLK_QUEUES_MAX; i++) {
		struct worker *w = d->workers[i];
		int t;

		if (!w || !d->options->single_thread)
			continue;
		t = worker_timeout(w, worker_step(w));
		if (timeout < 0 || (t >= 0 && t < timeout))
			timeout = t;
	}
	return timeout;
}
