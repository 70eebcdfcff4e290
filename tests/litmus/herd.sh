#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Runs the litmus tests with herd7 and compares with expected.tsv.
#
#	sh herd.sh [PATTERN]	only tests whose name matches the shell pattern
#
# VQM_LKMM names tools/memory-model of a kernel tree; without it lkmm/ is left out.
# VQM_HERD7 names another program than herd7.
set -u
lkmm=${VQM_LKMM:-}
if [ -n "$lkmm" ]; then
	lkmm=$(cd "$lkmm" && pwd) || exit 1
	for file in cfg bell cat def; do
		[ -r "$lkmm/linux-kernel.$file" ] ||
			{ echo "VQM_LKMM: no linux-kernel.$file in $lkmm" >&2; exit 1; }
	done
fi
here=$(cd "$(dirname "$0")" && pwd) || exit 1
cd "$here" || exit 1
herd7=${VQM_HERD7:-herd7}
pattern=${1:-*}
tab=$(printf '\t')

command -v "$herd7" >/dev/null 2>&1 ||
	{ echo "skipped: herd7 is not installed (no Debian package)"; exit 77; }

# -optace: fewer candidates, the same verdicts, since all models are coherent.
run() # TEST
{
	case $1 in
	lkmm/*) (cd "$lkmm" && "$herd7" -optace true -conf linux-kernel.cfg "$here/$1.litmus") ;;
	c11/*) "$herd7" -optace true -model rc11.cat "$1.litmus" ;;
	*) "$herd7" -optace true "$1.litmus" ;;
	esac 2>&1
}

# The two words of the table, from the report of herd7.
verdict()
{
	awk '
		$1 == "Observation" { seen = $3 == "Never" ? "Never" : "Sometimes" }
		/^Undef$/ || /^Flag (data-race|\*undef\*)/ { race = 1 }
		END { print (seen ? seen : "error") "\t" (race ? "yes" : "no") }'
}

ran=0 differ=0 left_out=0
while IFS=$tab read -r test observed race _; do
	case $test in
	'#'*) continue ;;
	esac
	# shellcheck disable=SC2254
	case $test in
	$pattern) ;;
	*) continue ;;
	esac
	if [ -z "$lkmm" ] && [ "${test%%/*}" = lkmm ]; then
		left_out=$((left_out + 1))
		continue
	fi
	ran=$((ran + 1))
	got=$(run "$test" </dev/null | verdict)
	[ "$got" = "$observed$tab$race" ] && continue
	differ=$((differ + 1))
	echo "$test: expected $observed, race $race; got $(echo "$got" | sed "s/$tab/, race /")"
done <expected.tsv

[ "$left_out" -eq 0 ] || echo "left out: $left_out tests of lkmm/, VQM_LKMM is not set"
[ "$ran" -gt 0 ] || [ "$left_out" -eq 0 ] || { echo "skipped: VQM_LKMM is not set"; exit 77; }
echo "$ran tests, $differ differences"
[ "$differ" -eq 0 ] && [ "$ran" -gt 0 ]
