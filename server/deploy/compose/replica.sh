#!/usr/bin/env bash
# A replica: copies the primary once, then follows it. It never cancels a read for what it replays in less than five seconds.
set -euo pipefail
PGPASSWORD=$(cat /run/secrets/postgres_password)
export PGPASSWORD
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host postgres --username replicator --pgdata "$PGDATA" --slot replica --write-recovery-conf; do
    rm -rf "${PGDATA:?}"/*
    sleep 2
  done
  chmod 700 "$PGDATA"
fi
exec postgres -c hot_standby=on -c hot_standby_feedback=on -c max_standby_streaming_delay=5s
