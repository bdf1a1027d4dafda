#!/usr/bin/env python3
"""Fills what docs/seeds.md takes from elsewhere.

Usage: seeds.py CONVOPT [--check]

A block of the page begins with one of these comments and ends at
<!-- end -->; what stands between them is written anew:

  <!-- kernel NAME: TEXT -->   the kernel that examples/schedules/NAME.sched
                               makes, from the first line that holds TEXT to the
                               end of what begins there, without places
  <!-- kernel NAME FUNCTION: TEXT -->   the same of another function, such as
                               run, which copies and launches
  <!-- lines NAME -->          how many lines that kernel has
  <!-- times SHAPE NAME ... -->  measured times of schedules at a shape of
                               examples/shapes.csv, from docs/results/*.json;
                               naive@SOURCE is the naive kernel of a source

and so is what stands between these within a line:

  <!-- share SHAPE NAME -->    what a time is of the FFMA ceiling
  <!-- ratio SHAPE NAME ... -->  times beside the first one's, `1 to 0.5`; NAMEs
                               may be times themselves, without a SHAPE

With --check nothing is written; the exit status is 1 where the page's kernels
or line counts are not what convopt emits, the times not what was measured, or
the bytes that kernels ask for not what their nests do (asked.py).
"""

import glob
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # beside what is imported
import asked

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs", "seeds.md")


def emitted(convopt, name, function="kernel"):
    """The text of the kernel that a schedule makes of its source, or of
    another function."""
    schedule = os.path.join(ROOT, "examples", "schedules", name + ".sched")
    with open(schedule, encoding="utf-8") as file:
        source, *options = file.readline()[2:].split(":")[0].split()
    command = [convopt, os.path.join(ROOT, source), *options]
    command += ["-schedule=" + schedule, "-o", "-"]
    text = subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout
    head = text.rindex("\n", 0, text.index("_tiled_" + function + "("))
    head = text.rindex("\n\n", 0, head + 1)
    body = text[head:]
    lines = body[: body.index("\n}\n") + 2].strip().split("\n")
    return [re.sub(r"\s*// \S+:\d+$", "", line) for line in lines]


def excerpt(lines, start):
    """From the line that holds start to the last that belongs to it."""
    first = next((k for k, line in enumerate(lines) if start in line), None)
    if first is None:
        sys.exit(f"no line of the kernel holds '{start}'")
    indent = re.match(" *", lines[first]).group()
    while first > 0 and lines[first - 1] == "#pragma unroll":
        first -= 1
    depth = 0
    for last, line in enumerate(lines[first:], first):
        depth += sum(map(line.count, "({[")) - sum(map(line.count, ")}]"))
        if depth == 0 and line.endswith((";", "}")):
            break
    return [line.removeprefix(indent) for line in lines[first : last + 1]]


def measurements():
    """By shape and schedule: the cells of a row; of the last file by name."""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "docs", "results", "*.json"))):
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        ceiling = report["environment"].get("ffma_ceiling_flops")
        date = report["environment"]["date"][:16].replace("T", " ")
        for row in report["rows"]:
            if row.get("status") != "measured":
                continue
            name = re.sub(r"^-schedule=|\.sched$", "", row["kernel"])
            if name == "naive":
                name += "@" + report["source_name"].removesuffix(".nest")
            time = next(row[k]["median_ms"] for k in ("cold", "warm") if k in row)
            rate = row["facts"]["flops"] / time * 1e3
            share = f"{100 * rate / ceiling:.0f} %" if ceiling else ""
            cells = [f"{time:.4g}", f"{rate / 1e12:.3g}", share, date]
            # Of several, the latest.
            key = row["shape"], name
            found[key] = max(found.get(key, cells), cells, key=lambda c: c[-1])
    return found


def times(found, shape, names):
    yield "| kernel | ms | TFLOP/s | of the FFMA ceiling | measured |"
    yield "|---|---:|---:|---:|---|"
    for name in names:
        cells = found.get((shape, name), ["", "", "", "not yet"])
        yield f"| {name.split('@')[0]} | " + " | ".join(cells) + " |"


def inline(found, kind, words):
    shape, *names = words
    if kind == "share":
        return found[shape, *names][2]
    given = re.fullmatch(r"[\d.]+", shape)
    all_times = words if given else [found[shape, name][0] for name in names]
    first, *others = map(float, all_times)
    return " to ".join(["1", *(f"{time / first:.2f}" for time in others)])


def block(convopt, found, kind, rest):
    if kind == "kernel":
        which, start = rest.split(": ", 1)
        code = excerpt(emitted(convopt, *which.split()), start)
        return ["```cpp", *code, "```"]
    if kind == "lines":
        return [f"{len(emitted(convopt, rest))} lines."]
    shape, *names = rest.split()
    return list(times(found, shape, names))


def main():
    convopt, *flags = sys.argv[1:]
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    found = measurements()

    def fill(match):
        lines = block(convopt, found, match["kind"], match["rest"])
        return "\n".join([match["head"], *lines, "<!-- end -->"])

    pattern = (
        r"(?P<head><!-- (?P<kind>kernel|lines|times) (?P<rest>.*) -->)\n"
        r"(?:(?!<!-- (?:kernel|lines|times) ).*\n)*?<!-- end -->"
    )
    filled = re.sub(pattern, fill, page)
    filled = re.sub(
        r"(<!-- (share|ratio) (.*?) -->).*?(<!-- end -->)",
        lambda m: m[1] + inline(found, m[2], m[3].split()) + m[4],
        filled,
    )
    if "--check" not in flags:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(filled)
        return
    if filled != page:
        import difflib

        sys.stdout.writelines(
            difflib.unified_diff(
                page.splitlines(True), filled.splitlines(True), "docs/seeds.md", "now"
            )
        )
        sys.exit(1)
    if wrong := list(asked.mistakes(convopt, ROOT, page)):
        sys.exit("\n".join(wrong))
    print("docs/seeds.md is up to date")


if __name__ == "__main__":
    main()
