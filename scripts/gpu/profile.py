"""Prints the counters that compare.sh's profile has read, a kernel a line.

profile.py KERNELS PROFILE.csv: the list of layers and numbers, and what ncu
wrote of their launches, in this order.
"""

import csv
import sys

kernels = [line.split() for line in open(sys.argv[1])]
lines = [line for line in open(sys.argv[2]) if line.startswith('"')]
launches = {}
for row in csv.DictReader(lines):
    launch = launches.setdefault(int(row["ID"]), {})
    name = row["Metric Name"].split("stalled_")[-1].removesuffix(
        "_per_issue_active.ratio"
    )
    launch[name] = row["Metric Value"]
names = list(next(iter(launches.values())))
for k, name in enumerate(names):
    print(f"{k}: {name}")
print("| layer | kernel |", " | ".join(str(k) for k in range(len(names))), "|")
for (layer, number), launch in zip(kernels, launches.values()):
    print(f"| {layer} | {number} |", " | ".join(launch.values()), "|")
