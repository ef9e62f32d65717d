#!/usr/bin/env bash
# Makes the secrets of compose.yaml, once. Run it in this folder.
set -euo pipefail
umask 077
mkdir -p secrets
# Nobody else on this machine gets into the folder; the files are mounted one by one.
chmod 700 secrets
[ ! -e secrets/postgres_password ] || { echo 'secrets/ holds secrets already: remove them to make new ones'; exit 1; }
password=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
printf %s "$password" > secrets/postgres_password
printf %s "postgres://tonrpc:$password@postgres:5432/tonrpc" > secrets/database
printf %s "postgres://tonrpc:$password@postgres-replica:5432/tonrpc" > secrets/database_read
od -An -N24 -tx1 /dev/urandom | tr -d ' \n' > secrets/admin_token
# Read in the containers by users of other numbers.
chmod 444 secrets/*
