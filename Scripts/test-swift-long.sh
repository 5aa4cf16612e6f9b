#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the built tests that have random inputs, with many more runs than for every change: kills of a server,
# faults of a network, scripts of the core.
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -B Tests/Faults/faults.py --store file --faults 1200 .build/debug/LedgerServer
EURIPUS_FAULT_RUNS=40000 swift test --skip-build --quiet --filter '^FaultTests\.FaultTests/'
EURIPUS_SCRIPTS=20000 swift test --skip-build --quiet --filter '^ObservableCoreTests\..*(Random scripts|topologies)'
EURIPUS_ROUNDS=20 swift test --skip-build --quiet --filter '^(SessionsTests\..*byte form|EuripusServerTests\..*Followers)'
seed=$RANDOM
echo "EURIPUS_SEED=$seed"
EURIPUS_SEED=$seed swift test --skip-build --quiet --filter '^(SessionsTests|SQLiteSessionsTests|ViewModelsTests|JSONPatchingTests|EuripusFoundationTests)\.'
