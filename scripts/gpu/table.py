#!/usr/bin/env python3
"""Prints results of convopt-bench as a table, a row for each layer.

Usage: table.py [-order=SHAPES.csv] FILE.json...

A row has the kernel's cold milliseconds, its share of the FFMA ceiling of the
same run, the naive kernel's and cuDNN's milliseconds, and what they are of the
kernel's. Rows are in the order of the csv, or of the files.
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

print("| layer | ms | of FFMA | naive, ms | x naive | cuDNN FP32, ms | x cuDNN |"
      " cuDNN's algorithm |")
print("|---|---:|---:|---:|---:|---:|---:|---|")
for layer in [n for n in order if n in files] or files:
    with open(files[layer]) as f:
        result = json.load(f)
    rows = {}
    for row in result["rows"]:
        name = row["kernel"]
        rows[name if name in ("naive", "cuDNN FP32") else "kernel"] = row

    def milliseconds(name):
        return ((rows.get(name) or {}).get("cold") or {}).get("median_ms")

    kernel = milliseconds("kernel")
    if not kernel:
        continue
    ceiling = result["environment"]["ffma_ceiling_flops"]
    share = rows["kernel"]["facts"]["flops"] / (kernel * 1e-3) / ceiling
    cells = [layer, f"{kernel:.4g}", f"{100 * share:.0f} %"]
    for name in ("naive", "cuDNN FP32"):
        other = milliseconds(name)
        cells += [f"{other:.4g}", f"{other / kernel:.2f}"] if other else ["", ""]
    note = (rows.get("cuDNN FP32") or {}).get("note", "")
    cells.append(re.split("[,;]", note)[0])
    print("| " + " | ".join(cells) + " |")
