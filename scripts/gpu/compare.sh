#!/usr/bin/env bash
# Times the kernels of two builds of convopt, or of one with other options,
# against each other, layer by layer of examples/shapes.csv, in one run: what a
# change costs and gains. Sizes are known (-assume=); depthwise layers are left
# out.
#   compare.sh emit BEFORE AFTER DIR   where both convopt are, each with options
#                                      ("build/bin/convopt -ffast-math");
#                                      layers whose output is the same have no
#                                      kernel
#   compare.sh run DIR                 where the GPU is: builds with nvcc, prints
#                                      both times of each layer, cold L2, in ms,
#                                      and how far the outputs are apart
# ONLY='vgg4 odd' names the layers.
set -euo pipefail
mode=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..

emit() { # BEFORE AFTER DIR
  local -A convopt=([before]=$1 [after]=$2)
  local dir=$3 name n c h w k r s padH padW strideH strideW groups sizes build
  mkdir -p "$dir"
  cp "$here/compare.sh" "$here/compare.cu" "$dir"
  : >"$dir/layers"
  while IFS=, read -r name _ n c h w k r s padH padW strideH strideW groups _; do
    [ "$groups" = 1 ] || continue
    [[ -z ${ONLY-} || " $ONLY " == *" $name "* ]] || continue
    sizes=K=$k,N=$n,C=$c,H=$h,W=$w,R=$r,S=$s,pad_h=$padH,pad_w=$padW
    sizes+=,stride_h=$strideH,stride_w=$strideW
    for build in before after; do
      # shellcheck disable=SC2086 # options
      ${convopt[$build]} "$root/scripts/gpu/conv_strided.cpp" \
        -assume="$sizes" -o "$dir/$name-$build.cu" 2>/dev/null
    done
    echo "$n, $c, $h, $w, $k, $r, $s, $padH, $padW, $strideH, $strideW" \
      >"$dir/$name.sizes"
    # The command stands in a comment.
    cmp -s <(grep -v '^//' "$dir/$name-before.cu") \
      <(grep -v '^//' "$dir/$name-after.cu") || echo "$name" >>"$dir/layers"
  done < <(tail -n +2 "$root/examples/shapes.csv")
  wc -l <"$dir/layers"
}

compile() { # DIR NAME
  local build
  for build in before after; do
    nvcc -O3 -std=c++17 -arch=native -w -cudart shared -shared \
      -Xcompiler -fPIC "-DLAYER=\"$2.sizes\"" "-DEMITTED=\"$2-$build.cu\"" \
      "$1/compare.cu" -o "$1/$2-$build.so"
  done
}

run() { # DIR
  export -f compile
  xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' _ "$1" <"$1/layers"
  nvcc -O3 -std=c++17 -arch=native -cudart shared "$1/compare.cu" \
    -o "$1/compare" -ldl
  "$1/compare" "$1" <"$1/layers"
}

"$mode" "$@"
