#!/usr/bin/env bash
# nvcc.sh EXAMPLES FOLDER: compiles the tiled form of every example with nvcc.
# Any warning is a failure.
set -eu
examples=$1
rm -rf "$2"
mkdir "$2"
for example in "$examples"/*.c "$examples"/*.cpp "$examples"/*.cu; do
  name=$(basename "$example")
  "$CONVOPT" "$example" -o "$2/$name.tiled.cu"
  nvcc -arch=sm_90 -std=c++17 -Xcompiler -Wall -c "$2/$name.tiled.cu" \
    -o "$2/$name.o" 2>"$2/log" || {
    cat "$2/log"
    exit 1
  }
  [ ! -s "$2/log" ] || {
    cat "$2/log"
    exit 1
  }
done
echo 'every example compiled'
