#!/usr/bin/env bash
# hostile-names.sh SOURCE FOLDER: transforms and verifies copies of SOURCE whose
# names hold what shells and build tools trip over. Each that would run a
# command would make a file called "executed".
set -eu
source=$1
mkdir "$2"
cd "$2"

# shellcheck disable=SC2016
names=(
  'with space'
  "quote'single"
  'quote"double'
  '$(touch executed)'
  '`touch executed`'
  ';touch executed;'
  $'new\nline'
  $'end\n#error of the comment'
  'percent%s%n%d'
  '*'
  'back\slash'
  '*slash-comment'
  'ünïcödé'
)
for name in "${names[@]}"; do
  mkdir "$name"
  cp "$source" "$name/$name.cu"
  "$CONVOPT" "$name/$name.cu" -tile=4,2,2 -reg=2,2 -o "$name/tiled $name.cu" \
    -verify=cpu -shape=N=2,O=3,H=7,W=8,F=3 >"$name/log" 2>&1 || {
    status=$?
    printf 'exit status %s for %q\n' "$status" "$name"
    cat "$name/log"
    exit 1
  }
  [ -s "$name/tiled $name.cu" ] || {
    printf 'no output for %q\n' "$name"
    exit 1
  }
  cmp "$source" "$name/$name.cu"
  # Only the input, the output and the log, here and below.
  [ "$(find "$name" -type f -printf x | wc -c)" -eq 3 ]
  rm -r "$name"
done
left=$(ls -A)
[ -z "$left" ] || {
  echo "left behind: $left"
  exit 1
}

# One that begins with a dash needs the usual ./ before it.
cp "$source" ./-o.cu
"$CONVOPT" ./-o.cu -tile=4,2,2 -o ./-tiled.cu
[ -s ./-tiled.cu ]
echo 'every name worked'
