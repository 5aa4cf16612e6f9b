#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes Public/euripus.js, and the modules that it loads where a page needs them, of the sources in Client/.
# With --check it makes nothing, and fails if what is committed is not what the sources make.
set -euo pipefail
cd "$(dirname "$0")/.."

target=Public
if [ "${1:-}" = --check ]; then
  # Beside Public, as source maps have the way to the sources.
  target=$(mktemp -d client-XXXXXX)
  trap 'rm -rf "$target"' EXIT
fi
# All of ES2022 that the sources use is in the floor of CLIENT.md: Chrome 103, Firefox 104, Safari 16.
entries=(euripus=Client/euripus.js)
for module in Client/later/*.js; do entries+=("euripus-$(basename "$module" .js)=$module"); done
esbuild "${entries[@]}" --bundle --minify --format=esm --target=es2022 --charset=utf8 \
  --sourcemap --log-level=warning --outdir="$target"
[ "$target" = Public ] && exit
for made in "$target"/*; do
  cmp -s "$made" "Public/$(basename "$made")" || {
    echo "Public/$(basename "$made") is not what Client/ makes: run 'make client', and commit what it makes" >&2
    exit 1
  }
done
