#!/usr/bin/env bash
# Run once in a new primary: lets a replica follow it.
set -euo pipefail
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --command "create role replicator with replication login password '$(cat /run/secrets/postgres_password)'" \
  --command "select pg_create_physical_replication_slot('replica')"
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
