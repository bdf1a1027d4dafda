#!/usr/bin/env bash
# Measures what convopt chooses by itself for each seed layer of
# examples/shapes.csv, its sizes known (-assume=).
# Usage: defaults.sh emit BIN DIR             where convopt is: nests and schedules
#        defaults.sh run BIN DIR [OPTION...]  where the GPU is: DIR/LAYER.json;
# options of convopt-bench, such as -time-limit=0.3
set -euo pipefail
what=$1 bin=$2 dir=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$dir"

layer() { # NAME SOURCE FACTS OPTION...
  local name=$1 source=$2 facts=$3
  shift 3
  if [ "$what" = emit ]; then
    for emission in nest schedule; do
      "$bin/convopt" "$root/examples/$source" -assume="$facts" \
        -emit=$emission -o "$dir/$name.$emission"
    done
  else
    "$bin/convopt-bench" "$dir/$name.nest" -mode=cold \
      -shape="$facts" -schedule="$dir/$name.schedule" -o "$dir/$name.json" "$@"
  fi
}

for radius in 1 2 4 6 8; do
  layer thesis-r$radius thesis_kernel.cu \
    radius=$radius,nIn=64,nOut=64,widthIn=4096,widthOut=$((4096 - 2 * radius)) "$@"
done
for channels in 1 8 32; do
  layer thesis-${channels}ch thesis_kernel.cu \
    radius=6,nIn=$channels,nOut=$channels,widthIn=4096,widthOut=4084 "$@"
done
layer thesis-malformed thesis_kernel.cu \
  radius=1,nIn=22,nOut=22,widthIn=1500,widthOut=1498 "$@"
layer thesis-256 thesis_kernel.cu \
  radius=1,nIn=4,nOut=4,widthIn=256,widthOut=254 "$@"
layer image-11x11 conv_layer.cpp R=11,S=11,pad=5,N=16,C=1,K=1,H=2048,W=2048 "$@"
layer course-l1 course_layer.cpp K=7,B=10000,M=4,C=1,H=86,W=86 "$@"
layer course-l2 course_layer.cpp K=7,B=10000,M=16,C=4,H=40,W=40 "$@"
layer course-k5-l1 course_layer.cpp K=5,B=10000,M=12,C=1,H=70,W=70 "$@"
layer course-k5-l2 course_layer.cpp K=5,B=10000,M=24,C=12,H=33,W=33 "$@"
