#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Guest-physical, IOVA and front-end addresses are three types: one for another does not compile.
# usage: mixing.sh INCLUDE_DIR COMPILER [FLAG...]
set -u
include=$1
shift

status=0
expect() # yes|no EXPRESSION COMPILER...
{
	wanted=$1 expression=$2
	shift 2
	printf '#include <vqmeta/regions.h>\n%s\n{\n\treturn vqm_regions_find(t, %s);\n}\n' \
		'extern const void *find(const struct vqm_regions *t);
const void *find(const struct vqm_regions *t)' "$expression" >unit.c
	got=no
	"$@" -I"$include" -fsyntax-only -x c unit.c 2>/dev/null && got=yes
	[ $got = "$wanted" ] || { echo "$expression: compiles: $got"; status=1; }
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
expect yes 'vqm_gpa_of(1)' "$@"
expect no 'vqm_uva_of(1)' "$@"
expect no 'vqm_iova_of(1)' "$@"
expect no '1' "$@"
exit $status
