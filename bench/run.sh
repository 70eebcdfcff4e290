#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds the benchmarks and prints a table: time (median, smallest, largest of 15 interleaved runs)
# and instructions per chain. "limit" is raw pointers without a check, "checked" the same with all
# checks inlined; "batch" and "chain" are the library.
# Cases are split-kK-lL-rR-seq: K chains per batch, L descriptors per chain, R regions.
# usage: bench/run.sh [--quick] [--json FILE]
#   --quick      without the instruction counts
#   --json FILE  one JSON object per figure; FILE is relative to the top of the tree
set -eu
cd "$(dirname "$0")/.."

json=/dev/null
count=yes
while [ $# -gt 0 ]; do
	case $1 in
	--quick) count=no ;; # no instruction counts
	-h | --help) sed -n '3,9s/^# //p' "$0"; exit ;;
	--json) json=${2:?--json needs a file}; shift ;;
	*) sed -n '3,9s/^# //p' "$0" >&2; exit 2 ;;
	esac
	shift
done

sh tests/setup.sh gcc cmake make pkg-config valgrind libcmocka-dev liburing-dev
log=$(mktemp)
counts=$(mktemp)
trap 'rm -f "$log" "$counts"' EXIT
{ cmake --preset release && cmake --build --preset release --target bench_queue; } >"$log" 2>&1 ||
	{ cat "$log" >&2; exit 1; }
bench=$(find build/release -name bench_queue -type f | head -n 1)
: >"$json"

# row BENCH CASE METRIC VALUE UNIT
row()
{
	printf '{"bench":"%s","case":"%s","metric":"%s","value":%s,"unit":"%s"}\n' "$@" >>"$json"
}

# instructions IMPL K L: executed in serve_IMPL() per chain, less what no round adds
instructions()
{
	valgrind --tool=callgrind --callgrind-out-file="$counts" --toggle-collect="serve_$1" \
		"$bench" "$1" "$2" "$3" 99 2>&1 |
		awk -v l="$3" '/Collected/ { printf "%.1f", $NF / 100 / int(256 / l) }'
}

grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: /processor: /'
printf '%-20s %-8s %9s %9s %9s %13s\n' case what 'ns/chain' smallest largest instructions
"$bench" | while read -r name impl metric median unit least most; do
	k=${name#split-k}; k=${k%%-*}
	l=${name#*-l}; l=${l%%-*}
	row queue "$name-$impl" "$metric" "$median" "$unit"
	n=-
	if [ "$count" = yes ]; then
		n=$(instructions "$impl" "$k" "$l")
		row queue "$name-$impl" chain_instructions "$n" instructions
	fi
	printf '%-20s %-8s %9s %9s %9s %13s\n' "$name" "$impl" "$median" "$least" "$most" "$n"
done
