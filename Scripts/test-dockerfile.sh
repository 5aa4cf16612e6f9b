#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the Dockerfile's steps without a Docker engine, as root on Debian: buildah runs them in a chroot, on
# stand-ins for the base images. Then starts the image's command as its user in a network of its own, and sends the
# requests of Docker and of a user. The images are kept in .build/dockerfile for the next time. It takes at most
# half an hour.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" != 0 ]; then
  echo "This makes file systems and networks of its own: run it as root" >&2
  exit 1
fi
Scripts/install-packages.sh buildah curl debootstrap iproute2 uidmap

state=$PWD/.build/dockerfile
mkdir -p "$state"
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs CONTAINERS_STORAGE_CONF=$state/storage.conf
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/images"\nrunroot = "%s/run"\n' "$state" "$state" >"$CONTAINERS_STORAGE_CONF"

timeout 900 Scripts/stand-in-bases.sh

# The toolchain, and the local directories to which git's rules lead.
toolchain=$(realpath "$(dirname "$(readlink -f "$(command -v swift)")")/../..")
mounts=(--volume "$toolchain:/toolchain:ro")
while read -r key _; do
  place=${key#url.}
  place=${place%.insteadof}
  if [ -d "$place" ]; then mounts+=(--volume "${place%/}:${place%/}:ro"); fi
done < <(git config --get-regexp '^url\..*\.insteadof$' || true)

echo "--- buildah bud --format docker --pull-never -t euripus ."
start=$SECONDS
timeout 900 buildah bud --quiet --format docker --pull-never "${mounts[@]}" -t euripus . >/dev/null
echo "--- built in $((SECONDS - start)) s"

container=$(buildah from --pull-never localhost/euripus)
image=$(buildah mount "$container")
trap 'buildah rm "$container" >/dev/null' EXIT
echo "--- the image: $(du -sh "$image" | cut -f 1), the binary: $(du -h "$image/usr/local/bin/euripus" | cut -f 1)"
timeout 60 unshare --net --mount Scripts/try-image.sh "$image" localhost/euripus
