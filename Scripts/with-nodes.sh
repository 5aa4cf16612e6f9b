#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a suite's script with several servers behind haproxy in the place of one, and PostgreSQL beside them. The
# script is given a program that starts them (Tests/Faults/several.py), beside such a program for GatehouseApp if
# that was built. EURIPUS_NODES=1 tells the suite of it. Usage: with-nodes.sh SCRIPT SERVER
set -euo pipefail
script=$(realpath "$1")
server=$(realpath "$2")
cd "$(dirname "$0")/.."

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for name in "$(basename "$server")" GatehouseApp; do
  binary=$(dirname "$server")/$name
  [ -x "$binary" ] || continue
  printf '#!/usr/bin/env bash\nexec python3 -B %q --binary %q "$@"\n' "$PWD/Tests/Faults/several.py" "$binary" >"$folder/$name"
  chmod +x "$folder/$name"
done
EURIPUS_NODES=1 Scripts/with-postgresql.sh "$script" "$folder/$(basename "$server")"
