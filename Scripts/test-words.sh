#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Looks at the Markdown pages: how easy they read, how long README.md is and the sentences of some, their spelling, their links and anchors.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(Scripts/python-environment.sh Tests/Words)/bin/python
# textstat 0.7.4 imports a module that setuptools is to lose.
"$python" -W ignore::DeprecationWarning Tests/Words/words_test.py
"$python" Tests/Words/words.py
