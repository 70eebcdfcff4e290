#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Two units that include every core header header-only, all functions kept, link into one program,
# and neither defines a symbol the other could see.
# shellcheck disable=SC2086
# usage: multiple_units.sh INCLUDE_DIR COMPILER [FLAG...]
set -eu
include=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# vhost_user.h is a library of its own, never header-only.
(cd "$include" && find vqmeta -name '*.h' ! -path '*/impl/*' ! -path '*/env/*' ! -name vhost_user.h |
	sort) |
	sed 's/.*/#include <&>/' >"$work/all.h"
printf '#include "all.h"\nint main(void)\n{\n\treturn 0;\n}\n' >"$work/one.c"
printf '#include "all.h"\n' >"$work/two.c"

keep="-fkeep-inline-functions -fkeep-static-functions"
"$@" $keep -x c -fsyntax-only /dev/null 2>/dev/null || keep=	# clang has no such options
for unit in one two; do
	"$@" -O1 $keep -DVQM_HEADER_ONLY -I"$include" -I"$work" -c "$work/$unit.c" -o "$work/$unit.o"
done
"$@" "$work/one.o" "$work/two.o" -pthread -o "$work/program"
"$work/program"

leaked=$(nm -g "$work/one.o" "$work/two.o" "$work/program" | grep 'vqm_' || true)
[ -z "$leaked" ] || { echo "global symbols of a header-only build:"; echo "$leaked"; exit 1; }
