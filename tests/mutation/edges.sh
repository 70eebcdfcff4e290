#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What notices the loss of an ordering edge, or of a rule of waiting? Weakens a copy of include/,
# one row of the tables at a time, and runs the programs that have to notice.
#
# usage: edges.sh [--all] [PATTERN]
#   PATTERN  rows whose "name: what" matches this grep expression
#   --all    every program for every row, the stress tests too: a matrix, much longer
# exit: 0 all as the tables say, 1 a deviation, 77 rows were left out (says which, and why)
#
# A row is: row NAME OF FILE LINES PROGRAMS LITMUS WHAT SED
#   OF        what the models are run for: strategies, or variants of the ring
#   LINES     how many lines the sed script takes away and adds, together, in FILE of include/vqmeta
#   PROGRAMS  each has to notice, for each word of OF; a hang counts. "litmus" alone: nothing runs,
#             the two tests decide. "open" in front: known to be noticed by nobody, so the others
#             must stay silent
#   LITMUS    the test that shows the loss, and the same with the edge; "-" for none
set -u
here=$(cd "$(dirname "$0")" && pwd) || exit 1
tests=$(dirname "$here")
top=$(dirname "$tests")
all=
[ "${1:-}" != --all ] || { all=1; shift; }
[ $# -le 1 ] || { sed -n '6,9s/^# *//p' "$0"; exit 2; }
pattern=${1:-.}
columns="model_sync model_map model_ring test_sync_turns test_trace test_trace_copy \
test_invalidate_race units order sections sections.tsan stress_sync stress_sync.tsan"

work=$(mktemp -d) || exit 1
lanes=
# shellcheck disable=SC2064,SC2154
trap 'code=$?; trap "" TERM; [ -z "$lanes" ] || kill $lanes 2>/dev/null; wait
	rm -rf "$work"; exit $code' EXIT
trap 'exit 1' INT TERM HUP

# shellcheck source=programs.sh
. "$here/programs.sh"
probe_surroundings
[ -z "$no_cc" ] || { echo "skipped: $no_cc"; exit 77; }

tables()
{
	number=0
	# shellcheck source=table_sync.sh
	. "$here/table_sync.sh"
	# shellcheck source=table_rest.sh
	. "$here/table_rest.sh"
}

selected() # NAME WHAT
{
	echo "$1: $2" | grep -q -e "$pattern" && number=$((number + 1))
}

# The first lane that comes does it.
claim() # NAME
{
	mkdir "$work/claim.$1" 2>/dev/null
}

# The include directory with what a weakened text may need besides.
copy_include() # DIR
{
	mkdir -p "$1" && cp -r "$top/include" "$1" &&
		sed -i '/^static inline void vqm_env_and_word_release/i\
static inline void vqm_env_and_word(unsigned long *p, unsigned long bits)\
{\
	__atomic_fetch_and(p, bits, __ATOMIC_RELAXED);\
}\
' "$1/include/vqmeta/env/user_atomic.h"
}

# Weakens the copy; fails when other than LINES lines are different.
weaken() # DIR FILE LINES SED
{
	sed "$4" "$1/include/vqmeta/$2" >"$1/weak" || return 1
	changed=$(diff "$1/include/vqmeta/$2" "$1/weak" | grep -c '^[<>]')
	[ "$changed" -eq "$3" ] || { echo "changes $changed lines, not $3"; return 1; }
	mv "$1/weak" "$1/include/vqmeta/$2"
}

# Appends to DIR/found what PROGRAM says, to DIR/bad what is not as expected.
try() # PROGRAM OF DIR MILLISECONDS EXPECTED
{
	list=$1
	[ "$1" != units ] || list=$units
	cell=-
	for one in $list; do
		for variant in $(variants "$one" "$2"); do
			reason=$(missing_for "$one" "$variant")
			if [ -n "$reason" ]; then
				echo "$reason" >>"$3/missing"
				continue
			fi
			[ -x "$3/$one" ] || build "$one" "$3" || {
				echo "$one does not compile: $(grep -m 1 error "$3/$one.log")" >>"$3/bad"
				cell='?'
				return
			}
			run "$one" "$variant" "$3" "$4" "$5"
			judge "$one" "$variant" "$3" "$5"
		done
	done
}

judge() # PROGRAM VARIANT DIR EXPECTED
{
	case $outcome in
	broken) echo "$1 $2 cannot tell: $(tail -n 1 "$3/$1.log")" >>"$3/bad" && cell='?' ;;
	silent)
		[ "$cell" != - ] || cell=.
		[ "$4" != noticed ] || { echo "not by $1 $2" >>"$3/bad" && cell='!'; } ;;
	*)
		[ "$cell" = '!' ] || cell=x
		[ "$outcome" != hang ] || cell=h
		echo "$1: $outcome" >>"$3/found"
		[ "$4" != silent ] || echo "by $1 $2: $outcome" >>"$3/bad" ;;
	esac
}

# Every label in the code begins the name of a row about that file; of the partners that a comment
# names as well only the first is its own.
check_labels()
{
	(cd "$top/include/vqmeta" && grep -rno '\[[A-Z][0-9]\]' .) |
		awk -F: '!seen[$1 $2]++ { print substr($1, 3), substr($3, 2, 2) }' | sort -u >"$work/labels"
	row() { echo "$3 ${1%% *}" >>"$work/rows"; }
	pattern=. tables
	sort -u "$work/rows" | comm -23 "$work/labels" - | sed 's/^/no row for an edge: /'
}

# Programs and variants that the selected rows want.
collect_row() # see above
{
	selected "$1" "$7" || return 0
	for program in ${5#open} ${all:+$columns}; do
		case $program in
		litmus | units) ;;
		*) variants "$program" "$2" | sed "s/^/$program /" >>"$work/wanted" ;;
		esac
	done
}

# All that a row has to say, in one line.
say() # NAME WHAT DIR OPEN
{
	result=$(sort -u "$3/found" | tr '\n' ',' | sed 's/,$//; s/,/, /g')
	[ -n "$result" ] || result='NOT NOTICED'
	[ -z "$4" ] || [ -s "$3/bad" ] || result=open
	if [ -s "$3/missing" ] && [ ! -s "$3/found" ]; then
		result="left out: $(sort -u "$3/missing" | tr '\n' ' ')"
	fi
	[ ! -s "$3/bad" ] || result="$result; WRONG: $(tr '\n' ';' <"$3/bad")"
	if [ -n "$all" ]; then
		printf '%-18s%s  %s\n' "$1" "$cells" "$result"
	else
		printf '%-18s %-42s %s\n' "$1" "$2" "$result"
	fi
}

# The cells of a row of the matrix; what was run already is not run again.
all_columns() # OF DIR
{
	for column in $columns; do
		if [ ! -f "$2/cell.$column" ]; then
			try "$column" "$1" "$2" 3000 any
			echo "$cell" >"$2/cell.$column"
		fi
		cells="$cells$(printf '%6s' "$(cat "$2/cell.$column")")"
	done
}

run_row() # DIR NAME OF FILE LINES PROGRAMS LITMUS WHAT SED
{
	dir=$1 expected=noticed programs=$6
	case $6 in open*) expected=silent programs=${6#open} ;; esac
	if [ "$7" != - ]; then
		litmus_names "${7% *}" "${7#* }" "$dir"
		case $all:$programs in
		1:* | :*litmus*) litmus_verdicts "${7% *}" "${7#* }" "$dir" ;;
		esac
	fi
	weaken "$dir" "$4" "$5" "$9" >>"$dir/bad" 2>&1 || return
	for program in $programs; do
		[ "$program" != litmus ] || continue
		try "$program" "$3" "$dir" 8000 $expected
		echo "$cell" >"$dir/cell.$program"
	done
	[ -z "$all" ] || all_columns "$3" "$dir"
}

check_row() # see above
{
	selected "$1" "$7" && claim $number || return 0
	dir=$work/$number mine=$work/$number cells=''
	copy_include "$dir"
	: >"$dir/found" && : >"$dir/bad" && : >"$dir/missing"
	run_row "$dir" "$@"
	case $5 in open*) open=1 ;; *) open= ;; esac
	say "$1" "$7" "$dir" "$open" >"$mine.text"
	[ ! -s "$dir/bad" ] || touch "$mine.bad"
	[ ! -s "$dir/missing" ] || sed "s/^/$1: /" "$dir/missing" | sort -u >"$mine.missing"
	rm -rf "$dir"
	mv "$mine.text" "$mine.line"
}

# One program as it is: nothing may be noticed.
check_unmodified() # PROGRAM VARIANTS
{
	claim "$1" || return 0
	dir=$work/unmodified.$1
	copy_include "$dir"
	: >"$dir/bad"
	try "$1" "$2" "$dir" 1000 silent
	[ ! -s "$dir/bad" ] || sed 's/^/unmodified, noticed /' "$dir/bad" >"$work/unmodified.bad"
	rm -rf "$dir"
}

# Calls a function in as many lanes as there are processors, which share the work by claim().
in_lanes() # FUNCTION
{
	lanes=
	lane=0
	while [ $lane -lt "$(nproc 2>/dev/null || echo 1)" ]; do
		(trap - EXIT; "$1") &
		lanes="$lanes $!"
		lane=$((lane + 1))
	done
}

lanes_run()
{
	for lane in $lanes; do
		kill -0 "$lane" 2>/dev/null && return
	done
	return 1
}

unmodified()
{
	cut -d ' ' -f 1 "$work/wanted" | sort -u >"$work/programs"
	while read -r wanted; do
		check_unmodified "$wanted" "$(sed -n "s/^$wanted //p" "$work/wanted" | sort -u | tr '\n' ' ')"
	done <"$work/programs"
}

# In the order of the table, each as soon as it is there.
print_rows() # COUNT
{
	line=0
	while [ $line -lt "$1" ]; do
		line=$((line + 1))
		until [ -f "$work/$line.line" ]; do
			lanes_run || [ -f "$work/$line.line" ] || { echo "a lane broke off"; exit 1; }
			sleep 1
		done
		cat "$work/$line.line"
	done
}

check_labels >"$work/unknown"
[ ! -s "$work/unknown" ] || { cat "$work/unknown"; exit 1; }
row() { collect_row "$@"; }
: >"$work/wanted"
tables
rows=$number
[ "$rows" -gt 0 ] || { echo "no row matches $pattern" >&2; exit 2; }
in_lanes unmodified
wait
[ ! -f "$work/unmodified.bad" ] || { cat "$work/unmodified.bad"; exit 1; }
echo "unmodified: nothing noticed by $(tr '\n' ' ' <"$work/programs")"

row() { check_row "$@"; }
[ -z "$all" ] || printf '%-18s%s\n' '' "$(echo "$columns" | tr ' ' '\n' | sed 's/model_/m./; s/test_//
	s/stress_sync/stress/; s/sections/sect/; s/_/./; s/\(......\).*/\1/' | tr '\n' ' ')"
in_lanes tables
print_rows "$rows"
wait
lanes=
left=$(cat "$work"/*.missing 2>/dev/null)
bad=$(find "$work" -name '*.bad' | wc -l)
echo "$rows rows, $bad of them not as the table says"
[ "$bad" -eq 0 ] || exit 1
[ -z "$left" ] || { echo "skipped: left out $(echo "$left" | tr '\n' ';')"; exit 77; }
