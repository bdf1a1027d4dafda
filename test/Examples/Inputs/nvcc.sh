#!/usr/bin/env bash
# nvcc.sh EXAMPLES FOLDER PART PARTS: compiles the tiled form of every example,
# and what every schedule in EXAMPLES/schedules makes of the example that its
# first line names, with the options that stand there, with nvcc: PART of so
# many PARTS of all. Any warning is a failure.
set -eu
examples=$1
folder=$2
part=$3
parts=$4
next=0
rm -rf "$folder"
mkdir "$folder"

compile() { # NAME SOURCE OPTION...
  local tiled=$folder/$1.tiled.cu source=$2
  shift 2
  [ $((next++ % parts)) = "$part" ] || return 0
  "$CONVOPT" "$source" "$@" -o "$tiled"
  nvcc -arch=sm_90 -std=c++17 -Xcompiler -Wall -Xptxas -O0 -c "$tiled" -o "$tiled.o" \
    2>"$folder/log" || {
    cat "$folder/log"
    exit 1
  }
  [ ! -s "$folder/log" ] || {
    cat "$folder/log"
    exit 1
  }
}

for example in "$examples"/*.c "$examples"/*.cpp "$examples"/*.cu; do
  compile "$(basename "$example")" "$example"
done
for schedule in "$examples"/schedules/*.sched; do
  read -r _ line <"$schedule"
  read -ra words <<<"${line%%:*}"
  compile "$(basename "$schedule")" "$examples/../${words[0]}" \
    "${words[@]:1}" -schedule="$schedule"
done
echo 'every example compiled'
