/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A descriptor that a worker signals while the control thread may replace it. */
#ifndef VQM_VU_NOTIFIER_H
#define VQM_VU_NOTIFIER_H

#include <vqmeta/env.h>

enum vqm_vu_kind {
	VQM_VU_EVENTFD, /* or alike: no name in the file system */
	VQM_VU_PIPE,
	VQM_VU_SOCKET,
};

/**
 * struct vqm_vu_notifier - where to signal
 * @lock: held while signalling, so that what replaces @fd may close it
 * @fd:   -1: nowhere
 * @kind: of @fd
 */
struct vqm_vu_notifier {
	struct vqm_env_lock lock;
	int fd;
	enum vqm_vu_kind kind;
};

/* Makes a descriptor fit for signals: refuses files and devices, which would never run empty, and
 * sees to it that it does not block. Returns its kind, or -EINVAL. */
int vqm_vu_notifier_prepare(int fd);

void vqm_vu_notifier_init(struct vqm_vu_notifier *n);
void vqm_vu_notifier_fini(struct vqm_vu_notifier *n);

/* Takes @fd, which was prepared, or -1; closes the former one. */
void vqm_vu_notifier_set(struct vqm_vu_notifier *n, int fd, enum vqm_vu_kind kind);

void vqm_vu_notifier_signal(struct vqm_vu_notifier *n);

#endif /* VQM_VU_NOTIFIER_H */
