#!/usr/bin/env bash
# link.sh FILE[:naive]...
#
# Compiles each FILE on the CPU, links them and runs the program. A main
# function of a FILE:naive is none.
set -euo pipefail

verify=$(cd -- "$(dirname -- "$0")/../../../include/convopt/Verify" && pwd)
cxx=("$HOST_CLANGXX" -w -O1 -ffp-contract=off "-I$HOST_FILES/include" "-I$verify" -I.)

objects=()
for name in "$@"; do
  options=()
  file=${name%:naive}
  [ "$file" = "$name" ] || options=(-Dmain=naive_main)
  case $file in
  *.c) "${cxx[@]}" "${options[@]}" -x c -c "$file" -o "$file.o" ;;
  *)
    "$HOST_FILES/convopt-host-launches" <"$file" >"$file.cpp"
    "${cxx[@]}" "${options[@]}" -include cuda_runtime.h -std=c++17 -c "$file.cpp" -o "$file.o"
    ;;
  esac
  objects+=("$file.o")
done
"${cxx[@]}" "${objects[@]}" -lboost_context -o program
./program
