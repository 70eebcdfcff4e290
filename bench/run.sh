#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds the benchmarks and prints two tables, each measured in one interleaved run.
# The first is the cost of a chain through the ring: time (median, 10th and 90th percentile) and
# instructions. "limit" is raw pointers without a check, "checked" the same with all checks inlined;
# "batch" and "chain" are the library. Cases are split-kK-lL-rR-seq: K chains per batch, L
# descriptors per chain, R regions.
# The second is the cost of excluding invalidation, for each strategy:
#   chains with a section for each: per second, compared with "base" (no mapping that could go away:
#   each access to the ring is a copy), in ns with 10th and 90th percentile; with a section for 32
#   an empty section: ns and instructions more than an empty loop, instructions with the loop
#   an invalidation while another thread runs sections: ns, against the bare membarrier(2)
# "rcu_inline" has liburcu inlined (_LGPL_SOURCE). "rcu_qsbr" announces a quiescent state after 32
# sections, "rcu_qsbr_each" after each.
# usage: bench/run.sh [--quick] [--json FILE]
#   --quick      fewer repeats, without the instruction counts
#   --json FILE  one JSON object per figure; FILE is relative to the top of the tree
set -eu
cd "$(dirname "$0")/.."

json=/dev/null
count=yes
sync_repeats="301 90"
while [ $# -gt 0 ]; do
	case $1 in
	--quick) count=no; sync_repeats="101 25" ;;
	-h | --help) sed -n '3,17s/^# //p' "$0"; exit ;;
	--json) json=${2:?--json needs a file}; shift ;;
	*) sed -n '3,17s/^# //p' "$0" >&2; exit 2 ;;
	esac
	shift
done

sh tests/setup.sh gcc cmake make pkg-config valgrind libcmocka-dev liburing-dev liburcu-dev
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{ cmake --preset release && cmake --build --preset release --target bench_queue bench_sync; } \
	>"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
bench=$(dirname "$(find "$PWD/build/release" -name bench_queue -type f | head -n 1)")
: >"$json"

# row BENCH CASE METRIC VALUE UNIT
row()
{
	printf '{"bench":"%s","case":"%s","metric":"%s","value":%s,"unit":"%s"}\n' "$@" >>"$json"
}

# instructions TIMES FUNCTION COMMAND...: executed in FUNCTION, for each of TIMES
instructions()
{
	times=$1
	function=$2
	shift 2
	valgrind --tool=callgrind --callgrind-out-file="$work/counts" \
		--toggle-collect="$function" "$@" 2>&1 |
		awk -v times="$times" '/Collected/ { printf "%.1f", $NF / times }'
}

queue_table()
{
	printf '%-20s %-8s %9s %9s %9s %13s\n' \
		case what 'ns/chain' '10%' '90%' instructions
	"$bench/bench_queue" | while read -r name impl metric median unit least most; do
		k=${name#split-k}; k=${k%%-*}
		l=${name#*-l}; l=${l%%-*}
		row queue "$name-$impl" "$metric" "$median" "$unit"
		n=-
		if [ "$count" = yes ]; then
			n=$(instructions $((100 * (256 / l))) "serve_$impl" \
				"$bench/bench_queue" "$impl" "$k" "$l" 99)
			row queue "$name-$impl" chain_instructions "$n" instructions
		fi
		printf '%-20s %-8s %9s %9s %9s %13s\n' \
			"$name" "$impl" "$median" "$least" "$most" "$n"
	done
}

# Adds the instruction counts to the figures.
sync_instructions() # CASE...
{
	none=$(instructions 10000 run_sections "$bench/bench_sync" none sections 10000)
	for name; do
		n=$(instructions 25600 run_chains "$bench/bench_sync" "$name" chains 99)
		echo "$name chain_instructions_k1 $n instructions"
		[ "$name" != base ] || continue
		n=$(instructions 10000 run_sections "$bench/bench_sync" "$name" sections 10000)
		echo "$name section_loop_instructions $n instructions"
		awk -v name="$name" -v n="$n" -v none="$none" 'BEGIN {
			printf "%s section_instructions %.1f instructions\n", name, n - none
		}'
	done
}

sync_table()
{
	awk '
	function field(what, format) {
		return (name, what) in value ? sprintf(format, value[name, what]) : "-"
	}
	!($1 in seen) { seen[$1]; names[++count] = $1 }
	{ value[$1, $2] = $3; least[$1, $2] = $5; most[$1, $2] = $6 }
	END {
		base = value["base", "chain_ns_k1"]
		row = "%-14s %9s %8s %8s %13s %6s %8s %6s %9s %8s %8s\n"
		printf row, "strategy", "Mchains/s", "to base", "ns/chain", "10%..90%", "k32",
			"section", "instr.", "with loop", "wait p50", "wait p99"
		for (i = 1; i <= count; i++) {
			name = names[i]
			rate = percent = spread = "-"
			if ((name, "chain_ns_k1") in value) {
				ns = value[name, "chain_ns_k1"]
				rate = sprintf("%.1f", 1000 / ns)
				percent = sprintf("%+.0f %%", 100 * (base / ns - 1))
				spread = least[name, "chain_ns_k1"] ".." most[name, "chain_ns_k1"]
			}
			printf row, name, rate, percent, field("chain_ns_k1", "%.2f"), spread,
				field("chain_ns_k32", "%.2f"), field("section_ns", "%.2f"),
				field("section_instructions", "%+.1f"),
				field("section_loop_instructions", "%.1f"),
				field("wait_ns_p50", "%.0f"), field("wait_ns_p99", "%.0f")
		}
	}' "$1"
}

sync_benchmark()
{
	# shellcheck disable=SC2086
	"$bench/bench_sync" $sync_repeats >"$work/out"
	grep '^left out:' "$work/out" || true
	grep -v '^left out:' "$work/out" >"$work/rows"
	if [ "$count" = yes ]; then
		# shellcheck disable=SC2046
		sync_instructions $(awk '/ chain_ns_k1 / { print $1 }' "$work/rows") >"$work/more"
		cat "$work/more" >>"$work/rows"
	fi
	while read -r name metric value unit _; do
		row sync "$name" "$metric" "$value" "$unit"
	done <"$work/rows"
	sync_table "$work/rows"
}

grep -m 1 'model name' /proc/cpuinfo | sed 's/.*: /processor: /'
queue_table
echo
sync_benchmark
