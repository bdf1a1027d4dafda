#!/usr/bin/env bash
# Measures the schedules of docs/seeds.md. scripts/seeds.py takes the times from
# the files PREFIX-thesis.json and so on, where they lie in docs/results.
# In two halves, as a machine with a GPU need not have LLVM:
#   seeds.sh emit BIN DIR                     writes the nests (BIN has convopt)
#   seeds.sh run BIN DIR PREFIX [OPTION...]   measures (BIN has convopt-bench);
# options of convopt-bench, such as -time-limit=0.3
set -euo pipefail
what=$1 bin=$2 dir=$3
shift 3
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$dir"
if [ "$what" = run ]; then
  prefix=$1
  shift
  mkdir -p "$(dirname "$prefix")"
fi
options=("$@")
known= # sizes that schedules of fused loops ask for

measure() { # RESULT SOURCE SHAPES SCHEDULES OPTION...
  local result=$1 source=$2 shapes=$3 candidates=() name
  local nest=$dir/${source%.*}.nest # the result file has the source's name
  for name in $4; do
    candidates+=("-variant=$known -schedule=$root/examples/schedules/$name.sched")
  done
  shift 4
  if [ "$what" = emit ]; then
    "$bin/convopt" "$root/examples/$source" -emit=nest -o "$nest"
  else
    "$bin/convopt-bench" "$nest" -mode=cold \
      -shapes="$root/examples/shapes.csv" -name="$shapes" "${candidates[@]}" \
      "${options[@]}" "$@" -o "$prefix-$result.json"
  fi
}

measure image image_same.cu image-11x11 \
  "image_baseline image_coalesced image_shared image_unrolled image_streams"
measure k7 course_k7.cu course-l1,course-l2 "k7_shared k7_constant k7_both"
measure streams course_forward.cpp course-l1,course-l2 course_streams
measure restrict course_restrict.cu course-l1,course-l2 \
  "restrict_constant restrict_unrolled restrict_images restrict_window"
measure course course_kernel.cu course-k5-l1,course-k5-l2 course_shared
for layer in 86,course-l1 40,course-l2; do
  known=-assume=Height=${layer%,*},Width=${layer%,*},K=7
  measure k7-products-${layer#*,} course_k7.cu ${layer#*,} \
    "k7_unrolled k7_fused k7_joint" -no-cudnn
done
known=-assume=K=7
measure k7-channels course_k7.cu course-l2 "k7_channels k7_atomic" \
  -fassociative-math \
  -no-cudnn
for layer in 70,course-k5-l1 33,course-k5-l2; do
  known=-assume=H=${layer%,*},W=${layer%,*},K=5
  measure course-products-${layer#*,} course_kernel.cu ${layer#*,} \
    "course_unrolled course_registers course_fused course_swept" -no-cudnn
done
known=
measure thesis-column thesis_kernel.cu thesis-r1,thesis-r2,thesis-r4 \
  thesis_column -fassociative-math -no-naive -no-cudnn
measure thesis-same thesis_same.cu thesis-r1,thesis-r4 thesis_same
measure thesis thesis_kernel.cu thesis-r1,thesis-r2,thesis-r4 \
  "thesis_naive thesis_y thesis_yz thesis_branchless thesis_shared thesis_vector thesis_window thesis_rows"
