#!/usr/bin/env bash
# unprivileged.sh COMMAND...
#
# Runs COMMAND with no power to override file permissions. Root stays root,
# and so keeps access to its own files, but loses every capability.
if [ "$(id -u)" -eq 0 ]; then
  exec setpriv --inh-caps=-all --bounding-set=-all "$@"
fi
exec "$@"
