#!/bin/sh
# What differs from node to node comes by environment.
set -eu
export PATRONI_NAME="$(hostname)"
export PATRONI_RESTAPI_CONNECT_ADDRESS="$PATRONI_NAME:8008"
export PATRONI_POSTGRESQL_CONNECT_ADDRESS="$PATRONI_NAME:5432"
exec patroni /etc/worktrack/patroni.yml
