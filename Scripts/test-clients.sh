#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tests the packages in Examples/Clients by themselves, each with the tools of its language. Each client has to be
# short, and so has its part for files: at most 150 lines that are neither empty nor a comment. (The Swift tests are among those of the main
# package.) In Tests/ClientTypesTests and Tests/Browser/test_clients.py the clients talk to a server.
set -euo pipefail
cd "$(dirname "$0")/../Examples/Clients"

is_short() {
  lines=$(cat "$@" | grep -vcE '^[[:space:]]*(#|//|/\*\*|"""|$)')
  [ "$lines" -gt 0 ] && [ "$lines" -le 150 ] && return
  echo "$*: $lines lines of code, expected at most 150" >&2
  return 1
}
is_short JavaScript/client.js JavaScript/patch.js
is_short JavaScript/files.js
is_short Python/euripus_client.py
is_short Python/euripus_files.py
is_short Swift/Sources/EuripusClient/RemoteSession+files.swift
# JSON.swift does not count: it is the JSON value that Swift lacks.
is_short Swift/Sources/EuripusClient/{RemoteSession,RemoteProblem,JSON+patching}.swift

tsc --noEmit --strict --target es2022 --module es2022 --moduleResolution node --lib es2022,dom JavaScript/{client,files}.d.ts
node --test --test-reporter=spec JavaScript/*.test.mjs
../../Scripts/test-python.sh Examples/Clients/Python
