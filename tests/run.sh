#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds and runs the tests; the last line is the sum over everything that ran.
set -u
cd "$(dirname "$0")/.." || exit 1

usage()
{
	cat <<'END'
usage: sh tests/run.sh [--quick | --label LABEL | --list]
  (nothing)      the whole suite, every build: at most 25 minutes on two processors
  --quick        one build; unit, headers, vhost_user and lint: at most 3 minutes
  --label LABEL  the tests of one label, building what they need
  --list         what there is
END
}

list()
{
	cat <<'END'
LABEL       PRESET   WHAT
unit        dev      each module, linked, header-only and with fixed strategies
headers     dev      each header alone, C and C++, kernel style, freestanding
vhost_user  dev      the vhost-user component against a front-end
consumer    dev      projects that use an installed or embedded library
lint        dev      rules of this tree
stress      dev      readers against an invalidator, poisoned memory
model       dev      the shipped headers under a simulated memory model
mutation    dev      every ordering edge weakened: something must notice
litmus      dev      ordering edges and progress, in models
valgrind    dev      the unit tests under memcheck
threads     tsan     what has threads, under ThreadSanitizer
demo        release  examples/demo.sh
guest       release  real guests

SUITE       LABELS (PRESET)
quick       unit headers vhost_user lint (dev)
default     all but guest and demo (dev), unit vhost_user lint (clang), unit stress (header-only),
            unit vhost_user stress (asan), threads (tsan), valgrind (dev), guest demo (release)
END
}

reports=$PWD/build/reports
jobs=$(nproc)
broken=0

# A command whose output is of interest only when it fails.
quietly() # LOG COMMAND...
{
	log=$1
	shift
	"$@" >"$log" 2>&1
}

build() # PRESET LABEL...
{
	preset=$1
	shift
	# shellcheck disable=SC2046
	quietly "$reports/$preset.configure" cmake --preset "$preset" &&
		quietly "$reports/$preset.build" \
			cmake --build --preset "$preset" -j "$jobs" --target $(printf 'build_%s ' "$@")
}

# Builds what the labels need with one preset and runs their tests.
phase() # TITLE PRESET LABEL...
{
	title=$1 preset=$2
	shift 2
	start=$(date +%s)
	report=$reports/$(echo "$title" | tr -c 'a-z0-9\n' _)
	if ! build "$preset" "$@"; then
		broken=$((broken + 1))
		result="build failed"
		tail -n 60 "$log"
	elif quietly "$report.log" ctest --preset "$preset" -j "$jobs" \
		-L "^($(echo "$*" | tr ' ' '|'))\$" --output-junit "$report.xml"; then
		result=passed
	else
		result=failed
		# Whatever ctest calls a failure must count, also a test that could not be started.
		[ "$(sum failures "$report.xml")" -gt 0 ] || broken=$((broken + 1))
		grep -vE ' (Passed|Start) +[0-9]|^ +Start ' "$log"
	fi
	printf '%-28s %-12s %4d s\n' "$title" "$result" $(($(date +%s) - start))
	reasons "$report.xml"
}

# Why tests were skipped, from the line in which they say so.
reasons() # FILE
{
	[ ! -f "$1" ] || awk -F'"' '
		/<testcase / { name = $2; reason = "" }
		/<skipped / { reason = "no reason given" }
		reason && sub(/.*(skipped|SKIP): /, "") { reason = $0 }
		/<\/testcase>/ && reason { print "  skipped " name ": " reason }' "$1"
}

# Adds up one attribute of the <testsuite> elements.
sum() # ATTRIBUTE FILE...
{
	attribute=$1
	shift
	cat "$@" 2>/dev/null | sed -n "s/^[[:space:]]*$attribute=\"\([0-9]*\)\".*/\1/p" |
		awk '{ n += $1 } END { print n + 0 }'
}

run_default()
{
	phase "dev (gcc)" dev unit headers vhost_user consumer lint stress litmus model mutation
	phase "clang" clang unit vhost_user lint
	phase "header-only" header-only unit stress
	phase "address+undefined sanitizer" asan unit vhost_user stress
	phase "thread sanitizer" tsan threads
	phase "valgrind" dev valgrind
	phase "guest and demo" release guest demo
}

run_label() # LABEL
{
	case $1 in
	threads) phase "$1" tsan "$1" ;;
	guest | demo) phase "$1" release "$1" ;;
	*) phase "$1" dev "$1" ;;
	esac
}

tools="gcc g++ clang libclang-rt-14-dev cmake make pkg-config valgrind libcmocka-dev liburing-dev
	liburcu-dev python3 spin relacy-dev clang-format binutils"
guests="user-mode-linux qemu-system-x86 qemu-system-common seabios busybox-static cpio kmod e2fsprogs"

suite=${1:-default} label=${2:-}
case $suite in
default) packages="$tools $guests" ;;
--quick) packages=$tools ;;
--label)
	list | awk -v label="$label" '/^$/ { exit } NR > 1 && $1 == label { n++ } END { exit !n }' ||
		{ echo "no label '$label'; see --list" >&2; exit 2; }
	packages=$tools
	case $label in
	guest | demo) packages="$tools $guests" ;;
	esac ;;
--list) list; exit ;;
*) usage; exit 2 ;;
esac
# shellcheck disable=SC2086
sh tests/setup.sh $packages || exit 1

rm -rf "$reports"
mkdir -p "$reports"
case $suite in
default) run_default ;;
--quick) phase "quick (gcc)" dev unit headers vhost_user lint ;;
--label) run_label "$label" ;;
esac

total=$(sum tests "$reports"/*.xml)
failed=$(($(sum failures "$reports"/*.xml)))
skipped=$(($(sum skipped "$reports"/*.xml) + $(sum disabled "$reports"/*.xml)))
passed=$((total - failed - skipped))
failed=$((failed + broken))
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
