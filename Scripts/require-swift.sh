#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails with one clear line unless the PATH has a Swift that is new enough for Package.swift's first line.
set -euo pipefail
cd "$(dirname "$0")/.."

needed=$(sed -n '1s/.*swift-tools-version: *//p' Package.swift)
if ! command -v swift >/dev/null; then
  echo "Swift $needed or newer is needed, and there is no 'swift' on the PATH: https://www.swift.org/install/" >&2
  exit 1
fi
found=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
if [ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
  echo "Swift $needed or newer is needed, and $(command -v swift) is ${found:-of an unknown version}:" \
    "https://www.swift.org/install/" >&2
  exit 1
fi
