#!/usr/bin/env bash
# Whole programs before and after convopt: what each prints, and its times.
#   programs.sh emit DIR   tiles examples/programs (needs convopt: CONVOPT=...)
#   programs.sh run DIR    builds and runs both on a GPU, prints a table
set -euo pipefail
mode=$1 dir=$2
root=$(cd "$(dirname "$0")/../.." && pwd)

emit() {
  local source options
  mkdir -p "$dir"
  cp "$0" "$root"/examples/programs/* "$dir"
  for source in "$dir"/*.c "$dir"/*.cpp "$dir"/*.cu; do
    options=()
    [[ $source != */small_cnn.cpp ]] || options=(-function=ConvLayer::forward)
    mkdir -p "$dir/tiled"
    "${CONVOPT:-$root/build/bin/convopt}" "$source" "${options[@]}" \
      -o "$dir/tiled/$(basename "${source%.*}").cu"
  done
}

# build SOURCE: the naive program as it is, and the tiled one with nvcc; sums of
# host code are not contracted, as the host's compiler does not.
build() {
  local source=$1 name
  name=$(basename "${source%.*}")
  local tiled=(nvcc -O3 -std=c++17 -arch=native "$dir/tiled/$name.cu")
  case $source in
  *.c)
    gcc -O3 "$source" -o "$dir/$name-naive"
    gcc -O3 -x c -c "$dir/tiled/$name.cu" -o "$dir/$name.o"
    tiled+=(-fmad=false "$dir/$name.o")
    ;;
  *.cpp)
    g++ -O3 -std=c++17 "$source" -o "$dir/$name-naive"
    tiled+=(-fmad=false)
    ;;
  *) nvcc -O3 -std=c++17 -arch=native "$source" -o "$dir/$name-naive" ;;
  esac
  "${tiled[@]}" -o "$dir/$name-tiled"
}

run() {
  local source name which
  for source in "$dir"/*.c "$dir"/*.cpp "$dir"/*.cu; do
    name=$(basename "${source%.*}")
    build "$source"
    for which in naive tiled; do # the second run has warm caches
      "$dir/$name-$which" >/dev/null 2>&1
      "$dir/$name-$which" >"$dir/$name-$which.out" 2>"$dir/$name-$which.err"
    done
    if cmp -s "$dir/$name-naive.out" "$dir/$name-tiled.out"; then
      echo "$name: the same $(wc -l <"$dir/$name-naive.out") lines"
    else
      echo "$name: DIFFERENT"
      diff "$dir/$name-naive.out" "$dir/$name-tiled.out" || true
    fi
    paste -d'|' "$dir/$name-naive.err" "$dir/$name-tiled.err" |
      sed 's/^/  before: /; s/|/; after: /'
  done
}

"$mode"
