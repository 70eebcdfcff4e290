/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The smallest user of the vhost-user component: makes a server and uses the core through it. */
#include <vqmeta/version.h>
#include <vqmeta/vhost_user.h>

int main(void)
{
	static struct vqm_vhost_user_ops ops; /* every op may be missing */
	struct vqm_vhost_user_config config;
	struct vqm_vhost_user *server;

	vqm_env_zero(&config, sizeof(config));
	config.ops = &ops;
	config.queues = 1;
	config.sync = VQM_SYNC_COUNTER;
	if (vqm_vhost_user_new(&server, &config))
		return 1;
	if (!vqm_vhost_user_queue(server, 0) || vqm_version() >> 16 != VQM_VERSION_MAJOR)
		return 2;
	vqm_vhost_user_free(server);
	return 0;
}
