#!/usr/bin/env python3
"""Prints results of convopt-bench as a table, a row for each layer.

Usage: table.py [-order=SHAPES.csv] FILE.json...

A row has the kernel's cold milliseconds, its share of the FFMA ceiling of the
same run, the naive kernel's and cuDNN's milliseconds, and what they are of the
kernel's. Of several kernels the fastest counts, and the row has the first one's
milliseconds, too. Rows are in the order of the csv, or of the files.
"""

import csv
import json
import pathlib
import re
import sys

files = {}
order = []
for argument in sys.argv[1:]:
    if argument.startswith("-order="):
        with open(argument[len("-order=") :]) as f:
            order = [row[0] for row in csv.reader(f)][1:]
    else:
        files[pathlib.Path(argument).stem] = argument

def milliseconds(row):
    return ((row or {}).get("cold") or {}).get("median_ms")


results = {}
for layer in [n for n in order if n in files] or files:
    with open(files[layer]) as f:
        results[layer] = json.load(f)
others = ("naive", "cuDNN FP32")
kernels = {
    layer: [r for r in result["rows"] if r["kernel"] not in others and milliseconds(r)]
    for layer, result in results.items()
}
is_search = any(len(rows) > 1 for rows in kernels.values())
first_columns = "first, ms | of it | " if is_search else ""
print(f"| layer | {first_columns}ms | of FFMA | naive, ms | x naive |"
      " cuDNN FP32, ms | x cuDNN | cuDNN's algorithm |")
print("|---|" + "---:|" * (8 if is_search else 6) + "---|")
for layer, rows in kernels.items():
    if not rows:
        continue
    fastest = min(rows, key=milliseconds)
    kernel, first = milliseconds(fastest), milliseconds(rows[0])
    result = results[layer]
    ceiling = result["environment"]["ffma_ceiling_flops"]
    share = fastest["facts"]["flops"] / (kernel * 1e-3) / ceiling
    cells = [layer]
    if is_search:
        cells += [f"{first:.4g}", f"{kernel / first:.2f}"]
    cells += [f"{kernel:.4g}", f"{100 * share:.0f} %"]
    note = ""
    for name in others:
        row = next((r for r in result["rows"] if r["kernel"] == name), None)
        other = milliseconds(row)
        cells += [f"{other:.4g}", f"{other / kernel:.2f}"] if other else ["", ""]
        note = (row or {}).get("note") or ""
    cells.append(re.split("[,;]", note)[0])
    print("| " + " | ".join(cells) + " |")
