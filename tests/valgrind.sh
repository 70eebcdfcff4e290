#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# usage: valgrind.sh PROGRAM
command -v valgrind >/dev/null || { echo "skipped: no valgrind"; exit 77; }
exec valgrind --quiet --error-exitcode=99 --leak-check=full \
	--errors-for-leak-kinds=definite,indirect --child-silent-after-fork=yes "$1"
