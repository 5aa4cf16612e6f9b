#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Prints the option of `swift test` that has at most eight tests run at once. All would begin at once, and a step of a
# command would wait for a thread until most of them were over: for minutes on a busy machine. Swift 6.2 has no such
# option, and then nothing is printed.
set -euo pipefail

option=--experimental-maximum-parallelization-width
if [[ $(swift test --help-hidden) == *"$option"* ]]; then echo "$option" 8; fi
