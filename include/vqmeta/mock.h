/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A mock driver: the other side of a split ring, for tests and demonstrations, in user space.
 *
 * Written from section 2.7 of virtio 1.4, with nothing in common with the device side but the type
 * layouts. It posts chains, reaps and checks what comes back, and can lie as a hostile guest can.
 * The memory of the "guest" is a buffer of the caller; guest addresses count from a base.
 *
 *	vqm_mock_init(&m, &config);
 *	head = vqm_mock_post(&m, out, 1, in, 1, token);		now the device pops it
 *	n = vqm_mock_reap(&m, &used);				1: token and length came back
 */
#ifndef VQMETA_MOCK_H
#define VQMETA_MOCK_H

#include <vqmeta/types.h>

/* One buffer of a chain. */
struct vqm_mock_buf {
	struct vqm_gpa gpa;
	uint32_t len;
};

/*
 * What is wrong with the next chain that is added, and only with that one. The INDIRECT lies work
 * with vqm_mock_add_indirect() only, WRITE_FIRST needs two buffers, and LOOP fills the array of the
 * device first (-ENOBUFS when that is smaller than the queue).
 */
enum vqm_lie {
	VQM_LIE_NONE,
	VQM_LIE_HEAD_TOO_BIG,	 /* available entry >= queue size */
	VQM_LIE_NEXT_TOO_BIG,	 /* first descriptor points outside the table */
	VQM_LIE_LOOP,		 /* last descriptor points back to the first */
	VQM_LIE_LOOP_EMPTY,	 /* the same, with no bytes in any of them */
	VQM_LIE_WRITE_FIRST,	 /* a readable descriptor behind a writable one */
	VQM_LIE_UNMAPPED,	 /* first buffer outside guest memory */
	VQM_LIE_WRAP,		 /* first buffer runs over 2^64 */
	VQM_LIE_INDIRECT_EMPTY,	 /* table of 0 bytes */
	VQM_LIE_INDIRECT_ODD,	 /* table length not a multiple of 16 */
	VQM_LIE_INDIRECT_HUGE,	 /* table of 4 GiB - 16 */
	VQM_LIE_INDIRECT_NESTED, /* INDIRECT inside the table */
	VQM_LIE_INDIRECT_NEXT,	 /* INDIRECT and NEXT together */
	VQM_LIE_AVAIL_AHEAD,	 /* available index one more than the ring is long */
	VQM_LIE_COUNT,
};

/**
 * struct vqm_mock_config - how the guest looks
 * @mem:      guest memory, aligned to 16
 * @size:     its bytes
 * @base:     guest-physical address of its first byte, a multiple of 16
 * @ring:     offset of the ring in @mem, a multiple of 16; vqm_mock_ring_size() bytes are used
 * @num:      queue size, a power of two in 1..32768
 * @features: as negotiated: EVENT_IDX, INDIRECT_DESC, VERSION_1 matter
 * @order:    byte order of the ring without VERSION_1
 */
struct vqm_mock_config {
	void *mem;
	uint64_t size;
	struct vqm_gpa base;
	uint64_t ring;
	uint32_t num;
	uint64_t features;
	enum vqm_order order;
};

/* A chain that came back. */
struct vqm_mock_used {
	void *token;
	uint16_t head;
	uint32_t len;
};

/* What the driver remembers of a descriptor, and of the chain that starts there. */
struct vqm_mock_chain {
	void *token;
	uint64_t writable;
	uint16_t count; /* descriptors of the ring */
	uint16_t next;	/* of the free list, and of a chain while it is out */
	bool posted;
};

/**
 * struct vqm_mock - a driver; @desc_gpa, @avail_gpa and @used_gpa say where the ring is, the rest
 * is private, but for tests that look. A region whose gpa and uva are the same serves a queue well.
 */
struct vqm_mock {
	struct vqm_mock_config config;
	struct vqm_desc *desc;
	struct vqm_avail *avail;
	struct vqm_used *used;
	struct vqm_gpa desc_gpa, avail_gpa, used_gpa;
	bool event_idx;
	bool big_endian;
	enum vqm_lie lie;
	uint16_t free_head;
	uint16_t avail_idx; /* entries written; visible up to the last expose */
	uint16_t exposed;   /* as the device can see it */
	uint16_t told;	    /* avail_idx when a kick was last decided on */
	uint16_t last_used;
	uint32_t num_free;
	uint32_t posted; /* chains not yet reaped */
	struct vqm_mock_chain *chain;
	const char *complaint; /* which rule the device broke, after -EINVAL */
};

/**
 * vqm_mock_ring_size() - bytes of guest memory a ring of @num descriptors takes
 */
VQM_API uint64_t vqm_mock_ring_size(uint32_t num);

/**
 * vqm_mock_init() - lay out an empty ring and take all descriptors as free
 *
 * Return: 0; -EINVAL for a bad size, alignment or too little memory; -ENOMEM.
 */
VQM_API int vqm_mock_init(struct vqm_mock *m, const struct vqm_mock_config *config);

VQM_API void vqm_mock_fini(struct vqm_mock *m);

/**
 * vqm_mock_at() - where a guest address is in the memory of the mock
 *
 * Return: the byte, or NULL when @len bytes from there are not all in it.
 */
VQM_API void *vqm_mock_at(const struct vqm_mock *m, struct vqm_gpa gpa, uint64_t len);

/**
 * vqm_mock_add() - write one chain without making it visible
 * @m:     the driver
 * @out:   @n_out device-readable buffers
 * @n_out: how many
 * @in:    @n_in device-writable buffers
 * @n_in:  how many; at least one buffer in all
 * @token: comes back with the chain
 *
 * Return: the head; -ENOBUFS when there are not enough free descriptors; -EINVAL.
 */
VQM_API int vqm_mock_add(struct vqm_mock *m, const struct vqm_mock_buf *out, uint16_t n_out,
			 const struct vqm_mock_buf *in, uint16_t n_in, void *token);

/**
 * vqm_mock_add_indirect() - the same through an indirect table
 * @table: where in guest memory the table is written, 16 bytes for each buffer
 */
VQM_API int vqm_mock_add_indirect(struct vqm_mock *m, struct vqm_gpa table,
				  const struct vqm_mock_buf *out, uint16_t n_out,
				  const struct vqm_mock_buf *in, uint16_t n_in, void *token);

/**
 * vqm_mock_expose() - make what was added visible
 *
 * Return: true when the device wants to be kicked.
 */
VQM_API bool vqm_mock_expose(struct vqm_mock *m);

/**
 * vqm_mock_post() - add and expose one chain
 *
 * Return: as vqm_mock_add().
 */
VQM_API int vqm_mock_post(struct vqm_mock *m, const struct vqm_mock_buf *out, uint16_t n_out,
			  const struct vqm_mock_buf *in, uint16_t n_in, void *token);

/**
 * vqm_mock_reap() - take back one chain
 * @m:    the driver
 * @used: which, and how many bytes the device says it wrote
 *
 * Return: 1; 0 when there is none; -EINVAL when the device broke a rule, named in m->complaint.
 */
VQM_API int vqm_mock_reap(struct vqm_mock *m, struct vqm_mock_used *used);

/**
 * vqm_mock_arm() - ask to be notified about the next used buffer, and look again
 *
 * Return: true when one is there already: do not sleep.
 */
VQM_API bool vqm_mock_arm(struct vqm_mock *m);

/**
 * vqm_mock_disarm() - ask for no notifications; a hint
 */
VQM_API void vqm_mock_disarm(struct vqm_mock *m);

/**
 * vqm_mock_lie() - spoil the next chain that is added
 */
VQM_INLINE void vqm_mock_lie(struct vqm_mock *m, enum vqm_lie lie)
{
	m->lie = lie;
}

#ifdef VQM_HEADER_ONLY
#include <vqmeta/impl/mock_add.h>
#endif

#endif /* VQMETA_MOCK_H */
