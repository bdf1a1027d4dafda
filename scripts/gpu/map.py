#!/usr/bin/env python3
"""A map of which algorithm is the fastest, and how near `auto` comes.

    map.py shapes >map.csv
    SHAPES=map.csv compare.sh emit DIR convopt "convopt -algorithm=direct" \\
        "convopt -algorithm=product" "convopt -algorithm=im2col"
    compare.sh run DIR >times
    map.py table <times

Layers have as many channels as maps, square filters and images, padding that
keeps the image's size, and a batch of 16, less where the sum is long. A cell of
the table names the fastest algorithm, and what `auto` takes of its time where
that is another one.
"""

import csv
import sys

CHANNELS = [4, 16, 64, 256]
FILTERS = [1, 3, 5, 7]
IMAGES = [7, 14, 28, 56, 112]
BATCH, MOST = 16, 2e11  # images; multiply-adds of a layer
ALGORITHMS = {2: "direct", 3: "product", 4: "im2col"}


def name_of(channels, width, image):
    return f"c{channels}-k{width}-{image}"


def batch_of(channels, width, image):
    one = (channels * width * image) ** 2
    return max(1, min(BATCH, int(MOST / one)))


def shapes():
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(
        "name,set,N,C,H,W,K,R,S,pad_h,pad_w,stride_h,stride_w,groups".split(",")
    )
    for c in CHANNELS:
        for k in FILTERS:
            for h in IMAGES:
                n = batch_of(c, k, h)
                sizes = [n, c, h, h, c, k, k, k // 2, k // 2, 1, 1, 1]
                out.writerow([name_of(c, k, h), "map", *sizes])


def read_times():
    """Milliseconds by layer and kernel, `auto` by its name."""
    times = {}
    for line in sys.stdin:
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) == 6 and cells[1].isdigit():
            times.setdefault(cells[0], {})[int(cells[1])] = float(cells[2])
    for layer in times.values():
        auto = layer.pop(1)
        # What is equal to `auto` has no kernel of its own.
        chosen = min(set(ALGORITHMS) - set(layer), default=None)
        layer["auto"] = layer[chosen] = auto
    return times


def table():
    times = read_times()
    print("| channels | filter | " + " | ".join(f"{h} x {h}" for h in IMAGES) + " |")
    print("|---:|---:|" + "---|" * len(IMAGES))
    near = 0
    for c in CHANNELS:
        for k in FILTERS:
            cells = []
            for h in IMAGES:
                layer = times.get(name_of(c, k, h))
                if not layer:
                    cells.append("-")
                    continue
                by_kernel = {ALGORITHMS[n]: ms for n, ms in layer.items() if n in ALGORITHMS}
                best = min(by_kernel, key=by_kernel.get)
                ratio = layer["auto"] / by_kernel[best]
                near += ratio <= 1.05
                cells.append(best + ("" if ratio <= 1.05 else f" ({ratio:.2f})"))
            print(f"| {c} | {k} x {k} | " + " | ".join(cells) + " |")
    print(f"\n`auto` is within 5 % of the fastest for {near} of {len(times)} layers.")


if __name__ == "__main__":
    {"shapes": shapes, "table": table}[sys.argv[1]]()
