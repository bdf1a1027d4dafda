#!/usr/bin/env python3
"""Prints one row for each result of convopt-bench.

Usage: table.py FILE.json...

The row has cold milliseconds of the kernel, its share of the FFMA ceiling of
the same run, and how many times faster than cuDNN and than the naive kernel it
is.
"""

import json
import os
import sys

print("layer            kernel ms  ceiling  x cuDNN  x naive  cuDNN ms")
for path in sys.argv[1:]:
    with open(path) as f:
        result = json.load(f)
    time = {}
    for r in result["results"] if "results" in result else result["rows"]:
        ms = (r.get("cold") or {}).get("median_ms")
        kind = r.get("name") or r.get("kernel") or ""
        time[
            "naive" if kind == "naive" else "cuDNN" if "cuDNN" in kind else "kernel"
        ] = (ms, r)
    ms, row = time.get("kernel", (None, {}))
    share = row.get("ceiling_share")

    def ratio(of):
        other = time.get(of, (None,))[0]
        return f"{other / ms:8.2f}" if ms and other else "       -"

    print(
        f"{os.path.basename(path)[:-5]:16} {ms or 0:9.4f}  "
        f"{100 * share if share else 0:6.1f}% {ratio('cuDNN')} {ratio('naive')} "
        f"{time.get('cuDNN', (0,))[0] or 0:9.4f}"
    )
