#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Compiles the files of Tests/Refused, and expects that the compiler refuses each mistake in them with its sentence.
# Usage: check-refused.sh SWIFTC-OPTION… (the options say where the modules are)
set -euo pipefail
cd "$(dirname "$0")/.."

python3 -B Tests/Refused/check_test.py
python3 -B Tests/Refused/check.py "$@"
