#!/usr/bin/env bash
# status.sh STATUS COMMAND...
#
# Runs COMMAND and succeeds where its exit status is exactly STATUS, so that a
# crash is never taken for a refusal.
expected=$1
shift
"$@"
actual=$?
if [ "$actual" -ne "$expected" ]; then
  echo "status.sh: expected exit status $expected, got $actual" >&2
  exit 1
fi
