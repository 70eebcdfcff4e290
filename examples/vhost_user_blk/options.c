/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#define _GNU_SOURCE
#include "options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vqmeta/version.h>

enum {
	OPT_SOCKET_PATH = 256,
	OPT_FD,
	OPT_BLK_FILE,
	OPT_NUM_QUEUES,
	OPT_READ_ONLY,
	OPT_SERIAL,
	OPT_SYNC,
	OPT_SINGLE_THREAD,
	OPT_ENGINE,
	OPT_NO_REGISTERED,
	OPT_INVALIDATE,
	OPT_STATS,
	OPT_CAPABILITIES,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option known[] = {
	{"socket-path", required_argument, NULL, OPT_SOCKET_PATH},
	{"fd", required_argument, NULL, OPT_FD},
	{"blk-file", required_argument, NULL, OPT_BLK_FILE},
	{"num-queues", required_argument, NULL, OPT_NUM_QUEUES},
	{"read-only", no_argument, NULL, OPT_READ_ONLY},
	{"serial", required_argument, NULL, OPT_SERIAL},
	{"sync", required_argument, NULL, OPT_SYNC},
	{"single-thread", no_argument, NULL, OPT_SINGLE_THREAD},
	{"engine", required_argument, NULL, OPT_ENGINE},
	{"no-registered-buffers", no_argument, NULL, OPT_NO_REGISTERED},
	{"invalidate-every", required_argument, NULL, OPT_INVALIDATE},
	{"stats", no_argument, NULL, OPT_STATS},
	{"print-capabilities", no_argument, NULL, OPT_CAPABILITIES},
	{"help", no_argument, NULL, OPT_HELP},
	{"version", no_argument, NULL, OPT_VERSION},
	{NULL, 0, NULL, 0},
};

/* In the order of enum vqm_sync and enum io_choice. */
static const char *const sync_names[] = {
	[VQM_SYNC_NONE] = "none",	  [VQM_SYNC_SPIN] = "spin",
	[VQM_SYNC_FLAG] = "flag",	  [VQM_SYNC_COUNTER] = "counter",
	[VQM_SYNC_SEQCOUNT] = "seqcount", [VQM_SYNC_RCU] = "rcu",
	[VQM_SYNC_RCU_QSBR] = "rcu_qsbr", [VQM_SYNC_ASYM] = "asym",
};
static const char *const engine_names[] = {"auto", "io_uring", "sync"};

static const char help[] =
	"usage: vhost_user_blk --socket-path=PATH|--fd=N --blk-file=FILE [OPTION...]\n"
	"Serves a file or a block device as a virtio disk over vhost-user.\n"
	"\n"
	"  --socket-path=PATH      listen here; the socket is removed at the end\n"
	"  --fd=N                  serve this connected socket, end when its peer leaves\n"
	"  --blk-file=FILE         regular file or block device\n"
	"  --num-queues=N          request queues, 1..16 (default 1), each with a thread\n"
	"  --read-only             never write to FILE\n"
	"  --serial=STR            serial number, up to 20 bytes\n"
	"  --engine=ENGINE         auto (default), io_uring, or sync: plain system calls\n"
	"  --no-registered-buffers do not pin guest memory for io_uring\n"
	"  --sync=STRATEGY         how queues are kept from memory that is taken away:\n"
	"                          counter (default), spin, flag, seqcount, asym, rcu,\n"
	"                          rcu_qsbr, or none, which is unsafe unless\n"
	"                          no other thread changes memory: needs --single-thread\n"
	"  --single-thread         serve all queues in the main loop\n"
	"  --invalidate-every=USEC take a ring mapping away this often, to show that it works\n"
	"  --stats                 print totals at the end\n"
	"  --print-capabilities    print what a management layer wants to know, as JSON\n"
	"  --help, --version       print and exit\n";

static bool wrong(const char *what, const char *value)
{
	fprintf(stderr, "vhost_user_blk: %s%s%s; see --help\n", what, value ? ": " : "",
		value ? value : "");
	return false;
}

static bool get_number(const char *text, unsigned long min, unsigned long max, uint32_t *out)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || v < min || v > max)
		return wrong("number out of range", text);
	*out = (uint32_t)v;
	return true;
}

static bool get_name(const char *text, const char *const *names, size_t n, size_t *out)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (names[i] && !strcmp(names[i], text)) {
			*out = i;
			return true;
		}
	}
	return wrong("no such choice", text);
}

static bool set_choice(struct options *o, int opt, const char *value)
{
	size_t i;

	if (opt == OPT_SYNC) {
		if (!get_name(value, sync_names, sizeof(sync_names) / sizeof(*sync_names), &i))
			return false;
		o->sync = (enum vqm_sync)i;
		return true;
	}
	if (!get_name(value, engine_names, sizeof(engine_names) / sizeof(*engine_names), &i))
		return false;
	o->engine = (enum io_choice)i;
	return true;
}

static bool set_serial(struct options *o, const char *value)
{
	o->serial = value;
	return strlen(value) <= BLK_ID_LEN || wrong("serial number too long", value);
}

static bool set_number(struct options *o, int opt, const char *value)
{
	uint32_t fd;

	if (opt == OPT_NUM_QUEUES)
		return get_number(value, 1, BLK_QUEUES_MAX, &o->queues);
	if (opt == OPT_INVALIDATE)
		return get_number(value, 1, 1000000000, &o->invalidate);
	if (!get_number(value, 0, INT_MAX, &fd))
		return false;
	o->fd = (int)fd;
	return true;
}

static bool set(struct options *o, int opt, const char *value)
{
	switch (opt) {
	case OPT_SOCKET_PATH: o->socket = value; return true;
	case OPT_BLK_FILE: o->file = value; return true;
	case OPT_READ_ONLY: o->read_only = true; return true;
	case OPT_SINGLE_THREAD: o->single_thread = true; return true;
	case OPT_NO_REGISTERED: o->registered = false; return true;
	case OPT_STATS: o->stats = true; return true;
	case OPT_SERIAL: return set_serial(o, value);
	case OPT_FD:
	case OPT_NUM_QUEUES:
	case OPT_INVALIDATE: return set_number(o, opt, value);
	case OPT_SYNC:
	case OPT_ENGINE: return set_choice(o, opt, value);
	}
	return false; /* getopt_long() has complained */
}

static bool print(int opt)
{
	if (opt == OPT_HELP)
		fputs(help, stdout);
	else if (opt == OPT_VERSION)
		printf("vhost_user_blk %d.%d.%d\n", VQM_VERSION_MAJOR, VQM_VERSION_MINOR,
		       VQM_VERSION_PATCH);
	else if (opt == OPT_CAPABILITIES)
		puts("{\n"
		     "  \"type\": \"block\",\n"
		     "  \"features\": [ \"read-only\", \"blk-file\" ]\n"
		     "}");
	else
		return false;
	return true;
}

static bool check(const struct options *o, bool more)
{
	if (more)
		return wrong("too many arguments", NULL);
	if (!o->socket == (o->fd < 0))
		return wrong("give one of --socket-path and --fd", NULL);
	if (!o->file)
		return wrong("--blk-file is missing", NULL);
	if (o->sync == VQM_SYNC_NONE && !o->single_thread)
		return wrong("--sync=none is safe only with --single-thread", NULL);
	return true;
}

enum options_result options_parse(struct options *o, int argc, char **argv)
{
	int opt;

	memset(o, 0, sizeof(*o));
	o->fd = -1;
	o->queues = 1;
	o->sync = VQM_SYNC_COUNTER;
	o->registered = true;
	o->serial = "vqmeta";
	while ((opt = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (print(opt))
			return OPTIONS_DONE;
		if (!set(o, opt, optarg))
			return OPTIONS_WRONG;
	}
	return check(o, optind < argc) ? OPTIONS_RUN : OPTIONS_WRONG;
}
