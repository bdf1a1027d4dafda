#!/usr/bin/env bash
# Times the kernels of several builds of convopt, or of one with other options,
# against each other, layer by layer of examples/shapes.csv, in one run: what a
# change costs and gains. Sizes are known (-assume=); depthwise layers are left
# out.
#   compare.sh emit DIR COMMAND...   where convopt is; a command is a convopt,
#                                    with options or variables
#                                    ("build/bin/convopt -schedule={}.schedule"),
#                                    in which {} is the layer's name. An output
#                                    that is an earlier command's of the layer
#                                    has no kernel, nor has a layer of one output
#   compare.sh run DIR               where the GPU is: builds with nvcc, prints
#                                    the time of each kernel by the first one's,
#                                    cold L2, how far outputs are apart, and
#                                    how many launches gave other bits than the
#                                    first, as atomic sums do and no others
#   compare.sh profile DIR           counters of each kernel, by ncu
# ONLY='vgg4 odd' names the layers, SHAPES=FILE.csv others. MATRICES='512x784x4608' has products of such
# matrices (M x N outputs, sums of L terms) in their place, beside cuBLAS.
set -euo pipefail
mode=$1 dir=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..

# Prints an emitted file without comments: its command stands in one.
text() { grep -v '^//' "$1"; }

# One of the layers, or products: the kernels that differ.
emitOne() { # NAME SOURCE ASSUMPTIONS COMMAND...
  local name=$1 source=$root/scripts/gpu/$2 sizes=$3 number earlier
  shift 3
  for ((number = 1; number <= $#; ++number)); do
    # shellcheck disable=SC2086 # options
    env ${!number//\{\}/$name} "$source" -q -assume="$sizes" \
      -o "$dir/$name-$number.cu" 2>"$dir/$name-$number.log"
    for ((earlier = 1; earlier < number; ++earlier)); do
      [ -e "$dir/$name-$earlier.cu" ] &&
        cmp -s <(text "$dir/$name-$earlier.cu") \
          <(text "$dir/$name-$number.cu") &&
        rm "$dir/$name-$number.cu" && break
    done
    [ ! -e "$dir/$name-$number.cu" ] || echo "$name $number"
  done >"$dir/$name.kernels"
  [ "$(wc -l <"$dir/$name.kernels")" = 1 ] && [ $# -gt 1 ] ||
    cat "$dir/$name.kernels" >>"$dir/kernels"
}

emit() { # COMMAND...
  local name n c h w k r s padH padW strideH strideW groups sizes
  mkdir -p "$dir"
  cp "$here"/compare.{sh,cu} "$here/profile.py" "$dir"
  : >"$dir/kernels"
  for name in ${MATRICES-}; do
    IFS=x read -r h w c <<<"$name"
    emitOne "$name" product.cpp "M=$h,N=$w,L=$c" "$@"
    echo "$h, $w, $c" >"$dir/$name.sizes"
  done
  [ -z "${MATRICES-}" ] || return 0
  while IFS=, read -r name _ n c h w k r s padH padW strideH strideW groups _; do
    [ "$groups" = 1 ] || continue
    [[ -z ${ONLY-} || " $ONLY " == *" $name "* ]] || continue
    sizes=K=$k,N=$n,C=$c,H=$h,W=$w,R=$r,S=$s,pad_h=$padH,pad_w=$padW
    sizes+=,stride_h=$strideH,stride_w=$strideW
    emitOne "$name" conv_strided.cpp "$sizes" "$@"
    echo "$n, $c, $h, $w, $k, $r, $s, $padH, $padW, $strideH, $strideW" \
      >"$dir/$name.sizes"
  done < <(tail -n +2 "${SHAPES-$root/examples/shapes.csv}")
}

compile() { # NAME NUMBER
  local of=()
  [[ ! $1 =~ ^[0-9]+x[0-9]+x[0-9]+$ ]] || of=(-DMATRICES)
  nvcc -O3 -std=c++17 -arch=native -w -cudart shared -shared \
    -Xcompiler -fPIC "-DLAYER=\"$1.sizes\"" "-DEMITTED=\"$1-$2.cu\"" \
    "${of[@]}" \
    "$dir/compare.cu" -o "$dir/$1-$2.so"
}

build() {
  export dir
  export -f compile
  xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' _ <"$dir/kernels"
  nvcc -O3 -std=c++17 -arch=native -cudart shared "$dir/compare.cu" \
    -o "$dir/compare" -ldl -lcublas
}

run() {
  build
  "$dir/compare" "$dir" 13 <"$dir/kernels"
}

profile() {
  build
  ncu --clock-control none --csv --kernel-name-base demangled \
    --kernel-name 'regex:tiled_kernel' --metrics "$(paste -sd, <<'METRICS'
gpu__time_duration.sum
launch__waves_per_multiprocessor
launch__registers_per_thread
sm__warps_active.avg.per_cycle_active
smsp__issue_active.avg.pct_of_peak_sustained_active
smsp__issue_active.max.pct_of_peak_sustained_elapsed
sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active
smsp__inst_executed.sum
smsp__sass_thread_inst_executed_op_ffma_pred_on.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed
smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio
smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio
smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio
smsp__average_warps_issue_stalled_dispatch_stall_per_issue_active.ratio
smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio
smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio
smsp__average_warps_issue_stalled_no_instruction_per_issue_active.ratio
smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio
smsp__average_warps_issue_stalled_wait_per_issue_active.ratio
smsp__average_warps_issue_stalled_imc_miss_per_issue_active.ratio
METRICS
)" "$dir/compare" "$dir" 1 <"$dir/kernels" >"$dir/profile.csv"
  python3 "$dir/profile.py" "$dir/kernels" "$dir/profile.csv"
}

"$mode" "$@"
