#!/usr/bin/env bash
# Verifies every schedule of examples/schedules on a GPU, and under
# compute-sanitizer. In two halves, as a machine with a GPU need not have LLVM:
#   verify.sh emit DIR    writes the drivers (needs convopt: CONVOPT=...),
#                         ONLY='k7_both layer_blocks' those of some schedules
#   verify.sh emit DIR 'SOURCE [OPTION...]'...   the same of the defaults of
#                         these files, such as the lines of scripts/gpu/forms:
#                         common ways to write convolutions, at usual sizes
#   verify.sh build DIR   builds them with nvcc
#   verify.sh check DIR   runs them, prints a table
#   verify.sh run DIR     both
set -euo pipefail
mode=$1 dir=$2
shift 2
sources=("$@")
root=$(cd "$(dirname "$0")/../.." && pwd)

# Sizes of which there are several strips or tiles, where those that convopt
# chooses have one.
shapes() {
  case $1 in
  course_streams) echo -shape=B=430,M=4,C=1,H=40,W=37,K=7 ;;
  image_streams) echo -shape=filter_size=11,batch=37,height=70,width=50 ;;
  k7_unrolled) echo -shape=Batch=1003,Map_out=3,Channel=1,Height=40,Width=40,K=7 ;;
  course_registers) echo -shape=B=4003,M=3,C=1,H=33,W=33,K=5 ;;
  course_unrolled) echo -shape=B=4003,M=1,C=1,H=33,W=33,K=5 ;; # racecheck is slow
  k7_fused | k7_joint)
    echo -shape=Batch=2,Map_out={1,19},Channel=3,Height=40,Width=40,K=7
    ;;
  course_fused | course_swept) echo -shape=B=3,M={3,27},C=2,H=33,W=33,K=5 ;;
  layer_constant) echo -shape=R=5,S=5,N=2,C=64,H=30,W=45,K=60,pad=2 ;;
  esac
}

emit() {
  local convopt=${CONVOPT:-$root/build/bin/convopt} schedule name source options
  local line
  mkdir -p "$dir"
  cp "$0" "$dir"
  for line in "${sources[@]}"; do
    read -r source options <<<"$line"
    name=$(basename "$source")
    mkdir -p "$dir/${name%.*}"
    # shellcheck disable=SC2015,SC2046,SC2086 # several options
    "$convopt" "$source" $(printf '%s\n' $options | grep -v ^-shape=) \
      -o "$dir/${name%.*}/emitted.cu" &&
      "$convopt" "$source" $options -emit=verify-driver \
        -o "$dir/${name%.*}/driver.cu" || echo "$name: refused"
  done
  [ ${#sources[@]} -eq 0 ] || return 0
  for schedule in "$root"/examples/schedules/*.sched; do
    name=$(basename "$schedule" .sched)
    [[ -z ${ONLY-} || " $ONLY " == *" $name "* ]] || continue
    # "# examples/conv.cu -option: what it is"
    read -r source options < <(sed -n '1s/^# examples\/\([^:]*\):.*/\1/p' "$schedule")
    # shellcheck disable=SC2015,SC2046,SC2086 # several options
    mkdir -p "$dir/$name"
    "$convopt" "$root/examples/$source" $options -schedule="$schedule" \
      -o "$dir/$name/emitted.cu" &&
      "$convopt" "$root/examples/$source" $options -schedule="$schedule" \
        $(shapes "$name") -emit=verify-driver -o "$dir/$name/driver.cu" || echo "$name: refused"
  done
}

compile() { # FOLDER
  local options naive=()
  options=$(sed -n 's/^\/\/ nvcc options: //p' "$1/driver.cu")
  # Of a C source the naive function is compiled as C.
  if grep -q '^#ifndef __cplusplus' "$1/emitted.cu"; then
    gcc -O2 -w -ffp-contract=off -Dmain=convopt_user_main -x c \
      -c "$1/emitted.cu" -o "$1/naive.o" && naive=("$1/naive.o")
  fi
  # shellcheck disable=SC2086
  nvcc -O1 -lineinfo -std=c++17 -arch=native $options "$1/driver.cu" "${naive[@]}" \
    -o "$1/driver" >"$1/log" 2>&1 || echo "$(basename "$1"): does not compile"
}

examine() { # FOLDER
  local line status=0 output code=0 tool
  [ -x "$1/driver" ] || return 1
  output=$(timeout 120 "$1/driver" 2>&1) || code=$?
  line=$(grep -E '^(verified|FAIL)' <<<"$output" | head -1)
  # 4: some kernel of the file is not for these sizes.
  if [ "$code" -ne 0 ] && [ "$code" -ne 4 ]; then
    line="FAILED $line"
    status=1
  fi
  line=$(printf '%-20s %s;' "$(basename "$1")" "$line")
  for tool in memcheck racecheck initcheck synccheck; do
    code=0
    timeout 240 compute-sanitizer --tool "$tool" --error-exitcode 9 \
      "$1/driver" >"$1/$tool" 2>&1 || code=$?
    if [ "$code" -eq 0 ] || [ "$code" -eq 4 ]; then
      line+=" $tool"
    else
      line+=" $tool-FAILED"
      status=1
    fi
  done
  echo "$line"
  return $status
}

build() {
  export -f compile
  printf '%s\0' "$dir"/*/ | xargs -0 -P "$(nproc)" -I{} bash -c 'compile {}'
}

check() {
  export -f examine
  # The programs are small: several share the GPU.
  printf '%s\0' "$dir"/*/ | xargs -0 -P 8 -I{} bash -c 'examine {}'
}

run() {
  build
  check
}

"$mode"
