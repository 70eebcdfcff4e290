/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef VQMETA_IMPL_FAULT_H
#define VQMETA_IMPL_FAULT_H

#include <vqmeta/fault.h>

struct vqm_text_ {
	char *buf;
	size_t size;
	size_t len;
};

static inline void vqm_text_char_(struct vqm_text_ *t, char c)
{
	if (t->len + 1 < t->size)
		t->buf[t->len] = c;
	t->len++;
}

static inline void vqm_text_num_(struct vqm_text_ *t, uint64_t v, uint32_t base)
{
	char digit[20];
	int n = 0;

	do
		digit[n++] = "0123456789abcdef"[v % base];
	while ((v /= base) != 0);
	while (n > 0)
		vqm_text_char_(t, digit[--n]);
}

static inline void vqm_text_str_(struct vqm_text_ *t, const char *s)
{
	while (*s)
		vqm_text_char_(t, *s++);
}

/* %v value, %l limit, %x value in hexadecimal, %a area, %w where in the queue it happened. */
static inline const char *vqm_rule_text_(enum vqm_rule rule)
{
	switch (rule) {
	case VQM_RULE_NONE: return ": no fault";
	case VQM_RULE_AVAIL_AHEAD: return ": avail.idx offers %v buffers, room for %l (2.7.6)";
	case VQM_RULE_HEAD_RANGE: return ": head %v >= %l (2.7.6)";
	case VQM_RULE_NEXT_RANGE: return "%w: next %v >= %l (2.7.5)";
	case VQM_RULE_LOOP: return "%w: more than %l descriptors, a loop (2.7.5)";
	case VQM_RULE_WRITE_ORDER: return "%w: device-readable after device-writable (2.7.4.2)";
	case VQM_RULE_UNMAPPED: return "%w: address 0x%x is not in guest memory (2.7.5)";
	case VQM_RULE_TOO_LONG: return "%w: chain of %v bytes > %l (2.7.5.2)";
	case VQM_RULE_INDIRECT_FEATURE: return "%w: INDIRECT was not negotiated (2.7.5.3.1)";
	case VQM_RULE_INDIRECT_NEXT: return "%w: INDIRECT together with NEXT (2.7.5.3.1)";
	case VQM_RULE_INDIRECT_NESTED: return "%w: INDIRECT inside a table (2.7.5.3.1)";
	case VQM_RULE_INDIRECT_LEN: return "%w: table of %v bytes, not 16..%l by 16 (2.7.5.3)";
	case VQM_RULE_INDIRECT_UNMAPPED:
		return "%w: table at 0x%x is not in guest memory (2.7.5.3)";
	case VQM_RULE_NOT_HERE: return "%w: guest memory at 0x%x is not mapped here";
	case VQM_RULE_NO_ROOM: return "%w: more than the caller's %l fragments";
	case VQM_RULE_RING_GONE: return ": a ring area is not mapped now";
	case VQM_RULE_NOT_STARTED: return ": not started";
	case VQM_RULE_DONE_UNKNOWN: return ": completion %v is not outstanding, limit %l";
	case VQM_RULE_NUM: return ": size %v is not a power of two in 1..%l (2.7)";
	case VQM_RULE_ALIGN: return ": %a area at 0x%x is not aligned to %l (2.7)";
	case VQM_RULE_AREA_WRAP: return ": %a area at 0x%x wraps, %l bytes";
	case VQM_RULE_AREA_UNMAPPED:
		return ": %a area at 0x%x, %l bytes, is not mapped in one aligned piece";
	case VQM_RULE_MAX_CHAIN: return ": max_chain %v < queue size %l";
	case VQM_RULE_FEATURE: return ": feature bit %v is not served";
	case VQM_RULE_COUNT: break;
	}
	return ": unknown rule";
}

static inline void vqm_text_where_(struct vqm_text_ *t, const struct vqm_fault *f)
{
	vqm_text_str_(t, ", head ");
	vqm_text_num_(t, f->head, 10);
	vqm_text_str_(t, f->table ? ", table desc " : ", desc ");
	vqm_text_num_(t, f->desc, 10);
}

static inline void vqm_text_field_(struct vqm_text_ *t, const struct vqm_fault *f, char field)
{
	static const char *const area[] = {"descriptor", "available", "used"};

	switch (field) {
	case 'v': vqm_text_num_(t, f->value, 10); return;
	case 'x': vqm_text_num_(t, f->value, 16); return;
	case 'l': vqm_text_num_(t, f->limit, 10); return;
	case 'a': vqm_text_str_(t, f->area < 3 ? area[f->area] : "?"); return;
	default: vqm_text_where_(t, f); return;
	}
}

VQM_API size_t vqm_explain(const struct vqm_fault *f, char *buf, size_t size)
{
	struct vqm_text_ t = {buf, size, 0};
	const char *s;

	vqm_text_str_(&t, "queue ");
	vqm_text_num_(&t, f->queue, 10);
	for (s = vqm_rule_text_(f->rule); *s; s++) {
		if (*s == '%')
			vqm_text_field_(&t, f, *++s);
		else
			vqm_text_char_(&t, *s);
	}
	if (size > 0)
		buf[t.len < size ? t.len : size - 1] = '\0';
	return t.len;
}

#endif /* VQMETA_IMPL_FAULT_H */
