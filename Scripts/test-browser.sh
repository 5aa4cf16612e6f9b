#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the browser tests against the server named, in an environment of their own: Debian's Python takes no packages
# from PyPI (PEP 668). Usage: test-browser.sh SERVER
set -euo pipefail
EURIPUS_BIN=$(realpath "$1")
export EURIPUS_BIN
cd "$(dirname "$0")/.."

requirements=Tests/Browser/requirements.txt
# The copy is made last, so that an environment which was not finished is made again.
if ! cmp -s "$requirements" .venv/requirements.txt; then
  python3 -m venv --clear .venv
  .venv/bin/pip install --quiet --disable-pip-version-check -r "$requirements"
  cp "$requirements" .venv/requirements.txt
fi
.venv/bin/python -m pytest -q -p no:cacheprovider Tests/Browser
