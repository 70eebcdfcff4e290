/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A vhost-user back-end: the server side of the protocol, feeding devices, regions and queues.
 *
 * No thread and no loop of its own: the caller polls one file descriptor and calls dispatch. All
 * calls but the three marked "worker" belong to that one control thread; workers may run
 * elsewhere. One front-end is served at a time; when it leaves, the next is accepted.
 *
 * Source: the vhost-user protocol document of QEMU (docs/interop/vhost-user.rst).
 */
#ifndef VQMETA_VHOST_USER_H
#define VQMETA_VHOST_USER_H

#include <vqmeta/queue.h>

/* A library of its own, never header-only. */
#ifdef __cplusplus
#define VQM_VHOST_USER_API extern "C" __attribute__((__visibility__("default")))
#else
#define VQM_VHOST_USER_API extern __attribute__((__visibility__("default")))
#endif

/* Bit of the virtio feature word that announces protocol features. */
enum {
	VQM_VHOST_USER_F_PROTOCOL_FEATURES = 30,
};

/* Protocol feature bits this server knows. */
enum {
	VQM_VHOST_USER_PROTOCOL_F_MQ = 0,
	VQM_VHOST_USER_PROTOCOL_F_REPLY_ACK = 3,
	VQM_VHOST_USER_PROTOCOL_F_BACKEND_REQ = 5,
	VQM_VHOST_USER_PROTOCOL_F_CONFIG = 9,
	VQM_VHOST_USER_PROTOCOL_F_RESET_DEVICE = 13,
	VQM_VHOST_USER_PROTOCOL_F_CONFIGURE_MEM_SLOTS = 15,
};

struct vqm_vhost_user;

/**
 * struct vqm_vhost_user_ops - what a device does; every member may be NULL; no configuration space
 * is offered without @get_config
 * @start:      queue @index is mapped, started and enabled: let a worker run it, and have it look
 *              at the ring at once, without a kick. May be called again after @stop.
 * @stop:       let the worker finish: return when it does not use the queue any more and every
 *              chain it popped is published. Called before the queue is stopped, disabled, given
 *              another kick descriptor, or its front-end is gone (publishing may then fail)
 * @memory:     guest memory changed: workers that wait for a ring that was not mapped, or that
 *              registered buffers somewhere, should look again. Workers may be running
 * @features:   the driver accepted these virtio features
 * @get_config: copy @len bytes of the configuration space at @offset; 0 or -errno
 * @set_config: the driver wrote configuration space; 0 or -errno
 * @reset:      back to the initial state of the device; all queues are stopped
 * @client:     a front-end came (true) or went (false)
 * @complain:   a front-end broke the protocol and was dropped, or a request was refused
 */
struct vqm_vhost_user_ops {
	void (*start)(void *ctx, uint32_t index);
	void (*stop)(void *ctx, uint32_t index);
	void (*memory)(void *ctx);
	void (*features)(void *ctx, uint64_t features);
	int (*get_config)(void *ctx, uint32_t offset, void *buf, uint32_t len);
	int (*set_config)(void *ctx, uint32_t offset, const void *buf, uint32_t len);
	void (*reset)(void *ctx);
	void (*client)(void *ctx, bool here);
	void (*complain)(void *ctx, const char *what);
};

/**
 * struct vqm_vhost_user_config - what the server offers
 * @ops:         see there; lives as long as the server
 * @ctx:         first argument of every op
 * @queues:      number of queues, 1..256
 * @features:    virtio feature bits of the device; VERSION_1, INDIRECT_DESC, EVENT_IDX and the
 *               protocol bit are added
 * @sync:        how workers are excluded from invalidation
 * @max_chain:   as in struct vqm_queue_config
 * @max_regions: most regions a front-end may register; 0 means 509
 */
struct vqm_vhost_user_config {
	const struct vqm_vhost_user_ops *ops;
	void *ctx;
	uint32_t queues;
	uint64_t features;
	enum vqm_sync sync;
	uint32_t max_chain;
	uint32_t max_regions;
};

VQM_VHOST_USER_API int vqm_vhost_user_new_(struct vqm_vhost_user **out,
					   const struct vqm_vhost_user_config *config);

/**
 * vqm_vhost_user_new() - make a server that listens nowhere yet
 *
 * Inline, since the build of the workers must run the strategy too, not only that of the library.
 *
 * Return: 0 and the server in @out; -EINVAL for a bad member or a feature this library does not
 * serve (RING_PACKED, IN_ORDER, ACCESS_PLATFORM and the like); -EOPNOTSUPP for a strategy that
 * cannot run here; -ENOMEM; what epoll_create1() said.
 */
VQM_INLINE int vqm_vhost_user_new(struct vqm_vhost_user **out,
				  const struct vqm_vhost_user_config *config)
{
	struct vqm_guard probe;
	int err = config ? vqm_guard_init(&probe, config->sync) : -EINVAL;

	return err ? err : vqm_vhost_user_new_(out, config);
}

/**
 * vqm_vhost_user_free() - stop everything, close everything; NULL is fine
 */
VQM_VHOST_USER_API void vqm_vhost_user_free(struct vqm_vhost_user *s);

/**
 * vqm_vhost_user_listen() - accept front-ends on a new UNIX socket
 * @s:    the server
 * @path: where; a stale socket there (nobody listens) is replaced, anything else is not
 *
 * The socket file is removed by vqm_vhost_user_free().
 *
 * Return: 0; -EADDRINUSE, -ENAMETOOLONG, -EBUSY when it listens already, or what the system said.
 */
VQM_VHOST_USER_API int vqm_vhost_user_listen(struct vqm_vhost_user *s, const char *path);

/**
 * vqm_vhost_user_adopt() - serve a front-end that is connected already
 * @s:  the server
 * @fd: a connected UNIX stream socket; belongs to the server on success
 *
 * Return: 0; -EBUSY while another front-end is served; -EINVAL for another kind of socket, or what
 * the system said. Except on success @fd remains the caller's.
 */
VQM_VHOST_USER_API int vqm_vhost_user_adopt(struct vqm_vhost_user *s, int fd);

/**
 * vqm_vhost_user_fd() - what to poll for input before vqm_vhost_user_dispatch()
 */
VQM_VHOST_USER_API int vqm_vhost_user_fd(const struct vqm_vhost_user *s);

/**
 * vqm_vhost_user_dispatch() - do what is ready: accept, receive, answer
 *
 * Never waits for the front-end; calls the ops. Anything malformed drops the connection.
 *
 * Return: 0, or -errno when the server itself cannot go on.
 */
VQM_VHOST_USER_API int vqm_vhost_user_dispatch(struct vqm_vhost_user *s);

/**
 * vqm_vhost_user_dev() - the device behind the queues, for vqm_invalidate() and the like
 */
VQM_VHOST_USER_API struct vqm_dev *vqm_vhost_user_dev(struct vqm_vhost_user *s);

/**
 * vqm_vhost_user_queue() - a queue, valid as long as the server
 */
VQM_VHOST_USER_API struct vqm_queue *vqm_vhost_user_queue(struct vqm_vhost_user *s, uint32_t index);

/**
 * vqm_vhost_user_kick_fd() - worker: what becomes readable when the driver kicks
 *
 * The same descriptor from start to stop; -1 when the front-end wants the ring to be polled. To
 * be read (8 bytes) by the worker; the value means nothing. It is an eventfd, a pipe or a socket
 * that the front-end shares: it may keep one filled, or take O_NONBLOCK back. So bound the reading,
 * and read without waiting (preadv2() with RWF_NOWAIT).
 */
VQM_VHOST_USER_API int vqm_vhost_user_kick_fd(const struct vqm_vhost_user *s, uint32_t index);

/**
 * vqm_vhost_user_notify() - worker: tell the driver that buffers were used
 *
 * Call when vqm_need_notify() says so. Safe while the front-end replaces the descriptor.
 */
VQM_VHOST_USER_API void vqm_vhost_user_notify(struct vqm_vhost_user *s, uint32_t index);

/**
 * vqm_vhost_user_error() - worker: tell the front-end that the queue is broken
 */
VQM_VHOST_USER_API void vqm_vhost_user_error(struct vqm_vhost_user *s, uint32_t index);

/**
 * vqm_vhost_user_config_changed() - tell the driver that configuration space changed
 *
 * While every ring is stopped a device keeps silent: then it is told when the first one starts.
 *
 * Return: 0; -ENOTCONN when no front-end is there or it cannot be told.
 */
VQM_VHOST_USER_API int vqm_vhost_user_config_changed(struct vqm_vhost_user *s);

#endif /* VQMETA_VHOST_USER_H */
