#!/usr/bin/env python3
"""Checks that each library of lib/ includes libraries before it alone.

The order is that of lib/CMakeLists.txt, so the graph has no circle. Prints the
graph, a library a line, and exits with 1 where an include runs upwards.
"""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
order = re.search(
    r"foreach\(folder ([^)]*)\)", (root / "lib/CMakeLists.txt").read_text()
)[1].split()
upward = []
for library in order:
    used = set()
    for folder in (root / "lib" / library, root / "include/convopt" / library):
        for path in sorted(folder.rglob("*.*")):
            for name in re.findall(
                r'^#include "convopt/(\w+)/', path.read_text(), re.MULTILINE
            ):
                used.add(name)
                if order.index(name) > order.index(library):
                    upward.append(f"{path.relative_to(root)} includes {name}")
    used.discard(library)
    print(f"{library}:", *sorted(used, key=order.index))
print("\n".join(upward) or "no include runs upwards")
sys.exit(1 if upward else 0)
