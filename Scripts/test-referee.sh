#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Has the referee judge what the suites named have recorded, in an environment of its own: Debian's Python takes no
# packages from PyPI (PEP 668). Usage: test-referee.sh DIRECTORY SUITE…
set -euo pipefail
directory=$(realpath "$1")
shift
cd "$(dirname "$0")/.."

requirements=Tests/Referee/requirements.txt
environment=.build/referee
# The copy is made last, so that an environment which was not finished is made again.
if ! cmp -s "$requirements" "$environment/requirements.txt"; then
  python3 -m venv --clear "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
  cp "$requirements" "$environment/requirements.txt"
fi
"$environment/bin/python" Tests/Referee/run_test.py
"$environment/bin/python" Tests/Referee/run.py "$directory" "$@"
