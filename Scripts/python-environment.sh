#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the environment for the Python tests of a directory, unless it is there, and prints its path. Debian's Python
# takes no packages from PyPI (PEP 668). Usage: python-environment.sh Tests/DIRECTORY
set -euo pipefail
cd "$(dirname "$0")/.."

requirements=$1/requirements.txt
environment=.venv/$(basename "$1")
# The copy is made last, so that an unfinished environment is made again.
if ! cmp -s "$requirements" "$environment/requirements.txt"; then
  python3 -m venv --clear "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >&2
  cp "$requirements" "$environment/requirements.txt"
fi
echo "$environment"
