/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A connected socket: messages in, one at a time, with their files; answers out. Never blocks. */
#ifndef VQM_VU_CHANNEL_H
#define VQM_VU_CHANNEL_H

#include "wire.h"

/**
 * struct vqm_vu_channel - a connection and the message that is coming in
 * @fd:      -1: no connection
 * @got:     bytes of the message so far, header included
 * @n_fds:   files that came with it
 * @fds:     they; -1 once taken
 * @header:  of the message
 * @payload: of the message, later of the answer
 */
struct vqm_vu_channel {
	int fd;
	uint32_t got;
	uint32_t n_fds;
	int fds[VQM_VU_FDS];
	struct vqm_vu_header header;
	union vqm_vu_payload payload;
};

/*
 * Receive what is missing of the header, or of the payload; the size of the latter must have been
 * checked. They return 1 when it is complete, 0 when more has to come, -ENOTCONN when the peer has
 * gone between two messages, and for a broken message -EPIPE (gone inside it) or -EPROTO (files
 * where there may be none, or too many).
 */
int vqm_vu_channel_header(struct vqm_vu_channel *c);
int vqm_vu_channel_payload(struct vqm_vu_channel *c);

/* A file of the message; it belongs to the caller now. */
int vqm_vu_channel_take(struct vqm_vu_channel *c, uint32_t i);

/* Closes the files nobody took and makes ready for the next message. */
void vqm_vu_channel_next(struct vqm_vu_channel *c);

void vqm_vu_channel_close(struct vqm_vu_channel *c);

/* Returns 0, or -ENOTCONN when the peer has gone or does not read. */
int vqm_vu_send(int fd, const struct vqm_vu_header *h, const void *payload);

/* Closes and forgets; -1 is fine. */
void vqm_vu_close(int *fd);

#endif /* VQM_VU_CHANNEL_H */
