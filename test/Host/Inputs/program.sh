#!/usr/bin/env bash
# program.sh INPUT FOLDER ARGUMENT [OPTION...]
#
# Tiles the program INPUT with these options of convopt, builds both on the CPU,
# runs both with ARGUMENT and prints what the tiled one prints, which is what
# the naive one prints. Other sources of the program are in WITH; CALLS are their
# options in the tiled one.
set -euo pipefail

input=$1 work=$2 argument=$3
shift 3
folder=$(dirname -- "$input")
inputs=$(cd -- "$(dirname -- "$0")" && pwd)
rm -rf -- "$work"
mkdir -p -- "$work"
cxx=("$HOST_CLANGXX" -w -O1 -ffp-contract=off "-I$HOST_FILES/include"
  "-I$inputs/../../../include/convopt/Verify" -iquote "$folder")

"$CONVOPT" "$input" "$@" -o "$work/tiled.cu" 2>"$work/remarks"

# compile FILE OBJECT [OPTION...]: as C or C++, by the name of the file
compile() {
  local language=(-std=c++17)
  [[ $1 != *.c ]] || language=(-x c)
  "${cxx[@]}" "${language[@]}" "${@:3}" -c "$1" -o "$2"
}

# build NAME FILE [OPTION...]: the part that nvcc compiles, and that of C where
# there is one; other sources with these options
build() {
  local objects=() other
  if [[ $input == *.c ]]; then
    "${cxx[@]}" -x c -c "$2" -o "$work/$1.o"
    objects=("$work/$1.o")
  fi
  if [[ $input != *.c || $1 == tiled ]]; then
    "$HOST_FILES/convopt-host-launches" <"$2" >"$work/$1.cpp"
    compile "$work/$1.cpp" "$work/$1-host.o"
    objects+=("$work/$1-host.o")
  fi
  for other in ${WITH-}; do
    compile "$folder/$other" "$work/$1-$other.o" "${@:3}"
    objects+=("$work/$1-$other.o")
  done
  "${cxx[@]}" "${objects[@]}" -lboost_context -o "$work/$1"
}
build naive "$input"
# shellcheck disable=SC2086 # several options
build tiled "$work/tiled.cu" ${CALLS-}
"$work/naive" "$argument" >"$work/naive.out" 2>"$work/naive.err"
"$work/tiled" "$argument" >"$work/tiled.out" 2>"$work/tiled.err"
diff "$work/naive.out" "$work/tiled.out"
if grep 'running the original' "$work/tiled.err"; then exit 1; fi
cat "$work/tiled.out"
