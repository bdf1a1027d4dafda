#!/usr/bin/env python3
"""Counts the instructions of a kernel's busiest loop.

Usage: count.py CUBIN...   (nvcc -cubin writes one; nvdisasm is on the path)

For each instance of an emitted kernel with 32-bit offsets, the loop with the
most FFMAs that stand in no loop inside of it, or what stands in no loop: loads
from global, shared and constant memory, FFMAs, and all instructions, those of
inner loops left out.
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


def busiest(section):
    labels, code = instructions(section)
    owner = [None] * len(code)
    # Larger loops first, so that the innermost one is left.
    for span in sorted(loops(labels, code), key=lambda s: s[0] - s[1]):
        owner[span[0] : span[1]] = [span] * (span[1] - span[0])
    own = collections.defaultdict(list)
    for span, instruction in zip(owner, code):
        own[span].append(instruction)
    return max(map(count, own.values()), key=lambda c: c["FFMA"])


for path in sys.argv[1:]:
    text = subprocess.run(
        ["nvdisasm", "-c", path], check=True, capture_output=True, text=True
    ).stdout
    for section in re.split(r"\n\s*\.section\s+\.text\.", text)[1:]:
        name = section.split(",", 1)[0]
        # Atomic sums are in a kernel after the one that clears the output.
        if not re.search("_tiled_(sums_)?kernelIi", name):
            continue
        found = busiest(section)
        counts = ", ".join(
            f"{found[k]} {k}" for k in KINDS if found[k] or k == "FFMA"
        )
        print(f"{os.path.basename(path)}: {counts} of {found['all']}")
