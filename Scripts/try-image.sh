#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Starts an image's command as its user, runs its health check, and asks for a page. Then kills its server, which
# has to come back with its sessions, and stops it with SIGTERM as Docker does.
# Usage, so that the port is free and no mount stays: unshare --net --mount try-image.sh ROOT IMAGE MODEL VALUE
# VALUE is a value of MODEL that a client may set to text.
set -euo pipefail
root=$1
model=$3
value=$4

configured() { buildah inspect --type image --format "$1" "$2"; }
user=$(configured '{{.Docker.Config.User}}' "$2")
mapfile -t command < <(configured '{{range .Docker.Config.Entrypoint}}{{println .}}{{end}}{{range .Docker.Config.Cmd}}{{println .}}{{end}}' "$2" | sed '/^$/d')
# The first word says how the others are run: CMD, without a shell.
mapfile -t check < <(configured '{{range .Docker.Config.Healthcheck.Test}}{{println .}}{{end}}' "$2" | sed '/^$/d; 1d')
in_image=(chroot --userspec="$user" --groups= "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin)

if [ "${user%%:*}" = 0 ] || [ -z "$user" ]; then
  echo "the image's user is root" >&2
  exit 1
fi
ip link set lo up
# A container has these too. Swift finds a program's arguments in /proc.
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"

echo "--- as user $user: ${command[*]}"
"${in_image[@]}" "${command[@]}" &
server=$!
trap 'kill -KILL "$server" 2>/dev/null || true' EXIT

echo "--- its health check: ${check[*]}"
until "${in_image[@]}" "${check[@]}"; do
  kill -0 "$server" || { echo "the server has ended" >&2; exit 1; }
  sleep 0.2  # stands for Docker's --interval; the caller bounds the whole
done

for path in /healthz / /euripus.js /models; do
  echo "--- curl http://localhost:8080$path"
  curl --silent --show-error --fail --max-time 5 --output /dev/null --write-out '%{http_code} %{size_download} bytes\n' \
    "http://localhost:8080$path"
done

jar=$(mktemp)
ask() { curl --silent --show-error --fail --max-time 5 --cookie "$jar" --cookie-jar "$jar" "$@"; }
session=http://localhost:8080$(ask -X POST --dump-header - --output /dev/null "http://localhost:8080/sessions/$model" |
  tr -d '\r' | sed -n 's/^Location: //p')
ask -X PUT --json '"maruko"' --output /dev/null "$session/state/$value"
echo "--- kill -9 of the server, and curl ${session%/*}/{id}/state/$value"
# The supervisor's only child.
kill -KILL "$(cut -d ' ' -f 1 "/proc/$server/task/$server/children")"
[ "$(ask "$session/state/$value")" = '"maruko"' ] || { echo "the session is not what it was" >&2; exit 1; }
rm "$jar"
# The report is written after the next server has started, and that may answer before. The caller bounds the wait.
until [ -n "$(find "$root"/var/lib/*/crashes -name 'crash-*.txt' 2>/dev/null)" ]; do sleep 0.1; done

kill -TERM "$server"
wait "$server"
echo "--- healthy, answered, came back with its session, and stopped with status 0"
