#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the steps of the Dockerfile, of the one in the guide of the first ten minutes, and of the one that `euripus new`
# makes, without a Docker engine, as root on Debian: buildah runs them in a chroot, on stand-ins for the base images. Then
# starts each image's command as its user in a network of its own, and sends the requests of Docker and of a user. The
# images are kept in .build/dockerfile for the next time. It takes at most an hour, and mostly ten minutes.
# Usage: test-dockerfile.sh EURIPUS [IMAGE…], a built program and some of: euripus todo shop. By default it is all of them.
set -euo pipefail
program=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- euripus todo shop
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

container=
work=$(mktemp -d)
clean() {
  rm -rf "$work"
  [ -z "$container" ] || buildah rm "$container" >/dev/null
}
trap clean EXIT

# Builds an image from a folder, and tries it. Arguments: its name, its Dockerfile, the folder, a view model of the
# program, and a value of it that a client may set to text.
try() {
  local name=$1 file=$2 context=$3 model=$4 value=$5 start=$SECONDS image
  echo "--- buildah bud --format docker --pull-never -t $name -f $file $context"
  timeout 900 buildah bud --quiet --format docker --pull-never "${mounts[@]}" -t "$name" -f "$file" "$context" >/dev/null
  echo "--- built in $((SECONDS - start)) s"
  container=$(buildah from --pull-never "localhost/$name")
  image=$(buildah mount "$container")
  echo "--- the image: $(du -sh "$image" | cut -f 1)"
  timeout 60 unshare --net --mount Scripts/try-image.sh "$image" "localhost/$name" "$model" "$value"
  buildah rm "$container" >/dev/null
  container=
}

# The files that git has of this project, in a folder.
copy_project() {
  mkdir "$1"
  git ls-files -z | xargs -0 cp --parents --no-dereference --target-directory "$1"
}

# The folder of the guide's reader: this project, and the package of the guide. No package could be built in a folder
# with such a '.build', so the .dockerignore that the guide asks for has to leave it out.
try_todo() {
  local guide=Sources/Euripus/Euripus.docc/TenMinutes.md
  copy_project "$work/euripus"
  mkdir "$work/todo"
  cp -r Examples/Todo/{Package.swift,Sources,Tests,Public} "$work/todo"
  cp Public/euripus*.js "$work/todo/Public"
  sed -i 's|name: "euripus", path: "../.."|path: "../euripus"|' "$work/todo/Package.swift"
  echo "a file in the place of a folder" >"$work/todo/.build"
  # shellcheck disable=SC2016 # They are sed's, and Markdown's.
  sed -n '/^FROM swift/,/^```/{/^```/d;p}' "$guide" >"$work/Dockerfile"
  # shellcheck disable=SC2016
  grep -o '`\*\*/[^`]*`' "$guide" | tr -d '`' >"$work/.dockerignore"
  try todo "$work/Dockerfile" "$work" todo draft
}

# A new package. In the image git finds a tagged repository in the place of the one that Package.swift names.
try_shop() {
  local version address
  version=$(sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/EuripusServer/EuripusServer.swift)
  "$program" new shop --directory "$work/shop" >/dev/null
  address=$(sed -n 's/.*package(url: "\([^"]*\)".*/\1/p' "$work/shop/Package.swift")
  copy_project "$work/origin"
  git -C "$work/origin" init --quiet
  git -C "$work/origin" add --all
  git -C "$work/origin" -c user.name=test -c user.email=test@localhost commit --quiet --message "A release"
  git -C "$work/origin" tag "$version"
  git config --file "$work/gitconfig" "url.$work/origin.insteadOf" "$address"
  mounts+=(--volume "$work/origin:$work/origin:ro" --volume "$work/gitconfig:/root/.gitconfig:ro")
  try shop "$work/shop/Dockerfile" "$work/shop" shopping thing/value
}

for image in "$@"; do
  case $image in
    euripus) try euripus Dockerfile . login username ;;
    todo) try_todo ;;
    shop) try_shop ;;
    *) echo "'$image' is none of: euripus todo shop" >&2; exit 2 ;;
  esac
done
