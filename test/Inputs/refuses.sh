#!/usr/bin/env bash
# refuses.sh STATUS INPUT ARGUMENT...
#
# Runs `convopt INPUT ARGUMENT... -o OUT` and succeeds where it exits with
# exactly STATUS, says why on stderr, leaves neither OUT nor anything else
# behind, and leaves INPUT as it was. The messages come out on stdout. Beside
# INPUT, only names that begin as its own does are looked at: a test's
# temporary files share their folder with those of tests that run meanwhile.
expected=$1
input=$2
shift 2

fail() {
  echo "refuses.sh: $1" >&2
  exit 1
}

scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/out"
cp -- "$input" "$scratch/before" || fail "cannot read $input"
name=$(basename -- "$input")
beside() {
  find "$(dirname -- "$input")" -mindepth 1 -name "${name%%.*}*" | sort
}
beside >"$scratch/beside-before"

"$CONVOPT" "$input" "$@" -o "$scratch/out/tiled.cu" \
  >"$scratch/stdout" 2>"$scratch/stderr"
actual=$?
cat "$scratch/stderr"

[ "$actual" -eq "$expected" ] ||
  fail "expected exit status $expected, got $actual"
[ -s "$scratch/stderr" ] || fail "nothing was said"
[ ! -s "$scratch/stdout" ] || fail "wrote to stdout: $(cat "$scratch/stdout")"
left=$(ls -A "$scratch/out")
[ -z "$left" ] || fail "left behind: $left"
cmp -- "$input" "$scratch/before" || fail "the input was changed"
beside | cmp - "$scratch/beside-before" ||
  fail "something was left beside the input"
