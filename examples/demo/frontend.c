// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#define _GNU_SOURCE
#include <endian.h>
#include <stddef.h>
#include <string.h>

#include "frontend.h"
#include "message.h"
#include "pattern.h"

/* Bits of the virtio-blk device, of the transport, and of the protocol that the demo lives on. */
static const uint64_t NEEDED = 1ull << VQM_F_VERSION_1 | 1ull << VQM_F_EVENT_IDX |
			       1ull << VQM_F_INDIRECT_DESC | 1ull << 30 /* protocol features */ |
			       1ull << 9 /* FLUSH */ | 1ull << 12 /* MQ */;
static const uint64_t WANTED = 1ull << 2 /* SEG_MAX */;
static const uint64_t PROTOCOL = 1ull << 0 /* MQ */ | 1ull << 3 /* REPLY_ACK */ |
				 1ull << 9 /* CONFIG */ | 1ull << 15 /* CONFIGURE_MEM_SLOTS */;

struct vring_state {
	uint32_t index, num;
};

struct vring_addr {
	uint32_t index, flags;
	uint64_t desc, used, avail, log;
};

struct mem_region {
	uint64_t gpa, size, uva, fd_off;
};

struct mem_table {
	uint32_t count, padding;
	struct mem_region region[REGIONS_MAX];
};

struct mem_single {
	uint64_t padding;
	struct mem_region region;
};

struct blk_config {
	uint32_t offset, size, flags;
	uint8_t data[36]; /* up to num_queues */
};

static void read_config(struct frontend *f)
{
	struct blk_config c = {.size = sizeof(c.data)};
	uint64_t sectors;

	message_ask(&f->channel, GET_CONFIG, &c, sizeof(c), &c, sizeof(c));
	memcpy(&sectors, c.data, sizeof(sectors));
	memcpy(&f->seg_max, c.data + 12, sizeof(f->seg_max));
	f->capacity = le64toh(sectors) * 512;
	f->seg_max = le32toh(f->seg_max);
	if (!(f->features & WANTED) || f->seg_max > FRAGMENTS_MAX)
		f->seg_max = FRAGMENTS_MAX;
}

void frontend_negotiate(struct frontend *f, uint32_t queues)
{
	uint64_t offered = message_ask_u64(&f->channel, GET_FEATURES), protocol;

	if ((offered & NEEDED) != NEEDED)
		die("the backend offers features %#llx, not all of %#llx",
		    (unsigned long long)offered, (unsigned long long)NEEDED);
	f->features = offered & (NEEDED | WANTED);
	protocol = message_ask_u64(&f->channel, GET_PROTOCOL_FEATURES);
	if ((protocol & PROTOCOL) != PROTOCOL)
		die("the backend offers protocol features %#llx, not all of %#llx",
		    (unsigned long long)protocol, (unsigned long long)PROTOCOL);
	message_tell_u64(&f->channel, SET_PROTOCOL_FEATURES, PROTOCOL);
	f->channel.ack = true;
	message_tell(&f->channel, SET_OWNER, NULL, 0, NULL, 0);
	if (message_ask_u64(&f->channel, GET_QUEUE_NUM) < queues)
		die("the backend has fewer than %u queues", queues);
	if (message_ask_u64(&f->channel, GET_MAX_MEM_SLOTS) < REGIONS_MAX)
		die("the backend has fewer than %d slots for memory regions", REGIONS_MAX);
	message_tell_u64(&f->channel, SET_FEATURES, f->features);
	read_config(f);
}

void frontend_start_queue(struct frontend *f, uint32_t index, const struct vqm_mock *driver,
			  int kick, int call, int err)
{
	const struct vring_state num = {index, driver->config.num}, base = {index, 0};
	const struct vring_state enable = {index, 1};
	const struct vring_addr addr = {
		.index = index,
		.desc = (uintptr_t)driver->desc,
		.used = (uintptr_t)driver->used,
		.avail = (uintptr_t)driver->avail,
	};
	const uint64_t number = index;
	struct channel *c = &f->channel;

	message_tell(c, SET_VRING_NUM, &num, sizeof(num), NULL, 0);
	message_tell(c, SET_VRING_BASE, &base, sizeof(base), NULL, 0);
	message_tell(c, SET_VRING_ADDR, &addr, sizeof(addr), NULL, 0);
	message_tell(c, SET_VRING_CALL, &number, sizeof(number), &call, 1);
	message_tell(c, SET_VRING_ERR, &number, sizeof(number), &err, 1);
	message_tell(c, SET_VRING_KICK, &number, sizeof(number), &kick, 1);
	message_tell(c, SET_VRING_ENABLE, &enable, sizeof(enable), NULL, 0);
}

uint32_t frontend_stop_queue(struct frontend *f, uint32_t index)
{
	struct vring_state state = {index, 0};

	message_ask(&f->channel, GET_VRING_BASE, &state, sizeof(state), &state, sizeof(state));
	if (state.index != index)
		die("GET_VRING_BASE of queue %u answers for %u", index, state.index);
	return state.num;
}

static struct mem_region describe(const struct memory *m, const struct region *r)
{
	struct mem_region d = {
		.gpa = memory_gpa(m, r->off).v,
		.size = r->size,
		.uva = memory_uva(m, r->off).v,
		.fd_off = r->fd_off,
	};

	return d;
}

void frontend_set_table(struct frontend *f, const struct memory *m, uint64_t *random)
{
	struct mem_table t = {0};
	int fds[REGIONS_MAX];
	uint32_t i;

	for (i = 0; i < m->count; i++) {
		const struct region *r = &m->region[i];
		uint32_t at = (uint32_t)random_below(random, t.count + 1);

		if (r->state == REGION_AWAY)
			continue;
		t.region[t.count] = t.region[at];
		fds[t.count] = fds[at];
		t.region[at] = describe(m, r);
		fds[at] = r->fd;
		t.count++;
	}
	message_tell(&f->channel, SET_MEM_TABLE, &t,
		     (uint32_t)(offsetof(struct mem_table, region) + t.count * sizeof(t.region[0])),
		     fds, t.count);
}

void frontend_add_region(struct frontend *f, const struct memory *m, const struct region *r)
{
	const struct mem_single s = {0, describe(m, r)};

	message_tell(&f->channel, ADD_MEM_REG, &s, sizeof(s), &r->fd, 1);
}

void frontend_remove_region(struct frontend *f, const struct memory *m, const struct region *r)
{
	const struct mem_single s = {0, describe(m, r)};

	message_tell(&f->channel, REM_MEM_REG, &s, sizeof(s), NULL, 0);
}
