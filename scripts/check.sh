#!/usr/bin/env bash
# What quickstart.sh does, then every test. The last line is
# "N passed, N failed", with ", N skipped" where tests could not run here; the
# exit status is 0 only where some passed and none failed.
set -euo pipefail

# shellcheck source=scripts/setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

quickstart
build_targets all convopt-unit-tests

say "testing"
results=$build/test-results.json
rm -f -- "$results"
# The results say what failed, and more.
LIT_OPTS="-j$jobs ${LIT_OPTS:-}" ninja -C "$build" check-convopt || true
[ -s "$results" ] || die "no test was run"

if ! nvidia-smi -L >/dev/null 2>&1; then
  say "no GPU here: tests that need one are skipped"
fi

python3 - "$results" <<'PY'
import collections
import json
import sys

codes = collections.Counter(
    test["code"] for test in json.load(open(sys.argv[1]))["tests"]
)
passed = sum(codes.pop(c, 0) for c in ("PASS", "FLAKYPASS", "XFAIL"))
skipped = sum(codes.pop(c, 0) for c in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"))
failed = sum(codes.values())
line = f"{passed} passed, {failed} failed"
print(line + (f", {skipped} skipped" if skipped else ""))
sys.exit(0 if passed and not failed else 1)
PY
