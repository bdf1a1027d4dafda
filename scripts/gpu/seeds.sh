#!/usr/bin/env bash
# Measures the schedules of docs/seeds.md, on a machine with a GPU, and writes
# PREFIX-thesis.json and so on. scripts/seeds.py takes the times from there where
# they lie in docs/results.
# Usage: seeds.sh BIN PREFIX      (BIN holds convopt and convopt-bench)
set -euo pipefail
bin=$1 prefix=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$(dirname "$prefix")"

measure() { # RESULT SOURCE SHAPES SCHEDULES OPTION...
  local result=$1 source=$2 shapes=$3 candidates=() name
  for name in $4; do
    candidates+=("-schedule=$root/examples/schedules/$name.sched")
  done
  shift 4
  local nest=$work/${source%.*}.nest # the result file has the source's name
  "$bin/convopt" "$root/examples/$source" -emit=nest -o "$nest"
  "$bin/convopt-bench" "$nest" -mode=cold -time-limit=1 \
    -shapes="$root/examples/shapes.csv" -name="$shapes" "${candidates[@]}" "$@" \
    -o "$prefix-$result.json"
}

measure thesis thesis_kernel.cu thesis-r1,thesis-r2,thesis-r4 \
  "thesis_naive thesis_y thesis_yz thesis_branchless thesis_shared thesis_vector thesis_window thesis_rows"
measure thesis-column thesis_kernel.cu thesis-r1,thesis-r2,thesis-r4 \
  thesis_column -fassociative-math -no-naive -no-cudnn
measure image image_same.cu image-11x11 \
  "image_baseline image_coalesced image_shared image_unrolled image_streams"
measure k7 course_k7.cu course-l1,course-l2 "k7_shared k7_constant k7_both"
measure streams course_forward.cpp course-l1,course-l2 course_streams
measure restrict course_restrict.cu course-l1,course-l2 \
  "restrict_constant restrict_unrolled restrict_images restrict_window"
measure course course_kernel.cu course-k5-l1,course-k5-l2 course_shared
