#!/usr/bin/env python3
"""Measures how long nvcc takes for what convopt makes of inputs by itself.

Usage: nvcc-times.py [--convopt=BIN] [--most=SECONDS] [FILE...]

Each FILE, or each example, each program of examples and each file of
test/Examples/Inputs/ordinary, is given to convopt without options, but for the
choice of a function, and the result to `nvcc -arch=sm_90 -O3`. A row of the
table that is printed says how long each took (CPU seconds, user and system),
how long the emitted file is, how many kernels it has, and the most registers
and bytes spilled of any. Templates that a file does not use are instantiated as
INSTANCES says. The exit status is 1 where nvcc took longer than --most (10) for
any.
"""

import argparse
import glob
import os
import re
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GIVE_UP = 100  # seconds of one process

# What a caller of the template would add.
INSTANCES = {
    "conv_layer.cpp": ["conv_layer_tiled<3, 3>", "conv_layer_tiled<7, 7>"],
    "course_layer.cpp": ["course_layer_tiled<3>", "course_layer_tiled<7>"],
    "thesis_template.cpp": ["conv_tiled<float, 1>", "conv_tiled<float, 3>"],
}

# What chooses one of several functions.
OPTIONS = {"small_cnn.cpp": ["-function=ConvLayer::forward"]}


def seconds(command):
    """CPU seconds of COMMAND and what it printed; exits where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_CPU, (GIVE_UP, GIVE_UP)
        ),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = sum(
        getattr(after, k) - getattr(before, k) for k in ("ru_utime", "ru_stime")
    )
    if done.returncode != 0 and taken < GIVE_UP:
        sys.exit(" ".join(command) + "\n" + done.stderr)
    return taken, done.stderr, done.returncode != 0


def most(pattern, text):
    return max((int(n) for n in re.findall(pattern, text)), default=0)


def measure(convopt, path, folder):
    emitted = os.path.join(folder, "tiled.cu")
    options = OPTIONS.get(os.path.basename(path), [])
    own, _, _ = seconds([convopt, path, *options, "-o", emitted])
    with open(emitted) as f:
        lines = len(f.readlines())
    with open(emitted, "a") as f:
        for n, instance in enumerate(INSTANCES.get(os.path.basename(path), [])):
            f.write(f"auto *const instance{n} = &{instance};\n")
    compiler, log, gave_up = seconds(
        ["nvcc", "-arch=sm_90", "-O3", "-Xptxas", "-v", "-c", emitted]
        + ["-o", os.devnull]
    )
    row = {
        "convopt": f"{own:.1f}",
        "lines": lines,
        "kernels": log.count("Function properties"),
        "nvcc": ("> " if gave_up else "") + f"{compiler:.1f}",
        "registers": most(r"Used (\d+) registers", log),
        "spilled": most(r"(\d+) bytes spill stores", log),
    }
    return row, compiler


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--convopt", default=os.path.join(ROOT, "build/bin/convopt"))
    parser.add_argument("--most", type=float, default=10)
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    files = args.files or [
        path
        for pattern in (
            "examples/*.c",
            "examples/*.cpp",
            "examples/*.cu",
            "examples/programs/*",
            "test/Examples/Inputs/ordinary/*",
        )
        for path in sorted(glob.glob(os.path.join(ROOT, pattern)))
    ]
    print("| input | convopt, s | lines | kernels | nvcc, s | registers | spilled |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    slow = False
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            row, compiler = measure(args.convopt, path, folder)
            slow |= compiler > args.most
            cells = [os.path.basename(path)] + [str(v) for v in row.values()]
            print("| " + " | ".join(cells) + " |", flush=True)
    sys.exit(slow)


main()
