#!/usr/bin/env bash
# Whole programs before and after convopt: what each prints, and its times.
#   programs.sh emit DIR   tiles examples/programs (needs convopt: CONVOPT=...),
#                          and has CMake build examples/projects and convopt
#                          verify them on the CPU (needs nvcc)
#   programs.sh run DIR    builds and runs both on a GPU, prints a table;
#                          `verify.sh run DIR/verify` verifies the projects there
set -euo pipefail
mode=$1 dir=$2
root=$(cd "$(dirname "$0")/../.." && pwd)

# A folder for each program, with its sources; a tiled one is STEM_tiled.cu in a
# folder of that.
emit() {
  local path name options source verify
  local convopt=${CONVOPT:-$root/build/bin/convopt}
  mkdir -p "$dir"
  cp "$root"/scripts/gpu/{programs,verify}.sh "$dir"
  for path in "$root"/examples/programs/*; do
    name=$(basename "${path%.*}")
    options=()
    [[ $name != small_cnn ]] || options=(-function=ConvLayer::forward)
    mkdir -p "$dir/$name/tiled"
    cp "$path" "$dir/$name"
    "$convopt" "$path" "${options[@]}" -o "$dir/$name/tiled/${name}_tiled.cu"
  done
  cmake --install "$(dirname "$convopt")/.." --prefix "$dir/prefix" \
    --component Tools >"$dir/install.log"
  for path in "$root"/examples/projects/*/; do
    name=$(basename "$path")
    rm -rf "${dir:?}/$name"
    cp -r "$path" "$dir/$name"
    cmake -S "$dir/$name" -B "$dir/$name/build" -DCMAKE_CUDA_ARCHITECTURES=90 \
      -DCMAKE_PREFIX_PATH="$(realpath "$dir/prefix")"
    cmake --build "$dir/$name/build"
    verify=$dir/verify/$name
    mkdir -p "$verify"
    for source in "$dir/$name"/*.c*; do
      [ -n "$(tiled "$source")" ] || continue
      "$convopt" "$source" -q -verify=cpu -o "$verify/emitted.cu"
      "$convopt" "$source" -q -emit=verify-driver -o "$verify/driver.cu"
    done
  done
}

# What became of SOURCE, if it was tiled.
tiled() {
  find "$(dirname "$1")" -name "$(basename "${1%.*}")_tiled.cu"
}

# compile SOURCE OBJECT [OPTION...]
compile() {
  case $1 in
  *.c) gcc -O3 "${@:3}" -c "$1" -o "$2" ;;
  *.cpp) g++ -O3 -std=c++17 "${@:3}" -c "$1" -o "$2" ;;
  *) nvcc -O3 -std=c++17 -arch=native "${@:3}" -c "$1" -o "$2" ;;
  esac
}

# build FOLDER: the program as it is, and with what is tiled.
build() {
  local source object file naive=() tiles=() calls=()
  # CMake has calls in other sources go to the tiled function.
  [ ! -e "$1/CMakeLists.txt" ] || mapfile -t calls < \
    <(sed -n 's/^target_compile_definitions(.* PRIVATE \(.*\))$/-D\1/p' "$1/CMakeLists.txt")
  mkdir -p "$1/objects"
  for source in "$1"/*.c "$1"/*.cpp "$1"/*.cu; do
    [ -e "$source" ] || continue
    object=$1/objects/$(basename "$source")
    compile "$source" "$object.o"
    naive+=("$object.o")
    file=$(tiled "$source")
    if [ -z "$file" ]; then
      compile "$source" "$object-calls.o" "${calls[@]}"
      tiles+=("$object-calls.o")
      continue
    fi
    if [[ $source == *.c ]]; then
      gcc -O3 -x c -c "$file" -o "$object-part.o"
      tiles+=("$object-part.o")
    fi
    # Sums of host code are not contracted, as the host's compiler does not.
    if [[ $source == *.cu ]]; then
      compile "$file" "$object-tiled.o"
    else
      compile "$file" "$object-tiled.o" -fmad=false
    fi
    tiles+=("$object-tiled.o")
  done
  nvcc "${naive[@]}" -o "$1/objects/naive"
  nvcc "${tiles[@]}" -o "$1/objects/tiled"
}

run() {
  local folder program name which
  for folder in "$dir"/*/; do
    name=$(basename "$folder")
    [[ $name != prefix && $name != verify ]] || continue
    build "${folder%/}"
    program=${folder}objects
    for which in naive tiled; do # the second run has warm caches
      "$program/$which" >/dev/null 2>&1
      "$program/$which" >"$program/$which.out" 2>"$program/$which.err"
    done
    if cmp -s "$program/naive.out" "$program/tiled.out"; then
      echo "$name: the same $(wc -l <"$program/naive.out") lines"
    else
      echo "$name: DIFFERENT"
      diff "$program/naive.out" "$program/tiled.out" || true
    fi
    paste -d'|' "$program/naive.err" "$program/tiled.err" |
      sed 's/^/  before: /; s/|/; after: /'
  done
}

"$mode"
