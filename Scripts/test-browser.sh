#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the browser tests against the server named, or some of them. Usage: test-browser.sh SERVER [PYTEST-OPTION…]
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
shift
export EURIPUS_BIN
cd "$(dirname "$0")/.."

environment=$(Scripts/python-environment.sh Tests/Browser)
exec "$environment/bin/python" -m pytest -q -rs -p no:cacheprovider "$@" Tests/Browser
