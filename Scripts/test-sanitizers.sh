#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Usage: test-sanitizers.sh [address|thread]…
#
# Runs the tests of the core, the view models, the sessions, the listener and the SQLite store with a sanitizer in the
# program: with the address sanitizer, then with the thread sanitizer, or with the one named. Each has a build of its
# own, in .build-address and .build-thread.
#
# The builds are not optimised: optimised preconditions have no texts and assertions are left out, so their tests would
# fail. Leaks are not looked for, because tasks still wait at the end of the process, and some tests leave cycles.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# != 0 ] || set -- address thread
export ASAN_OPTIONS=detect_leaks=0:suppressions=$PWD/Scripts/address-sanitizer.supp:${ASAN_OPTIONS:-}
export TSAN_OPTIONS=suppressions=$PWD/Scripts/thread-sanitizer.supp:${TSAN_OPTIONS:-}
# Random scripts take longest. Without a sanitizer, each part of the core's tests runs 100, and the login's run 2,000.
export EURIPUS_SCRIPTS=${EURIPUS_SCRIPTS:-25}
# With this, Package.swift has only these five test targets and their dependencies.
export EURIPUS_SANITIZED=1

for sanitizer; do
  case "$sanitizer" in address | thread) ;; *) echo "Usage: $0 [address|thread]…" >&2; exit 2 ;; esac
  start=$SECONDS
  options=(--sanitize="$sanitizer" --scratch-path ".build-$sanitizer")
  swift build --quiet --build-tests "${options[@]}"
  echo "$sanitizer sanitizer: built in $((SECONDS - start)) s"
  start=$SECONDS
  # shellcheck disable=SC2046 # It is an option and its value.
  swift test --skip-build --parallel --quiet --disable-xctest $(Scripts/test-width.sh) "${options[@]}"
  echo "$sanitizer sanitizer: tests passed in $((SECONDS - start)) s"
done
