#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Installs what is missing of the Debian packages named, as root or through sudo. Does nothing, and
# needs no rights, when all are there; packages this distribution does not have are left out.
# usage: setup.sh PACKAGE...
set -u

missing()
{
	for package; do
		[ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
			printf ' %s' "$package"
	done
}

available()
{
	for package; do
		apt-cache show "$package" >/dev/null 2>&1 && printf ' %s' "$package"
	done
}

command -v apt-get >/dev/null || exit 0	# not Debian: the build says what it misses
wanted=$(missing "$@")
[ -n "$wanted" ] || exit 0

if [ "$(id -u)" -eq 0 ]; then
	sudo=
elif sudo -n true 2>/dev/null; then
	sudo=sudo
else
	echo "Some packages are missing. Run this line once, as root:" >&2
	echo "  apt-get update && apt-get install -y --no-install-recommends$wanted" >&2
	exit 1
fi

echo "installing:$wanted" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2046,SC2086
install()
{
	$sudo apt-get update -q &&
		$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
			$(available $wanted)
}
install >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
