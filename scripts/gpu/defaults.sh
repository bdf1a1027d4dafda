#!/usr/bin/env bash
# Measures what convopt chooses by itself for layers of examples/shapes.csv,
# their sizes known (-assume=): the seed layers from sources of their own, or
# every layer from one general source, depthwise ones from another.
# Usage: defaults.sh emit BIN DIR [seed|general] [OPTION...]
#          where convopt is: nests and schedules; options of convopt
#        defaults.sh run BIN DIR [seed|general] [OPTION...]
#          where the GPU is: DIR/LAYER.json; options of convopt-bench, such as
#          -time-limit=0.3. After WITHIN=... seconds nothing is started; what
#          has a result is not measured again, so the same command goes on.
# ONLY='vgg4 odd' names the layers; {} in an option is the layer's name.
set -uo pipefail
what=$1 bin=$2 dir=$3 layers=seed
shift 3
case ${1-} in seed | general) layers=$1 && shift ;; esac
root=$(cd "$(dirname "$0")/../.." && pwd)
options=("$@")
mkdir -p "$dir"
measured=0 failed=() left=()

layer() { # NAME SOURCE FACTS
  local name=$1 source=$2 facts=$3 emission result=$dir/$1.json
  [[ -z ${ONLY-} || " $ONLY " == *" $name "* ]] || return
  if [ "$what" = emit ]; then
    for emission in nest schedule; do
      "$bin/convopt" "$root/$source" -assume="$facts" \
        "${options[@]}" -emit=$emission -o "$dir/$name.$emission" ||
        failed+=("$name")
    done
  elif [ -e "$result" ]; then
    measured=$((measured + 1))
  elif [ "$SECONDS" -ge "${WITHIN:-100000}" ]; then
    left+=("$name")
  elif "$bin/convopt-bench" "$dir/$name.nest" -mode=cold -shape="$facts" \
    -schedule="$dir/$name.schedule" "${options[@]//\{\}/$name}" \
    -o "$dir/$name.failed.json"; then
    mv "$dir/$name.failed.json" "$result"
    measured=$((measured + 1))
  else
    failed+=("$name")
  fi
}

seed() {
  local radius channels
  for radius in 1 2 4 6 8; do
    layer thesis-r$radius examples/thesis_kernel.cu \
      radius=$radius,nIn=64,nOut=64,widthIn=4096,widthOut=$((4096 - 2 * radius))
  done
  for channels in 1 8 32; do
    layer thesis-${channels}ch examples/thesis_kernel.cu \
      radius=6,nIn=$channels,nOut=$channels,widthIn=4096,widthOut=4084
  done
  layer thesis-malformed examples/thesis_kernel.cu \
    radius=1,nIn=22,nOut=22,widthIn=1500,widthOut=1498
  layer thesis-256 examples/thesis_kernel.cu \
    radius=1,nIn=4,nOut=4,widthIn=256,widthOut=254
  layer image-11x11 examples/conv_layer.cpp R=11,S=11,pad=5,N=16,C=1,K=1,H=2048,W=2048
  layer course-l1 examples/course_layer.cpp K=7,B=10000,M=4,C=1,H=86,W=86
  layer course-l2 examples/course_layer.cpp K=7,B=10000,M=16,C=4,H=40,W=40
  layer course-k5-l1 examples/course_layer.cpp K=5,B=10000,M=12,C=1,H=70,W=70
  layer course-k5-l2 examples/course_layer.cpp K=5,B=10000,M=24,C=12,H=33,W=33
}

general() {
  local name n c h w k r s padH padW strideH strideW groups sizes
  while IFS=, read -r name _ n c h w k r s padH padW strideH strideW groups _; do
    sizes=N=$n,C=$c,H=$h,W=$w,R=$r,S=$s,pad_h=$padH,pad_w=$padW
    sizes+=,stride_h=$strideH,stride_w=$strideW
    if [ "$groups" = 1 ]; then
      layer "$name" scripts/gpu/conv_strided.cpp "K=$k,$sizes"
    else # each channel a group, as in all of them
      layer "$name" scripts/gpu/conv_depthwise.cpp "$sizes"
    fi
  done < <(tail -n +2 "$root/examples/shapes.csv")
}

"$layers"
[ "$what" = emit ] || echo "$measured layers measured"
[ ${#failed[@]} -eq 0 ] || echo "failed: ${failed[*]}"
[ ${#left[@]} -eq 0 ] || echo "left for want of time: ${left[*]}"
[ ${#failed[@]} -eq 0 ] && [ ${#left[@]} -eq 0 ]
