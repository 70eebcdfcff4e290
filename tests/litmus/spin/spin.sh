#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs the models of this directory and compares with the verdicts in the table below.
#
#	sh spin.sh [PATTERN]	only cases whose line matches the basic regular expression
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
pattern=${1:-.}

for tool in spin cc; do
	command -v $tool >/dev/null 2>&1 || { echo "skipped: $tool is not installed"; exit 77; }
done

# Name; model and defines; safe or UNSAFE, and for wait.pml whether the wait ends or STARVES.
cases()
{
	grep -v '^#' <<'END'
# Progress (P2) and safety (P1) of the wait, memory in order.
flag, until the bit is clear          | wait RULE=FLAG_ZERO                              | safe STARVES
flag, WANTED                          | wait RULE=FLAG_WANTED                            | safe ends
flag, WANTED, two invalidators        | wait RULE=FLAG_WANTED INVALIDATORS=2             | safe ends
flag, WANTED, another one for ever    | wait RULE=FLAG_WANTED INVALIDATORS=2 FOREVER=1   | safe STARVES
sequence, until even                  | wait RULE=ODD_EVEN                               | safe STARVES
sequence, changed                     | wait RULE=ODD_CHANGED                            | safe ends
sequence, changed, two invalidators   | wait RULE=ODD_CHANGED INVALIDATORS=2             | safe ends
sequence, changed, another for ever   | wait RULE=ODD_CHANGED INVALIDATORS=2 FOREVER=1   | safe ends
counter, until zero                   | wait RULE=COUNT_ZERO                             | safe STARVES
counter, until zero, nested           | wait RULE=COUNT_ZERO NESTED=1                    | safe STARVES
counter, finished                     | wait RULE=COUNT_FINISHED                         | safe ends
counter, finished, nested             | wait RULE=COUNT_FINISHED NESTED=1                | safe ends
counter, finished, two invalidators   | wait RULE=COUNT_FINISHED NESTED=1 INVALIDATORS=2 | safe ends
counter, finished, another for ever   | wait RULE=COUNT_FINISHED NESTED=1 INVALIDATORS=2 FOREVER=1 | safe ends
counter, any change, nested           | wait RULE=COUNT_CHANGED NESTED=1                 | UNSAFE ends
lock, test-and-set                    | wait RULE=LOCK_TAS                               | safe STARVES
lock, ticket                          | wait RULE=LOCK_TICKET                            | safe ends
lock, ticket, two invalidators        | wait RULE=LOCK_TICKET INVALIDATORS=2             | safe ends
lock, ticket, another for ever        | wait RULE=LOCK_TICKET INVALIDATORS=2 FOREVER=1   | safe ends
# Store buffers of x86.
tso spin                              | tso SYNC=SPIN                                    | safe
tso spin, good run                    | tso SYNC=SPIN WITNESS=1                          | UNSAFE
tso spin, tried                       | tso SYNC=SPIN TRY=1                              | safe
tso spin, tried, good run             | tso SYNC=SPIN TRY=1 WITNESS=1                    | UNSAFE
tso spin, lock looked at, not taken   | tso SYNC=SPIN PEEK=1                             | UNSAFE
tso flag                              | tso SYNC=FLAG                                    | safe
tso flag, good run                    | tso SYNC=FLAG WITNESS=1                          | UNSAFE
tso flag, B1 missing                  | tso SYNC=FLAG READER_FENCE=0                     | UNSAFE
tso flag, B2 missing                  | tso SYNC=FLAG WAITER_FENCE=0                     | UNSAFE
tso counter                           | tso SYNC=COUNTER                                 | safe
tso counter, good run                 | tso SYNC=COUNTER WITNESS=1                       | UNSAFE
tso counter, C1 missing               | tso SYNC=COUNTER READER_FENCE=0                  | UNSAFE
tso counter, C2 missing               | tso SYNC=COUNTER WAITER_FENCE=0                  | UNSAFE
tso seqcount                          | tso SYNC=SEQCOUNT                                | safe
tso seqcount, good run                | tso SYNC=SEQCOUNT WITNESS=1                      | UNSAFE
tso seqcount, Q1 missing              | tso SYNC=SEQCOUNT READER_FENCE=0                 | UNSAFE
tso seqcount, Q2 missing              | tso SYNC=SEQCOUNT WAITER_FENCE=0                 | UNSAFE
tso asym                              | tso SYNC=ASYM                                    | safe
tso asym, good run                    | tso SYNC=ASYM WITNESS=1                          | UNSAFE
tso asym, Y1 missing                  | tso SYNC=ASYM SWAPPED=1                          | UNSAFE
tso asym, Y2 missing                  | tso SYNC=ASYM MEMBARRIER=0                       | UNSAFE
tso asym, Y2 before the unpublishing  | tso SYNC=ASYM MEMBARRIER=2                       | UNSAFE
tso asym, Y2 only after the wait      | tso SYNC=ASYM MEMBARRIER=3                       | UNSAFE
tso event index                       | notify                                           | safe
tso event index, N1 or N4 missing     | notify PRODUCER=0                                | UNSAFE
tso event index, N2 or N3 missing     | notify CONSUMER=0                                | UNSAFE
tso flags                             | notify FLAGS=1                                   | safe
tso flags, N1 or N4 missing           | notify FLAGS=1 PRODUCER=0                        | UNSAFE
tso flags, N2 or N3 missing           | notify FLAGS=1 CONSUMER=0                        | UNSAFE
# Arithmetic.
event index                           | eventidx WRONG=0                                 | safe
event index, no second look           | eventidx WRONG=1                                 | UNSAFE
event index, armed before draining    | eventidx WRONG=2                                 | UNSAFE
event index, window since last kick   | eventidx WRONG=3                                 | UNSAFE
event index, exact match              | eventidx WRONG=4                                 | UNSAFE
END
}

dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' HUP INT TERM

# The verdict on one model: one search for what is unsafe, for wait.pml another for cycles.
check() # MODEL DEFINE...
{
	model=$1
	shift
	# shellcheck disable=SC2046
	if ! spin -a $(printf -- '-D%s ' VQM "$@") "$here/$model.pml" >spin.log 2>&1; then
		head -n 1 spin.log
		return
	fi
	if [ "$model" = wait ]; then
		cc -w -o pan pan.c && ./pan -m20000 >pan.log 2>&1 && ./pan -a -A -f -m20000 >fair.log 2>&1
		echo "$(verdict safe 'assertion violated' UNSAFE pan.log)" \
			"$(verdict ends 'acceptance cycle' STARVES fair.log)"
	else
		cc -w -DSAFETY -o pan pan.c && ./pan -m20000 >pan.log 2>&1
		verdict safe 'assertion violated' UNSAFE pan.log
	fi
}

# Any other error, or a search that was cut short, is no verdict.
verdict() # GOOD TEXT BAD LOG
{
	awk -v good="$1" -v text="$2" -v bad="$3" '
		/^pan:/ && $0 ~ text { found = 1 }
		/errors: 0$/ { clean = 1 }
		/search depth too small|out of memory/ { short = 1 }
		END { print (found ? bad : clean && !short ? good : "none") }' "$4"
}

# One case in a directory of its own; prints its line.
one() # NUMBER LINE
{
	name=$(echo "$2" | sed 's/ *|.*//')
	expected=$(echo "$2" | sed 's/.*| *//')
	mkdir "$dir/$1" && cd "$dir/$1" || return
	# shellcheck disable=SC2046
	got=$(check $(echo "$2" | cut -d'|' -f2))
	if [ "$got" = "$expected" ]; then
		printf 'ok    %-38s %s\n' "$name" "$got"
	else
		printf 'DIFF  %-38s %s, expected %s\n' "$name" "$got" "$expected"
	fi >"$dir/$1.result"
	rm -rf "${dir:?}/$1"
}

cases | grep -e "$pattern" >"$dir/cases"
n=100
while read -r line; do
	n=$((n + 1))
	one "$n" "$line" &
	[ $((n % 2)) -eq 1 ] || wait
done <"$dir/cases"
wait

[ $n -gt 100 ] || { echo "no case matches '$pattern'"; exit 1; }
cat "$dir"/*.result
ran=$(cat "$dir"/*.result | wc -l)
differ=$(grep -vc '^ok ' "$dir"/*.result /dev/null | awk -F: '{ n += $2 } END { print n + 0 }')
echo "$ran cases, $differ differences"
[ "$differ" -eq 0 ] && [ "$ran" -eq $((n - 100)) ]
