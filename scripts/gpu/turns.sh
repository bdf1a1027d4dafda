#!/usr/bin/env bash
# Times kernels that run in turn (docs/Design.md, "Kernels in turn"). In two
# halves, as a machine with a GPU need not have LLVM:
#   turns.sh emit DIR    writes the files (needs convopt: CONVOPT=...)
#   turns.sh run DIR     compiles and times them, prints a table
set -euo pipefail
mode=$1 dir=$2
root=$(cd "$(dirname "$0")/../.." && pwd)
# source of test/Host, call of its launcher
cases() {
  cat <<'CASES'
layers-in-turn.c layer_tiled_launch(64, 64, 112, 112, a[0], a[1], a[2], a[3], nullptr)
attention.c attention_tiled_launch(4096, 4096, 64, a[0], a[1], a[2], a[3], a[4], nullptr)
both-gradients.c gradients_tiled_launch(64, 64, 58, 58, a[0], a[1], a[2], a[3], a[4], nullptr)
lu.c lu_tiled_launch(2048, a[0], nullptr)
time-steps.c recur_tiled_launch(64, 1024, 1024, a[0], a[1], a[2], a[3], a[4], nullptr)
softmax.c softmax_tiled_launch(4096, 4096, a[0], a[1], nullptr)
layer-norm.c layer_norm_tiled_launch(16384, 1024, a[0], a[1], a[2], a[3], nullptr)
batch-norm.c batch_norm_tiled_launch(16, 64, 112, 112, a[0], a[1], a[2], a[3], nullptr)
power-iteration.c power_iteration_tiled_launch(8192, 100, a[0], a[1], a[2], nullptr)
stencil-steps.c jacobi_tiled_launch(4096, 4096, 100, a[0], a[1], nullptr)
clamp-blur.c blur_tiled_launch(a[0], a[1], a[2], 4096, 4096, nullptr)
periodic.c smooth_tiled_launch(a[0], a[1], a[2], 4096, 4096, nullptr)
reflect-layer.c layer_tiled_launch(a[0], a[1], a[2], 16, 64, 64, 56, 56, nullptr)
CASES
}
case $mode in
emit)
  mkdir -p "$dir"
  cp "$0" "$root/scripts/gpu/times.cu" "$dir"
  while read -r source _; do
    "${CONVOPT:-$root/build/bin/convopt}" "$root/test/Host/$source" \
      -o "$dir/${source%.*}.cu" || echo "$source: refused"
  done < <(cases)
  ;;
run)
  cd "$dir"
  nvcc -O2 -std=c++17 -arch=native -cudart shared times.cu -o times -ldl
  while read -r source call; do
    name=${source%.*}
    [ -e "$name.cu" ] || continue
    printf '#include "%s.cu"\nextern "C" int run(float **a) { return %s; }\n' \
      "$name" "$call" >run.cu
    nvcc -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC -cudart shared \
      run.cu -o "$name.so" && timeout 60 ./times "./$name.so"
  done < <(cases)
  ;;
esac
