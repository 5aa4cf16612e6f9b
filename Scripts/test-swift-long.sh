#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the built Swift tests that have chance in them, with many more runs than for every change: kills of a server,
# faults of a network, scripts of the core.
set -euo pipefail
cd "$(dirname "$0")/.."

EURIPUS_KILLS=1000 EURIPUS_LEAVING_KILLS=200 swift test --skip-build --quiet --filter '^KillTests\.'
EURIPUS_FAULT_RUNS=40000 swift test --skip-build --quiet --filter '^FaultTests\.'
EURIPUS_SCRIPTS=20000 swift test --skip-build --quiet --filter '^ObservableCoreTests\..*(Random scripts|topologies)'
EURIPUS_ROUNDS=20 swift test --skip-build --quiet --filter '^(SessionsTests\..*byte form|EuripusServerTests\..*Followers)'
