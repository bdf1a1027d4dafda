#!/usr/bin/env python3
"""Checks that each library of lib/ includes what docs/Design.md allows it.

The order is that of lib/CMakeLists.txt, so the graph has no circle. Prints the
graph, a library a line, and exits with 1 where an include runs upwards, or is
none of the table's. Clang and isl are in that table, too.
"""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
order = re.search(
    r"foreach\(folder ([^)]*)\)", (root / "lib/CMakeLists.txt").read_text()
)[1].split()
allowed = dict(
    re.findall(
        r"^\| `(\w+)` \|.*\| ([\w, ]+) \|$",
        (root / "docs/Design.md").read_text(),
        re.MULTILINE,
    )
)
others = {"clang": "Clang", "isl": "isl"}
upward = []
for library in order:
    used = set()
    for folder in (root / "lib" / library, root / "include/convopt" / library):
        for path in sorted(folder.rglob("*.*")):
            for top, name in re.findall(
                r'^#include ["<](convopt|clang|isl)/(\w+)',
                path.read_text(),
                re.MULTILINE,
            ):
                name = others.get(top, name)
                if name == library:
                    continue
                used.add(name)
                if name in order and order.index(name) > order.index(library):
                    upward.append(f"{path.relative_to(root)} includes {name}")
                elif name not in re.split(", ", allowed[library]):
                    upward.append(
                        f"{path.relative_to(root)} includes {name}, which "
                        "docs/Design.md does not allow"
                    )
    print(f"{library}:", *sorted(used, key=(order + [*others.values()]).index))
print("\n".join(upward) or "no include runs upwards")
sys.exit(1 if upward else 0)
