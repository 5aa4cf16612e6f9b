#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a suite with a recording for the referee, and a secret for its tests to type.
# Usage: record.sh DIRECTORY NAME COMMAND…
set -euo pipefail

mkdir -p "$1"
directory=$(realpath "$1") name=$2
shift 2

rm -rf "${directory:?}/$name"
mkdir "$directory/$name"
EURIPUS_CANARY=$(tr -dc 'a-z0-9' </dev/urandom 2>/dev/null | head -c 12 || true)
echo "$EURIPUS_CANARY" >"$directory/$name.canary"
EURIPUS_RECORDING=$directory/$name
export EURIPUS_CANARY EURIPUS_RECORDING
exec "$@"
