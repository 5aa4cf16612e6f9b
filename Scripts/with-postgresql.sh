#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command beside a PostgreSQL server in a new folder. Server and folder go when the command ends.
#
# TEST_POSTGRESQL gives the command libpq's keywords for the server: a superuser without a password, over a socket
# in that folder. The role 'guarded' needs a password. A pooler is beside the server: pgbouncer at port 6432 of the
# same folder, with the databases 'session' and 'transaction', each pooled in the way of its name.
#
# Usage: with-postgresql.sh COMMAND [ARGUMENT…]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ $# = 0 ]; then
  echo "Usage: $0 COMMAND [ARGUMENT…]" >&2
  exit 2
fi
Scripts/install-packages.sh postgresql-15 pgbouncer

programs=/usr/lib/postgresql/15/bin
# The folder's place: TEST_POSTGRESQL_BASE, by default memory, where a sync costs nothing, or else TMPDIR.
base=${TEST_POSTGRESQL_BASE:-/dev/shm}
[ -w "$base" ] || base=${TMPDIR:-/tmp}
folder=$(mktemp -d "$base/euripus-postgresql-XXXXXX")
# PostgreSQL does not run as root.
as=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$folder"
  chmod 755 "$folder"
  as=(setpriv --reuid postgres --regid postgres --init-groups)
fi

stop() {
  [ ! -f "$folder/pgbouncer.pid" ] || kill "$(cat "$folder/pgbouncer.pid")" 2>/dev/null || true
  "${as[@]}" "$programs/pg_ctl" --pgdata "$folder/data" --mode immediate --silent stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT

{
  "${as[@]}" "$programs/initdb" --pgdata "$folder/data" --username euripus --auth trust --encoding UTF8 --no-locale --no-sync
  "${as[@]}" sed -i '1i local all guarded scram-sha-256' "$folder/data/pg_hba.conf"
  "${as[@]}" "$programs/pg_ctl" --pgdata "$folder/data" --log "$folder/log" --wait --timeout 60 start \
    --options "-c listen_addresses= -c unix_socket_directories=$folder -c max_connections=200 -c shared_buffers=64MB"
  "${as[@]}" "$programs/psql" -qX --host "$folder" --username euripus --dbname postgres \
    --command "CREATE ROLE guarded LOGIN PASSWORD 'right-8512'"
  cat >"$folder/pgbouncer.ini" <<CONFIGURATION
[databases]
session = host=$folder dbname=postgres user=euripus pool_mode=session
transaction = host=$folder dbname=postgres user=euripus pool_mode=transaction
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $folder
auth_type = any
logfile = $folder/pgbouncer.log
pidfile = $folder/pgbouncer.pid
CONFIGURATION
  "${as[@]}" /usr/sbin/pgbouncer --quiet --daemon "$folder/pgbouncer.ini"
} >"$folder/start" 2>&1 || {
  echo "PostgreSQL, or its pooler, did not start:" >&2
  cat "$folder/start" "$folder/log" "$folder/pgbouncer.log" >&2 || true
  exit 1
}
TEST_POSTGRESQL="host=$folder user=euripus dbname=postgres" "$@"
