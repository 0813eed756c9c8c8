#!/bin/sh
# Once, on the first node: the role and the database of the service. Patroni gives the address of the new server.
set -eu
psql "$1" --set=ON_ERROR_STOP=1 --set=password="$WORKTRACK_PASSWORD" <<'SQL'
create role worktrack login password :'password';
grant pg_read_all_stats to worktrack;
create database worktrack owner worktrack;
SQL
