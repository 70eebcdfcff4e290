#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# usage: valgrind.sh PROGRAM
command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
# Threads take turns: by default the one that has the processor may keep it for very long.
exec valgrind --quiet --error-exitcode=99 --leak-check=full --fair-sched=try \
	--errors-for-leak-kinds=definite,indirect --child-silent-after-fork=yes "$1"
