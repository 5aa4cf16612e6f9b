#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A thousand clients that send slowly, against the server named, and one beside them that does not; about 40 seconds.
# Usage: test-slow-clients.sh SERVER
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
export EURIPUS_BIN
cd "$(dirname "$0")/.."

# The server and slowhttptest each have a thousand sockets.
ulimit -n 4096 2>/dev/null || ulimit -n "$(ulimit -Hn)"
exec python3 Tests/SlowClients/run.py
