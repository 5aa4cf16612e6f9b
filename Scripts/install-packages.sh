#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs the missing ones of the Debian packages named. Usage: install-packages.sh NAME…
# If it may not, it prints the command to run and ends with status 1. Without dpkg it only prints the needed packages.
set -euo pipefail

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is no Debian-like system: the equivalents of these packages are needed: $*" >&2
  exit 0
fi

missing=()
for name in "$@"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) || status=unknown
  [ "$status" = installed ] || missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

# The prefix that gives the privilege to install, empty for root. `sudo -n` asks for no password.
if [ "$(id -u)" = 0 ]; then
  privilege=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  privilege=(sudo -n)
else
  echo "These packages are missing and only root may install them. Run, then try again:" >&2
  echo "  sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends ${missing[*]}'" >&2
  exit 1
fi

echo "Installing ${missing[*]}"
"${privilege[@]}" apt-get update -qq
"${privilege[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
