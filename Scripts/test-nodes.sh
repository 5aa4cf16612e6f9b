#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests the configurations of Examples/Scaling, for haproxy and for nginx, before servers that share a database.
# Usage: test-nodes.sh SERVER
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
cd "$(dirname "$0")/.."

Scripts/fetch-nginx.sh .build/nginx
NGINX=$(command -v nginx || realpath .build/nginx/usr/sbin/nginx)
export EURIPUS_BIN NGINX
exec Scripts/with-postgresql.sh timeout 900 python3 -B -W ignore::ResourceWarning Tests/Faults/test_proxies.py
