#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the Python tests of a folder, the files *_test.py. Fails if there is none: Python 3.11 says 'OK' of no test.
# Usage: test-python.sh DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/.."

output=$(python3 -B -m unittest discover --start-directory "$1" --pattern '*_test.py' 2>&1) || {
  echo "$output" >&2
  exit 1
}
echo "$output"
if grep -q '^Ran 0 tests' <<<"$output"; then
  echo "$1: expected a test in a file *_test.py, found none" >&2
  exit 1
fi
