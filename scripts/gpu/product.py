"""Writes schedules that run layers of examples/shapes.csv as matrix products.

product.py DIR [LAYER...]: DIR/LAYER.1 to DIR/LAYER.5, of five tiles, for
conv_strided.cpp with sizes known. compare.sh measures them:

  scripts/gpu/product.py DIR/s vgg4
  ONLY=vgg4 scripts/gpu/compare.sh emit DIR build/bin/convopt \\
    "build/bin/convopt -schedule=DIR/s/{}.1" ...
"""

import csv
import pathlib
import sys

# Maps and outputs of a block, maps of a thread, groups of four outputs that a
# thread has, boxes in shared memory.
TILES = [
    (128, 128, 8, 2, 2),
    (128, 64, 8, 2, 3),
    (64, 64, 8, 2, 3),
    (64, 64, 4, 2, 3),
    (64, 64, 4, 1, 2),
]


def schedule(layer, maps, outputs, depth_of_maps, groups, depth):
    maps = min(maps, int(layer["K"]))
    taps = int(layer["R"]) * int(layer["S"])
    channels = 16 if taps == 1 else 2 if taps <= 9 else 1
    steps = []
    if int(layer["pad_h"]) or int(layer["pad_w"]):
        steps.append("if-convert=x,exact")
    steps += [
        "interchange=n,oy,ox,k",
        "fuse=n,oy,row",
        "fuse=row,ox,p",
        f"strip-mine=k,{maps},k_b,k_i",
        f"strip-mine=k_i,{depth_of_maps},k_t,k_r",
        f"strip-mine=p,{outputs},p_b,p_i",
    ]
    if groups > 1:
        steps += [
            f"strip-mine=p_i,{outputs // groups},p_h,p_j",
            "strip-mine=p_j,4,p_t,p_r",
            "interchange=k_b,p_b,k_t,p_t,k_r,p_h,p_r",
        ]
    else:
        steps += [
            "strip-mine=p_i,4,p_t,p_r",
            "interchange=k_b,p_b,k_t,p_t,k_r,p_r",
        ]
    steps += [
        "map=k_b,grid.y",
        "map=p_b,grid.x",
        "map=k_t,block.y",
        "map=p_t,block.x",
        "register-tile=p_r",
    ]
    if groups > 1:
        steps.append("register-tile=p_h")
    return steps + [
        "register-tile=k_r",
        f"strip-mine=c,{channels},c_o,c_i",
        "unroll=s",
        "unroll=r",
        "unroll=c_i",
        "stage=w,launch,global,order:1.2.3.0",
        f"stage=x,c_o,shared,unfolded,depth:{depth}",
        f"stage=w,c_o,shared,vector:4,depth:{depth}",
    ]


folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
folder.mkdir(parents=True, exist_ok=True)
shapes = pathlib.Path(__file__).parents[2] / "examples/shapes.csv"
for layer in csv.DictReader(shapes.open()):
    if layer["groups"] == "1" and (not names or layer["name"] in names):
        for number, tile in enumerate(TILES, 1):
            (folder / f"{layer['name']}.{number}").write_text(
                "\n".join(schedule(layer, *tile)) + "\n"
            )
