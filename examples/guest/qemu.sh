#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The virtio-blk driver of Debian's cloud kernel in QEMU against vhost_user_blk. See README.md.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/vqmeta

# RELEASE: the kernel package, unpacked into the cache
fetch_kernel() (
	echo "fetching linux-image-$1"
	new=$(mktemp -d "$cache/new.XXXXXX") || exit 1
	trap 'rm -rf "$new"' EXIT
	cd "$new" || exit 1
	apt-get -qq -o APT::Sandbox::User=root download "linux-image-$1" || exit 1
	dpkg-deb -x linux-image-*.deb kernel || exit 1
	[ -e kernel/lib ] || ln -s usr/lib kernel/lib
	depmod -b kernel "$1" || exit 1
	mv -T kernel "$cache/$1" 2>/dev/null || [ -d "$cache/$1" ]
)

current_release() {
	apt-cache depends linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/.*Depends: linux-image-\(.*-cloud-amd64\)$/\1/p' | tail -n 1
}

# sets release: the current one, or else the newest in the cache
find_kernel() {
	mkdir -p "$cache" || skip "cannot create $cache"
	release=$(current_release)
	if [ -z "$release" ] && as_root apt-get -qq update 2>/dev/null; then
		release=$(current_release)
	fi
	[ -z "$release" ] || [ -d "$cache/$release" ] || fetch_kernel "$release"
	[ -n "$release" ] && [ -d "$cache/$release" ] && return
	release=$(cd "$cache" && find . -maxdepth 1 -name '*-cloud-amd64' | sort -V | tail -n 1)
	release=${release#./}
	[ -n "$release" ] || skip "no package linux-image-cloud-amd64 to be had"
}

parse_options "$@"
need_tools qemu-system-x86_64:qemu-system-x86
find_kernel
prepare
build_initramfs "$cache/$release" "$release" virtio_pci virtio_blk
start_backend
cpus=$queues
[ "$cpus" -gt 1 ] || cpus=2
run_guest 120 qemu-system-x86_64 -accel tcg -M q35 -m 512M -smp "$cpus" \
	-no-user-config -nodefaults -nographic -serial stdio -monitor none -no-reboot \
	-object memory-backend-memfd,id=mem,size=512M,share=on -numa node,memdev=mem \
	-chardev socket,id=blk,path="$work/socket" \
	-device vhost-user-blk-pci,chardev=blk,num-queues="$queues"${packed:+,packed=on} \
	-kernel "$cache/$release/boot/vmlinuz-$release" -initrd "$work/initrd" \
	-append "console=ttyS0 panic=-1 quiet $(expectations)"
verdict
