#!/usr/bin/env bash
# Runs what build.sh left beside this script, on a machine with a GPU: every
# verification, the same under compute-sanitizer, then the times.
# Usage: run.sh [CHANNELS WIDTH]
set -uo pipefail
cd "$(dirname "$0")"
channels=${1:-64} width=${2:-2048}
failed=0
nvidia-smi --query-gpu=name,driver_version,clocks.sm --format=csv,noheader
nvcc --version | tail -2 | head -1
for program in ./verify-*; do
  echo "## $program"
  "$program" | tail -1 || failed=1
  compute-sanitizer --tool memcheck --error-exitcode 9 "$program" \
    > memcheck.log 2>&1
  status=$?
  [ $status -eq 0 ] || failed=1
  echo "memcheck: exit $status, $(grep 'ERROR SUMMARY' memcheck.log)"
done
echo "| kernel | R | naive ms | TFLOP/s | tiled ms | TFLOP/s | ratio | of FFMA | result |"
for program in ./measure-*; do
  "$program" "${program#./measure-}" "$channels" "$width" || failed=1
done
python3 cudnn.py "$channels" "$width" || true
exit $failed
