#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests of signing in through a proxy, with Debian's nginx and an OpenID provider.
# Usage: test-identity.sh SERVER
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
cd "$(dirname "$0")/.."

Scripts/fetch-nginx.sh .build/nginx
NGINX=$(command -v nginx || realpath .build/nginx/usr/sbin/nginx)
export EURIPUS_BIN NGINX
environment=$(Scripts/python-environment.sh Tests/Identity)
exec "$environment/bin/python" -m pytest -q -p no:cacheprovider Tests/Identity
