/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What messages look like: numbers and layouts, native byte order.
 *
 * Source: the vhost-user protocol document of QEMU (docs/interop/vhost-user.rst).
 */
#ifndef VQM_VU_WIRE_H
#define VQM_VU_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum vqm_vu_number {
	VQM_VU_GET_FEATURES = 1,
	VQM_VU_SET_FEATURES = 2,
	VQM_VU_SET_OWNER = 3,
	VQM_VU_RESET_OWNER = 4,
	VQM_VU_SET_MEM_TABLE = 5,
	VQM_VU_SET_VRING_NUM = 8,
	VQM_VU_SET_VRING_ADDR = 9,
	VQM_VU_SET_VRING_BASE = 10,
	VQM_VU_GET_VRING_BASE = 11,
	VQM_VU_SET_VRING_KICK = 12,
	VQM_VU_SET_VRING_CALL = 13,
	VQM_VU_SET_VRING_ERR = 14,
	VQM_VU_GET_PROTOCOL_FEATURES = 15,
	VQM_VU_SET_PROTOCOL_FEATURES = 16,
	VQM_VU_GET_QUEUE_NUM = 17,
	VQM_VU_SET_VRING_ENABLE = 18,
	VQM_VU_SET_BACKEND_REQ_FD = 21,
	VQM_VU_GET_CONFIG = 24,
	VQM_VU_SET_CONFIG = 25,
	VQM_VU_RESET_DEVICE = 34,
	VQM_VU_GET_MAX_MEM_SLOTS = 36,
	VQM_VU_ADD_MEM_REG = 37,
	VQM_VU_REM_MEM_REG = 38,
};

/* Sent by the back-end, on a channel of its own. */
enum {
	VQM_VU_BACKEND_CONFIG_CHANGE = 2,
};

enum {
	VQM_VU_VERSION = 1,
	VQM_VU_VERSION_MASK = 3,
	VQM_VU_REPLY = 4,
	VQM_VU_NEED_REPLY = 8,
	VQM_VU_FDS = 8,		 /* most that one message carries */
	VQM_VU_TABLE = 8,	 /* most regions of one SET_MEM_TABLE */
	VQM_VU_CONFIG_MAX = 256, /* most bytes of configuration space */
	VQM_VU_QUEUES_MAX = 256, /* KICK, CALL and ERR have 8 bits for the index */
	VQM_VU_VRING_INDEX = 0xff,
	VQM_VU_VRING_NO_FD = 0x100,
};

struct vqm_vu_header {
	uint32_t request;
	uint32_t flags;
	uint32_t size;
};

struct vqm_vu_state {
	uint32_t index;
	uint32_t num;
};

struct vqm_vu_addr {
	uint32_t index;
	uint32_t flags;
	uint64_t desc;
	uint64_t used;
	uint64_t avail;
	uint64_t log;
};

struct vqm_vu_region {
	uint64_t gpa;
	uint64_t size;
	uint64_t uva;
	uint64_t offset;
};

struct vqm_vu_table {
	uint32_t count;
	uint32_t padding;
	struct vqm_vu_region region[VQM_VU_TABLE];
};

struct vqm_vu_single {
	uint64_t padding;
	struct vqm_vu_region region;
};

struct vqm_vu_config {
	uint32_t offset;
	uint32_t size;
	uint32_t flags;
	uint8_t data[VQM_VU_CONFIG_MAX];
};

union vqm_vu_payload {
	uint64_t u64;
	struct vqm_vu_state state;
	struct vqm_vu_addr addr;
	struct vqm_vu_table table;
	struct vqm_vu_single single;
	struct vqm_vu_config config;
};

_Static_assert(sizeof(struct vqm_vu_header) == 12, "VU-01");
_Static_assert(sizeof(struct vqm_vu_addr) == 40, "VU-18");
_Static_assert(sizeof(struct vqm_vu_region) == 32, "VU-19");
_Static_assert(offsetof(struct vqm_vu_table, region) == 8, "VU-20");
_Static_assert(sizeof(struct vqm_vu_single) == 40, "VU-21");
_Static_assert(offsetof(struct vqm_vu_config, data) == 12, "VU-24");

#endif /* VQM_VU_WIRE_H */
