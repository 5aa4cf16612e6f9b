#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes Public/euripus.js of the sources in Client/, and euripus-develop.js, which it loads in development alone. Makes a
# style for each page as well, so that it has one: euripus.css, and demos.css for pages that are more than a form. The
# drawer of the wire is three files that the demos alone load: its first part, the drawer, and the drawer's style.
# With --check it makes nothing, and fails if the committed bundles differ from those that the sources make.
set -euo pipefail
cd "$(dirname "$0")/.."

target=Public
if [ "${1:-}" = --check ]; then
  # The folder stands beside Public, since a source map has the relative path to the sources.
  target=$(mktemp -d client-XXXXXX)
  trap 'rm -rf "$target"' EXIT
fi
# The oldest browsers of CLIENT.md have all of ES2022 that the sources use: Chrome 103, Firefox 104, Safari 16.
esbuild euripus=Client/euripus.js euripus-develop=Client/developing/develop.js euripus=Client/styles/euripus.css \
  demos=Client/styles/demos.css cookbook=Client/styles/cookbook.css board=Client/styles/board.css euripus-wire=Client/wire/wire.js euripus-wire-drawer=Client/wire/drawer.js euripus-conflict=Client/conflicts/conflicts.js euripus-invitation=Client/invitation.js euripus-upload=Client/uploading/upload.js \
  euripus-wire=Client/wire/wire.css euripus-page=Client/styles/euripus-page.css --bundle --minify --format=esm --target=es2022 --charset=utf8 --sourcemap --log-level=warning --outdir="$target"
[ "$target" = Public ] && exit
for made in "$target"/*; do
  cmp -s "$made" "Public/$(basename "$made")" || {
    echo "Public/$(basename "$made") is not what Client/ makes: run 'make client', and commit what it makes" >&2
    exit 1
  }
done
