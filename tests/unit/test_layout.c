/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Layouts and constants against those of the kernel's headers, and the sizes of the areas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <cmocka.h>
#include <linux/virtio_config.h>
#include <linux/virtio_ring.h>

#include <vqmeta/vqmeta.h>

#define assert_same_member(a, x, b, y)                                                             \
	do {                                                                                       \
		assert_int_equal(offsetof(a, x), offsetof(b, y));                                  \
		assert_int_equal(sizeof(((a *)0)->x), sizeof(((b *)0)->y));                        \
	} while (0)

/* SR-01 */
static void descriptor_has_the_layout_of_the_kernel(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct vqm_desc), 16);
	assert_int_equal(sizeof(struct vqm_desc), sizeof(struct vring_desc));
	assert_same_member(struct vqm_desc, addr, struct vring_desc, addr);
	assert_same_member(struct vqm_desc, len, struct vring_desc, len);
	assert_same_member(struct vqm_desc, flags, struct vring_desc, flags);
	assert_same_member(struct vqm_desc, next, struct vring_desc, next);
	assert_int_equal(offsetof(struct vqm_desc, len), 8);
	assert_int_equal(offsetof(struct vqm_desc, flags), 12);
	assert_int_equal(offsetof(struct vqm_desc, next), 14);
}

/* SR-03 */
static void available_area_has_the_layout_of_the_kernel(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct vqm_avail), sizeof(struct vring_avail));
	assert_int_equal(sizeof(struct vqm_avail), 4);
	assert_same_member(struct vqm_avail, flags, struct vring_avail, flags);
	assert_same_member(struct vqm_avail, idx, struct vring_avail, idx);
	assert_int_equal(offsetof(struct vqm_avail, ring), offsetof(struct vring_avail, ring));
	assert_int_equal(offsetof(struct vqm_avail, ring), 4);
}

/* SR-04 */
static void used_area_has_the_layout_of_the_kernel(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct vqm_used), sizeof(struct vring_used));
	assert_int_equal(sizeof(struct vqm_used), 4);
	assert_same_member(struct vqm_used, flags, struct vring_used, flags);
	assert_same_member(struct vqm_used, idx, struct vring_used, idx);
	assert_int_equal(offsetof(struct vqm_used, ring), offsetof(struct vring_used, ring));
	assert_int_equal(sizeof(struct vqm_used_elem), sizeof(struct vring_used_elem));
	assert_same_member(struct vqm_used_elem, id, struct vring_used_elem, id);
	assert_same_member(struct vqm_used_elem, len, struct vring_used_elem, len);
}

static void a_fragment_is_an_iovec(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct vqm_frag), sizeof(struct iovec));
	assert_same_member(struct vqm_frag, base, struct iovec, iov_base);
	assert_same_member(struct vqm_frag, len, struct iovec, iov_len);
}

/* SR-02, SR-06 */
static void flags_are_those_of_the_kernel(void **state)
{
	(void)state;
	assert_int_equal(VQM_DESC_F_NEXT, VRING_DESC_F_NEXT);
	assert_int_equal(VQM_DESC_F_WRITE, VRING_DESC_F_WRITE);
	assert_int_equal(VQM_DESC_F_INDIRECT, VRING_DESC_F_INDIRECT);
	assert_int_equal(VQM_AVAIL_F_NO_INTERRUPT, VRING_AVAIL_F_NO_INTERRUPT);
	assert_int_equal(VQM_USED_F_NO_NOTIFY, VRING_USED_F_NO_NOTIFY);
	assert_int_equal(VQM_QUEUE_NUM_MAX, 32768);
}

/* CN-01, case 8.10 */
static void feature_bits_are_those_of_the_kernel(void **state)
{
	uint64_t high = 1ull << VQM_F_VERSION_1 | 1ull << VQM_F_IN_ORDER;

	(void)state;
	assert_int_equal(VQM_F_NOTIFY_ON_EMPTY, VIRTIO_F_NOTIFY_ON_EMPTY);
	assert_int_equal(VQM_F_ANY_LAYOUT, VIRTIO_F_ANY_LAYOUT);
	assert_int_equal(VQM_F_INDIRECT_DESC, VIRTIO_RING_F_INDIRECT_DESC);
	assert_int_equal(VQM_F_EVENT_IDX, VIRTIO_RING_F_EVENT_IDX);
	assert_int_equal(VQM_F_VERSION_1, VIRTIO_F_VERSION_1);
	assert_int_equal(VQM_F_ACCESS_PLATFORM, VIRTIO_F_ACCESS_PLATFORM);
	assert_int_equal(VQM_F_RING_PACKED, VIRTIO_F_RING_PACKED);
	assert_int_equal(VQM_F_IN_ORDER, 35);
	assert_int_equal(VQM_F_ORDER_PLATFORM, VIRTIO_F_ORDER_PLATFORM);
	assert_int_equal(VQM_F_NOTIFICATION_DATA, 38);
	assert_int_equal(VQM_F_RING_RESET, 40);
	assert_true(vqm_has_feature(high, VQM_F_VERSION_1));
	assert_true(vqm_has_feature(high, VQM_F_IN_ORDER));
	assert_false(vqm_has_feature(high, VQM_F_RING_PACKED));
	assert_false(vqm_has_feature(high, 0));
	assert_false(vqm_has_feature(high, 3)); /* 35 in 32 bits */
}

/* SR-09, SR-10, cases 3.11 and 8.06 */
static void areas_have_the_sizes_of_the_specification(void **state)
{
	static const struct {
		uint32_t num, desc, avail, avail_event, used, used_event;
	} v[] = {
		{1, 16, 6, 8, 12, 14},
		{2, 32, 8, 10, 20, 22},
		{8, 128, 20, 22, 68, 70},
		{256, 4096, 516, 518, 2052, 2054},
		{1024, 16384, 2052, 2054, 8196, 8198},
		{32768, 524288, 65540, 65542, 262148, 262150},
	};
	uint32_t i;

	(void)state;
	for (i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(vqm_split_desc_size(v[i].num), v[i].desc);
		assert_int_equal(vqm_split_avail_size(v[i].num, false), v[i].avail);
		assert_int_equal(vqm_split_avail_size(v[i].num, true), v[i].avail_event);
		assert_int_equal(vqm_split_used_size(v[i].num, false), v[i].used);
		assert_int_equal(vqm_split_used_size(v[i].num, true), v[i].used_event);
	}
}

/* SR-07 */
static void areas_are_aligned_to_16_2_and_4(void **state)
{
	(void)state;
	assert_int_equal(vqm_area_align(VQM_AREA_DESC), 16);
	assert_int_equal(vqm_area_align(VQM_AREA_AVAIL), 2);
	assert_int_equal(vqm_area_align(VQM_AREA_USED), 4);
}

static void a_range_is_bad_when_empty_or_beyond_the_end(void **state)
{
	(void)state;
	assert_true(vqm_range_is_bad(0, 0));
	assert_true(vqm_range_is_bad(UINT64_MAX, 0));
	assert_false(vqm_range_is_bad(0, 1));
	assert_false(vqm_range_is_bad(UINT64_MAX, 1));
	assert_true(vqm_range_is_bad(UINT64_MAX, 2));
	assert_false(vqm_range_is_bad(0, UINT64_MAX));
	assert_false(vqm_range_is_bad(1, UINT64_MAX));
	assert_true(vqm_range_is_bad(2, UINT64_MAX));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptor_has_the_layout_of_the_kernel),
		cmocka_unit_test(available_area_has_the_layout_of_the_kernel),
		cmocka_unit_test(used_area_has_the_layout_of_the_kernel),
		cmocka_unit_test(a_fragment_is_an_iovec),
		cmocka_unit_test(flags_are_those_of_the_kernel),
		cmocka_unit_test(feature_bits_are_those_of_the_kernel),
		cmocka_unit_test(areas_have_the_sizes_of_the_specification),
		cmocka_unit_test(areas_are_aligned_to_16_2_and_4),
		cmocka_unit_test(a_range_is_bad_when_empty_or_beyond_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
