#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes each goal named, goes on after one that fails, and prints a line for each at the end, with its seconds.
# Ends with status 1 if one failed. Usage: run-suites.sh GOAL…
set -euo pipefail
cd "$(dirname "$0")/.."

summary=()
failed=0
for suite in "$@"; do
  printf '\n=== %s\n' "$suite"
  start=$SECONDS
  if make --no-print-directory "$suite"; then
    result=passed
  else
    result="FAILED: 'make $suite' runs it alone"
    failed=$((failed + 1))
  fi
  summary+=("$(printf '%-18s %5d s  %s' "$suite" $((SECONDS - start)) "$result")")
  echo "=== ${summary[-1]}"
done

printf '\n%-18s %5s\n' suite time
printf '%s\n' "${summary[@]}"
printf '%-18s %5d s\n' 'all of them' "$SECONDS"
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" = 0 ]
