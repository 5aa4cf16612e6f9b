#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds the libmicrohttpd of Debian 13 (1.0.1) from Debian's source package, to try the listener against it.
# It changes nothing of the system: the package list and the build are in the folder named.
#
#   Scripts/build-newer-libmicrohttpd.sh FOLDER
#   PKG_CONFIG_PATH=FOLDER/lib/pkgconfig LD_LIBRARY_PATH=FOLDER/lib swift test -Xcc -IFOLDER/include \
#     -Xlinker -LFOLDER/lib --scratch-path FOLDER/build --filter HTTPListeningTests
set -euo pipefail

folder=$(realpath -m "${1:?usage: $0 FOLDER}")
suite=${SUITE:-trixie}
sources=$folder/sources
mkdir -p "$sources" "$folder/apt/lists/partial" "$folder/apt/archives/partial"
echo "deb-src http://deb.debian.org/debian $suite main" > "$folder/apt/sources.list"
apt=(
  -o "Dir::Etc::SourceList=$folder/apt/sources.list" -o Dir::Etc::SourceParts=/nonexistent
  -o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt" -o APT::Sandbox::User=root
)
apt-get "${apt[@]}" update
(cd "$sources" && apt-get "${apt[@]}" source libmicrohttpd)

cd "$sources"/libmicrohttpd-*/
./configure --prefix="$folder" --disable-doc --disable-examples --disable-curl --disable-static --enable-https
make -j"$(nproc)"
make install
pkg-config --modversion "$folder/lib/pkgconfig/libmicrohttpd.pc"
