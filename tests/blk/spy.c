/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "spy.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

struct spy spy;

void spy_reset(void)
{
	memset(&spy, 0, sizeof(spy));
}

/* The names are those of the linker: --wrap. */
ssize_t __real_pwritev2(int fd, const struct iovec *iov, int n, off_t offset, int flags);
ssize_t __wrap_pwritev2(int fd, const struct iovec *iov, int n, off_t offset, int flags);
int __real_fallocate(int fd, int mode, off_t offset, off_t len);
int __wrap_fallocate(int fd, int mode, off_t offset, off_t len);
int __real_fdatasync(int fd);
int __wrap_fdatasync(int fd);

ssize_t __wrap_pwritev2(int fd, const struct iovec *iov, int n, off_t offset, int flags)
{
	spy.pwritev2++;
	spy.pwritev2_flags = flags;
	return __real_pwritev2(fd, iov, n, offset, flags);
}

int __wrap_fallocate(int fd, int mode, off_t offset, off_t len)
{
	spy.fallocate++;
	spy.fallocate_mode = mode;
	spy.fallocate_offset = offset;
	spy.fallocate_len = len;
	errno = spy.fallocate_err;
	return errno ? -1 : __real_fallocate(fd, mode, offset, len);
}

int __wrap_fdatasync(int fd)
{
	spy.fdatasync++;
	errno = spy.fdatasync_err;
	return errno ? -1 : __real_fdatasync(fd);
}
