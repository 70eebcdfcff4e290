/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One round of a worker. Inside the section: publish what is done, pop what is there, arm.
 * Outside: notify, begin requests, and deal with a ring that is not mapped or makes no sense.
 */
#include "worker.h"

#include <errno.h>
#include <stdio.h>

enum {
	RETRY_MS = 10, /* a ring that cannot be mapped now may come back without a word */
};

static void give_back(struct worker *w, struct request *r)
{
	r->next = w->vacant;
	w->vacant = r;
	w->inflight--;
}

static void count(struct worker *w, const struct request *r)
{
	if (!r->status) {
		w->stats.bad_chains++;
		return;
	}
	w->stats.requests++;
	w->stats.failed += r->result != STATUS_OK;
	if (r->type == REQUEST_IN)
		w->stats.bytes_read += r->moved;
	if (r->type == REQUEST_OUT)
		w->stats.bytes_written += r->moved;
}

static void end_request(struct worker *w, struct request *r)
{
	count(w, r);
	w->done[w->n_done++] = request_end(r);
	give_back(w, r);
}

static void collect(struct worker *w)
{
	struct request *r;

	while ((r = io_reap(&w->io)) != NULL)
		end_request(w, r);
}

/* Registered memory must not outlive its removal by much: drain, then let go of it. */
static void refresh(struct worker *w)
{
	if (atomic_exchange(&w->memory_changed, false))
		w->refresh = io_holds_memory(&w->io);
	if (w->refresh && w->inflight == 0) {
		io_forget(&w->io);
		w->refresh = false;
	}
}

static bool has_room(const struct worker *w)
{
	return w->inflight + w->n_done < w->depth;
}

static void take(struct worker *w)
{
	struct request *r = w->vacant;

	w->vacant = r->next;
	r->next = NULL;
	r->memory = vqm_queue_hold(w->queue);
	*w->fresh_end = r;
	w->fresh_end = &r->next;
	w->inflight++;
}

/* Returns 0 when the ring is empty, 1 when there is no room, or what vqm_pop() failed with. */
static int pop_all(struct worker *w)
{
	int n;

	while (has_room(w)) {
		n = vqm_pop(w->queue, &w->vacant->chain);
		if (n > 0) {
			take(w);
		} else if (n == -EINVAL) {
			w->done[w->n_done++] = vqm_chain_done(&w->vacant->chain, 0);
			w->stats.bad_chains++;
		} else {
			return n;
		}
	}
	return 1;
}

/* Returns 0 when the driver will kick, 1 when the ring is worth another look, or -errno. */
static int section(struct worker *w, bool pop, bool *notify)
{
	struct vqm_queue *q = w->queue;
	int err = vqm_publish(q, w->done, w->n_done);

	if (err)
		return err;
	*notify = w->n_done > 0 && vqm_need_notify(q);
	w->n_done = 0;
	err = pop ? pop_all(w) : 1;
	return err ? err : vqm_arm(q);
}

static void begin_fresh(struct worker *w)
{
	struct request *r;

	while ((r = w->fresh) != NULL) {
		w->fresh = r->next;
		if (request_begin(r, w->config.blk))
			io_submit(&w->io, r);
		else
			end_request(w, r);
	}
	w->fresh_end = &w->fresh;
}

static bool is_finished(struct worker *w)
{
	return atomic_load(&w->stopping) && w->inflight == 0 && w->n_done == 0;
}

static void drop_done(struct worker *w)
{
	w->stats.lost += w->n_done;
	w->n_done = 0;
}

/* The ring was taken away. Nothing is lost: what is done stays in hand until it is back. */
static int map_again(struct worker *w)
{
	if (vqm_map_prefetch(&w->queue->map) == 0) {
		w->stats.prefetches++;
		return WORKER_AGAIN;
	}
	if (!atomic_load(&w->stopping))
		return RETRY_MS;
	drop_done(w);
	return is_finished(w) ? WORKER_FINISHED : RETRY_MS;
}

/* No pop any more. What was popped before can still be published; if not, it is lost. */
static int give_up(struct worker *w, int err)
{
	char why[128];

	if (w->broken) {
		drop_done(w);
		return WORKER_AGAIN;
	}
	vqm_explain(vqm_queue_fault(w->queue), why, sizeof(why));
	fprintf(stderr, "vhost_user_blk: error %d, ring given up: %s\n", -err, why);
	vqm_vhost_user_error(w->config.server, w->config.index);
	w->stats.broken++;
	w->broken = true;
	return WORKER_AGAIN;
}

/* More fragments than the slot has room for: a larger slot, within reason. */
static int too_long(struct worker *w)
{
	if (request_grow(w->vacant)) {
		vqm_skip(w->queue);
		w->done[w->n_done++] = vqm_chain_done(&w->vacant->chain, 0);
		w->stats.bad_chains++;
	}
	return WORKER_AGAIN;
}

static int after_fault(struct worker *w, int err)
{
	if (err == -ESTALE)
		return map_again(w);
	if (err == -ENOBUFS)
		return too_long(w);
	return give_up(w, err);
}

int worker_step(struct worker *w)
{
	bool notify = false, pop, unsent;
	int n = 1;

	collect(w);
	refresh(w);
	pop = !w->broken && !w->refresh && !atomic_load(&w->stopping);
	if (pop || w->n_done > 0) {
		vqm_sync_online(w->sync);
		vqm_begin(w->queue);
		n = section(w, pop, &notify);
		vqm_end(w->queue);
		vqm_sync_offline(w->sync);
	}
	if (notify) {
		vqm_vhost_user_notify(w->config.server, w->config.index);
		w->stats.notifications++;
	}
	begin_fresh(w);
	unsent = io_commit(&w->io) != 0;
	if (n < 0)
		return after_fault(w, n);
	if (is_finished(w))
		return WORKER_FINISHED;
	if (w->n_done > 0 || io_is_ready(&w->io) || (pop && n > 0 && has_room(w)))
		return WORKER_AGAIN;
	return unsent ? RETRY_MS : WORKER_SLEEP;
}
