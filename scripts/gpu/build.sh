#!/usr/bin/env bash
# Emits the kernels of the thesis (block tiled, register tiled in y, in y and
# z) from run-time and template naive kernels, and builds for each a program
# that times it and one that verifies it. Needs nvcc and a built convopt, but
# no GPU. Usage: build.sh OUTPUT-FOLDER [ARCH]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
convopt=${CONVOPT:-$root/build/bin/convopt}
out=$1
arch=${2:-sm_90}
mkdir -p "$out"

variant() { # NAME SOURCE DEFINES OPTION...
  local name=$1 source=$2 defines=$3
  shift 3
  mkdir -p "$out/$name.d"
  "$convopt" "$root/examples/$source" "$@" -arch="$arch" \
    -o "$out/$name.d/emitted.cu"
  "$convopt" "$root/examples/$source" "$@" -arch="$arch" \
    -emit=verify-driver -o "$out/$name.d/driver.cu"
  nvcc -O3 -std=c++17 -arch="$arch" $defines \
    -DEMITTED="\"$out/$name.d/emitted.cu\"" "$here/measure.cu" \
    -o "$out/measure-$name"
  nvcc -O1 -lineinfo -std=c++17 -arch="$arch" "$out/$name.d/driver.cu" \
    -o "$out/verify-$name"
}

variant block naive_kernel.cu "" -tile=32,2,2
variant y naive_kernel.cu "" -tile=32,2,2 -reg=y:8
variant yz naive_kernel.cu "" -tile=32,2,2 -reg=8,4
variant yz-template thesis_kernel.cu -DTEMPLATE -tile=32,2,2 -reg=8,4
cp "$here/cudnn.py" "$here/run.sh" "$out"
