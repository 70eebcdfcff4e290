/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A naive guest: banks of memory and a split ring that is laid by hand, byte by byte.
 *
 * Written from section 2.7 of virtio 1.4. Shares nothing with the library but the types of regions
 * and backends. Every store of the guest is mirrored, so that whatever the device wrote outside of
 * the used area is found (SR-17, SR-82).
 */
#ifndef GUEST_H
#define GUEST_H

#include <vqmeta/regions.h>

#define GUEST_UVA 0x7f5500000000ull

enum {
	GUEST_BANKS = 8,
	GUEST_LOG = 512,
	GUEST_N = 1, /* flags of a descriptor, by the letters of the test cases */
	GUEST_W = 2,
	GUEST_I = 4,
};

struct guest_bank {
	uint64_t gpa;
	uint64_t uva;
	uint64_t size;
	uint8_t *mem; /* each bank is an allocation of its own: what leaves it is noticed */
	uint8_t *mirror;
};

struct guest {
	struct guest_bank bank[GUEST_BANKS];
	uint32_t banks;
	bool big;
	uint32_t num;
	uint64_t desc, avail, used; /* guest-physical */
	uint16_t idx;		    /* of the available ring */
};

void guest_add_bank(struct guest *g, uint64_t gpa, uint64_t size);
void guest_fini(struct guest *g);
struct vqm_region guest_region(const struct guest *g, uint32_t bank);
uint8_t *guest_at(const struct guest *g, uint64_t gpa);
uint64_t guest_uva(const struct guest *g, uint64_t gpa);

void guest_put(struct guest *g, uint64_t gpa, uint64_t value, uint32_t bytes);
uint64_t guest_get(const struct guest *g, uint64_t gpa, uint32_t bytes);
void guest_fill(struct guest *g, uint64_t gpa, uint64_t len, uint8_t value);

/* Descriptor @i of the table at @table, which may be an indirect one. */
void guest_desc_at(struct guest *g, uint64_t table, uint32_t i, uint64_t addr, uint32_t len,
		   uint16_t flags, uint16_t next);
void guest_desc(struct guest *g, uint32_t i, uint64_t addr, uint32_t len, uint16_t flags,
		uint16_t next);
/* Writes an available entry, then the index. */
void guest_offer(struct guest *g, uint16_t head);
void guest_set_avail_idx(struct guest *g, uint16_t idx);
void guest_set_avail_flags(struct guest *g, uint16_t flags);
void guest_set_used_event(struct guest *g, uint16_t event);
void guest_set_used_idx(struct guest *g, uint16_t idx);
uint16_t guest_used_flags(const struct guest *g);
uint16_t guest_used_idx(const struct guest *g);
uint32_t guest_used_id(const struct guest *g, uint32_t slot);
uint32_t guest_used_len(const struct guest *g, uint32_t slot);
uint16_t guest_avail_event(const struct guest *g);

/* Did the device leave alone all but the used area? guest_accept(): it may have written here. */
bool guest_is_untouched(const struct guest *g);
void guest_accept(struct guest *g, uint64_t gpa, uint64_t len);

/* Copies in and out of the banks by front-end addresses, and remembers what was read. */
struct guest_backend {
	struct vqm_backend backend;
	const struct guest *guest;
	uint64_t deaf, deaf_size; /* a range that cannot be reached */
	uint32_t count;		  /* copies so far */
	uint32_t fail_at;	  /* this copy fails; 0: none */
	uint32_t logged;
	struct {
		uint64_t uva;
		size_t len;
	} log[GUEST_LOG];
};

void guest_backend_init(struct guest_backend *b, const struct guest *g);
/* Was any byte read twice since logged was set to 0? */
bool guest_backend_read_twice(const struct guest_backend *b);

#endif /* GUEST_H */
