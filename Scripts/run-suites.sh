#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes each goal named, with a headline and its time, up to the first that fails. Usage: run-suites.sh GOAL…
set -euo pipefail
cd "$(dirname "$0")/.."

passed=0
for suite in "$@"; do
  printf '\n=== %s\n' "$suite"
  start=$SECONDS
  if ! make --no-print-directory "$suite"; then
    echo "=== $suite FAILED after $((SECONDS - start)) s, $passed passed before it; 'make $suite' runs it alone" >&2
    exit 1
  fi
  echo "=== $suite passed in $((SECONDS - start)) s"
  passed=$((passed + 1))
done
printf '\n%d suites passed\n' "$passed"
