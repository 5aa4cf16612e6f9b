#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs those of the Debian packages named that are missing. Usage: install-packages.sh NAME…
# Exit status 1 where it may not, with the command to run. Without dpkg it only says what is needed.
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

# A privilege to go on with, or none: `sudo -n` asks for no password.
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
