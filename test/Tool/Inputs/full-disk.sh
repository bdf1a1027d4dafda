#!/usr/bin/env bash
# full-disk.sh FOLDER INPUT: runs convopt with its output on a full disk that
# is mounted on FOLDER, and lists what is on it afterwards. In a mount namespace
# of its own, so that nothing is left mounted.
mount -t tmpfs -o size=16k none "$1" || exit 1
echo old >"$1/tiled.cu"
dd if=/dev/zero of="$1/filler" 2>/dev/null

"$CONVOPT" "$2" -tile=32,2,2 -reg=8,4 -o "$1/tiled.cu"
echo "exit status $?"
ls -A "$1"
cat "$1/tiled.cu"
