#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Usage: under-load.sh [--times N] GOAL
#
# Makes a goal beside four processes that keep the processors busy, once or N times, and prints a line for each run. A
# test that fails here and passes alone has chance in it. Ends with status 1 if a run failed; its output is in the file
# that its line names.
set -euo pipefail
cd "$(dirname "$0")/.."

times=1
if [ "${1:-}" = --times ]; then
  times=${2:-}
  shift 2 || shift $#
fi
if [ $# != 1 ] || [[ $1 == -* ]] || ! [[ $times =~ ^[1-9][0-9]*$ ]]; then
  sed -n '3,/^set /{/^set /d;s/^# \{0,1\}//;p}' "Scripts/$(basename "$0")" >&2
  exit 2
fi
goal=$1
logs=.build/under-load
mkdir -p "$logs"

busy=()
end() { kill "${busy[@]}" 2>/dev/null || true; }
trap end EXIT
for _ in 1 2 3 4; do
  while :; do :; done &
  busy+=($!)
done

failed=0
for ((run = 1; run <= times; run++)); do
  log=$logs/$goal-$run.log
  start=$SECONDS
  if make --no-print-directory "$goal" >"$log" 2>&1; then
    result=passed
  else
    result="FAILED, see $log"
    failed=$((failed + 1))
  fi
  printf '%s, run %d of %d: %d s beside load %s, %s\n' "$goal" "$run" "$times" $((SECONDS - start)) \
    "$(cut -d ' ' -f 1 /proc/loadavg)" "$result"
done
[ "$failed" = 0 ]
