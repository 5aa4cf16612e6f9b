#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the built Swift tests in two rounds. First come the tests that hold a thread for long: with processes, compilers,
# damaged files, a database or a lossy network. All other tests come last, as their commands would wait too long for
# a thread beside those.
set -euo pipefail
cd "$(dirname "$0")/.."

slow='^(SQLiteSessionsTests|PostgreSQLSessionsTests|FaultTests|CorpusTests|DocumentationTests|ClientTypesTests|EuripusCommandTests|HTTPListeningTests|SupervisionTests)\.'
Scripts/with-postgresql.sh swift test --skip-build --parallel --quiet --filter "$slow"
swift test --skip-build --parallel --quiet --skip "$slow"
