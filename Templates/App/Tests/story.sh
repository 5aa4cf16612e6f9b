#!/usr/bin/env bash
# The third kind of test: the program itself, by curl, and killed in the middle. Run it in the package's folder after
# `swift build`. Usage: Tests/story.sh [PROGRAM]
set -euo pipefail
program=${1:-.build/debug/Starter}
folder=$(mktemp -d)
server=
stop() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT

# Starts the program at a free port, with its sessions in a file, and waits for the line that says where it serves.
start() {
  mkfifo "$folder/lines"
  "$program" serve --port 0 --store "$folder/sessions.db" --copies "$folder/copies" >"$folder/lines" &
  server=$!
  read -r line <"$folder/lines"
  rm "$folder/lines"
  address=${line##* }
  address=${address%/}
}

expect() {
  case $2 in
    *"$1"*) ;;
    *)
      echo "expected '$1'; found: $2" >&2
      exit 1
      ;;
  esac
}

ask() { curl -sS --fail-with-body -b "$folder/jar" "$@"; }

start
expect 'data-vm-root="shopping"' "$(ask "$address/")"
ask -o /dev/null "$address/euripus.js"
opened=$(ask -c "$folder/jar" -X POST "$address/sessions/shopping")
session=${opened#*\"url\":\"}
session=${session%%\"*}
ask -o /dev/null -X PUT --json '"Milk"' "$address$session/state/thing/value"
expect '"name":"Milk"' "$(ask -X POST "$address$session/actions/add")"

kill -KILL "$server"
wait "$server" 2>/dev/null || true
start
# Another port has another cookie: give the new server the one of the old.
sed -i "s/euripus-[0-9]*/euripus-${address##*:}/" "$folder/jar"
expect '"name":"Milk"' "$(ask "$address$session")"
expect '"executing":false' "$(ask -X POST -H 'Prefer: wait=10' "$address$session/actions/keep")"
expect '1 × Milk' "$(cat "$folder"/copies/list-*.txt)"
echo "the story is as it should be"
