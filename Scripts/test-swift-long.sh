#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the built tests that have random inputs, with many more runs than for every change: kills of a server,
# faults of a network, scripts of the core.
set -euo pipefail
cd "$(dirname "$0")/.."

# Runs the tests that a filter names, and fails if it names none: filters are parts of tests' names, which change.
filtered() {
  swift test --skip-build --filter "$1" | tee "$log"
  grep -Eq 'Test run with [1-9][0-9]* tests? ' "$log" && return
  echo "expected tests that match '$1', found none" >&2
  return 1
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

python3 -B Tests/Faults/faults.py --store file --faults 1200 .build/debug/LedgerServer
EURIPUS_FAULT_RUNS=40000 filtered '^FaultTests\.FaultTests/'
EURIPUS_SCRIPTS=20000 filtered '^ObservableCoreTests\..*(Random scripts|topologies)'
EURIPUS_ROUNDS=20 filtered '^SessionsTests\..*byte form'
EURIPUS_FOLLOWERS=1000 Scripts/with-postgresql.sh swift test --skip-build --filter '^EuripusNodesTests\..*Many who follow a topic'
seed=$RANDOM
echo "EURIPUS_SEED=$seed"
EURIPUS_SEED=$seed filtered '^(StoringTests|SessionsTests|SQLiteSessionsTests|ViewModelsTests|JSONPatchingTests|EuripusFoundationTests)\.'
