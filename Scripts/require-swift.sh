#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails with one clear line unless the PATH has a Swift that is new enough for the first line of Package.swift.
set -euo pipefail
cd "$(dirname "$0")/.."

needed=$(sed -n '1s/.*swift-tools-version: *//p' Package.swift)
if ! command -v swift >/dev/null; then
  echo "Swift $needed or newer is needed, and there is no 'swift' on the PATH: https://www.swift.org/install/" >&2
  exit 1
fi
answer=$(swift --version 2>&1) || { printf '%s does not run:\n%s\n' "$(command -v swift)" "$answer" >&2; exit 1; }
found=$(sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' <<<"$answer")
if [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
  echo "Swift $needed or newer is needed, and $(command -v swift) is ${found:-of an unknown version}:" \
    "https://www.swift.org/install/" >&2
  exit 1
fi
