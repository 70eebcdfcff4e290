/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int setup(void **state)
{
	struct rig *r = rig_new((const struct rig_variant *)*state);

	*state = r;
	return r ? 0 : -1;
}

static int teardown(void **state)
{
	rig_free(rig_of(state));
	return 0;
}

int rig_main(const struct rig_test *test, uint32_t count)
{
	static struct rig_variant variant[STRATEGIES * 4];
	uint32_t total = 0, v, i, ways = STRATEGIES * 4;
	struct CMUnitTest *all = (struct CMUnitTest *)calloc(count * ways, sizeof(*all));
	char(*name)[128] = (char(*)[128])calloc(count * ways, sizeof(*name));
	int failed;

	strategies_attach();
	for (v = 0; v < ways; v++) {
		if (!strategy_runs(&strategies[v / 4]))
			continue;
		variant[v].strategy = &strategies[v / 4];
		variant[v].copy = v & 1;
		variant[v].big = v & 2;
		for (i = 0; i < count; i++, total++) {
			snprintf(name[total], sizeof(*name), "%s [%s %s %s]", test[i].name,
				 variant[v].strategy->name, variant[v].copy ? "copy" : "direct",
				 variant[v].big ? "big" : "little");
			all[total].name = name[total];
			all[total].test_func = test[i].run;
			all[total].setup_func = setup;
			all[total].teardown_func = teardown;
			all[total].initial_state = &variant[v];
		}
	}
	failed = total ? _cmocka_run_group_tests("queue", all, total, NULL, NULL) : 77;
	strategies_detach();
	free(name);
	free(all);
	return failed;
}

struct rig *rig_new(const struct rig_variant *v)
{
	size_t size = (sizeof(struct rig) + 63) & ~(size_t)63;
	struct rig *r = (struct rig *)aligned_alloc(64, size);
	uint32_t i;

	if (!r)
		return NULL;
	memset(r, 0, size);
	r->v = *v;
	r->g.big = v->big;
	guest_add_bank(&r->g, 0, 0x20000);
	guest_backend_init(&r->backend, &r->g);
	for (i = 0; i < RIG_CHAINS; i++)
		vqm_chain_init(&r->chain[i], r->frag[i], RIG_FRAGS);
	memset(&r->q, 0x5a, sizeof(r->q)); /* init must not count on zeroes */
	assert_int_equal(vqm_dev_init(&r->dev), 0);
	assert_int_equal(vqm_queue_init(&r->q, &r->dev, 5, v->strategy->sync), 0);
	return r;
}

void rig_free(struct rig *r)
{
	assert_true(guest_is_untouched(&r->g));
	vqm_queue_fini(&r->q);
	vqm_dev_fini(&r->dev);
	guest_fini(&r->g);
	free(r);
}

void rig_set_regions(struct rig *r)
{
	struct vqm_region region[GUEST_BANKS];
	struct vqm_regions *t = NULL;
	uint32_t i;

	for (i = 0; i < r->g.banks; i++)
		region[i] = guest_region(&r->g, i);
	assert_int_equal(vqm_regions_build(&t, region, r->g.banks), 0);
	vqm_dev_set_regions(&r->dev, t);
}

void rig_configure(struct rig *r, uint32_t num, uint64_t features)
{
	if (!r->g.used) {
		r->g.desc = RIG_DESC;
		r->g.avail = RIG_AVAIL;
		r->g.used = RIG_USED;
	}
	r->g.num = num;
	r->config.num = num;
	r->config.features = features | (r->v.big ? 0 : 1ull << VQM_F_VERSION_1);
	r->config.order = r->v.big ? VQM_BIG_ENDIAN : VQM_LITTLE_ENDIAN;
	r->config.addr[VQM_AREA_DESC].v = guest_uva(&r->g, r->g.desc);
	r->config.addr[VQM_AREA_AVAIL].v = guest_uva(&r->g, r->g.avail);
	r->config.addr[VQM_AREA_USED].v = guest_uva(&r->g, r->g.used);
	r->config.backend = r->v.copy ? &r->backend.backend : NULL;
}

/* Takes the ring away, as a notifier would, and lets the backend serve it. */
void rig_go_copy(struct rig *r)
{
	uint32_t i;

	for (i = 0; r->v.copy && i < VQM_AREA_COUNT; i++)
		assert_int_equal(vqm_invalidate(&r->dev, r->config.addr[i], 4, VQM_MAY_WAIT), 0);
}

void rig_start(struct rig *r, uint32_t num, uint64_t features)
{
	rig_configure(r, num, features);
	rig_set_regions(r);
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	rig_go_copy(r);
}

void rig_restart_at(struct rig *r, uint16_t next, uint16_t used_idx)
{
	vqm_queue_stop(&r->q);
	guest_set_avail_idx(&r->g, next);
	guest_set_used_idx(&r->g, used_idx);
	r->config.next = next;
	assert_int_equal(vqm_queue_start(&r->q, &r->config), 0);
	rig_go_copy(r);
}

/* A chain may be popped into again and again: nothing of what it holds must stay. */
static void soil(struct vqm_chain *c)
{
	struct vqm_frag *frag = c->frag;
	uint32_t cap = c->cap;

	memset(c, 0x5a, sizeof(*c));
	c->frag = frag;
	c->cap = cap;
}

int rig_pop_batch(struct rig *r, uint32_t max)
{
	uint32_t i;
	int n;

	for (i = 0; i < RIG_CHAINS; i++)
		soil(&r->chain[i]);
	vqm_begin(&r->q);
	n = vqm_pop_batch(&r->q, r->chain, max);
	vqm_end(&r->q);
	return n;
}

int rig_pop(struct rig *r)
{
	int n;

	soil(&r->chain[0]);
	vqm_begin(&r->q);
	n = vqm_pop(&r->q, &r->chain[0]);
	vqm_end(&r->q);
	return n;
}

int rig_publish(struct rig *r, uint16_t head, uint32_t len)
{
	struct vqm_done done = {head, 1, len};
	int err;

	vqm_begin(&r->q);
	err = vqm_publish(&r->q, &done, 1);
	vqm_end(&r->q);
	return err;
}

bool rig_need_notify(struct rig *r)
{
	bool yes;

	vqm_begin(&r->q);
	yes = vqm_need_notify(&r->q);
	vqm_end(&r->q);
	return yes;
}

bool rig_arm(struct rig *r)
{
	bool more;

	vqm_begin(&r->q);
	more = vqm_arm(&r->q);
	vqm_end(&r->q);
	return more;
}

void rig_disarm(struct rig *r)
{
	vqm_begin(&r->q);
	vqm_disarm(&r->q);
	vqm_end(&r->q);
}

void rig_expect_fault(const struct rig *r, enum vqm_rule rule)
{
	assert_int_equal(vqm_queue_fault(&r->q)->rule, rule);
	assert_int_equal(vqm_queue_fault(&r->q)->queue, 5);
}

void rig_expect_bad_chain(struct rig *r, uint16_t head, enum vqm_rule rule)
{
	uint16_t next = r->q.next;

	guest_offer(&r->g, head);
	r->backend.logged = 0;
	assert_int_equal(rig_pop(r), -EINVAL);
	rig_expect_fault(r, rule);
	/* A loop comes by the same descriptor again; anything else must not look twice. */
	assert_true(rule == VQM_RULE_LOOP || !guest_backend_read_twice(&r->backend));
	assert_int_equal(vqm_queue_fault(&r->q)->err, -EINVAL);
	assert_int_equal(vqm_queue_fault(&r->q)->head, head);
	assert_int_equal(r->chain[0].head, head);
	assert_int_equal(r->chain[0].slots, 1);
	assert_int_equal(r->chain[0].n_out + r->chain[0].n_in, 0);
	assert_int_equal(r->chain[0].out_len + r->chain[0].in_len, 0);
	assert_ptr_equal(r->chain[0].frag, r->frag[0]);
	assert_int_equal(r->chain[0].cap, RIG_FRAGS);
	assert_int_equal(r->q.next, (uint16_t)(next + 1));
	assert_int_equal(rig_publish(r, head, 0), 0);
}

void rig_expect_line(const struct rig *r, const char *line)
{
	char buf[128];

	vqm_explain(vqm_queue_fault(&r->q), buf, sizeof(buf));
	assert_string_equal(buf, line);
}

void rig_expect_frag(const struct rig *r, uint32_t i, uint64_t gpa, uint64_t len)
{
	assert_ptr_equal(r->chain[0].frag[i].base, guest_at(&r->g, gpa));
	assert_int_equal(r->chain[0].frag[i].len, len);
}

void rig_expect_service(struct rig *r, uint16_t head)
{
	uint16_t used = guest_used_idx(&r->g);

	guest_desc(&r->g, head, 0x1000, 24, GUEST_W, 0xeeee);
	guest_offer(&r->g, head);
	assert_int_equal(rig_pop(r), 1);
	assert_int_equal(r->chain[0].head, head);
	assert_int_equal(r->chain[0].slots, 1);
	assert_int_equal(r->chain[0].n_out, 0);
	assert_int_equal(r->chain[0].n_in, 1);
	assert_int_equal(r->chain[0].out_len, 0);
	assert_int_equal(r->chain[0].in_len, 24);
	rig_expect_frag(r, 0, 0x1000, 24);
	assert_int_equal(rig_publish(r, head, 24), 0);
	assert_int_equal(guest_used_idx(&r->g), (uint16_t)(used + 1));
	assert_int_equal(guest_used_id(&r->g, used % r->g.num), head);
	assert_int_equal(guest_used_len(&r->g, used % r->g.num), 24);
}
