#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# The virtio-blk driver of a User-Mode Linux kernel against vhost_user_blk. See README.md.

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"

UML=/usr/lib/uml

parse_options "$@"
need_tools linux.uml:user-mode-linux
prepare
release=$(cd $UML/modules && echo *)
mkdir -p "$work/uml/lib"
ln -s $UML/modules "$work/uml/lib/modules"
build_initramfs "$work/uml" "$release" virtio_blk
start_backend
# shellcheck disable=SC2046 # one word for each parameter
run_guest 60 linux.uml mem=256M initrd="$work/initrd" con=null con0=null,fd:1 quiet \
	uml_dir="$work" umid=guest virtio_uml.device="$work/socket:2" $(expectations)
verdict
