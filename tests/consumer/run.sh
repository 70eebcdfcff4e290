#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds and runs a tiny project that uses libvqmeta the way KIND says.
# usage: run.sh KIND SOURCE_DIR WORK_DIR
set -eu
kind=$1 source=$2 work=$3
here=$source/tests/consumer
prefix=$work/prefix
out=$work/$kind

install_library() # PREFIX [CMAKE_OPTION...]
{
	to=$1
	shift
	cmake -S "$source" -B "$out" -DCMAKE_INSTALL_PREFIX="$to" -DBUILD_SHARED_LIBS=ON \
		-DVQM_BUILD_TESTS=OFF -DVQM_BUILD_EXAMPLES=OFF -DVQM_BUILD_BENCH=OFF "$@"
	cmake --build "$out"
	cmake --install "$out"
}

# Builds the project of that name and runs every program it made.
build_project() # NAME [CMAKE_OPTION...]
{
	project=$here/$1
	shift
	cmake -S "$project" -B "$out" -DCMAKE_PREFIX_PATH="$prefix" "$@"
	cmake --build "$out"
	for program in "$out"/consumer "$out"/consumer_headers "$out"/consumer_rcu "$out"/backend; do
		[ ! -x "$program" ] || "$program"
	done
}

build_by_pkg_config() # LIBDIR
{
	libdir=$1
	export PKG_CONFIG_PATH="$libdir/pkgconfig"
	[ "$(pkg-config --variable=libdir vqmeta | xargs realpath)" = "$(realpath "$libdir")" ]
	# shellcheck disable=SC2046
	cc "$here/consumer.c" -o "$out/consumer" $(pkg-config --cflags --libs vqmeta)
	# shellcheck disable=SC2046
	cc "$here/backend.c" -o "$out/backend" $(pkg-config --cflags --libs vqmeta_vhost_user)
	LD_LIBRARY_PATH=$libdir "$out/consumer"
	LD_LIBRARY_PATH=$libdir "$out/backend"
}

libdir_of() # PREFIX
{
	dirname "$(dirname "$(find "$1" -name vqmeta.pc)")"
}

# What somebody who only runs programs needs is the libraries and nothing else.
check_components()
{
	cmake --install "$work/install" --component vqmeta_runtime --prefix "$out/runtime"
	cmake --install "$work/install" --component vqmeta_devel --prefix "$out/devel"
	extra=$(find "$out/runtime" ! -type d ! -name 'libvqmeta*.so.*')
	[ -z "$extra" ] || { echo "not for the runtime component: $extra"; return 1; }
	[ -n "$(find "$out/runtime" -name 'libvqmeta.so.*')" ]
	(cd "$prefix" && find . ! -type d | sort) >"$out/all"
	(cd "$out" && { (cd runtime && find . ! -type d); (cd devel && find . ! -type d); } | sort) |
		diff "$out/all" -
}

rm -rf "$out"
mkdir -p "$out"
case $kind in
install)
	rm -rf "$prefix"
	install_library "$prefix" ;;
components)
	check_components ;;
find_package | header_only | cxx)
	build_project "$kind" ;;
add_subdirectory)
	build_project "$kind" -DVQMETA_SOURCE_DIR="$source" ;;
pkg_config)
	build_by_pkg_config "$(libdir_of "$prefix")"
	# Installed to another place than the one that was configured.
	cmake --install "$work/install" --prefix "$out/moved"
	build_by_pkg_config "$(libdir_of "$out/moved")" ;;
absolute_libdir)
	install_library "$out/prefix" -DCMAKE_INSTALL_LIBDIR="$out/elsewhere/lib"
	build_by_pkg_config "$out/elsewhere/lib" ;;
vendored)
	cp -r "$source/include" "$out"
	cc -DVQM_HEADER_ONLY -I"$out/include" "$here/consumer.c" -pthread -o "$out/program"
	"$out/program" ;;
*)
	echo "unknown kind: $kind"
	exit 1 ;;
esac
