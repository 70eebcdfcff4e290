#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every public header compiles by itself, included twice, for the linked library and header-only.
# usage: alone.sh INCLUDE_DIR LANGUAGE COMPILER [FLAG...]
set -u
include=$1 language=$2
shift 2
command -v "$1" >/dev/null || { echo "skipped: no $1"; exit 77; }

headers=$(cd "$include" && find vqmeta -name '*.h' ! -path '*/impl/*' ! -path '*/env/*' | sort)
status=0
for header in $headers; do
	for mode in -UVQM_HEADER_ONLY -DVQM_HEADER_ONLY; do
		printf '#include <%s>\n#include <%s>\nextern int unit;\n' "$header" "$header" |
			"$@" -O1 -I"$include" "$mode" -x "$language" -S -o /dev/null - && continue
		echo "$header does not compile alone: $* $mode"
		status=1
	done
done
[ -n "$headers" ] && exit $status
