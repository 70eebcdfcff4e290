# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# shellcheck shell=sh
#
# What uml.sh and qemu.sh share: options, packages, initramfs, backend, guest, verdict.
# A script sets here=(its directory), sources this file and calls, in order:
#	parse_options, need_tools, prepare, build_initramfs, start_backend, run_guest, verdict

PATH=$PATH:/usr/sbin:/sbin
here=${here:?}
DISK_MB=128

queues=1
backend=
packed=
keep=
verbose=
work=
backend_pid=
backend_gone=
guest_pid=

skip() {
	echo "SKIP: $*"
	exit 77
}

die() {
	echo "FAIL: $*" >&2
	exit 1
}

usage() {
	cat <<USAGE
usage: $(basename "$0") [--queues N] [--backend PATH] [--packed] [--keep] [-v] [-- OPTION...]
  --queues N      request queues the backend offers, 1 to 4 (default 1)
  --backend PATH  vhost_user_blk to run (default: the newest one below build/)
  --packed        fail unless the packed ring was negotiated
  --keep          keep the image, the console and the backend's messages
  -v              show the console while the guest runs
  -- OPTION...    more options for the backend, e.g. --sync=spin
VQM_GUEST_BACKEND, a shell command that uses \$SOCKET, \$IMAGE and \$QUEUES, replaces the backend.
USAGE
}

parse_options() {
	while [ $# -gt 0 ]; do
		case $1 in
		--queues) queues=${2:?--queues lacks its value} && shift ;;
		--backend) backend=${2:?--backend lacks its value} && shift ;;
		--packed) packed=1 ;;
		--keep) keep=1 ;;
		-v) verbose=1 ;;
		-h | --help) usage && exit 0 ;;
		--) shift && break ;;
		*) usage >&2 && exit 1 ;;
		esac
		shift
	done
	case $queues in
	[1-4]) ;;
	*) die "--queues takes 1 to 4" ;;
	esac
	backend_options=$*
	find_backend
}

# the newest binary below build/, whatever the preset
find_backend() {
	[ -z "${VQM_GUEST_BACKEND-}" ] || return 0
	if [ -n "$backend" ]; then
		[ -x "$backend" ] || die "$backend is no program"
		return
	fi
	for f in "$here"/../../build/*/examples/vhost_user_blk/vhost_user_blk; do
		[ -x "$f" ] || continue
		if [ -z "$backend" ] || [ -n "$(find "$f" -newer "$backend")" ]; then
			backend=$f
		fi
	done
	[ -n "$backend" ] || skip "no vhost_user_blk below build/: build it, or use --backend"
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		sudo -n "$@"
	else
		return 1
	fi
}

# COMMAND:PACKAGE...: installs the packages of commands that are not there
need_tools() {
	[ "$(uname -sm)" = "Linux x86_64" ] || skip "the guests are Linux on x86_64"
	packages=
	for tool in "$@" busybox:busybox-static cpio:cpio modprobe:kmod mke2fs:e2fsprogs; do
		command -v "${tool%%:*}" >/dev/null || packages="$packages ${tool#*:}"
	done
	[ -n "$packages" ] || return 0
	hint="apt-get install --no-install-recommends$packages"
	command -v apt-get >/dev/null || skip "missing:$packages (and no apt-get)"
	echo "installing:$packages"
	# shellcheck disable=SC2086 # one word for each package
	as_root env DEBIAN_FRONTEND=noninteractive sh -c '
		apt-get -qq install -y --no-install-recommends "$@" ||
		{ apt-get -qq update && apt-get -qq install -y --no-install-recommends "$@"; }
		' sh $packages >/dev/null 2>&1 || skip "missing:$packages; as root: $hint"
}

prepare() {
	trap cleanup EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	work=$(mktemp -d "${TMPDIR:-/tmp}/vqm-guest.XXXXXX") || exit 1
	truncate -s ${DISK_MB}M "$work/image"
}

cleanup() {
	trap '' HUP INT TERM
	end_guest
	[ -z "$backend_pid" ] || kill -KILL "$backend_pid" 2>/dev/null
	wait
	if [ -n "$keep" ]; then
		rm -rf "$work/root"
		echo "kept: $work"
	else
		rm -rf "$work"
	fi
}

# PROGRAM DIRECTORY: copies a program, and the shared libraries it asks for to their own places
copy_program() {
	program=$(command -v "$1")
	cp -L "$program" "$2/"
	ldd "$program" 2>/dev/null | grep -o '/[^ ]*' | while read -r so; do
		mkdir -p "$work/root$(dirname "$so")"
		cp -L "$so" "$work/root$so"
	done
}

# MODULE_ROOT RELEASE MODULE...: busybox, mke2fs, init and the modules in load order
build_initramfs() {
	module_root=$1 release=$2
	shift 2
	root=$work/root
	mkdir -p "$root/bin" "$root/dev" "$root/proc" "$root/sys" "$root/tmp" "$root/mnt" \
		"$root/host" "$root/modules"
	copy_program busybox "$root/bin"
	copy_program mke2fs "$root/host"
	cp "$here/init" "$root/init"
	chmod 755 "$root/init"
	modprobe -d "$module_root" -S "$release" -a --show-depends "$@" >"$work/modules" ||
		die "no modules $* for $release"
	awk '$1 == "insmod" && !seen[$2]++ { print $2 }' "$work/modules" | while read -r ko; do
		name=$(basename "$ko" .xz)
		case $ko in
		*.xz) xz -dc "$ko" >"$root/modules/$name" ;;
		*) cp "$ko" "$root/modules/$name" ;;
		esac
		echo "$name"
	done >"$root/modules/order"
	(cd "$root" && find . | cpio -o -H newc --quiet) | gzip -1 >"$work/initrd"
}

start_backend() {
	if [ -n "${VQM_GUEST_BACKEND-}" ]; then
		SOCKET=$work/socket IMAGE=$work/image QUEUES=$queues \
			sh -c "exec $VQM_GUEST_BACKEND" </dev/null >"$work/backend" 2>&1 &
	else
		# shellcheck disable=SC2086 # one word for each option
		"$backend" --socket-path="$work/socket" --blk-file="$work/image" \
			--num-queues="$queues" $backend_options </dev/null >"$work/backend" 2>&1 &
	fi
	backend_pid=$!
	i=0
	while [ ! -S "$work/socket" ]; do
		i=$((i + 1))
		if [ $i -gt 100 ] || ! kill -0 "$backend_pid" 2>/dev/null; then
			report_failure "the backend made no socket"
		fi
		sleep 0.05
	done
	sleep 0.1 # it exists from bind(); listen() follows
}

# what the guest has to check, as words for its kernel command line
expectations() {
	features=VERSION_1=1,INDIRECT=1,EVENT_IDX=1
	[ "$queues" -eq 1 ] || features=$features,MQ=1
	[ -z "$packed" ] || features=$features,RING_PACKED=1
	echo "vqm.queues=$queues vqm.sectors=$((DISK_MB * 2048)) vqm.features=$features"
}

# SECONDS COMMAND...: the guest as leader of its own group, so that all of it can be ended.
# It is ended when the time is up or the backend is gone, which a guest may not notice.
run_guest() {
	limit=$1
	shift
	began=$(date +%s)
	: >"$work/console"
	setsid "$@" </dev/null >"$work/console" 2>&1 &
	guest_pid=$!
	[ -z "$verbose" ] || tail -n +1 -s 0.2 -f --pid="$guest_pid" "$work/console" &
	seconds=0
	while kill -0 "$guest_pid" 2>/dev/null; do
		kill -0 "$backend_pid" 2>/dev/null || backend_gone=1
		if [ -n "$backend_gone" ] || [ "$seconds" -ge "$limit" ]; then
			end_guest
		fi
		sleep 0.1
		seconds=$(($(date +%s) - began))
	done
	wait "$guest_pid"
	guest_status=$?
	end_guest
	guest_pid=
	tr -d '\r' <"$work/console" | sed -n 's/.*GUEST: //p' >"$work/said"
}

end_guest() {
	[ -z "$guest_pid" ] || kill -KILL "$guest_pid" "-$guest_pid" 2>/dev/null
}

# SIGTERM, then up to 5 seconds; sets backend_status
stop_backend() {
	pid=$backend_pid
	backend_pid=
	kill -TERM "$pid" 2>/dev/null
	i=0
	while [ $i -lt 50 ] && kill -0 "$pid" 2>/dev/null; do
		i=$((i + 1))
		sleep 0.1
	done
	kill -KILL "$pid" 2>/dev/null
	wait "$pid"
	backend_status=$?
}

# The image must hold what the guest says it wrote.
check_image() {
	while read -r what at size sha; do
		case $what in
		wrote) now=$(dd if="$work/image" bs=1M skip="$at" count="$size" | sha256sum) ;;
		file) sha=$size now=$(debugfs -R "cat /$at" "$work/image" | sha256sum) ;;
		*) continue ;;
		esac 2>/dev/null
		[ "${now%% *}" = "$sha" ] || report_failure "the image differs from: $what $at"
	done <"$work/said"
	e2fsck -fn "$work/image" >"$work/e2fsck" 2>&1 ||
		report_failure "e2fsck: $(tail -n 3 "$work/e2fsck")"
}

report_failure() {
	for f in console backend; do
		[ -s "$work/$f" ] || continue
		echo "--- end of $f:"
		tr -d '\r' <"$work/$f" | tail -n 25
	done >&2
	die "$*"
}

verdict() {
	stop_backend
	[ -z "$backend_gone" ] ||
		report_failure "the backend ended before the guest, with status $backend_status"
	said=$(tail -n 1 "$work/said")
	case $said in
	PASS) ;;
	FAIL*) report_failure "guest: ${said#FAIL }" ;;
	*) report_failure "no word from the guest in $seconds s, status $guest_status" ;;
	esac
	[ "$guest_status" -eq 0 ] || report_failure "guest ended with status $guest_status"
	[ "$backend_status" -eq 0 ] || report_failure "backend ended with status $backend_status"
	check_image
	grep -E '^(driver|features|queues|interrupts)' "$work/said"
	echo "PASS: $(basename "$0" .sh), $queues offered, $seconds s"
}
