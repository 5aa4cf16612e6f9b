#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the steps of the Dockerfile, and of the one in the guide of the first ten minutes, without a Docker engine, as
# root on Debian: buildah runs them in a chroot, on stand-ins for the base images. Then starts each image's command as
# its user in a network of its own, and sends the requests of Docker and of a user. The images are kept in
# .build/dockerfile for the next time. It takes at most half an hour.
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

# Builds an image from a folder, and tries it. Arguments: its name, its Dockerfile, the folder, and a value of a view
# model that a client may set.
try() {
  local name=$1 file=$2 context=$3 model=$4 value=$5 start=$SECONDS container image
  echo "--- buildah bud --format docker --pull-never -t $name -f $file $context"
  timeout 900 buildah bud --quiet --format docker --pull-never "${mounts[@]}" -t "$name" -f "$file" "$context" >/dev/null
  echo "--- built in $((SECONDS - start)) s"
  container=$(buildah from --pull-never "localhost/$name")
  image=$(buildah mount "$container")
  echo "--- the image: $(du -sh "$image" | cut -f 1), the programs: $(du -h "$image"/usr/local/bin/* | tr '\n\t' '  ')"
  timeout 60 unshare --net --mount Scripts/try-image.sh "$image" "localhost/$name" "$model" "$value"
  buildah rm "$container" >/dev/null
}

# The Dockerfile of the guide, in a folder that has what its reader has: this project and the package of the guide.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/euripus" "$work/todo"
git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory "$work/euripus"
cp -r Examples/Todo/{Package.swift,Sources,Tests,Public} "$work/todo"
sed -i 's|name: "euripus", path: "../.."|path: "../euripus"|' "$work/todo/Package.swift"
sed -n '/^FROM swift/,/^```/{/^```/d;p}' Sources/Euripus/Euripus.docc/TenMinutes.md >"$work/Dockerfile"

try euripus Dockerfile . login username
try todo "$work/Dockerfile" "$work" todo draft
