#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Counts the instructions of the observable core for two shapes. Counts those of the server for an action, for a
# waiting poll that an action answers, and for opening each demo (the one with 1,000 rows by itself). Fails if a
# count differs from that in Benchmarks/instructions.json, by more than 3 % for the core or 5 % for the server. The
# server's vary by 1 % with the time that they take. Counts repeat where times do not. They depend on the compiler,
# so another Swift version is not compared.
# Usage: guard-instructions.sh [--renew]
set -euo pipefail
cd "$(dirname "$0")/.."

record=Benchmarks/instructions.json
package=Benchmarks/Core
cases=(broad diamond action poll open open_rows)
iterations=(10 10 1000 1000 100 100)
tolerances=(3 3 5 5 5 5)

case "${1:-}" in
  '' | --renew) ;;
  *)
    echo "Usage: $0 [--renew]" >&2
    exit 2
    ;;
esac
renew=${1:-}

swift_version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
if [ -z "$renew" ]; then
  recorded_version=$(jq -r .swift "$record")
  if [ "$swift_version" != "$recorded_version" ]; then
    echo "SKIPPED: the counts in $record were taken with Swift $recorded_version, and this is $swift_version;" \
      "'$0 --renew' takes them anew"
    exit 0
  fi
fi

# The runtime is linked in, as in a release, so that its instructions do not depend on the installed one.
swift build --package-path "$package" -c release --static-swift-stdlib --product core-instructions
make --no-print-directory build
server=.build/release/euripus
bin=$(swift build --package-path "$package" -c release --static-swift-stdlib --show-bin-path)/core-instructions
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# valgrind cannot read the debug information that Swift 6.3 writes.
strip -g -o "$work/core-instructions" "$bin"
strip -g -o "$work/euripus" "$server"

# Prints the number of instructions of a run. Swift seeds its hashing at random unless told otherwise.
count() {
  case "$1" in
    action | poll | open*)
      local warm=100
      [[ "$1" != open* ]] || warm=10
      SWIFT_DETERMINISTIC_HASHING=1 python3 Benchmarks/Server/instructions.py "$work/euripus" "$1" "$((warm + $2))"
      return
      ;;
  esac
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$work/out" \
    "$work/core-instructions" "$1" "$2" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  awk '/^(summary|totals):/ { print $2; exit }' "$work/out"
}

failed=0
lines=()
for index in "${!cases[@]}"; do
  name=${cases[$index]}
  tolerance=${tolerances[$index]}
  # Both runs have the start, the making of the graph and all that a server does only once.
  without=$(count "$name" 0)
  with=$(count "$name" "${iterations[$index]}")
  counted=$((with - without))
  lines+=("    \"$name\": {\"iterations\": ${iterations[$index]}, \"instructions\": $counted}")
  [ -z "$renew" ] || { echo "$name: $counted instructions for ${iterations[$index]} iterations"; continue; }

  expected=$(jq -r ".cases.$name.instructions // 0" "$record")
  verdict=$(awk -v came="$counted" -v expected="$expected" -v tolerance="$tolerance" 'BEGIN {
    change = expected ? (came / expected - 1) * 100 : 100
    printf "%+.2f %% ", change
    if (change > tolerance) print "MORE"; else if (change < -tolerance) print "LESS"; else print "as recorded"
  }')
  echo "$name: $counted instructions, $expected recorded: $verdict"
  case "$verdict" in *MORE | *LESS) failed=1 ;; esac
done

if [ -n "$renew" ]; then
  {
    printf '{\n  "swift": "%s",\n  "cases": {\n' "$swift_version"
    (IFS=$'\n'; printf '%s' "${lines[*]}" | sed '$!s/$/,/')
    printf '\n  }\n}\n'
  } >"$record"
  echo "Written to $record"
elif [ "$failed" = 1 ]; then
  echo "Something takes a different number of instructions than $record says, by more than its tolerance." >&2
  echo "If that is meant (less is welcome, more has its reason in the commit): Scripts/guard-instructions.sh --renew" >&2
  exit 1
fi
