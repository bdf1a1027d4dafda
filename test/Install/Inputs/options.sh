#!/usr/bin/env bash
# options.sh TOOL PAGE: PAGE has each option that TOOL's help has, and no other.
set -eu
folder=$(dirname -- "$CONVOPT")
diff <("$folder/$1" -help | sed -nE 's/^  --?([A-Za-z][A-Za-z0-9-]*).* - .*/\1/p' | sort) \
  <(sed -nE 's/^\.B \\-(.*)/\1/p' "$2" | sed 's/\\-/-/g; s/[ =[].*//' | sort)
