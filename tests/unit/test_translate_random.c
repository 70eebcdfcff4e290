/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random tables of many regions against a naive model that knows every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <vqmeta/regions.h>

enum {
	SPACE = 1 << 19, /* guest-physical bytes of the model */
	MAX = 4096,
	ROOM = 64,
	CHECKS = 30000, /* per table */
};

static uint8_t memory[SPACE]; /* the host side: byte i of it is nowhere else */
static int32_t owner[SPACE];  /* which region has a guest byte, -1 for none */
static uint32_t host_of[SPACE];
static struct vqm_region in[MAX];
static uint64_t seed;

static uint32_t dice(uint32_t n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(seed >> 33) % n;
}

/* Regions of uneven sizes, some adjacent, some with holes, at shuffled places of the host. */
static void lay(uint32_t count, uint64_t base)
{
	uint32_t step = SPACE / count, at = 0, host = SPACE, i, k;

	memset(owner, 0xff, sizeof(owner));
	for (i = 0; i < count; i++) {
		uint32_t size = dice(3) == 0 ? step : 1 + dice(step);
		uint32_t gap = size < step && dice(2) ? dice(step - size) : 0;

		host -= size;
		at += gap;
		in[i].gpa.v = base + at;
		in[i].uva.v = 0x10000000 + at;
		in[i].size = size;
		in[i].host = memory + host;
		for (k = 0; k < size; k++, at++) {
			owner[at] = (int32_t)i;
			host_of[at] = host + k;
		}
		at = (i + 1) * step > at && dice(2) ? (i + 1) * step : at;
	}
	for (i = count; i-- > 1;) {
		struct vqm_region tmp = in[i];

		k = dice(i + 1);
		in[i] = in[k];
		in[k] = tmp;
	}
}

/* The answer byte by byte: pieces end where the owner changes. */
static int model(uint32_t at, uint32_t len, uint32_t max, struct vqm_frag *frag, uint32_t *hole)
{
	uint32_t i;
	int n = 0;

	for (i = at; i < at + len; i++) {
		if (i >= SPACE || owner[i] < 0) {
			*hole = i;
			return -EFAULT;
		}
		if (i == at || owner[i] != owner[i - 1]) {
			if (n == (int)max)
				return -ENOBUFS;
			frag[n].base = memory + host_of[i];
			frag[n++].len = 0;
		}
		frag[n - 1].len++;
	}
	return n;
}

static void check_one(const struct vqm_regions *t, uint64_t base, uint32_t step)
{
	struct vqm_frag got[ROOM + 1], want[ROOM + 1];
	uint32_t at = dice(SPACE), len = dice(4 * step + 1), max = dice(8) ? ROOM : dice(4);
	struct vqm_gpa missing = {77};
	uint32_t hole = 0;
	int n, expected;

	len = len < 3000 ? len : 3000;
	memset(got, 0x5a, sizeof(got));
	memset(want, 0x5a, sizeof(want));
	expected = model(at, len, max, want, &hole);
	n = vqm_regions_translate(t, vqm_gpa_of(base + at), len, got, max, &missing);
	assert_int_equal(n, expected);
	if (n >= 0)
		assert_memory_equal(got, want, sizeof(got[0]) * (uint32_t)n);
	assert_memory_equal(got + max, want + max, sizeof(got[0]));
	assert_true(missing.v == (n == -EFAULT ? base + hole : 77));
}

static void check_table(uint32_t count, uint64_t base)
{
	const struct vqm_region *r;
	struct vqm_regions *t = NULL;
	uint32_t i, at;

	lay(count, base);
	assert_int_equal(vqm_regions_build(&t, in, count), 0);
	for (i = 0; i < CHECKS; i++) {
		at = dice(SPACE);
		r = vqm_regions_find(t, vqm_gpa_of(base + at));
		assert_int_equal(r != NULL, owner[at] >= 0);
		if (r)
			assert_ptr_equal(r->host + (base + at - r->gpa.v), memory + host_of[at]);
		check_one(t, base, SPACE / count);
	}
	vqm_regions_release(t);
}

/* T1, T3 */
static void translation_equals_the_model_for_any_number_of_regions(void **state)
{
	static const uint32_t counts[] = {1, 3, 53, 509, 4096};
	uint32_t i;

	(void)state;
	seed = 20260101;
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		check_table(counts[i], i * 0x123456000ull);
}

static void translation_equals_the_model_at_the_end_of_the_address_space(void **state)
{
	(void)state;
	seed = 7;
	check_table(53, 0ull - SPACE);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(translation_equals_the_model_for_any_number_of_regions),
		cmocka_unit_test(translation_equals_the_model_at_the_end_of_the_address_space),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
