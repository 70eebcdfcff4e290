/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "request.h"

#include <stdio.h>

#include "handlers.h"

enum {
	ALWAYS = -1,
	MQ = VQM_VHOST_USER_PROTOCOL_F_MQ,
	BACKEND_REQ = VQM_VHOST_USER_PROTOCOL_F_BACKEND_REQ,
	CONFIG = VQM_VHOST_USER_PROTOCOL_F_CONFIG,
	RESET = VQM_VHOST_USER_PROTOCOL_F_RESET_DEVICE,
	SLOTS = VQM_VHOST_USER_PROTOCOL_F_CONFIGURE_MEM_SLOTS,
};

/**
 * struct request - what may come
 * @name:   for messages to humans
 * @min:    bytes of payload
 * @max:    at most
 * @fd_min: files
 * @fd_max: at most
 * @gate:   protocol feature that has to be accepted before
 * @answer: has an answer of its own, so never gets an acknowledgement (VU-11)
 * @handle: see handlers.h
 */
struct request {
	const char *name;
	uint16_t min, max;
	uint8_t fd_min, fd_max;
	int8_t gate;
	bool answer;
	int (*handle)(struct vqm_vhost_user *s);
};

#define U64    sizeof(uint64_t), sizeof(uint64_t)
#define STATE  sizeof(struct vqm_vu_state), sizeof(struct vqm_vu_state)
#define ADDR   sizeof(struct vqm_vu_addr), sizeof(struct vqm_vu_addr)
#define TABLE  offsetof(struct vqm_vu_table, region), sizeof(struct vqm_vu_table)
#define SINGLE sizeof(struct vqm_vu_single), sizeof(struct vqm_vu_single)
#define DATA   offsetof(struct vqm_vu_config, data), sizeof(struct vqm_vu_config)

/* clang-format off */
static const struct request requests[] = {
	[VQM_VU_GET_FEATURES] = {"GET_FEATURES", 0, 0, 0, 0, ALWAYS, true, vqm_vu_get_features},
	[VQM_VU_SET_FEATURES] = {"SET_FEATURES", U64, 0, 0, ALWAYS, false, vqm_vu_set_features},
	[VQM_VU_SET_OWNER] = {"SET_OWNER", 0, 0, 0, 0, ALWAYS, false, vqm_vu_owner},
	[VQM_VU_RESET_OWNER] = {"RESET_OWNER", 0, 0, 0, 0, ALWAYS, false, vqm_vu_owner},
	[VQM_VU_SET_MEM_TABLE] = {"SET_MEM_TABLE", TABLE, 0, VQM_VU_TABLE, ALWAYS, false,
				  vqm_vu_set_mem_table},
	[VQM_VU_SET_VRING_NUM] = {"SET_VRING_NUM", STATE, 0, 0, ALWAYS, false,
				  vqm_vu_set_vring_num},
	[VQM_VU_SET_VRING_ADDR] = {"SET_VRING_ADDR", ADDR, 0, 0, ALWAYS, false,
				   vqm_vu_set_vring_addr},
	[VQM_VU_SET_VRING_BASE] = {"SET_VRING_BASE", STATE, 0, 0, ALWAYS, false,
				   vqm_vu_set_vring_base},
	[VQM_VU_GET_VRING_BASE] = {"GET_VRING_BASE", STATE, 0, 0, ALWAYS, true,
				   vqm_vu_get_vring_base},
	[VQM_VU_SET_VRING_KICK] = {"SET_VRING_KICK", U64, 0, 1, ALWAYS, false,
				   vqm_vu_set_vring_kick},
	[VQM_VU_SET_VRING_CALL] = {"SET_VRING_CALL", U64, 0, 1, ALWAYS, false,
				   vqm_vu_set_vring_call},
	[VQM_VU_SET_VRING_ERR] = {"SET_VRING_ERR", U64, 0, 1, ALWAYS, false,
				  vqm_vu_set_vring_err},
	[VQM_VU_GET_PROTOCOL_FEATURES] = {"GET_PROTOCOL_FEATURES", 0, 0, 0, 0, ALWAYS, true,
					  vqm_vu_get_protocol_features},
	[VQM_VU_SET_PROTOCOL_FEATURES] = {"SET_PROTOCOL_FEATURES", U64, 0, 0, ALWAYS, false,
					  vqm_vu_set_protocol_features},
	[VQM_VU_GET_QUEUE_NUM] = {"GET_QUEUE_NUM", 0, 0, 0, 0, MQ, true, vqm_vu_get_queue_num},
	[VQM_VU_SET_VRING_ENABLE] = {"SET_VRING_ENABLE", STATE, 0, 0, ALWAYS, false,
				     vqm_vu_set_vring_enable},
	[VQM_VU_SET_BACKEND_REQ_FD] = {"SET_BACKEND_REQ_FD", 0, 0, 1, 1, BACKEND_REQ, false,
				       vqm_vu_set_backend_req_fd},
	[VQM_VU_GET_CONFIG] = {"GET_CONFIG", DATA, 0, 0, CONFIG, true, vqm_vu_get_config},
	[VQM_VU_SET_CONFIG] = {"SET_CONFIG", DATA, 0, 0, CONFIG, false, vqm_vu_set_config},
	[VQM_VU_RESET_DEVICE] = {"RESET_DEVICE", 0, 0, 0, 0, RESET, false, vqm_vu_reset_device},
	[VQM_VU_GET_MAX_MEM_SLOTS] = {"GET_MAX_MEM_SLOTS", 0, 0, 0, 0, SLOTS, true,
				      vqm_vu_get_max_mem_slots},
	[VQM_VU_ADD_MEM_REG] = {"ADD_MEM_REG", SINGLE, 1, 1, SLOTS, false, vqm_vu_add_mem_reg},
	[VQM_VU_REM_MEM_REG] = {"REM_MEM_REG", SINGLE, 0, 1, SLOTS, false, vqm_vu_rem_mem_reg},
};
/* clang-format on */

static int unknown(struct vqm_vhost_user *s)
{
	return vqm_vu_refuse(s, -EOPNOTSUPP, "not known here");
}

/* Never NULL: what is not known is refused with or without payload and files. */
static const struct request *lookup(uint32_t number)
{
	static const struct request other = {
		.name = "request",
		.max = sizeof(struct vqm_vu_config), /* the longest there is */
		.fd_max = VQM_VU_FDS,
		.gate = ALWAYS,
		.handle = unknown,
	};

	if (number < sizeof(requests) / sizeof(requests[0]) && requests[number].handle)
		return &requests[number];
	return &other;
}

int vqm_vu_request_check(struct vqm_vhost_user *s)
{
	const struct vqm_vu_header *h = &s->channel.header;
	const struct request *r = lookup(h->request);

	if ((h->flags & VQM_VU_VERSION_MASK) != VQM_VU_VERSION || h->flags & VQM_VU_REPLY)
		return vqm_vu_malformed(s, "bad version or flags");
	if (h->size < r->min || h->size > r->max)
		return vqm_vu_malformed(s, "bad size");
	if (s->channel.n_fds < r->fd_min || s->channel.n_fds > r->fd_max)
		return vqm_vu_malformed(s, "too few or too many files");
	return 0;
}

void vqm_vu_request_complain(const struct vqm_vhost_user *s)
{
	uint32_t number = s->channel.header.request;
	char what[224];

	if (!s->config.ops->complain)
		return;
	if (s->channel.got < sizeof(s->channel.header))
		snprintf(what, sizeof(what), "%s", s->why);
	else
		snprintf(what, sizeof(what), "%s (%u): %s", lookup(number)->name, number, s->why);
	s->config.ops->complain(s->config.ctx, what);
}

static bool acks(const struct vqm_vhost_user *s)
{
	return vqm_vu_has(s, VQM_VHOST_USER_PROTOCOL_F_REPLY_ACK) &&
	       s->channel.header.flags & VQM_VU_NEED_REPLY;
}

static int answer(struct vqm_vhost_user *s, uint32_t size)
{
	struct vqm_vu_header h = {s->channel.header.request, VQM_VU_VERSION | VQM_VU_REPLY, size};

	return vqm_vu_send(s->channel.fd, &h, &s->channel.payload);
}

/* Exactly one answer, or the end of the connection when there is no other way to say no. */
int vqm_vu_request_handle(struct vqm_vhost_user *s)
{
	const struct request *r = lookup(s->channel.header.request);
	bool ack = acks(s);
	int n;

	if (r->gate >= 0 && !vqm_vu_has(s, (unsigned int)r->gate))
		n = vqm_vu_refuse(s, -EOPNOTSUPP, "its protocol feature was not accepted");
	else
		n = r->handle(s);
	if (n < 0)
		vqm_vu_request_complain(s);
	if (s->malformed || (r->answer && n < 0))
		return -EPROTO;
	if (r->answer)
		return answer(s, (uint32_t)n);
	/* The request that negotiates acknowledgements may ask for one (VU-10). */
	if (!ack && !acks(s))
		return n;
	s->channel.payload.u64 = (uint64_t)-n;
	return answer(s, sizeof(s->channel.payload.u64));
}
