#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lets libFuzzer look for bytes that break a property (Tests/CorpusTests/Properties), SECONDS for each property,
# with as many properties at a time as there are processors. It keeps the inputs from which it has learned in
# .build/fuzz/corpus, for the next run. Inputs that break a property are in .build/fuzz/found. They belong in
# Fuzzing/Corpus once the code is mended.
# Usage: fuzz.sh SECONDS [PROPERTY…]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=$1
shift
if [ $# = 0 ]; then
  mapfile -t properties < <(ls Fuzzing/Corpus)
  set -- "${properties[@]}"
fi

swift build --quiet --package-path Fuzzing --scratch-path .build/fuzz --product Fuzz \
  --sanitize=fuzzer -Xswiftc -parse-as-library -Xswiftc -O

export found=.build/fuzz/found seconds
mkdir -p "$found"
look() {
  local property=$1 corpus=.build/fuzz/corpus/$1
  mkdir -p "$corpus"
  # Swift's own backtrace would keep libFuzzer from writing down the input.
  if EURIPUS_FUZZ=$property SWIFT_BACKTRACE=enable=no .build/fuzz/debug/Fuzz -max_total_time="$seconds" \
    -max_len=512 -timeout=10 -verbosity=0 -artifact_prefix="$found/$property-" "$corpus" "Fuzzing/Corpus/$property" \
    2>"$found/$property.log"; then
    echo "$property: held for $seconds s"
  else
    grep -a -m 1 -E 'Fatal error|ERROR' "$found/$property.log" >&2 || true
    echo "$property does not hold of an input in $found; the log is $found/$property.log" >&2
    return 1
  fi
}
export -f look
# The name is an argument of the inner shell, not a part of its text.
# shellcheck disable=SC2016
printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" bash -c 'look "$1"' look
