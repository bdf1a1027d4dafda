#!/usr/bin/env python3
"""Prints results of convopt-bench as a table, a row for each layer.

Usage: table.py [-order=SHAPES.csv] FILE.json...

A row has the kernel's cold milliseconds, its share of the FFMA ceiling of the
same run, the naive kernel's and cuDNN's milliseconds, and what they are of the
kernel's. Of several kernels the fastest counts, and the row has the first one's
milliseconds, too. Rows are in the order of the csv, or of the files. Below are
geometric means of the kernel's speed, in those of cuDNN's: over all layers, and
over those where cuDNN does the arithmetic of the definition.
"""

import csv
import json
import math
import re
import sys

OTHERS = ("naive", "cuDNN FP32")


def milliseconds(row):
    return ((row or {}).get("cold") or {}).get("median_ms")


order = []
layers = {}  # by name: the rows, and the ceiling of their run
for argument in sys.argv[1:]:
    if argument.startswith("-order="):
        with open(argument[len("-order=") :]) as f:
            order = [row[0] for row in csv.reader(f)][1:]
        continue
    with open(argument) as f:
        result = json.load(f)
    for row in result["rows"]:
        if milliseconds(row):
            rows, _ = layers.setdefault(
                row["shape"], ([], result["environment"]["ffma_ceiling_flops"])
            )
            rows.append(row)
layers = {
    name: layers[name]
    for name in [n for n in order if n in layers] or layers
    if any(r["kernel"] not in OTHERS for r in layers[name][0])
}


def kernels_of(rows):
    return [r for r in rows if r["kernel"] not in OTHERS]


is_search = any(len(kernels_of(rows)) > 1 for rows, _ in layers.values())
first_columns = "first, ms | of it | " if is_search else ""
print(f"| layer | {first_columns}ms | of FFMA | naive, ms | x naive |"
      " cuDNN FP32, ms | x cuDNN | cuDNN's algorithm |")
print("|---|" + "---:|" * (8 if is_search else 6) + "---|")
ratios = []  # to cuDNN, and whether it does the same arithmetic
for layer, (rows, ceiling) in layers.items():
    fastest = min(kernels_of(rows), key=milliseconds)
    kernel, first = milliseconds(fastest), milliseconds(kernels_of(rows)[0])
    share = fastest["facts"]["flops"] / (kernel * 1e-3) / ceiling
    cells = [layer]
    if is_search:
        cells += [f"{first:.4g}", f"{kernel / first:.2f}"]
    cells += [f"{kernel:.4g}", f"{100 * share:.0f} %"]
    note = ""
    for name in OTHERS:
        row = next((r for r in rows if r["kernel"] == name), None)
        other = milliseconds(row)
        cells += [f"{other:.4g}", f"{other / kernel:.2f}"] if other else ["", ""]
        note = (row or {}).get("note") or ""
        if other and name == "cuDNN FP32":
            ratios.append((other / kernel, not re.search("FFT|Winograd", note)))
    cells.append(re.split("[,;]", note)[0])
    print("| " + " | ".join(cells) + " |")
for what, some in (
    ("all layers that cuDNN runs", [r for r, _ in ratios]),
    ("those without a transform", [r for r, same in ratios if same]),
):
    if some:
        mean = math.exp(sum(map(math.log, some)) / len(some))
        print(f"\n{what}: {len(some)}, geometric mean {mean:.2f} x cuDNN")
