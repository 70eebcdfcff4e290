// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Several invalidations in a row that may not wait and give up, on what model_map.cpp is made of:
 * each leaves views behind that a section may be using, until none is to spare. Only then does it
 * matter that a drain which gives up leaves them marked.
 */
#define main model_map_main
#include "../model/model_map.cpp"
#undef main

enum { TRIES = 3 };

struct tries_suite : rl::test_suite<tries_suite, 2> {
	map_suite map;

	void before()
	{
		map.before();
	}

	void after()
	{
		map.after();
	}

	int give_up_or_wait(bool wait)
	{
		int err;

		map.published = 0;
		map.trying = !wait;
		err = vqm_invalidate_begin(&map.dev, vqm_uva_of(AREA_AT), AREA_SIZE,
					   wait ? VQM_MAY_WAIT : VQM_NO_WAIT);
		map.trying = false;
		return err;
	}

	void invalidate(int n)
	{
		int tries = (int)rl::rand(TRIES + 1), err = -EAGAIN;

		while (err && tries-- > 0)
			err = give_up_or_wait(false);
		if (err)
			err = give_up_or_wait(true);
		RL_ASSERT(err == 0);
		err = vqm_invalidate_end(&map.dev, vqm_uva_of(AREA_AT), AREA_SIZE);
		RL_ASSERT(err == 0);
		err = vqm_map_publish(&map.q.map, VQM_AREA_DESC, map.host[n + 1]);
		RL_ASSERT(err == 0);
	}

	void thread(unsigned int index)
	{
		int i;

		model_thread_begin();
		if (index == 0)
			map.worker();
		for (i = 0; index == 1 && i + 1 < OBJECTS; i++)
			invalidate(i);
		model_thread_end();
	}
};

static const struct model_run tries_runs[] = {
	{"flag", rl::simulate<tries_suite>, VQM_SYNC_FLAG, 300000, NULL},
	{"counter", rl::simulate<tries_suite>, VQM_SYNC_COUNTER, 300000, NULL},
	{"seqcount", rl::simulate<tries_suite>, VQM_SYNC_SEQCOUNT, 300000, NULL},
	{NULL, NULL, 0, 0, NULL},
};

int main(int argc, char **argv)
{
	return model_main(tries_runs, argc, argv);
}
