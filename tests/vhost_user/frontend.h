/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A front-end for tests: sends any bytes with any files, reads answers, and records what the server
 * told the device. Server and front-end share the thread: pump after each send.
 *
 * Shares nothing with the server but its public header: layouts are written down here once more.
 */
#ifndef FRONTEND_H
#define FRONTEND_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <vqmeta/vhost_user.h>

enum {
	GET_FEATURES = 1,
	SET_FEATURES = 2,
	SET_OWNER = 3,
	RESET_OWNER = 4,
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
	SET_BACKEND_REQ_FD = 21,
	GET_CONFIG = 24,
	SET_CONFIG = 25,
	RESET_DEVICE = 34,
	GET_MAX_MEM_SLOTS = 36,
	ADD_MEM_REG = 37,
	REM_MEM_REG = 38,
};

enum {
	PLAIN = 1,
	NEED_REPLY = 9,
	REPLY = 5,
	NO_FD = 0x100,
	QUEUES = 2,
	BANKS = 4,
	FLUSH = 9, /* a feature of the device */
	F_PROTOCOL = 30,
};

#define BIT(n)	     (1ull << (n))
#define ALL_PROTOCOL (BIT(0) | BIT(3) | BIT(5) | BIT(9) | BIT(13) | BIT(15))

struct header {
	uint32_t request, flags, size;
};

struct state {
	uint32_t index, num;
};

struct addr {
	uint32_t index, flags;
	uint64_t desc, used, avail, log;
};

struct mem {
	uint64_t gpa, size, uva, offset;
};

struct table {
	uint32_t count, padding;
	struct mem region[9];
};

struct single {
	uint64_t padding;
	struct mem region;
};

struct space {
	uint32_t offset, size, flags;
	uint8_t data[300];
};

/* Guest memory: a file that is mapped here, too. */
struct bank {
	struct mem as; /* what the server is told */
	uint64_t file_size;
	int fd;
	uint8_t *file;
};

struct frontend {
	struct vqm_vhost_user *server;
	int fd;
	struct bank bank[BANKS];
	int kick[QUEUES], call[QUEUES], err[QUEUES];
	/* what the device was told */
	char log[256]; /* s0 e0: start and end of queue 0; m f r: memory, features, reset; C c */
	uint64_t features;
	uint8_t space[256];
	int space_err;
	uint32_t complaints;
	char complaint[256];
	bool running[QUEUES];
	/* of the process, before */
	uint32_t fds, maps;
};

/* For cmocka: make a server with a front-end that has said nothing yet; the other checks that no
 * descriptor and no mapping is left. */
int frontend_setup(void **state);
int frontend_teardown(void **state);
struct vqm_vhost_user_config frontend_config(struct frontend *f);
void frontend_connect(struct frontend *f);
void frontend_hang_up(struct frontend *f);
/* Lets the server do all it has to do. */
void frontend_pump(struct frontend *f);
uint32_t frontend_count_fds(void);
uint32_t frontend_count_maps(void);

void frontend_send_raw(struct frontend *f, const void *bytes, size_t size, const int *fds,
		       uint32_t n);
void frontend_send(struct frontend *f, uint32_t request, uint32_t flags, const void *payload,
		   uint32_t size, const int *fds, uint32_t n);
/* The next answer: its size with header and payload stored, or -1. */
int frontend_answer(struct frontend *f, struct header *h, void *payload, size_t room);

/* Sends with need_reply, REPLY_ACK being agreed on: the acknowledgement, the only answer. */
uint64_t frontend_tell(struct frontend *f, uint32_t request, const void *payload, uint32_t size,
		       const int *fds, uint32_t n);
uint64_t frontend_tell_u64(struct frontend *f, uint32_t request, uint64_t value);
uint64_t frontend_tell_fd(struct frontend *f, uint32_t request, uint64_t value, int fd);
uint64_t frontend_tell_state(struct frontend *f, uint32_t request, uint32_t index, uint32_t num);
uint64_t frontend_ask_u64(struct frontend *f, uint32_t request);

/* Nothing came back and the connection stands; or: it was dropped, with a complaint, and nothing
 * is left of it. After the latter another front-end is connected. */
void frontend_expect_silence(struct frontend *f);
void frontend_expect_dropped(struct frontend *f);

/* Features and protocol features, all that is offered. */
void frontend_negotiate(struct frontend *f);
/* A bank of @size bytes that begins at @offset of a file. */
struct bank *frontend_add_bank(struct frontend *f, uint32_t i, uint64_t gpa, uint64_t size,
			       uint64_t offset);
/* The first @count banks as the table of the server. */
uint64_t frontend_set_table(struct frontend *f, uint32_t count);
uint64_t frontend_add_mem(struct frontend *f, const struct mem *m, int fd);
uint64_t frontend_rem_mem(struct frontend *f, const struct mem *m);

#endif /* FRONTEND_H */
