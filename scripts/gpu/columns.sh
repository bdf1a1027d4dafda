#!/usr/bin/env bash
# Times the kernels that store an image's columns (-algorithm=im2col), alone,
# beside a plain copy that reads and writes as many bytes in all.
#   columns.sh emit DIR [CONVOPT]   where convopt is: layers of
#                                   examples/shapes.csv whose matrix has at most
#                                   4 GB and 2^31 elements
#   columns.sh run DIR              where the GPU is: builds with nvcc, prints
#                                   bytes, times and GB/s of each layer
set -euo pipefail
mode=$1 dir=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..

emit() {
  local convopt=${3:-$root/build/bin/convopt}
  local name n c h w k r s padH padW strideH strideW groups outputs
  mkdir -p "$dir"
  cp "$here"/columns.{sh,cu} "$dir"
  while IFS=, read -r name _ n c h w k r s padH padW strideH strideW groups _; do
    outputs=$((n * ((h + 2 * padH - r) / strideH + 1) * ((w + 2 * padW - s) / strideW + 1)))
    ((groups == 1 && outputs * c * r * s <= 1000000000)) || continue
    "$convopt" "$root/scripts/gpu/conv_strided.cpp" -q -algorithm=im2col \
      -assume="K=$k,N=$n,C=$c,H=$h,W=$w,R=$r,S=$s,pad_h=$padH,pad_w=$padW,stride_h=$strideH,stride_w=$strideW" \
      -o "$dir/$name.cu" 2>"$dir/$name.log" || continue
    echo "$n, $c, $h, $w, $k, $r, $s, $padH, $padW, $strideH, $strideW" >"$dir/$name.sizes"
  done < <(tail -n +2 "$root/examples/shapes.csv")
}

compile() { # NAME
  local text elements blocks
  text=$(sed -n '/^cudaError_t .*_launch(/,/^}/p' "$dir/$1.cu" | tr -d '\n')
  elements=$(sed -E 's/.* x_g_elements = [a-z_]*\(\{([^}]*)\}.*/\1/; s/,/ */g' <<<"$text")
  blocks=$(sed -E 's/.*_pack_x_g[^{}]*; *pack[0-9]*<<<\(unsigned\)(.*), 256, *0, *stream>>>\( *x, x_g.*/\1/' <<<"$text")
  nvcc -O3 -std=c++17 -arch=native -w "-DLAYER=\"$1.sizes\"" \
    "-DEMITTED=\"$1.cu\"" "-DELEMENTS=1L * $elements" "-DBLOCKS=$blocks" \
    $(grep -q 'pack_x_g<int>' "$dir/$1.cu" && echo -DWIDE) "$dir/columns.cu" -o "$dir/$1.run"
}

run() {
  local sizes name
  export dir
  export -f compile
  for sizes in "$dir"/*.sizes; do basename "$sizes" .sizes; done |
    xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' _
  echo '| layer | MB read | MB written | us | GB/s | copy, us | GB/s | of the copy |'
  echo '|---|---:|---:|---:|---:|---:|---:|---:|'
  for sizes in "$dir"/*.sizes; do
    name=$(basename "$sizes" .sizes)
    echo "| $name $("$dir/$name.run")"
  done
}

"$mode" "$@"
