#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tries the server named against its own OpenAPI description, and its responses against HTTP. Usage: test-api.sh SERVER
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
export EURIPUS_BIN
cd "$(dirname "$0")/.."

environment=$(Scripts/python-environment.sh Tests/API)
exec "$environment/bin/python" -B -m pytest -q -rs -p no:cacheprovider Tests/API
