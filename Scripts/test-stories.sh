#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Tells three stories in Chromium, with the server named alone: a login, typing at latency, a list.
# Usage: test-stories.sh SERVER
set -euo pipefail
exec "$(dirname "$0")/test-browser.sh" "$1" -m story
