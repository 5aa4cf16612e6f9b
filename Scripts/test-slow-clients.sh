#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests the server named with a thousand slow clients, and one quick client beside them. It takes about 40 s.
# Usage: test-slow-clients.sh SERVER
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
export EURIPUS_BIN
cd "$(dirname "$0")/.."

# The server and slowhttptest each need a thousand sockets.
ulimit -n 4096 2>/dev/null || ulimit -n "$(ulimit -Hn)"
exec python3 Tests/SlowClients/run.py
