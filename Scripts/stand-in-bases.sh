#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes local images with the names on the Dockerfile's FROM lines, without any registry. Debian's comes from
# debootstrap. Swift's has the packages that swift.org's image has on top of Debian, but not the toolchain:
# test-dockerfile.sh mounts the installed one at /toolchain. Existing images are kept. Works on the storage in
# $STORAGE_CONF.
set -euo pipefail
cd "$(dirname "$0")/.."

debian=$(sed -n 's/^FROM \(debian:[^ ]*\).*/\1/p' Dockerfile)
swift=$(sed -n 's/^FROM \(swift:[^ ]*\).*/\1/p' Dockerfile)
release=bookworm

if ! buildah inspect --type image "docker.io/library/$debian" >/dev/null 2>&1; then
  echo "--- debootstrap $release, as $debian"
  tree=$(mktemp -d)
  trap 'rm -rf "$tree"' EXIT
  debootstrap --variant=minbase "$release" "$tree" >"$tree.log" || { tail -n 20 "$tree.log" >&2; exit 1; }
  # With Debian's security archive the host's packages may be newer than the release's.
  cp /etc/apt/sources.list.d/debian.sources "$tree/etc/apt/sources.list.d/" 2>/dev/null && rm "$tree/etc/apt/sources.list"
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$tree" / >/dev/null
  buildah commit --quiet --rm "$container" "docker.io/library/$debian" >/dev/null
  rm -f "$tree.log"
fi

if ! buildah inspect --type image "docker.io/library/$swift" >/dev/null 2>&1; then
  echo "--- the packages of swift.org's image, as $swift"
  container=$(buildah from --pull-never "docker.io/library/$debian")
  # https://github.com/swiftlang/swift-docker, 6.3/debian/12
  buildah run "$container" -- sh -ec '
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      binutils-gold ca-certificates git gnupg2 libcurl4-openssl-dev libedit-dev libgcc-12-dev libncurses-dev \
      libpython3-dev libsqlite3-dev libstdc++-12-dev libxml2-dev libz3-dev pkg-config tzdata zlib1g-dev
    rm -rf /var/lib/apt/lists/*' >/dev/null
  # The steps find repositories where the host does (on a mirror, for example).
  rules=$(mktemp)
  git config --get-regexp '^url\..*\.insteadof$' | while read -r key value; do
    git config --file "$rules" --add "$key" "$value"
  done
  git config --file "$rules" --add safe.directory '*'
  chmod 644 "$rules"
  buildah copy --quiet "$container" "$rules" /etc/gitconfig >/dev/null
  rm -f "$rules"
  buildah config --env PATH=/toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit --quiet --rm "$container" "docker.io/library/$swift" >/dev/null
fi
