#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Rules of this tree that no compiler knows.
# usage: checks.sh SOURCE_DIR CHECK [ARGUMENT...]
# A check prints what breaks its rule; printing nothing is passing.
set -u
cd "$1" || exit 1
check=$2
shift 2

skip()
{
	echo "skipped: $*"
	exit 77
}

[ "$check" = mfence ] || git -c safe.directory='*' rev-parse --git-dir >/dev/null 2>&1 ||
	skip "not a git checkout"

# Tracked files and those about to be, optionally only some of them.
files() # [PATTERN...]
{
	git -c safe.directory='*' ls-files -co --exclude-standard -- "$@" | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done
}

check_spdx()
{
	files '*.c' '*.h' '*.sh' '*.cmake' '*CMakeLists.txt' | while read -r file; do
		head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause' ||
			echo "$file: no SPDX line at its top"
	done
}

# One #if per question: what depends on the surroundings is asked in env.h, env/ and sync.h.
check_conditionals()
{
	files 'include/*.h' | grep -v -e '/env\.h$' -e '/env/' -e '/sync\.h$' | while read -r file; do
		grep -HnE '^[[:space:]]*#[[:space:]]*(if|elif)' "$file" |
			grep -vE '#ifndef VQMETA_[A-Z0-9_]+_H$|#ifdef (__cplusplus|VQM_HEADER_ONLY)$'
	done
}

check_length()
{
	files 'include/*.h' 'lib/*.c' 'lib/*.h' 'tests/*.c' 'tests/*.h' 'examples/*.c' 'examples/*.h' \
		'bench/*.c' 'bench/*.h' | while read -r file; do
		case $file in
		*/impl/*) limit=300 ;;	# function bodies, whatever the name ends in
		*.h) limit=250 ;;
		*) limit=300 ;;
		esac
		lines=$(wc -l <"$file")
		[ "$lines" -le $limit ] || echo "$file: $lines lines, at most $limit wanted"
	done
}

# The brackets keep this line from matching itself.
check_paths()
{
	files | while read -r file; do
		grep -HnIE '/[w]ork/|/[r]oot/' "$file"
	done
}

# The first difference of each file; clang-format -i mends them.
check_format()
{
	clang-format --version 2>/dev/null | grep -q 'version 14\.' || skip "needs clang-format 14"
	files '*.c' '*.h' | xargs -r clang-format --dry-run -Werror 2>&1 |
		awk -F: '/^[^ ]*:[0-9]+:[0-9]+: / && !seen[$1]++'
}

# A full barrier is a locked instruction: half the price of mfence on x86.
check_mfence() # LIBRARY
{
	command -v objdump >/dev/null || skip "no objdump"
	objdump -d "$1" | awk '/\tmfence/; /^ /{ n++ } END{ if (!n) print "nothing disassembled" }'
}

# Names of functions that headers mark as exported, whatever their line breaks.
marked() # core | vhost_user
{
	files 'include/vqmeta/*.h' | grep -v -e '/impl/' -e '/env' | while read -r file; do
		case $1,$file in
		core,*/vhost_user*) ;;
		vhost_user,*/vhost_user* | core,*) cat "$file" ;;
		esac
	done | tr '\n' ' ' | grep -oE 'VQM_(VHOST_USER_)?(API|SLOW) [^;{}()]*\(' |
		grep -oE 'vqm_[a-z0-9_]+\($' | tr -d '('
}

compare() # WHAT LIST OTHER_WHAT OTHER_LIST
{
	printf '%s\n' "$2" | sort -u >"$work/one"
	printf '%s\n' "$4" | sort -u >"$work/two"
	comm -23 "$work/one" "$work/two" | sed "s/\$/: in the $1, not in the $3/"
	comm -13 "$work/one" "$work/two" | sed "s/\$/: in the $3, not in the $1/"
}

check_symbols() # LIBRARY MAP core|vhost_user
{
	case $1 in
	*.a) skip "a static library exports everything" ;;
	esac
	work=$(mktemp -d)
	exported=$(nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }')
	mapped=$(tr -s '\t ;' '\n' <"$2" | grep '^vqm_')
	compare map "$mapped" library "$exported"
	compare map "$mapped" headers "$(marked "$3")"
	rm -rf "$work"
}

type "check_$check" >/dev/null || { echo "no such check: $check"; exit 1; }
found=$("check_$check" "$@")
status=$?
[ $status -ne 77 ] || { echo "$found"; exit 77; }
[ -z "$found" ] || { echo "$found"; exit 1; }
