#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the services of docker-compose.yml without a Docker engine, as root: see Tests/Faults/compose.py.
# Usage: test-compose.sh SERVER
set -euo pipefail
server=$(realpath "$1")
cd "$(dirname "$0")/.."

if [ "$(id -u)" != 0 ]; then
  echo "This makes networks of its own: run it as root" >&2
  exit 1
fi
Scripts/install-packages.sh haproxy postgresql-15 iproute2 curl
environment=$(Scripts/python-environment.sh Tests/Faults)
exec timeout 240 "$environment/bin/python" -B Tests/Faults/compose.py "$server"
