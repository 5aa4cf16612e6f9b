#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Fails if Sources has more than 15 targets of Swift, or a folder there more than 25 Swift files: a map of the
# project fits in a head, and so does a page of it. A folder within a folder counts for itself.
# Decisions/0052-fifteen-targets.md has the reason why there are 15, where 13 were wanted, and the steps that would
# lower the number.
set -euo pipefail
cd "$(dirname "$0")/.."
most_targets=15
most_files=25

failures=0
targets=$(find Sources -name '*.swift' | cut -d / -f 2 | sort -u)
count=$(wc -l <<<"$targets")
if [ "$count" -gt "$most_targets" ]; then
  echo "Sources has $count targets of Swift, expected at most $most_targets (Decisions/0052-fifteen-targets.md):" "${targets//$'\n'/ }" >&2
  failures=1
fi
while read -r count folder; do
  [ "$count" -gt "$most_files" ] || continue
  echo "$folder has $count Swift files, expected at most $most_files" >&2
  failures=1
done < <(find Sources -name '*.swift' -printf '%h\n' | sort | uniq -c)
exit "$failures"
