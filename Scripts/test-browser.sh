#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the browser tests against the server named. Usage: test-browser.sh SERVER
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
export EURIPUS_BIN
cd "$(dirname "$0")/.."

environment=$(Scripts/python-environment.sh Tests/Browser)
exec "$environment/bin/python" -m pytest -q -rs -p no:cacheprovider Tests/Browser
