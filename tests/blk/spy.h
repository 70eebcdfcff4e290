/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Between the example and the kernel: sees what is asked for, and may refuse it. */
#ifndef SPY_H
#define SPY_H

#include <stdint.h>
#include <sys/types.h>

/**
 * struct spy - what was asked for last
 * @fallocate_err: errno to answer with, 0 to let the kernel answer; likewise @fdatasync_err
 * @pwritev2:      calls; likewise the others
 * @opcode:        of the last submission to io_uring; @flags and @mode are what it says of a
 *                 transfer or of a flush, and of fallocate()
 */
struct spy {
	int fallocate_err, fdatasync_err;
	int pwritev2, fallocate, fdatasync;
	int pwritev2_flags, fallocate_mode;
	off_t fallocate_offset, fallocate_len;
	int opcode, flags, mode;
};

extern struct spy spy;

void spy_reset(void);

#endif
