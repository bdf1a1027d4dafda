#!/usr/bin/env python3
"""Counts the instructions of a kernel's innermost loops.

Usage: count.py CUBIN...   (nvcc -cubin writes one; nvdisasm is on the path)

For each instance of an emitted kernel with 32-bit offsets, the innermost loop
with the most FFMAs: loads from global, shared and constant memory, FFMAs, and
all instructions. A kernel whose loops are all unrolled counts as one.
"""

import collections
import os
import re
import subprocess
import sys

KINDS = ("FFMA", "LDGSTS", "LDG", "LDS", "LDC", "ULDC")


def instructions(section):
    """Opcode, operands and the label that stands before, in order."""
    labels, code = {}, []
    for line in section.split("\n"):
        if label := re.match(r"\s*(\.L_\w+):", line):
            labels[label[1]] = len(code)
        if found := re.match(
            r"\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_.]+)(.*)", line
        ):
            code.append(found.groups())
    return labels, code


def loops(labels, code):
    for k, (opcode, operands) in enumerate(code):
        target = re.search(r"\((\.L_\w+)\)", operands)
        if opcode.startswith("BRA") and target and labels.get(target[1], k + 1) <= k:
            yield labels[target[1]], k + 1


def count(code):
    found = collections.Counter(all=len(code))
    for opcode, _ in code:
        for kind in KINDS:
            if opcode.split(".")[0] == kind:
                found[kind] += 1
    return found


def innermost(section):
    labels, code = instructions(section)
    spans = list(loops(labels, code)) or [(0, len(code))]
    inner = [
        s
        for s in spans
        if not any(s != t and s[0] <= t[0] and t[1] <= s[1] for t in spans)
    ]
    return max((count(code[a:b]) for a, b in inner), key=lambda c: c["FFMA"])


for path in sys.argv[1:]:
    text = subprocess.run(
        ["nvdisasm", "-c", path], check=True, capture_output=True, text=True
    ).stdout
    for section in re.split(r"\n\s*\.section\s+\.text\.", text)[1:]:
        name = section.split(",", 1)[0]
        if "_tiled_kernelIi" not in name:
            continue
        found = innermost(section)
        counts = ", ".join(
            f"{found[k]} {k}" for k in KINDS if found[k] or k == "FFMA"
        )
        print(f"{os.path.basename(path)}: {counts} of {found['all']}")
