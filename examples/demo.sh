#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Builds what it needs, lets vqm_demo (examples/demo) write and verify a disk that vhost_user_blk
# serves while the memory of both is taken away and given back, and prints what that proved.
set -u
cd "$(dirname "$0")/.." || exit 1

usage()
{
	cat <<'END'
usage: sh examples/demo.sh [--quick | --guest] [--sync=NAME]
  (nothing)    2 GiB written and verified through two queues
  --quick      the same with 64 MiB
  --guest      instead, an unmodified Linux guest uses the disk (examples/guest/uml.sh)
  --sync=NAME  how the backend keeps workers and invalidation apart: counter (default), spin,
               flag, seqcount, asym, rcu, rcu_qsbr
END
}

size_mib=2048 disk_mib=256 queues=2 every_us=100 sync=counter guest=''
while [ $# -gt 0 ]; do
	case $1 in
	--quick) size_mib=64 disk_mib=32 ;;
	--guest) guest=1 ;;
	--sync=?*) sync=${1#--sync=} ;;
	-h | --help) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
	shift
done

work='' backend='' demo='' tee=''

cleanup()
{
	trap '' HUP INT TERM
	for pid in $demo $backend; do
		kill -KILL "$pid" 2>/dev/null
	done
	wait
	[ -z "$work" ] || rm -rf "$work"
}

fail()
{
	echo "FAILED: $*" >&2
	[ ! -s "$work/backend" ] || { echo "--- the backend said:" && cat "$work/backend"; } >&2
	exit 1
}

# The build directory may be in use by the test suite, so nothing but the preset decides what is in
# it; what it looks for must be there.
build()
{
	sh tests/setup.sh gcc cmake make pkg-config libc6-dev libcmocka-dev liburing-dev || exit 1
	echo "building into build/release"
	log=$work/build.log
	{ cmake --preset release && cmake --build --preset release -j "$(nproc)" --target "$@"; } \
		>"$log" 2>&1 || { cat "$log" >&2; fail "it does not build"; }
}

# A directory in memory if that is possible, with room for the image.
make_work()
{
	trap cleanup EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	for dir in "${TMPDIR:-/dev/shm}" /tmp .; do
		if [ ! -d "$dir" ] || [ ! -w "$dir" ]; then
			continue
		fi
		free=$(df -Pk "$dir" | awk 'NR == 2 { print int($4 / 1024) }')
		[ "$free" -gt $((disk_mib + 64)) ] && work=$(mktemp -d "$dir/vqm-demo.XXXXXX") && return
	done
	fail "no directory with room for $disk_mib MiB: set TMPDIR"
}

# The backend, once it listens.
start_backend()
{
	build/release/examples/vhost_user_blk/vhost_user_blk --socket-path="$work/socket" \
		--blk-file="$work/image" --num-queues=$queues --sync="$sync" \
		--invalidate-every=$every_us --stats >"$work/backend" 2>&1 &
	backend=$!
	for _ in $(seq 100); do
		[ ! -S "$work/socket" ] || return 0
		kill -0 "$backend" 2>/dev/null || break
		sleep 0.05
	done
	fail "the backend does not listen"
}

# The status of the demonstration, with what it prints shown as it comes and kept in $work/demo.
run_demo()
{
	mkfifo "$work/pipe" || exit 1
	tee "$work/demo" <"$work/pipe" &
	tee=$!
	build/release/examples/demo/vqm_demo --socket-path="$work/socket" --size-mib=$size_mib \
		--queues=$queues --seconds-max=120 >"$work/pipe" 2>&1 &
	demo=$!
	wait "$demo"
	status=$?
	demo=
	wait "$tee"
	return $status
}

# SIGTERM, then up to 10 seconds. Sets status.
stop_backend()
{
	kill -TERM "$backend" 2>/dev/null
	for _ in $(seq 100); do
		kill -0 "$backend" 2>/dev/null || break
		sleep 0.1
	done
	kill -KILL "$backend" 2>/dev/null
	wait "$backend"
	status=$?
	backend=
}

# What the backend counted under a name.
stat_of() # NAME
{
	awk -v name="$1" '{ n = $NF; $NF = ""; sub(/ *$/, "") } $0 == name { print n }' "$work/backend"
}

# What the demonstration reported under a name.
said() # NAME
{
	sed -n "s/^$1: //p" "$work/demo"
}

summary()
{
	echo
	echo "Proved, with --sync=$sync:"
	echo "  written            $(said written)"
	echo "  verified           $(said verified), mismatches: $(said mismatches)"
	echo "  requests           $(said requests)"
	echo "  invalidations      $(stat_of invalidations) by the backend itself, every $every_us us"
	echo "  region changes     $(said 'region changes')"
	echo "  rings mapped again $(stat_of prefetches) times, each completion delivered exactly once"
	echo "PASS"
}

make_work
if [ -n "$guest" ]; then
	build vhost_user_blk
	sh examples/guest/uml.sh --backend build/release/examples/vhost_user_blk/vhost_user_blk -- \
		--sync="$sync"
	exit
fi
build vhost_user_blk vqm_demo
truncate -s "${disk_mib}M" "$work/image" || exit 1
start_backend
run_demo || fail "vqm_demo ended with status $status"
stop_backend
[ "$status" -eq 0 ] || fail "the backend ended with status $status"
echo "--- the backend counted:"
cat "$work/backend"
for name in "requests failed" "completions lost" "bad chains" "broken rings"; do
	[ "$(stat_of "$name")" = 0 ] || fail "$name: $(stat_of "$name")"
done
[ "$(stat_of invalidations)" -gt 0 ] || fail "no invalidation happened"
summary
