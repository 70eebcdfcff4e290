/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "region.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Type of the file system, as statfs() has it. */
static const uint32_t HUGETLBFS = 0x958458f6;

/* A mapping of a whole number of pages, of which a region is a part. */
struct file_mapping {
	struct vqm_mapping mapping;
	void *addr;
	size_t len;
};

static void unmap(struct vqm_mapping *m)
{
	struct file_mapping *f = (struct file_mapping *)m;

	munmap(f->addr, f->len);
	free(f);
}

/* What offset and length of a mapping must be a multiple of. */
static uint64_t page_size(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs) == 0 && (uint32_t)fs.f_type == HUGETLBFS && fs.f_bsize > 0)
		return (uint64_t)fs.f_bsize;
	return (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Touching a page behind the end of a file is fatal: what is not there is not mapped. */
static const char *check_file(int fd, uint64_t end)
{
	struct stat st;

	if (fstat(fd, &st))
		return "not a file";
	if (S_ISCHR(st.st_mode)) /* has no size; mapping it fails if it is too small */
		return NULL;
	if (!S_ISREG(st.st_mode))
		return "not a file that can be mapped";
	return (uint64_t)st.st_size < end ? "file too short" : NULL;
}

static const char *check(const struct vqm_vu_region *wire, int fd)
{
	if (vqm_range_is_bad(wire->gpa, wire->size) || vqm_range_is_bad(wire->uva, wire->size))
		return "empty, or address and size wrap";
	/* Room for rounding up both to any page size. */
	if (wire->size > PTRDIFF_MAX / 2 || wire->offset > INT64_MAX / 2)
		return "size or offset too large";
	return check_file(fd, wire->offset + wire->size);
}

int vqm_vu_region_map(struct vqm_region *out, const struct vqm_vu_region *wire, int fd,
		      const char **why)
{
	uint64_t page = page_size(fd), before = wire->offset % page;
	struct file_mapping *f;
	int err;

	*why = check(wire, fd);
	if (*why)
		return -EINVAL;
	*why = "no memory";
	f = calloc(1, sizeof(*f));
	if (!f)
		return -ENOMEM;
	*why = "file cannot be mapped";
	f->len = (size_t)((before + wire->size + page - 1) / page * page);
	f->addr = mmap(NULL, f->len, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		       (off_t)(wire->offset - before));
	if (f->addr == MAP_FAILED) {
		err = -errno;
		free(f);
		return err;
	}
	f->mapping.refs = 1;
	f->mapping.free = unmap;
	out->gpa = vqm_gpa_of(wire->gpa);
	out->uva = vqm_uva_of(wire->uva);
	out->size = wire->size;
	out->host = (uint8_t *)f->addr + before;
	out->mapping = &f->mapping;
	return 0;
}
