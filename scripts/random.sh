#!/usr/bin/env bash
# Runs many random cases on all cores: scripts/random.sh BINARY CASES JOBS SEED,
# BINARY being test/unit/RandomTests of a build folder. Prints the sum of all
# counts and every failure, with its seed; the exit status is 0 only where
# nothing failed. CONVOPT_RANDOM_* of the environment are passed on
# (docs/Testing.md); CONVOPT_RANDOM_TEST names another test of RandomEmission.
# Needs neither compiler nor build folder.
set -euo pipefail

[ $# -eq 4 ] || {
  echo "usage: $0 BINARY CASES JOBS SEED" >&2
  exit 1
}
binary=$(realpath -- "$1") cases=$2 jobs=$3 seed=$4
work=$(mktemp -d)
test=${CONVOPT_RANDOM_TEST:-WhatIsEmittedComputesTheSame}

# Slices are short, so that all cores are busy to the end. A seed is four cases.
slice=$((cases / jobs / 16 / 4 * 4))
[ "$slice" -ge 100 ] || slice=100
slices=$(((cases + slice - 1) / slice))

one() {
  local first=$((seed + $1 * slice / 4))
  CONVOPT_RANDOM_SEED=$first CONVOPT_RANDOM_CASES=$slice "$binary" \
    --gtest_filter="RandomEmission.$test" \
    >"$work/$1.log" 2>&1 || echo "slice of seed $first: status $?" >"$work/$1.failed"
  echo "slice $(find "$work" -name '*.log' | wc -l) of $slices: seed $first" >&2
}
export -f one
export seed slice slices binary work test

report() {
  local failed failures
  for failed in "$work"/*.failed; do
    [ -e "$failed" ] || break
    cat "$failed" "${failed%.failed}.log"
  done
  awk -F'|' '
    /^\| [a-z].* \| [0-9]+ \|$/ {
      if ($2 !~ /^ first/) sum[$2] += $3
      else if (!($2 in sum) || $3 + 0 < sum[$2]) sum[$2] = $3 + 0
    }
    END { for (what in sum) printf "|%s| %d |\n", what, sum[what] }' \
    "$work"/*.log | LC_ALL=C sort | {
    printf '| what | count |\n|---|---:|\n'
    cat
  }
  failures=$(find "$work" -name '*.failed' | wc -l)
  echo "$failures of $slices slices failed; $(($(date +%s) - start)) s on $jobs processes"
  rm -rf -- "$work"
  [ "$failures" -eq 0 ]
}
# What slices found stands, too, where a time limit ends the run.
trap report EXIT
trap 'exit 1' TERM INT

start=$(date +%s)
seq 0 $((slices - 1)) | xargs -P "$jobs" -I{} bash -c 'one {}'
