"""Counts what threads of a scheduled kernel ask of global memory.

Of the nest that a schedule makes, in whole tiles: the elements that a thread
reads, each once in an iteration of the innermost loop that is not unrolled, and
the boxes that a block copies.
"""

import functools
import os
import re
import subprocess

# Widths of a filter, and numbers of channels, which are as many as fill the
# tiles of a sum. All other sizes are large.
WIDTHS = ("K", "filter_size")
CHANNELS = ("C", "Channel", "nIn")
SIZE_OF_CHANNELS, LARGE = 48, 960

FUNCTIONS = {
    "floordiv": lambda a, b: a // b,
    "ceildiv": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
}


def scheduled(convopt, root, name):
    """The nest that a schedule makes, as text."""
    schedule = os.path.join(root, "examples", "schedules", name + ".sched")
    with open(schedule, encoding="utf-8") as file:
        source, *options = file.readline()[2:].split(":")[0].split()
    sizes = [o for o in options if o.startswith("-assume=")]
    others = [o for o in options if o not in sizes]
    text = ""
    for command in (
        [convopt, os.path.join(root, source), "-q", "-emit=nest", *sizes],
        [convopt + "-opt", "-", "-schedule=" + schedule, *others],
    ):
        text = subprocess.run(
            [*command, "-o", "-"], input=text, check=True, capture_output=True, text=True
        ).stdout
    return re.sub(r" @\d+:\d+-\d+:\d+$", "", text, flags=re.M)


@functools.cache
def compiled(text):
    return compile(text, "nest", "eval")


@functools.cache
def brackets(text):
    return re.findall(r"\[([^\]]*)\]", text)


class Nest:
    """Sizes and arrays of a nest, with each copy and each statement that adds
    to a sum within its loops: name, end and kind."""

    def __init__(self, text, width):
        self.sizes, self.arrays = dict(FUNCTIONS), {}
        self.copies, self.sums = [], []
        around = []
        for line in map(str.strip, text.split("\n")):
            if found := re.match(r"param (\w+): [^=]*(?:= (.*))?", line):
                self.param(*found.groups(), width)
            elif found := re.match(r"array (\w+): \w+((?:\[[^\]]*\])*) (.*)", line):
                extents = [self.value(e) for e in brackets(found[2])]
                self.arrays[found[1]] = extents, found[3]
            elif line.endswith("{"):
                found = re.match(
                    r"for (\w+) in 0 \.\. (.*?)(?: ([a-z]+)[.a-z]*(?: \d+)?)? {", line
                )
                around.append(found.groups() if found else None)
            elif line == "}":
                around.pop()
            elif found := re.match(r"copy (\w+) = (.*)", line):
                self.copies.append((*found.groups(), list(filter(None, around))))
            elif found := re.match(r"S\d+\[(.*?)\]: \S+ \+= (.*)", line):
                self.sums.append((*found.groups(), list(filter(None, around))))

    def param(self, name, definition, width):
        if definition:
            size = self.value(definition)
        elif name == "radius":
            size = width // 2
        elif name in WIDTHS:
            size = width
        else:
            size = SIZE_OF_CHANNELS if name in CHANNELS else LARGE
        self.sizes[name] = size

    def value(self, text, iterators={}):
        return eval(compiled(text), self.sizes, iterators)

    def isGlobal(self, array):
        kind = self.arrays[array][1]
        return " global" in kind or kind.startswith(("input", "inout"))

    def width(self):
        """That of the filter, the narrowest of what is read."""
        read = [e for e, kind in self.arrays.values() if kind.startswith("input")]
        return min(extents[-1] for extents in read)

    def points(self, around, threads=False):
        """The iterations of the first thread of the first block; of all of its
        threads, at the first one of each other loop."""
        points = [{}]
        for name, end, kind in around:
            runs = kind == "block" if threads else kind in (None, "unrolled")
            points = [
                {**point, name: k}
                for point in points
                for k in range(self.value(end, point) if runs else 1)
            ]
        return points

    def elements(self, instance, rhs, around):
        """How many a thread reads, and how often it adds."""
        accesses = re.findall(r"(\w+)((?:\[[^\]]*\])+)(?: in (\w+))?", rhs)
        values = re.findall(r"(\w+)(?: = (.*?))?(?:$|, (?=\w+(?: =|,|$)))", instance)
        serial = [name for name, _, kind in around if kind != "unrolled"]
        points, read = self.points(around), set()
        for point in points:
            at = dict(point)
            for name, value in values:
                at[name] = self.value(value or name, point)
            iteration = tuple(point[name] for name in serial)
            for array, subscripts, buffer in accesses:
                if self.isGlobal(buffer or array):
                    place = tuple(self.value(e, at) for e in brackets(subscripts))
                    read.add((array, place, iteration))
        return len(read), len(points)

    def asked(self):
        """Bytes for one output and one input channel."""
        ((instance, rhs, around),) = self.sums
        threads = len(self.points(around, threads=True))
        read, added = self.elements(instance, rhs, around)
        read *= threads
        for buffer, source, loops in self.copies:
            origin = source.split(" in ")[-1].split("[")[0]
            extents, kind = self.arrays[buffer]
            if " shared" in kind and self.isGlobal(origin):
                box = 1
                for extent in extents:
                    box *= extent
                read += box * len(self.points(loops))
        return 4 * read * self.width() ** 2 / (threads * added)


def formula(text, width):
    """The value of `4 (F + 33)² / 1156 + F²`."""
    text = text.replace("²", "**2")
    text = re.sub(r"(?<=[\d)]) (?=[F(])", " * ", text)
    return eval(text, {"F": width})


def cells(page):
    """By schedule, what the page says of it, as a formula."""
    said = {}
    for table in re.findall(r"^\|.*asked, in bytes \|\n((?:\|.*\n)+)", page, re.M):
        last = None
        for row in table.split("\n")[1:-1]:
            name, *_, cell = [c.strip() for c in row.strip("|").split("|")]
            name = name.strip("`")
            if same := re.match(r"as `(\w+)`", cell):
                cell = said[same[1]]
            last = said[name] = last if cell == "the same" else cell.split(",")[0]
    return said


def mistakes(convopt, root, page):
    """What the page says and the nests of schedules do not."""
    for name, cell in cells(page).items():
        text = scheduled(convopt, root, name)
        for width in 3, 5:
            nest = Nest(text, width)
            asked, said = nest.asked(), formula(cell, nest.width())
            if abs(asked - said) > 1e-9 * asked:
                yield (
                    f"{name} asks for {asked:g} bytes where F = {nest.width()}, "
                    f"and {cell} is {said:g}"
                )
                break
