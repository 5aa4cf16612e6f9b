#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks the Markdown pages: their reading ease, spelling, links and anchors, the length of README.md, and the
# length of some pages' sentences.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(Scripts/python-environment.sh Tests/Words)/bin/python
# textstat 0.7.4 imports a module that setuptools is to lose.
"$python" -W ignore::DeprecationWarning Tests/Words/words_test.py
"$python" Tests/Words/words.py
