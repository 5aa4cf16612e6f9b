#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the Swift tests that are built, in two rounds: those that hold a thread for long, with processes, damaged files or a
# network that loses things, and then the others, whose commands would wait too long for a thread beside them.
set -euo pipefail
cd "$(dirname "$0")/.."

slow='^(SQLiteSessionsTests|StoreFaultTests|FaultTests|CorpusTests|DocumentationTests|EuripusCommandTests|HTTPListeningTests|KillTests|SupervisionTests)\.'
swift test --skip-build --parallel --quiet --filter "$slow"
swift test --skip-build --parallel --quiet --skip "$slow"
