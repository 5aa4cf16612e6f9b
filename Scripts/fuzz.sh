#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Has libFuzzer look for bytes for which a property (Tests/CorpusTests/Properties) does not hold. What it learns is kept
# in .build/fuzz/corpus for the next run; what it finds is in .build/fuzz/found, and belongs into Fuzzing/Corpus once it
# is mended. Usage: fuzz.sh SECONDS [PROPERTY…]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
if [ $# = 0 ]; then
  mapfile -t properties < <(ls Fuzzing/Corpus)
  set -- "${properties[@]}"
fi

swift build --package-path Fuzzing --scratch-path .build/fuzz --product Fuzz \
  --sanitize=fuzzer -Xswiftc -parse-as-library -Xswiftc -O

found=.build/fuzz/found
mkdir -p "$found"
for property in "$@"; do
  corpus=.build/fuzz/corpus/$property
  mkdir -p "$corpus"
  echo "$property: $((seconds / $#)) s"
  # A backtrace of Swift's own would keep libFuzzer from writing down what it found.
  if ! EURIPUS_FUZZ=$property SWIFT_BACKTRACE=enable=no .build/fuzz/debug/Fuzz -max_total_time=$((seconds / $#)) \
    -max_len=512 -timeout=10 -verbosity=0 -artifact_prefix="$found/$property-" "$corpus" "Fuzzing/Corpus/$property" \
    2>"$found/$property.log"; then
    grep -a -m 1 -E 'Fatal error|ERROR' "$found/$property.log" >&2
    echo "$property does not hold of what is in $found; the log is $found/$property.log" >&2
    exit 1
  fi
done
