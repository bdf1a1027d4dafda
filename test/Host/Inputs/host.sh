#!/usr/bin/env bash
# host.sh INPUT FOLDER [OPTION...]
#
# Tiles INPUT with these options of convopt and calls the emitted functions as
# the lines of INPUT say that begin with `// CALL: `:
#
#   // CALL: conv<float, 3>(70, 53)
#
# is a call of `conv_tiled<float, 3>` and of its launcher, or, where INPUT has
# kernels, of their caller `conv<float, 3>` in the emitted file. The arguments
# are those that are no pointers; Host.h has the arrays.
set -euo pipefail

input=$1 work=$2
shift 2
inputs=$(cd -- "$(dirname -- "$0")" && pwd)
include=("-I$HOST_FILES/include" "-I$inputs/../../../include/convopt/Verify")
rm -rf -- "$work"
mkdir -p -- "$work"

# shellcheck disable=SC2054 # the comma is the option's
record=(-O0 -fsanitize-coverage=func,trace-loads,trace-stores)
run=(-O0 -fsanitize=address)
common=(-w -ffp-contract=off "${include[@]}" "-I$(dirname -- "$input")")
cxx=("$HOST_CLANGXX" -x c++ -std=c++17 "${common[@]}")
# With the sanitizers' runtimes BFD's linker takes as long as the compiler.
linker=$(command -v ld.lld || command -v ld.gold || true)

"$CONVOPT" "$input" "$@" -o "$work/emitted.cu"

# Calls as those of host::record and host::run.
calls() {
  local pattern='^ *// CALL: ([A-Za-z_0-9:]+)(<.*>)?\((.*)\)$' found=
  while IFS= read -r line; do
    [[ $line =~ $pattern ]] || continue
    found=1
    "$1" "${line#*CALL: }" "${BASH_REMATCH[@]:1:3}"
  done <"$input"
  [ -n "$found" ] || { echo "$input: no CALL" >&2; exit 1; }
}
record_call() { echo "  host::record(\"$1\", &$2$3, {$4});"; }
header=/dev/null
inLoopsPlace=
if grep -q '_\(nest\|body\)[0-9]*_tiled(' "$work/emitted.cu"; then inLoopsPlace=1; fi
# A caller of the tiled code, of kernels or in the place of loops.
if [ -n "$inLoopsPlace" ] || grep -q __global__ "$input"; then
  run_call() { echo "  host::run(\"$1\", {$4}, &$2$3);"; }
# The launcher takes more than the function, which is C and in no file of C++.
elif grep -q '_tiled_flat(' "$work/emitted.cu"; then
  header=$work/emitted.h
  "$CONVOPT" "$input" "$@" -q -emit=header -o "$header" 2>/dev/null
  run_call() { echo "  host::run(\"$1\", {$4}, &$2_tiled);"; }
else
  run_call() {
    echo "  host::run(\"$1\", {$4}, &$2_tiled_launch$3, &$2_tiled$3);"
  }
fi

# program NAME MODE CALL OPTION...: the text on standard input and the calls
program() {
  local name=$1 mode=$2 call=$3
  shift 3
  {
    cat
    echo 'int main(int, char **argv) {'
    echo "  host::file = std::fopen(argv[1], \"$mode\");"
    echo '  if (!host::file) return 1;'
    calls "$call"
    echo '  std::fclose(host::file);'
    echo '}'
  } >"$work/$name.cpp"
  "${cxx[@]}" "$@" -include-pch "$HOST_FILES/$name.pch" "$work/$name.cpp" \
    -x none "${objects[@]}" "$HOST_FILES/$name.o" -lboost_context \
    ${linker:+"--ld-path=$linker"} -o "$work/$name"
}

tiled() {
  cat "$header"
  if [[ -n $inLoopsPlace && $input == *.c ]]; then callers; fi
  "$HOST_FILES/convopt-host-launches" <"$work/emitted.cu"
}

# What is C: the naive code, and what calls the tiled one.
objects=()
if [[ $input == *.c ]]; then
  c_object() {
    local -n options=$1
    "${HOST_CLANGXX%++}" -x c "${options[@]}" "${common[@]}" \
      -c "$2" -o "$work/c-$1.o"
  }
  c_object run "$work/emitted.cu"
  if [ -n "$inLoopsPlace" ]; then
    c_object record "$input"
    # The first lines of the function's definition.
    c_declaration() {
      echo "extern \"C\" $(sed -n "/^[a-z].*\b$2(/,/{/p" "$input" |
        tr '\n' ' ' | sed 's/{.*/;/')"
    }
    callers() { calls c_declaration | sort -u; }
    naive() { callers; }
  else
    c_object record "$work/emitted.cu"
    c_declaration() { echo "extern \"C\" decltype($2_tiled) $2;"; }
    naive() {
      tiled
      calls c_declaration | sort -u
    }
  fi
  objects=("$work/c-record.o")
else
  naive() { "$HOST_FILES/convopt-host-launches" <"$input"; }
fi

objects+=("$HOST_FILES/recorder.o")
naive | program record wb record_call "${record[@]}"
"$work/record" "$work/touched"

objects=()
if [[ $input == *.c ]]; then objects=("$work/c-run.o"); fi
tiled | program run rb run_call "${run[@]}"
ASAN_OPTIONS=detect_leaks=0 "$work/run" "$work/touched" >"$work/out" \
  2>"$work/err" || {
  cat "$work/out" "$work/err"
  exit 1
}
cat "$work/out"
# What falls back says so.
if [ -s "$work/err" ]; then
  cat "$work/err"
  exit 1
fi
