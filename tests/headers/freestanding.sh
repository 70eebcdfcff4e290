#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The core without any C library or operating system: only the compiler's own headers, an
# environment of our own, and a program that starts at _start.
# usage: freestanding.sh INCLUDE_DIR COMPILER [FLAG...]
set -eu
include=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
case $("$1" -dumpmachine) in
x86_64-*linux*) ;;
*) echo "skipped: the program is written for Linux on x86-64"; exit 77 ;;
esac
own_headers=$("$1" -print-file-name=include)
program=$(mktemp)
trap 'rm -f "$program"' EXIT

"$@" -std=gnu11 -O2 -g -ffreestanding -fno-stack-protector -nostdinc -isystem "$own_headers" \
	-DVQM_HEADER_ONLY -DVQM_ENV_HEADER='"freestanding_env.h"' -I"$include" -I"$here" \
	"$here/freestanding.c" -nostdlib -static -o "$program"
undefined=$(nm -u "$program")
[ -z "$undefined" ] || { echo "wanted from outside: $undefined"; exit 1; }
"$program"
