#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Usage: guard-instructions.sh [--renew]
#
# Counts the instructions of the observable core for two shapes, and those of the server for an action, for a waiting
# poll that an action answers, and for opening six demos, and one with 1,000 rows. Counts repeat where times
# do not, but they depend on the compiler and on the libraries. So the commit that Benchmarks/base-commit names is built
# here as well, by the same toolchain, in .build/base, and counted in the same run.
#
# Fails if a count is more than 3 % above that of the base for the core, or 5 % for the server. A server's count is the
# least of five: a machine with other work can only add to it, as an action that was held up takes its way through the
# pool, and such ways cost up to a tenth. So it goes before all other work where it may, which is so for root. --renew
# makes the last commit the new base: its message says why.
set -euo pipefail
cd "$(dirname "$0")/.."

record=Benchmarks/base-commit
cases=(broad diamond action poll open open_rows)
iterations=(10 10 1000 1000 100 100)
tolerances=(3 3 5 5 5 5)

case "${1:-}" in
  '') ;;
  --renew) git rev-parse HEAD >"$record"; exit ;;
  *) sed -n '3,/^set /{/^set /d;s/^# \{0,1\}//;p}' "Scripts/$(basename "$0")" >&2; exit 2 ;;
esac
base=$(cat "$record")
if ! git cat-file -e "$base^{commit}" 2>/dev/null; then
  echo "The commit $base, which $record names, is not in this clone: expected a clone with its whole history" >&2
  exit 1
fi

first=()
if [ "$(id -u)" = 0 ]; then first=(nice -n -19); fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds the two programs of a checkout and puts them into a folder. The runtime is linked in, as in a release, so that
# its instructions do not depend on the installed one. valgrind cannot read the debug information that Swift 6.3 writes.
build() {
  local checkout=$1 programs=$2
  mkdir "$programs"
  (
    cd "$checkout"
    swift build --package-path Benchmarks/Core -c release --static-swift-stdlib --product core-instructions
    make --no-print-directory build
    bin=$(swift build --package-path Benchmarks/Core -c release --static-swift-stdlib --show-bin-path)/core-instructions
    strip -g -o "$programs/core-instructions" "$bin"
    strip -g -o "$programs/euripus" .build/release/euripus
  )
}

# The checkout of the base is kept, with its build, until another commit is the base.
if [ "$(git -C .build/base rev-parse HEAD 2>/dev/null)" != "$base" ] || [ ! -e .build/base/.git ]; then
  rm -rf .build/base
  git clone --quiet --shared --no-checkout . .build/base
  git -C .build/base checkout --quiet "$base"
fi
build .build/base "$work/base"
build . "$work/head"

# Prints the number of instructions of a run. Swift seeds its hashing at random unless told otherwise.
count() {
  local programs=$1 name=$2 number=$3 warm=100
  case "$name" in
    action | poll | open*)
      [[ "$name" != open* ]] || warm=10
      for _ in 1 2 3 4 5; do
        SWIFT_DETERMINISTIC_HASHING=1 "${first[@]}" python3 Benchmarks/Server/instructions.py "$programs/euripus" "$name" "$((warm + number))" || return
      done | sort -n | head -1
      return
      ;;
  esac
  SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$work/out" \
    "$programs/core-instructions" "$name" "$number" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  awk '/^(summary|totals):/ { print $2; exit }' "$work/out"
}

# The instructions of a case alone: both runs have the start, the making of the graph and all that a server does once.
count_case() {
  local with without
  without=$(count "$1" "$2" 0) || return
  with=$(count "$1" "$2" "$3") || return
  echo $((with - without))
}

for index in "${!cases[@]}"; do
  name=${cases[$index]} number=${iterations[$index]}
  before=$(count_case "$work/base" "$name" "$number")
  now=$(count_case "$work/head" "$name" "$number")
  echo "$name $number $before $now ${tolerances[$index]}" >>"$work/counts"
done
Scripts/compare_counts.py "${base:0:8}" <"$work/counts" || {
  echo "If that is meant, 'Scripts/guard-instructions.sh --renew' after the commit makes it the base; a commit says why." >&2
  exit 1
}
