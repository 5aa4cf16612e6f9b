#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the Swift tests that are built, in three rounds: those of the supervisor one after the other, as they measure how soon it
# is back; those that hold a thread for long, with processes, compilers, damaged files, a database or a network that loses things; and then all others,
# whose commands would wait too long for a thread beside them.
set -euo pipefail
cd "$(dirname "$0")/.."

slow='^(SQLiteSessionsTests|StoreFaultTests|FaultTests|CorpusTests|DocumentationTests|ClientTypesTests|EuripusCommandTests|HTTPListeningTests|KillTests)\.'
swift test --skip-build --no-parallel --quiet --filter '^SupervisionTests\.'
Scripts/with-postgresql.sh swift test --skip-build --parallel --quiet --filter "$slow"
swift test --skip-build --parallel --quiet --skip "$slow" --skip '^SupervisionTests\.'
