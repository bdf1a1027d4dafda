"""Verifies random cases as text: random.py RANDOMTESTS CONVOPT FOLDER

The random test writes cases that its interpreters agree on as naive functions
with schedules. convopt reads, transforms and prints them, and -verify=cpu
compiles and runs both. So a mistake that the interpreter and the printer have
in common does not stay unseen, nor one of the front end.
"""

import os
import pathlib
import subprocess
import sys

tests, convopt, folder = sys.argv[1:]
folder = pathlib.Path(folder)
count = int(os.environ.get("CONVOPT_RANDOM_COMPILED", 20))
seed = os.environ.get("CONVOPT_RANDOM_SEED", "1")
counts = {"same": 0, "refused": 0, "failed": 0}


def write_cases():
    subprocess.run(
        [tests, "--gtest_filter=RandomEmission.WhatIsEmittedComputesTheSame"],
        env={
            **os.environ,
            "CONVOPT_RANDOM_WRITE": str(folder),
            # Four of a seed, of which one is written or none.
            "CONVOPT_RANDOM_CASES": str(8 * count),
            "CONVOPT_RANDOM_SEED": seed,
        },
        stdout=subprocess.DEVNULL,
        check=True,
    )


def verify(source):
    return subprocess.run(
        [
            convopt,
            source,
            f"-schedule={source.with_suffix('.sched')}",
            "-verify=cpu",
            *source.with_suffix(".options").read_text().split(),
            "-o",
            source.with_suffix(".cu"),
        ],
        capture_output=True,
        text=True,
    )


write_cases()
# Refused: a step that does not fit what the front end makes of the function.
for source in sorted(folder.glob("*.cpp"), key=lambda p: int(p.stem)):
    if counts["same"] == count:
        break
    run = verify(source)
    kind = {0: "same", 1: "refused", 2: "refused", 4: "refused"}.get(
        run.returncode, "failed"
    )
    counts[kind] += 1
    if kind != "same":
        error = [l for l in run.stderr.splitlines() if "error:" in l]
        print(f"{source}: {kind}, status {run.returncode}: {error[:1]}")
    if kind == "failed":
        print(run.stdout, run.stderr)
print(", ".join(f"{n} {kind}" for kind, n in counts.items()))
sys.exit(0 if not counts["failed"] and counts["same"] >= count else 1)
