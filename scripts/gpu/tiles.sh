#!/usr/bin/env bash
# Times tiles of the stencils of stencils.c beside the default's
# (docs/passes/shorthand.md, "The model").
#   tiles.sh emit DIR    writes the kernels (needs convopt: CONVOPT=...)
#   tiles.sh run DIR     compiles and times them where the GPU is; a line each:
#                        ms, function, threads, outputs, staging, sizes
set -euo pipefail
mode=$1 dir=$2
root=$(cd "$(dirname "$0")/../.." && pwd)

# Outputs by vectors where sizes are known: what the default adds.
emitOne() { # FUNCTION THREADS OUTPUTS STAGING known|unknown
  local name=$1-${2/,/x}-${3//[xy:]/}-$4-$5
  local to=$dir/${name/,/x} options=("-function=$1" -q)
  [ "$5" = unknown ] || options+=("-assume=H=4096,W=4096")
  if [ "$2" != default ]; then
    options+=("-tile=$2" "-reg=$3" "-staging=$4")
    if [ "$5" = known ]; then
      "$convopt" "$dir/stencils.c" "${options[@]}" -emit=schedule >"$to.sched"
      echo "stage=out,x_t,registers,vector:4" >>"$to.sched"
      options=("${options[@]:0:3}" "-schedule=$to.sched")
    fi
  fi
  "$convopt" "$dir/stencils.c" "${options[@]}" -o "$to.cu" 2>/dev/null || true
}

emit() {
  local function threads outputs
  mkdir -p "$dir"
  cp "$root"/scripts/gpu/{tiles.sh,times.cu,stencils.c} "$dir"
  for function in clamped filter3 filter7 row9 column9 depthwise; do
    emitOne "$function" default default default unknown
    [ "$function" = depthwise ] || emitOne "$function" default default default known
    for threads in 32,4 32,8 16,8 8,16 64,4; do
      for outputs in 1,1 1,4 1,8 2,4 2,8 4,1 4,2 4,4 4,8 8,2 8,4 12,4; do
        emitOne "$function" "$threads" "x:${outputs/,/,y:}" shared unknown
        case $function-$outputs in
        depthwise-* | row9-* | *-1,* | *-2,* | *,1) ;;
        *) emitOne "$function" "$threads" "x:${outputs/,/,y:}" pipelined known ;;
        esac
      done
    done
    emitOne "$function" 32,8 x:1,y:8 none unknown
    emitOne "$function" 32,8 x:2,y:4 none unknown
  done
}

build() { # FILE
  local name=${1%.cu}
  local function=${name%%-*} sizes="4096, 4096"
  [ "$function" != depthwise ] || sizes="1024, 112, 112"
  printf '#include "%s"\nextern "C" int run(float **a) {\n' "$1" >"$name.cpp"
  printf '  return %s_tiled_launch(a[0], a[1], a[2], %s, 0);\n}\n' \
    "$function" "$sizes" >>"$name.cpp"
  nvcc -x cu -O3 -std=c++17 -arch=native -shared -Xcompiler -fPIC \
    -cudart shared "$name.cpp" -o "$name.so"
}

case $mode in
emit)
  convopt=${CONVOPT:-$root/build/bin/convopt}
  emit
  ;;
run)
  cd "$dir"
  export -f build
  find . -name '*-*.cu' -printf '%f\n' | xargs -P "$(nproc)" -I{} bash -c 'build {}'
  nvcc -O2 -std=c++17 -arch=native -cudart shared times.cu -o times -ldl
  ./times ./*.so | sort -k2,2 -k1,1n
  ;;
esac
