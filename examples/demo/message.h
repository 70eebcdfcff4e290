/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages of the vhost-user protocol, front-end to backend. One thread at a time uses a channel.
 *
 * Every message waits for its answer. One that is refused, or not answered in time, ends the
 * program.
 */
#ifndef VQM_DEMO_MESSAGE_H
#define VQM_DEMO_MESSAGE_H

#include "demo.h"

enum message {
	GET_FEATURES = 1,
	SET_FEATURES = 2,
	SET_OWNER = 3,
	SET_MEM_TABLE = 5,
	SET_VRING_NUM = 8,
	SET_VRING_ADDR = 9,
	SET_VRING_BASE = 10,
	GET_VRING_BASE = 11,
	SET_VRING_KICK = 12,
	SET_VRING_CALL = 13,
	SET_VRING_ERR = 14,
	GET_PROTOCOL_FEATURES = 15,
	SET_PROTOCOL_FEATURES = 16,
	GET_QUEUE_NUM = 17,
	SET_VRING_ENABLE = 18,
	GET_CONFIG = 24,
	GET_MAX_MEM_SLOTS = 36,
	ADD_MEM_REG = 37,
	REM_MEM_REG = 38,
};

struct channel {
	int fd;
	bool ack;		     /* REPLY_ACK was negotiated */
	_Atomic(const char *) waits; /* name of the request that waits for its answer, or NULL */
};

/* Waits some seconds for the backend to come up. */
void channel_connect(struct channel *c, const char *path);

/* A request with an answer of its own. */
void message_ask(struct channel *c, enum message request, const void *payload, uint32_t size,
		 void *reply, uint32_t reply_size);

uint64_t message_ask_u64(struct channel *c, enum message request);

/* A request without an answer of its own, acknowledged once that is agreed on; with @n files. */
void message_tell(struct channel *c, enum message request, const void *payload, uint32_t size,
		  const int *fds, uint32_t n);

void message_tell_u64(struct channel *c, enum message request, uint64_t value);

#endif /* VQM_DEMO_MESSAGE_H */
