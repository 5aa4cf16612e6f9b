#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Puts Debian's nginx into a directory, for a benchmark or a test to start. Installing the package would start a server
# on port 80, now and whenever the machine starts. Usage: fetch-nginx.sh DIRECTORY
set -euo pipefail
directory=$1
program=$directory/usr/sbin/nginx
if [ -x "$program" ] || command -v nginx >/dev/null; then exit 0; fi
if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then
  echo "This is no Debian-like system: without nginx on the PATH nothing is measured beside it" >&2
  exit 0
fi

package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
chmod 755 "$package"
# The lists of packages may be old, or missing.
(cd "$package" && { apt-get download -qq nginx 2>/dev/null || { apt-get update -qq && apt-get download -qq nginx; }; })
mkdir -p "$directory"
dpkg-deb --extract "$package"/nginx_*.deb "$directory"
"$program" -v
