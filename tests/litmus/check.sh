#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Decides the tests of c11/ with rc11.py and compares with expected.tsv; needs no herd7.
# Looks as well whether table and files agree.
set -u
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
differ=0

# Prints the differences of two sorted files, if any.
same() # WANTED GOT WHAT
{
	diff "$1" "$2" >"$work/diff" && return
	echo "$3 (< table, > found):"
	grep '^[<>]' "$work/diff"
	differ=1
}

# The rows of the table that rc11.py can decide, as it prints them.
wanted() # rc11 | c20
{
	awk -F'\t' -v OFS='\t' -v rule="$1" '/^c11\// {
		if (rule == "c20" && $5 == "moves")
			$2 = "Sometimes" OFS "yes"
		else
			$2 = $2 OFS $3
		print $1 ".litmus", $2 }' expected.tsv | LC_ALL=C sort
}

grep -v '^#' expected.tsv | cut -f1 | LC_ALL=C sort >"$work/table"
find ./*/ -name '*.litmus' | sed 's/^\.\///; s/\.litmus$//' | LC_ALL=C sort >"$work/files"
same "$work/table" "$work/files" "tests"
for file in */*.litmus; do
	read -r _ name <"$file"
	[ "$name" = "$(basename "$file" .litmus)" ] ||
		{ echo "$file: names itself $name"; differ=1; }
done
[ $differ -eq 0 ] || exit 1

command -v python3 >/dev/null 2>&1 || { echo "skipped: python3 is not installed"; exit 77; }

for rule in rc11 c20; do
	wanted $rule >"$work/wanted"
	option=
	[ $rule = rc11 ] || option=--c20
	# shellcheck disable=SC2086
	python3 -B rc11.py $option c11/*.litmus | LC_ALL=C sort >"$work/got"
	same "$work/wanted" "$work/got" "verdicts, $rule"
	echo "$rule: $(wc -l <"$work/got") tests"
done
exit $differ
