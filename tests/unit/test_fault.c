/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The line that explains each fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/fault.h>

/* clang-format off */
static const struct {
	struct vqm_fault fault;
	const char *line;
} faults[] = {
	{{VQM_RULE_NONE, 0, 3, 1, 2, false, 0, 4, 5}, "queue 3: no fault"},
	{{VQM_RULE_AVAIL_AHEAD, -ENOTRECOVERABLE, 0, 0, 0, false, 0, 17, 16},
	 "queue 0: avail.idx offers 17 buffers, room for 16 (2.7.6)"},
	{{VQM_RULE_HEAD_RANGE, -ENOTRECOVERABLE, 1, 0, 0, false, 0, 256, 256},
	 "queue 1: head 256 >= 256 (2.7.6)"},
	{{VQM_RULE_NEXT_RANGE, -EINVAL, 0, 7, 9, false, 0, 300, 256},
	 "queue 0, head 7, desc 9: next 300 >= 256 (2.7.5)"},
	{{VQM_RULE_NEXT_RANGE, -EINVAL, 0, 7, 9, true, 0, 300, 256},
	 "queue 0, head 7, table desc 9: next 300 >= 256 (2.7.5)"},
	{{VQM_RULE_LOOP, -EINVAL, 2, 1, 3, false, 0, 0, 8},
	 "queue 2, head 1, desc 3: more than 8 descriptors, a loop (2.7.5)"},
	{{VQM_RULE_WRITE_ORDER, -EINVAL, 2, 1, 3, false, 0, 0, 0},
	 "queue 2, head 1, desc 3: device-readable after device-writable (2.7.4.2)"},
	{{VQM_RULE_UNMAPPED, -EINVAL, 2, 1, 3, false, 0, 0xffffffffffffff00, 0},
	 "queue 2, head 1, desc 3: address 0xffffffffffffff00 is not in guest memory (2.7.5)"},
	{{VQM_RULE_UNMAPPED, -EINVAL, 2, 1, 3, true, 0, 0, 0},
	 "queue 2, head 1, table desc 3: address 0x0 is not in guest memory (2.7.5)"},
	{{VQM_RULE_TOO_LONG, -EINVAL, 2, 1, 3, false, 0, 4294967297, 4294967296},
	 "queue 2, head 1, desc 3: chain of 4294967297 bytes > 4294967296 (2.7.5.2)"},
	{{VQM_RULE_INDIRECT_FEATURE, -EINVAL, 2, 1, 3, false, 0, 0, 0},
	 "queue 2, head 1, desc 3: INDIRECT was not negotiated (2.7.5.3.1)"},
	{{VQM_RULE_INDIRECT_NEXT, -EINVAL, 2, 1, 3, false, 0, 0, 0},
	 "queue 2, head 1, desc 3: INDIRECT together with NEXT (2.7.5.3.1)"},
	{{VQM_RULE_INDIRECT_NESTED, -EINVAL, 2, 1, 3, true, 0, 0, 0},
	 "queue 2, head 1, table desc 3: INDIRECT inside a table (2.7.5.3.1)"},
	{{VQM_RULE_INDIRECT_LEN, -EINVAL, 2, 1, 3, false, 0, 24, 1048576},
	 "queue 2, head 1, desc 3: table of 24 bytes, not 16..1048576 by 16 (2.7.5.3)"},
	{{VQM_RULE_INDIRECT_UNMAPPED, -EINVAL, 2, 1, 3, true, 0, 0xabcdef0, 0},
	 "queue 2, head 1, table desc 3: table at 0xabcdef0 is not in guest memory (2.7.5.3)"},
	{{VQM_RULE_NOT_HERE, -EOPNOTSUPP, 2, 1, 3, false, 0, 0x20000, 0},
	 "queue 2, head 1, desc 3: guest memory at 0x20000 is not mapped here"},
	{{VQM_RULE_NO_ROOM, -ENOBUFS, 2, 1, 3, false, 0, 0, 16},
	 "queue 2, head 1, desc 3: more than the caller's 16 fragments"},
	{{VQM_RULE_RING_GONE, -ESTALE, 2, 1, 3, false, 0, 0, 0},
	 "queue 2: a ring area is not mapped now"},
	{{VQM_RULE_NOT_STARTED, -ENOTCONN, 2, 1, 3, false, 0, 0, 0}, "queue 2: not started"},
	{{VQM_RULE_DONE_UNKNOWN, -EINVAL, 2, 1, 3, false, 0, 9, 8},
	 "queue 2: completion 9 is not outstanding, limit 8"},
	{{VQM_RULE_NUM, -EINVAL, 2, 1, 3, false, 0, 24576, 32768},
	 "queue 2: size 24576 is not a power of two in 1..32768 (2.7)"},
	{{VQM_RULE_ALIGN, -EINVAL, 2, 1, 3, false, 0, 0x1008, 16},
	 "queue 2: descriptor area at 0x1008 is not aligned to 16 (2.7)"},
	{{VQM_RULE_AREA_WRAP, -EINVAL, 2, 1, 3, false, 1, 0xfffffffffffffffe, 4},
	 "queue 2: available area at 0xfffffffffffffffe wraps, 4 bytes"},
	{{VQM_RULE_AREA_UNMAPPED, -EFAULT, 2, 1, 3, false, 2, 0x7f00, 12},
	 "queue 2: used area at 0x7f00, 12 bytes, is not mapped in one aligned piece"},
	{{VQM_RULE_AREA_UNMAPPED, -EFAULT, 2, 1, 3, false, 3, 0x7f00, 12},
	 "queue 2: ? area at 0x7f00, 12 bytes, is not mapped in one aligned piece"},
	{{VQM_RULE_MAX_CHAIN, -EINVAL, 2, 1, 3, false, 0, 4, 8},
	 "queue 2: max_chain 4 < queue size 8"},
	{{VQM_RULE_FEATURE, -EOPNOTSUPP, 2, 1, 3, false, 0, 34, 0},
	 "queue 2: feature bit 34 is not served"},
	{{VQM_RULE_COUNT, 0, 65535, 0, 0, false, 0, 0, 0}, "queue 65535: unknown rule"},
	{{(enum vqm_rule)1000, 0, 65535, 0, 0, false, 0, 0, 0}, "queue 65535: unknown rule"},
};
/* clang-format on */

enum {
	FAULTS = sizeof(faults) / sizeof(faults[0]),
};

static void each_rule_has_its_line(void **state)
{
	uint8_t told[VQM_RULE_COUNT] = {0};
	char buf[128];
	uint32_t i;

	(void)state;
	for (i = 0; i < FAULTS; i++) {
		size_t len = vqm_explain(&faults[i].fault, buf, sizeof(buf));

		assert_string_equal(buf, faults[i].line);
		assert_int_equal(len, strlen(buf));
		if (faults[i].fault.rule < VQM_RULE_COUNT)
			told[faults[i].fault.rule] = 1;
	}
	for (i = 0; i < VQM_RULE_COUNT; i++)
		assert_int_equal(told[i], 1);
}

static void a_line_is_cut_to_what_fits_and_its_length_is_told(void **state)
{
	char buf[160];
	size_t len, size;
	uint32_t i;

	(void)state;
	for (i = 0; i < FAULTS; i++) {
		len = strlen(faults[i].line);
		for (size = 0; size < len + 3; size++) {
			size_t kept = size == 0 ? 0 : size - 1 < len ? size - 1 : len;

			memset(buf, 0x5a, sizeof(buf));
			assert_int_equal(vqm_explain(&faults[i].fault, buf, size), len);
			assert_memory_equal(buf, faults[i].line, kept);
			assert_int_equal(buf[kept], size == 0 ? 0x5a : 0);
			assert_int_equal(buf[kept + 1], 0x5a);
			assert_int_equal(buf[size + 1], 0x5a);
		}
	}
}

static void without_a_buffer_the_length_is_told(void **state)
{
	(void)state;
	assert_int_equal(vqm_explain(&faults[0].fault, NULL, 0), strlen(faults[0].line));
}

/* As the documentation of vqm_explain() says. */
static void no_line_is_longer_than_127(void **state)
{
	struct vqm_fault f = {VQM_RULE_NONE, -EINVAL,	     65535,	 65535,	    65535,
			      true,	     VQM_AREA_AVAIL, UINT64_MAX, UINT64_MAX};
	uint32_t rule;

	(void)state;
	for (rule = 0; rule <= VQM_RULE_COUNT; rule++) {
		f.rule = (enum vqm_rule)rule;
		assert_in_range(vqm_explain(&f, NULL, 0), 10, 127);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_has_its_line),
		cmocka_unit_test(a_line_is_cut_to_what_fits_and_its_length_is_told),
		cmocka_unit_test(without_a_buffer_the_length_is_told),
		cmocka_unit_test(no_line_is_longer_than_127),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
