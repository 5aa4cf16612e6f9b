#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lets the referee judge the recordings of the suites named. Usage: test-referee.sh DIRECTORY SUITE…
set -euo pipefail
directory=$(realpath "$1")
shift
cd "$(dirname "$0")/.."

environment=$(Scripts/python-environment.sh Tests/Referee)
"$environment/bin/python" Tests/Referee/run_test.py
"$environment/bin/python" Tests/Referee/run.py "$directory" "$@"
