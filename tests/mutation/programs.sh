# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The programs that edges.sh runs: what each is made of, needs and says.
# shellcheck shell=sh disable=SC2034,SC2154 # what edges.sh sets and uses

CC=${CC:-cc}
CXX=${CXX:-$(command -v clang++ || echo c++)} # compiles the models in half the time
strategies='spin flag counter seqcount asym'
units='test_sync test_map_threads test_invalidate test_invalidate_active test_unmapped'

# Does the compiler accept it?
accepts() # NAME COMPILER... <SOURCE
{
	accepted=$1
	shift
	cat >"$work/probe.${accepted##*.}" &&
		"$@" "$work/probe.${accepted##*.}" -o "$work/probe" >/dev/null 2>&1
}

# Sets no_*: why programs of a kind cannot run; empty when they can.
probe_surroundings()
{
	no_cc='' no_relacy='' no_cmocka='' no_tsan='' no_urcu='' no_processors='' no_python=''
	# shellcheck disable=SC2086
	{
		echo 'int main(void) { return 0; }' | accepts .c $CC || no_cc='no C compiler'
		printf '#include <relacy/relacy.hpp>\nint main() {}\n' |
			accepts .cpp $CXX -std=c++17 -fsyntax-only || no_relacy='no relacy or C++ compiler'
		printf '#include <setjmp.h>\n#include <stdarg.h>\n#include <stddef.h>\n%s\n%s\n' \
			'#include <stdint.h>' '#include <cmocka.h>
			int main(void) { return cmocka_run_group_tests_name("", (struct CMUnitTest *)0, 0, 0); }' |
			accepts .c $CC -w -fsyntax-only || no_cmocka='no cmocka'
		echo 'int main(void) { return 0; }' | accepts .c $CC -fsanitize=thread &&
			"$work/probe" >/dev/null 2>&1 || no_tsan='no ThreadSanitizer'
		printf '#include <urcu/urcu-memb.h>\n#include <urcu/urcu-qsbr.h>\nint main(void) {}\n' |
			accepts .c $CC -lurcu-memb -lurcu-qsbr || no_urcu='no liburcu'
	}
	[ "$(nproc 2>/dev/null || echo 1)" -gt 1 ] || no_processors='one processor'
	command -v python3 >/dev/null 2>&1 || no_python='no python3'
	urcu='-DVQM_HAVE_URCU' urcu_libs='-lurcu-memb -lurcu-common -lurcu-qsbr'
	[ -z "$no_urcu" ] || urcu='' urcu_libs=''
}

# Why PROGRAM cannot run here; nothing when it can.
missing_for() # PROGRAM VARIANT
{
	case $1 in
	model_*) echo "$no_relacy" ;;
	test_* | units) echo "$no_cmocka" ;;
	*.tsan) echo "$no_tsan" ;;
	sections | stress_sync) echo "$no_processors" ;;
	litmus) echo "$no_python" ;;
	esac
	case $2 in
	rcu*) echo "$no_urcu" ;;
	esac
}

# What a program is run with, one after the other; "-" stands for nothing.
variants() # PROGRAM OF
{
	case $1 in
	model_sync | model_map) among "$2" "$strategies" ;;
	model_tries) among "$2" 'flag counter seqcount' ;;
	model_ring) among "$2" 'event_idx flags event_idx.copy flags.copy' ;;
	sections*) among "$2" "$strategies rcu rcu_qsbr" ;;
	stress_sync*)
		stressed=$(among "$2" "$strategies rcu rcu_qsbr")
		echo "${stressed:-counter}" ;;
	*) echo - ;;
	esac
}

among() # WORDS WORDS
{
	for word in $1; do
		case " $2 " in *" $word "*) echo "$word" ;; esac
	done
}

sources() # PROGRAM
{
	case $1 in
	model_tries) echo "$here/$1.cpp" ;;
	model_*) echo "$tests/model/$1.cpp" ;;
	sections* | order) echo "$here/${1%.tsan}.c" ;;
	stress_sync*)
		echo "$tests"/stress/stress_sync.c "$tests"/stress/stress_driver.c \
			"$tests"/stress/stress_worker.c "$tests"/stress/common.c \
			"$tests"/support/moving.c "$tests"/support/strategies.c ;;
	test_sync) echo "$tests/unit/$1.c $tests/support/strategies.c" ;;
	test_*s | test_invalidate* | test_unmapped)
		echo "$tests/unit/$1.c $tests/support/strategies.c $tests/support/maps.c \
			$tests/support/guest.c" ;;
	*) echo "$tests/unit/$1.c" ;;
	esac
}

# Compiles PROGRAM against DIR/include; what the compiler says is in DIR/PROGRAM.log.
build() # PROGRAM DIR
{
	common="-w -pthread -DVQM_HEADER_ONLY -I$2/include -I$tests/support -I$tests/stress -I$here"
	case $1 in
	model_*) compiler="$CXX -std=c++17 -O0 -DVQM_ENV_HEADER=\"relacy_env.h\" -I$tests/model" ;;
	*.tsan) compiler="$CC -std=gnu11 -O1 -fsanitize=thread $urcu" ;;
	sections | stress*) compiler="$CC -std=gnu11 -O2 $urcu" ;;
	*) compiler="$CC -std=gnu11 -O0 $urcu" ;;
	esac
	case $1 in
	model_*) libs='' ;;
	test_* | stress*) libs="-lcmocka $urcu_libs" ;;
	*) libs=$urcu_libs ;;
	esac
	# shellcheck disable=SC2046,SC2086
	$compiler $common $(sources "$1") -o "$2/$1" $libs >"$2/$1.log" 2>&1
}

# Runs PROGRAM of DIR; sets outcome: silent, hang, broken, or what it noticed. Healthy unit tests
# take a fraction of a second; where they must pass they get more, for the sake of busy machines.
run() # PROGRAM VARIANT DIR MILLISECONDS EXPECTED
{
	log=$3/$1.log limit=60
	case $1 in
	model_*) set -- "$1" "$3" "$2" --iterations $(($4 * 5)) ;;
	sections*) set -- "$1" "$3" "$2" "$4" ;;
	stress*) set -- "$1" "$3" "$2" ;;
	*)
		[ "$5" = silent ] || limit=4
		set -- "$1" "$3" ;;
	esac
	ran=$1 exe=$2/$1
	shift 2
	VQM_STRESS_SECONDS=2 TSAN_OPTIONS=halt_on_error=1 timeout -k 1 $limit "$exe" "$@" >"$log" 2>&1
	code=$?
	case $ran:$code in
	*:0 | *:77) outcome=silent ;;
	*:124 | *:137) outcome=hang ;;
	model_*:1) outcome=$(sed -n 's/.* found *after [0-9]* runs: //p' "$log" | tr '[:upper:]' '[:lower:]') ;;
	model_*) outcome=broken ;;
	*.tsan:66) outcome='data race' ;;
	sections*:1 | stress*:1) outcome=$(sed -n 's/.*FAILED: //p' "$log" | head -n 1) ;;
	sections*:2 | stress*:2) outcome=broken ;;
	*) outcome=failed ;;
	esac
	[ -n "$outcome" ] || outcome=failed
}

# The litmus tests of a row exist.
litmus_names() # WRONG RIGHT DIR
{
	for name in "$1" "$2"; do
		[ -f "$tests/litmus/$(place "$name").litmus" ] || echo "no litmus test $name" >>"$3/bad"
	done
}

# Those of c11/ decide as they should.
litmus_verdicts() # WRONG RIGHT DIR
{
	if [ -n "$no_python" ]; then
		echo "$no_python" >>"$3/missing"
		return
	fi
	expect_verdict "$1" Sometimes "$3"
	expect_verdict "$2" Never "$3"
	echo "litmus: $1" >>"$3/found"
}

place() # LITMUS
{
	case $1 in */*) echo "$1" ;; *) echo "c11/$1" ;; esac
}

expect_verdict() # LITMUS VERDICT DIR
{
	case $(place "$1") in c11/*) ;; *) return ;; esac
	python3 -B "$tests/litmus/rc11.py" --c20 "$tests/litmus/$(place "$1").litmus" |
		cut -f 2 | grep -qx "$2" || echo "litmus test $1 is not: $2" >>"$3/bad"
}
