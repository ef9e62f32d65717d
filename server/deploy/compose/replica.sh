#!/usr/bin/env bash
# A replica: copies the primary once, then follows it. It never cancels a read for what it replays in less than five seconds.
set -euo pipefail
PGPASSWORD=$(cat /run/secrets/postgres_password)
export PGPASSWORD
if [ ! -e "$PGDATA" ]; then
  # Only a copy that is whole gets its name: one that was interrupted begins again.
  until rm -rf "$PGDATA.part" && pg_basebackup --host postgres --username replicator --pgdata "$PGDATA.part" --checkpoint fast \
    --slot replica --write-recovery-conf; do
    sleep 2
  done
  chmod 700 "$PGDATA.part"
  mv "$PGDATA.part" "$PGDATA"
fi
exec postgres -c hot_standby=on -c hot_standby_feedback=on -c max_standby_streaming_delay=5s
