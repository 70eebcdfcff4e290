# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The edges and rules of the strategies, one row each; see edges.sh for what a row means.
# shellcheck shell=sh disable=SC2016

# spin
row 'S1 begin' spin sync/spin.h 2 'model_sync model_map sections.tsan' \
	'a-ticket-noacq-1s-plain a-ticket-2s-plain' 'acquire -> relaxed' \
	'/_spin_begin_(.*struct/,/^}/ s/load_word_acquire/load_word/'
row 'S1 wait, try' spin sync/spin.h 2 'model_sync model_map' \
	'a-ticket-noacq-1s-plain a-ticket-try-2s-plain' 'acquire -> relaxed' \
	'/_spin_wait_(.*struct/,/^}/ s/load_word_acquire/load_word/'
row 'S2 end' spin sync/spin.h 2 'model_sync model_map sections.tsan' \
	'a-ticket-norel-1s-plain a-ticket-2s-plain' 'release -> relaxed' \
	'/_spin_end_(.*struct/,/^}/ s/store_word_release/store_word/'
row 'S2 wait' spin sync/spin.h 2 'model_sync model_map' \
	'a-ticket-norel-inval-1s-plain a-ticket-2s-plain' 'release -> relaxed' \
	'/_spin_wait_(.*struct/,/^}/ s/^\t\tvqm_spin_end_(g);/\t\tvqm_env_store_word(\&g->word, g->word + 1);/'
row 'S2 wait, try' spin sync/spin.h 2 'model_sync model_map' \
	'a-ticket-norel-inval-1s-plain a-ticket-try-2s-plain' 'release -> relaxed' \
	'/_spin_wait_(.*struct/,/^}/ s/^\tvqm_spin_end_(g);/\tvqm_env_store_word(\&g->word, g->word + 1);/'
row 'S rule: turns' spin sync/spin.h 5 test_sync_turns - 'test-and-set in place of tickets' \
	'/_spin_begin_(.*struct/,/^}/ {
		s/ticket = .*;/ticket;/
		s/while (.*/while (ticket = vqm_env_load_word_acquire(\&g->word),\
	       !vqm_env_cas_word(\&g->next, ticket, ticket + 1))/
	}'
row 'S rule: lock' spin sync/spin.h 3 'model_sync model_map' \
	'lkmm/a-lock-nowriterlock-1s-plain lkmm/a-lock-2s-plain' 'wait without taking the lock' \
	'/_spin_wait_(.*struct/,/^}/ {
		/if (may_wait) {/ {
			n
			N
			s/.*//
		}
	}'

# flag
row 'B1 begin' flag sync/flag.h 2 'model_sync model_map' \
	'b-wanted-nofence-2s-plain b-wanted-2s-plain' 'full -> the bit alone' \
	'/_flag_begin_(.*struct/,/^}/ s/or_word_mb/or_word/'
row 'B2 barrier' flag sync/flag.h 2 'model_sync model_map' \
	'd-nowritermb-1s-plain b-fixed-2s-plain' 'full -> compiler' \
	'/_flag_barrier_(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'B3 end' flag sync/flag.h 2 'model_sync model_map sections.tsan' \
	'b-wanted-norel-1s-plain b-wanted-2s-plain' 'release -> relaxed' \
	'/_flag_end_(.*struct/,/^}/ s/and_word_release/and_word/'
row 'B4 wait' flag sync/flag.h 2 'model_sync model_map sections.tsan' \
	'b-wanted-noacq-1s-plain b-wanted-2s-plain' 'acquire -> relaxed' \
	'/_flag_runs_(.*struct/,/^}/ s/load_word_acquire/load_word/'
row 'B rule: wanted' flag sync/flag.h 3 test_sync_turns - 'waits for the bit alone' \
	'/_flag_wait_(.*struct/,/^}/ {
		/vqm_env_or_word/d
		s/VQM_FLAG_USING_ | VQM_FLAG_WANTED_/VQM_FLAG_USING_/
	}'
row 'B rule: both' flag sync/flag.h 2 test_sync_turns - 'end clears the one bit, not both' \
	'/_flag_end_(.*struct/,/^}/ s/(VQM_FLAG_USING_ | VQM_FLAG_WANTED_)/VQM_FLAG_USING_/'

# counter
row 'C1 begin' counter sync/counter.h 2 'model_sync model_map' \
	'd-noreadermb-1s-plain n-count-2s-plain' 'full -> compiler' \
	'/_counter_begin_(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'C2 barrier' counter sync/counter.h 2 'model_sync model_map' \
	'd-nowritermb-1s-plain n-count-2s-plain' 'full -> compiler' \
	'/_counter_barrier_(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'C3 begin' counter sync/counter.h 2 'model_sync model_map' \
	'n-count-rlxbegin-2s-plain n-count-2s-plain' 'release -> relaxed' \
	'/_counter_begin_(.*struct/,/^}/ s/store_word_release/store_word/'
row 'C3 end' counter sync/counter.h 2 'model_sync model_map sections.tsan' \
	'n-count-norel-1s-plain n-count-2s-plain' 'release -> relaxed' \
	'/_counter_end_(.*struct/,/^}/ s/store_word_release/store_word/'
row 'C4 first look' counter sync/counter.h 2 'model_sync model_map sections.tsan' \
	'd-noacq-1s-plain n-count-2s-plain' 'acquire -> relaxed' \
	'/_counter_wait_(.*struct/,/^}/ s/seen = vqm_env_load_word_acquire/seen = vqm_env_load_word/'
row 'C4 later looks' counter sync/counter.h 2 'model_sync model_map' \
	'd-noacq-1s-plain n-count-2s-plain' 'acquire -> relaxed' \
	'/_counter_wait_(.*struct/,/^}/ s/now = vqm_env_load_word_acquire/now = vqm_env_load_word/'
row 'C rule: zero' counter sync/counter.h 2 test_sync_turns - 'waits for no open section' \
	'/_counter_wait_(.*struct/,/^}/ s/while (.*/while (now \& VQM_COUNTER_OPEN_) {/'
row 'C rule: outermost' counter sync/counter.h 2 'test_sync_turns model_sync' \
	'n-count-anychange-1s-plain n-count-2s-plain' 'any change lets go' \
	'/_counter_wait_(.*struct/,/^}/ s/while (.*/while (now == seen) {/'
row 'C rule: at once' counter sync/counter.h 2 'test_invalidate_race' - \
	'no open section is waited for: hangs' \
	'/_counter_wait_(.*struct/,/^}/ s/if ((seen.*/if (!may_wait \&\& (seen \& VQM_COUNTER_OPEN_) == 0)/'

# seqcount and asym
row 'O1 begin' 'seqcount asym' sync/odd.h 2 'model_sync model_map' \
	'c-fix-chg-2s-plain c-fixrel-chg-2s-plain' 'release -> relaxed' \
	'/_odd_begin_(.*struct/,/^}/ s/store_word_release/store_word/'
row 'O1 end' 'seqcount asym' sync/odd.h 2 'model_sync model_map sections.tsan' \
	'f-memb-endrlx-1s-plain-k04 c-fixrel-even-2s-plain' 'release -> relaxed' \
	'/_odd_end_(.*struct/,/^}/ s/store_word_release/store_word/'
row 'O2 first look' 'seqcount asym' sync/odd.h 2 'model_sync model_map sections.tsan' \
	'c-noacq-even-1s-plain c-fixrel-even-2s-plain' 'acquire -> relaxed' \
	'/_odd_wait_(.*struct/,/^}/ s/seen = vqm_env_load_word_acquire/seen = vqm_env_load_word/'
row 'O2 later looks' 'seqcount asym' sync/odd.h 2 'model_sync model_map' \
	'c-noacq-chg-1s-plain c-fixrel-chg-2s-plain' 'acquire -> relaxed' \
	'/_odd_wait_(.*struct/,/^}/ s/while (vqm_env_load_word_acquire/while (vqm_env_load_word/'
row 'O rule: change' 'seqcount asym' sync/odd.h 2 test_sync_turns - 'waits for an even value' \
	'/_odd_wait_(.*struct/,/^}/ s/while (\(.*\) == seen)/while (\1 \& 1)/'
row 'O rule: at once' 'seqcount asym' sync/odd.h 2 test_invalidate_race - \
	'even is waited for: hangs' \
	'/_odd_wait_(.*struct/,/^}/ s/if ((seen.*/if (!may_wait \&\& (seen \& 1) == 0)/'
row 'Q1 begin' seqcount sync/seqcount.h 2 'model_sync model_map' \
	'c-relacq-even-1s-plain c-fixrel-even-2s-plain' 'full -> compiler' \
	'/_seqcount_begin_(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'Q2 barrier' seqcount sync/seqcount.h 2 'model_sync model_map' \
	'c-nowritermb-even-1s-plain c-fixrel-even-2s-plain' 'full -> compiler' \
	'/_seqcount_barrier_(.*struct/,/^}/ s/vqm_env_mb/vqm_env_barrier/'
row 'Y1 begin' asym sync/asym.h 1 'model_sync model_map' \
	'f-memb-nobarrier-1s-plain-k01 f-seq-even-1s-plain-k01' 'compiler -> nothing' \
	'/_asym_begin_(.*struct/,/^}/ {
		/vqm_env_barrier/d
	}'
row 'Y1 order' asym sync/asym.h 2 'model_sync model_map' \
	'f-memb-nobarrier-1s-plain-k01 f-seq-even-1s-plain-k01' 'before the store of word' \
	'/_asym_begin_(.*struct/,/^}/ {
		/vqm_env_barrier/d
		s/^\tvqm_odd_begin_(g);/\tvqm_env_barrier();\
&/
	}'
row 'Y2 barrier' asym sync/asym.h 2 'model_sync model_map' \
	'd-noreadermb-1s-plain f-seq-even-1s-plain-k01' 'everywhere -> here only' \
	'/_asym_barrier_(.*struct/,/^}/ s/vqm_env_asym_barrier()/vqm_env_mb()/'

# rcu, rcu_qsbr
row 'R1 both' rcu sync/rcu.h 2 sections \
	'lkmm/e-rcu-nolock-1s-plain lkmm/e-rcu-2s-plain' 'a section is none' \
	'/vqm_env_rcu_begin\|vqm_env_rcu_end/d'
row 'R1 end' rcu sync/rcu.h 1 test_sync - 'never left: hangs' \
	'/vqm_env_rcu_end/d'
row 'R2 barrier' rcu sync/rcu.h 1 sections \
	'lkmm/e-rcu-mbonly-1s-plain lkmm/e-rcu-2s-plain' 'no grace period' \
	'/vqm_env_rcu_wait/d'
row 'R3 begin' rcu_qsbr sync/rcu_qsbr.h 1 'open test_sync sections sections.tsan' - \
	'compiler -> nothing (a call is one, too)' \
	'/vqm_env_rcu_qsbr_begin/d'
row 'R3 end' rcu_qsbr sync/rcu_qsbr.h 1 'open test_sync sections sections.tsan' - \
	'compiler -> nothing (a call is one, too)' \
	'/vqm_env_rcu_qsbr_end/d'
row 'R4 barrier' rcu_qsbr sync/rcu_qsbr.h 1 sections - 'no grace period' \
	'/vqm_env_rcu_qsbr_wait/d'
row 'R rule: tells' rcu sync/rcu.h 2 test_sync - \
	'a try says that nobody is inside' \
	'/_rcu_wait_(.*struct/,/^}/ s/may_wait ? 0 : -EAGAIN/0/'
