#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the JavaScript tests: every *.test.mjs below Tests/JavaScript.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t tests < <(find Tests/JavaScript -name node_modules -prune -o -name '*.test.mjs' -print 2>/dev/null | sort)
if [ ${#tests[@]} = 0 ]; then
  echo "No *.test.mjs below Tests/JavaScript" >&2
  exit 1
fi
# Debian keeps the modules of its node-* packages there.
NODE_PATH=/usr/share/nodejs node --test --test-reporter=spec "${tests[@]}"
