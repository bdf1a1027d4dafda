#!/usr/bin/env python3
"""Writes the figures of README.md from a results file of convopt-bench.

Usage: figures.py [--check]

A block begins with <!-- figures NAME --> and ends at <!-- end -->. What stands
between them is written anew from docs/results/NAME.json: the command, what it
ran on, and the speed of each kernel at each shape. With --check nothing is
written; the exit status is 1 where the page is not what the file gives.
"""

import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "README.md")


def wrapped(command, width=96):
    """The command, broken before options so that lines fit."""
    lines = [""]
    for part in re.split(r" (?='?-)", command):
        if lines[-1] and len(lines[-1]) + len(part) + 1 > width:
            lines[-1] += " \\"
            lines.append("    " + part)
        else:
            lines[-1] += (" " if lines[-1] else "") + part
    return "\n".join(lines)


def digits(value):
    """Three of them."""
    text = f"{value:#.3g}"
    return f"{value:.0f}" if "e" in text else text.rstrip(".")


def cell(rows, kernel, shape):
    for row in rows:
        if (row["kernel"], row["shape"]) != (kernel, shape):
            continue
        if row["status"] != "measured":
            return row["status"]
        time = row["cold"] if "cold" in row else row["warm"]
        return digits(row["facts"]["flops"] / time["median_ms"] / 1e9)
    return ""


def heading(rows, shape):
    """The filter, where the sizes say it."""
    sizes = next(row["sizes"] for row in rows if row["shape"] == shape)
    named = dict(part.split("=") for part in sizes.split() if "=" in part)
    if "R" not in named or "S" not in named:
        return shape
    return f"{shape}, {named['R']} x {named['S']}"


def figures(name):
    path = os.path.join(ROOT, "docs", "results", name + ".json")
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    rows, where = results["rows"], results["environment"]
    kernels = list(dict.fromkeys(row["kernel"] for row in rows))
    # A shape that the run did not come to has no column.
    measured = [row for row in rows if row["status"] == "measured"]
    shapes = list(dict.fromkeys(row["shape"] for row in measured))
    mode = "cold" if any("cold" in row for row in rows) else "warm"
    text = "```\n" + wrapped(where["command"]) + "\n```\n\n"
    text += "| TFLOP/s | "
    text += " | ".join(heading(rows, shape) for shape in shapes) + " |\n"
    text += "|---|" + "---:|" * len(shapes) + "\n"
    for kernel in kernels:
        shown = f"`{kernel}`" if "=" in kernel or "." in kernel else kernel
        cells = [cell(rows, kernel, shape) for shape in shapes]
        text += f"| {shown} | " + " | ".join(cells) + " |\n"
    text += f"\n{where['device']}, {mode} L2 cache"
    if where["ffma_ceiling_flops"] > 0:
        text += f", FFMA ceiling {digits(where['ffma_ceiling_flops'] / 1e12)}"
        text += f" TFLOP/s, copy {digits(where['copy_bandwidth_bytes'] / 1e12)}"
        text += " TB/s in the same run"
    if where["cudnn"]:
        text += f"; cuDNN {where['cudnn']}"
    return text + f"; {where['date'][:10]}, [all columns](docs/benchmarks.md).\n"


def main():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    block = re.compile(r"(<!-- figures (\S+) -->\n)(.*?)(<!-- end -->)", re.S)
    if not block.search(page):
        sys.exit("README.md has no block of figures")
    written = block.sub(lambda m: f"{m[1]}\n{figures(m[2])}\n{m[4]}", page)
    if "--check" not in sys.argv[1:]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(written)
    elif written != page:
        sys.exit("README.md has other figures than docs/results: run figures.py")


if __name__ == "__main__":
    main()
