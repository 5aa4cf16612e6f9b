#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the client's sources, and that the bundles in Public/ are those that the sources make. Then runs the
# JavaScript tests: every *.test.mjs below Tests/JavaScript.
set -euo pipefail
cd "$(dirname "$0")/.."

tsc -p Client
tsc --noEmit --strict --target es2022 --module es2022 --moduleResolution node Tests/JavaScript/types.ts
awk 'FNR == 151 { print FILENAME ": longer than 150 lines, split it"; failed = 1 } END { exit failed }' Client/*.js Client/*/*.js
Scripts/bundle-client.sh --check

# Debian keeps the modules of its node-* packages there.
NODE_PATH=/usr/share/nodejs node --test-reporter=spec Tests/JavaScript/every.mjs
