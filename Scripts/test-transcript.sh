#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the curl commands of the documents against the server that EURIPUS_BIN names: those of README.md alone, or those
# of all pages. Usage: test-transcript.sh [README.md]
set -euo pipefail
cd "$(dirname "$0")/.."

python3 Tests/Transcript/run.py README.md
[ "${1:-}" != README.md ] || exit 0
python3 Tests/Transcript/run_test.py
python3 Tests/Transcript/run.py Documentation/DEMOS.md 'The other demos from curl'
python3 Tests/Transcript/run.py Documentation/CURL.md 'Everything with curl'
python3 Tests/Transcript/run.py Documentation/CURL.md 'A session from curl'
python3 Tests/Transcript/run.py Sources/Euripus/Euripus.docc/Console.md 'Without a page'
