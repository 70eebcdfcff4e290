# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The edges of views, rings and surroundings, and what must be done in which order.
# shellcheck shell=sh disable=SC2016

# Views. Any strategy will do for the models, so the cheapest.
row 'M1 swap' counter impl/map.h 2 model_map 'g-publish-rlx-acq-plain g-publish-rel-acq-plain' \
	'release -> relaxed' \
	'/_map_swap_(.*struct/,/^}/ s/store_ptr_release/store_ptr/'
row 'M2 begin' counter queue/burst.h 2 model_map \
	'g-publish-rel-rlx-plain g-publish-rel-acq-plain' 'acquire -> relaxed' \
	'/ vqm_begin(.*struct/,/^}/ s/load_ptr_acquire/load_ptr/'
row 'M1 order' counter impl/map.h 2 order - 'swapped in before it is complete' \
	'/_map_commit_(.*struct/,/^}/ {
		/vqm_map_swap_/d
		s/^\tdraft->direct =/\tvqm_map_swap_(map, (uint32_t)(draft - map->view));\
&/
	}'
row 'M2 order' counter queue/burst.h 2 model_map - 'the view before the begin of the section' \
	'/ vqm_begin(.*struct/,/^}/ {
		/vqm_guard_begin/d
		s/^\tq->fast = q->view/\tvqm_guard_begin(\&q->map.guard);\
&/
	}'
row 'views: spare' counter impl/map.h 2 'test_invalidate_race model_map' - \
	'a stale view is reused' \
	'/_map_spare_(.*struct/,/^}/ s/taken = map->stale | /taken = /'
row 'views: mark' counter impl/map.h 1 model_map - \
	'a view put out of force is not marked stale' \
	'/_map_swap_(.*struct/,/^}/ {
		/map->stale |=/d
	}'
row 'views: barrier' counter impl/map.h 1 model_map - \
	'no barrier before a stale view is reused' \
	'/_map_drain_(.*struct/,/^}/ {
		/vqm_guard_barrier/d
	}'
row 'views: wait' counter impl/map.h 2 model_map - \
	'no wait before a stale view is reused' \
	'/_map_drain_(.*struct/,/^}/ s/err = vqm_guard_wait.*;/err = 0;/'
row 'views: clear' 'counter flag seqcount' impl/map.h 1 model_tries - \
	'not stale any more though the wait failed' \
	'/_map_drain_(.*struct/,/^}/ {
		/if (!err)/d
	}'

# Taking away.
row 'device: barrier' counter impl/invalidate.h 2 'test_invalidate_race model_map' - \
	'none' \
	'/_dev_barrier_(.*struct/,/^}/ s/vqm_guard_barrier(&map->guard);/;/'
row 'device: one each' asym impl/invalidate.h 2 test_invalidate_race - \
	'one barrier of one strategy for all' \
	'/_dev_barrier_(.*struct/,/^}/ s/bit = 1u << map->guard.sync/bit = 1/'
row 'device: early' 'asym counter' impl/invalidate.h 2 model_map \
	'f-memb-beforeunpub-1s-plain-k00 f-seq-even-1s-plain-k00' 'barrier before the swap' \
	'/_dev_drain_(.*struct/,/^}/ {
		/vqm_dev_barrier_/d
	}
	/int vqm_dev_hide_(.*struct/,/^}/ s/^\tint err = 0;/&\
	vqm_dev_barrier_(dev);/'
row 'device: late' 'asym counter' impl/invalidate.h 2 model_map \
	'f-memb-onlyafter-1s-plain-k03 f-seq-even-1s-plain-k03' 'barrier after the wait' \
	'/_dev_drain_(.*struct/,/^}/ {
		/vqm_dev_barrier_/d
		s/^\treturn 0;/\tvqm_dev_barrier_(dev);\
&/
	}'
row 'device: wait' counter impl/invalidate.h 2 \
	'test_invalidate_race model_map' - 'none' \
	'/_dev_drain_(.*struct/,/^}/ {
		/if (vqm_guard_wait/,/return -EAGAIN/d
	}'
row 'device: put back' counter impl/invalidate.h 2 test_invalidate_race - \
	'hidden queues stay hidden' \
	'/int vqm_dev_hide_(.*struct/,/^}/ s/vqm_dev_unhide_(dev, map);/;/'
row 'device: report' counter impl/invalidate.h 4 'order model_map' - \
	'before the drain' \
	'/int vqm_dev_hide_(.*struct/,/^}/ s/^\tif (!err)$/\tif (!err)\
		vqm_dev_report_(dev);\
&/
	/ vqm_dev_take_away_(.*struct/,/^}/ s/vqm_dev_report_(dev);/;/'
row 'table: drain' counter impl/invalidate.h 1 order - 'none' \
	'/ vqm_dev_set_regions(.*struct/,/^}/ {
		/vqm_dev_drain_/d
	}'
row 'table: report' counter impl/invalidate.h 2 order - 'before the drain' \
	'/ vqm_dev_set_regions(.*struct/,/^}/ {
		/vqm_dev_report_/d
		s/^\tvqm_dev_drain_/\tvqm_dev_report_(dev);\
&/
	}'
row 'table: release' counter impl/invalidate.h 2 test_unmapped - 'before the drain' \
	'/ vqm_dev_set_regions(.*struct/,/^}/ {
		/vqm_regions_release/d
		s/^\tvqm_dev_drain_/\tvqm_regions_release(old);\
&/
	}'
row 'address: drain' counter impl/map.h 1 order - 'none' \
	'/ vqm_map_set_addr(.*struct/,/^}/ {
		/vqm_map_drain_/d
	}'
row 'address: report' counter impl/map.h 2 order - 'before the drain' \
	'/ vqm_map_set_addr(.*struct/,/^}/ {
		/vqm_map_report_/d
		s/^\tvqm_map_drain_/\tvqm_map_report_(map, was);\
&/
	}'
row 'copy way: hold' counter impl/queue.h 1 order - 'the table is not held' \
	'/ vqm_begin_slow_(.*struct/,/^}/ {
		/vqm_regions_hold/d
	}'
row 'start: lock' counter impl/queue_start.h 2 test_queue_adopt - 'the ring read without the lock' \
	'/ vqm_queue_peek_used_(.*struct/,/^}/ {
		/vqm_dev_lock_\|vqm_dev_unlock_/d
	}'
row 'lock: offline' rcu_qsbr impl/lock.h 2 test_sync_threads - \
	'online while it waits for the lock: hangs' \
	'/ vqm_dev_lock_(.*struct/,/^}/ {
		/^\tif (online)/d
		/vqm_env_rcu_qsbr_offline/d
	}'

# Rings.
ring='event_idx flags'
copy='event_idx.copy flags.copy'
row 'A1 direct' "$ring" split.h 2 'test_trace model_ring' \
	'r-avail-rel-rlx-plain r-avail-rel-acq-plain' 'acquire -> relaxed' \
	'/ vqm_get_avail_idx_acquire(.*struct/,/^}/ s/load16_acquire/load16/'
row 'A1 copy' "$copy" split_copy.h 2 'test_trace_copy model_ring' \
	'r-avail-rel-rlx-plain r-avail-rel-acq-plain' 'acquire fence -> compiler' \
	'/ vqm_copy_get_avail_idx_acquire(.*struct/,/^}/ s/vqm_env_rmb/vqm_env_barrier/'
row 'A1 copy order' "$copy" split_copy.h 5 'test_trace_copy model_ring' \
	'r-avail-rel-rlx-plain r-avail-rel-acq-plain' 'fence before the copy' \
	'/ vqm_copy_get_avail_idx_acquire(.*struct/,/^}/ {
		/vqm_env_rmb/d
		s/^\tint err = .*/\tint err = (vqm_env_rmb(), 0);\
\
	err = vqm_copy_get16_(b, avail, offsetof(struct vqm_avail, idx), o, idx);/
	}'
row 'A1 second look' "$ring" queue/notify.h 2 'test_trace model_ring' \
	'r-event-reread-rlx-plain r-event-reread-plain' 'acquire -> relaxed' \
	'/ vqm_split_arm_(.*struct/,/^}/ s/if (vqm_way_get_avail_idx_.*/if (idx = vqm_get_avail_idx(w->avail, w->order), false)/'
row 'U1 direct' "$ring" split.h 2 'test_trace model_ring' \
	'r-used-rlx-acq-plain r-used-rel-acq-plain' 'release -> relaxed' \
	'/ vqm_put_used_idx_release(.*struct/,/^}/ s/store16_release/store16/'
row 'U1 copy' "$copy" split_copy.h 2 'test_trace_copy model_ring' \
	'r-used-rlx-acq-plain r-used-rel-acq-plain' 'full -> compiler' \
	'/ vqm_copy_put_used_idx_release(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'U1 copy stores' "$copy" split_copy.h 2 test_trace_copy \
	'lkmm/r-used-wmb-acq-plain lkmm/r-used-rel-acq-plain' 'full -> stores only' \
	'/ vqm_copy_put_used_idx_release(.*struct/,/^}/ s/vqm_env_mb/vqm_env_wmb/'
row 'U1 order' "$ring $copy" queue/publish.h 3 'test_trace model_ring' \
	'r-used-rlx-acq-plain r-used-rel-acq-plain' 'the index before the elements' \
	'/ vqm_split_publish_(.*struct/,/^}/ {
		/if .*vqm_way_put_used_idx_/ {
			N
			d
		}
		s/^\tfor (i = 0/\tvqm_way_put_used_idx_(w, (uint16_t)(idx + n));\
&/
	}'
row 'N1 need_notify' "$ring $copy" queue/notify.h 2 'test_trace model_ring' \
	'r-event-none-mb r-event-mb-mb' 'full -> compiler' \
	'/ vqm_split_need_notify_(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'N2 arm' "$ring $copy" queue/notify.h 2 'test_trace model_ring' \
	'r-event-mb-none r-event-mb-mb' 'full -> compiler' \
	'/ vqm_split_arm_(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'N2 order' "$ring" queue/notify.h 2 'test_trace model_ring' \
	'r-event-mb-none r-event-mb-mb' 'barrier before the question' \
	'/ vqm_split_arm_(.*struct/,/^}/ {
		/vqm_env_mb/d
		s/^\tif (q->event_idx ?/\tvqm_env_mb();\
&/
	}'
row 'A2 mock' "$ring" impl/mock.h 2 model_ring \
	'r-avail-rlx-acq-plain r-avail-rel-acq-plain' 'release -> relaxed' \
	'/ vqm_mock_expose(.*struct/,/^}/ s/store16_release/store16/'
row 'U2 mock' "$ring" impl/mock.h 2 model_ring \
	'r-used-rel-rlx-plain r-used-rel-acq-plain' 'acquire -> relaxed' \
	'/ vqm_mock_reap(.*struct/,/^}/ s/load16_acquire/load16/'
row 'N3 mock' "$ring" impl/mock.h 2 model_ring \
	'r-event-mb-none r-event-mb-mb' 'full -> compiler' \
	'/ vqm_mock_arm(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'N4 mock' "$ring" impl/mock.h 2 model_ring \
	'r-event-none-mb r-event-mb-mb' 'full -> compiler' \
	'/ vqm_mock_expose(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'

# Surroundings: user space.
row 'env: full' 'flag counter seqcount' env/user_atomic.h 4 sections \
	'x86/d-noreadermb-1s c11/d-base-2s-plain' 'vqm_env_mb() -> compiler' \
	'/ vqm_env_mb(/,/^}/ {
		s/"lock; addl[^"]*"/""/
		s/__atomic_thread_fence.*/;/
	}'
row 'env: everywhere' asym env/user_membarrier.h 3 sections \
	'd-noreadermb-1s-plain f-seq-even-1s-plain-k01' 'membarrier(2) left out' \
	'/ vqm_env_asym_barrier/,/^}/ {
		/while/,/;/d
	}'
row 'env: release' 'spin counter seqcount asym' env/user_atomic.h 2 sections.tsan - \
	'store_word_release() -> relaxed' \
	'/ vqm_env_store_word_release/,/^}/ s/RELEASE/RELAXED/'
row 'env: acquire' 'spin flag counter seqcount asym' env/user_atomic.h 2 sections.tsan - \
	'load_word_acquire() -> relaxed' \
	'/ vqm_env_load_word_acquire/,/^}/ s/ACQUIRE/RELAXED/'
row 'env: and release' flag env/user_atomic.h 2 sections.tsan - \
	'and_word_release() -> relaxed' \
	'/ vqm_env_and_word_release/,/^}/ s/RELEASE/RELAXED/'
