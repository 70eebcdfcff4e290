/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A queue on a naive guest, the same for every test of the queue. Each test runs once per strategy,
 * way of access (mapped, or invalidated and reached through a backend) and byte order.
 */
#ifndef RIG_H
#define RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <vqmeta/queue.h>

#include "guest.h"
#include "strategies.h"

enum {
	RIG_CHAINS = 64,
	RIG_FRAGS = 16,
	RIG_DESC = 0x18000,
	RIG_AVAIL = 0x1a000,
	RIG_USED = 0x1b000,
};

#define RIG_EVENT_IDX	    (1ull << 29)
#define RIG_INDIRECT	    (1ull << 28)
#define RIG_NOTIFY_ON_EMPTY (1ull << 24)

struct rig_variant {
	const struct strategy *strategy;
	bool copy;
	bool big;
};

struct rig {
	struct rig_variant v;
	struct guest g;
	struct guest_backend backend;
	struct vqm_dev dev;
	struct vqm_queue q;
	struct vqm_queue_config config;
	struct vqm_chain chain[RIG_CHAINS];
	struct vqm_frag frag[RIG_CHAINS][RIG_FRAGS];
};

struct rig_test {
	const char *name;
	void (*run)(void **state);
};

#define RIG_TEST(function)                                                                         \
	{                                                                                          \
#function, function                                                                \
	}

/* Runs each test in each variant; the exit status of the program. */
int rig_main(const struct rig_test *test, uint32_t count);

/* Makes a rig with one bank {0, 0x20000}, not started. rig_free() checks who wrote what. */
struct rig *rig_new(const struct rig_variant *v);
void rig_free(struct rig *r);

/* Puts all banks in force as the memory of the device. */
void rig_set_regions(struct rig *r);
/* Fills in the configuration from the guest; the byte order is added. */
void rig_configure(struct rig *r, uint32_t num, uint64_t features);
/* The usual start: configure, start, and go over to the way of the variant. */
void rig_start(struct rig *r, uint32_t num, uint64_t features);
void rig_go_copy(struct rig *r);
/* Stops and starts again with indices that are not 0. */
void rig_restart_at(struct rig *r, uint16_t next, uint16_t used_idx);

/* One burst each. */
int rig_pop(struct rig *r);
int rig_pop_batch(struct rig *r, uint32_t max);
int rig_publish(struct rig *r, uint16_t head, uint32_t len);
bool rig_need_notify(struct rig *r);
bool rig_arm(struct rig *r);
void rig_disarm(struct rig *r);

/* The fault of the last call has this rule; offers @head, pops and expects a bad chain. */
void rig_expect_fault(const struct rig *r, enum vqm_rule rule);
void rig_expect_bad_chain(struct rig *r, uint16_t head, enum vqm_rule rule);
/* The last fault, as a line. */
void rig_expect_line(const struct rig *r, const char *line);
/* Fragment @i of chain 0 is this piece of guest memory. */
void rig_expect_frag(const struct rig *r, uint32_t i, uint64_t gpa, uint64_t len);
/* Offers one good chain at @head and sees it through: the queue still works. */
void rig_expect_service(struct rig *r, uint16_t head);

static inline struct rig *rig_of(void **state)
{
	return (struct rig *)*state;
}

#endif /* RIG_H */
