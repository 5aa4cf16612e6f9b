#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles each file of Tests/Refused. The compiler has to refuse it with the error that the file names, and with the
# warning, if it names one.
# Usage: check-refused.sh SWIFTC-OPTION… (the options say where the modules are)
set -euo pipefail
cd "$(dirname "$0")/.."

failures=0
for file in Tests/Refused/*.swift; do
  expected=$(sed -n 's|^// expected error: ||p' "$file")
  warning=$(sed -n 's|^// expected warning: ||p' "$file")
  if [ -z "$expected" ]; then
    echo "$file: names no expected error" >&2
    failures=$((failures + 1))
  elif output=$(swiftc -swift-version 6 -parse-as-library -emit-sil -o /dev/null "$@" "$file" 2>&1); then
    echo "$file: compiled; expected: $expected" >&2
    failures=$((failures + 1))
  elif ! grep -qF "error: $expected" <<<"$output" || ! grep -qF "${warning:+: $warning}" <<<"$output"; then
    printf '%s: refused for another reason; expected: %s; got:\n%s\n' "$file" "$expected${warning:+, and $warning}" "$output" >&2
    failures=$((failures + 1))
  fi
done
[ "$failures" -eq 0 ] || { echo "$failures of the files in Tests/Refused are not refused as they say" >&2; exit 1; }
