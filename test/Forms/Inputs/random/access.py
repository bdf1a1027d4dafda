"""Sizes and arrays of a random function, and how it spells them."""

import re

from features import TYPES


def atom(text):
    """The text, in parentheses where an operator beside it could split it."""
    inner, before = text, None
    while inner != before:
        before, inner = inner, re.sub(r"\([^()]*\)|\[[^][]*\]", "_", inner)
    return text if re.fullmatch(r"[\w.]+(->\w+)?", inner) else f"({text})"


def product(factors):
    return " * ".join(atom(f) for f in factors)


def horner(dims):
    """The offset of subscripts in extents, pairs of both."""
    text = dims[0][0]
    for index, extent in dims[1:]:
        text = f"{atom(text)} * {atom(extent)} + {atom(index)}"
    return text


def permuted(items, k):
    """The k-th order of items, the 0-th being theirs."""
    items, result = list(items), []
    while items:
        k, at = divmod(k, len(items))
        result.append(items.pop(at))
    return result


class Access:
    """Dimensions are 'D', 'H' and 'W'; sizes are symbols that shapes have."""

    def __init__(self, case, name):
        self.case, self.name = case, name
        self.element, self.acc, self.result = TYPES[case["type"]]
        self.t = case["index"]
        self.spatial = "DHW"[3 - case["dims"] :]
        self.out = dict(zip("DHW", "zyx"))  # variables of outputs and taps
        self.tap = dict(zip("DHW", "kij"))
        self.symbols, self.helpers, self.strides, self.rows = [], {}, [], {}
        self.written = "out"
        self.constant = case["sizes"] in ("constants", "enum")
        self.plan()

    # Sizes

    def size(self, symbol):
        if symbol not in self.symbols:
            self.symbols.append(symbol)
        if self.case["template"] == "size" and symbol[0] == "K":
            return symbol
        at = self.arguments().index(symbol)
        spelling = {"struct": f"p.{symbol}", "pointer": f"p->{symbol}"}
        return (spelling | {"array": f"dims[{at}]"}).get(self.case["sizes"], symbol)

    def arguments(self):
        fixed = "K" if self.case["template"] == "size" else "-"
        return [s for s in self.symbols if s[0] != fixed]

    def fixed(self):
        """Parameters of a template."""
        return [s for s in self.symbols if s not in self.arguments()]

    def number(self, feature):
        choice = self.case[feature]
        return choice if choice.isdigit() else self.size(choice)

    def taps(self, d):
        if self.case["pad"] == "centre":
            return f"(2 * {self.size('R')} + 1)"
        return self.size("K" if self.case["square"] else "K" + d)

    def extent(self, d):
        """Of the output."""
        if self.case["extents"] == "args":
            return self.size("O" + d)
        return "O" + d if self.case["extents"] == "local" else f"({self.formula(d)})"

    def formula(self, d):
        last = self.size(d)
        if self.case["pad"] == "centre":
            last += " - 1"
        else:
            if self.case["pad"] != "0":
                last += f" + 2 * {self.number('pad')}"
            if self.case["dilation"] == "1":
                last += f" - {self.taps(d)}"
            else:
                last += f" - {self.number('dilation')} * ({self.taps(d)} - 1) - 1"
        if self.case["stride"] == "1":
            return f"{last} + 1"
        return f"({last}) / {self.number('stride')} + 1"

    def values(self, shape):
        """Of all symbols; images are large enough for one output."""
        value = dict(shape)

        def number(feature):
            choice = self.case[feature]
            return int(choice) if choice.isdigit() else shape[choice[0].upper()]

        stride, dilation = number("stride"), number("dilation")
        centre = self.case["pad"] == "centre"
        pad = shape["R"] if centre else number("pad")
        for d in self.spatial:
            k = value["K" if self.case["square"] else "K" + d]
            reach = dilation * ((2 * pad + 1 if centre else k) - 1)
            value[d] = max(value[d] % {1: 200, 2: 24, 3: 9}[self.case["dims"]], 1)
            value[d] = max(value[d], reach + 1 - 2 * pad)
            value["O" + d] = (value[d] + 2 * pad - reach - 1) // stride + 1
        return value

    # Arrays

    def plan(self):
        """The loops, and each array's subscripts with their extents."""
        case, maps = self.case, self.case["maps"]
        batch = [("n", self.size("N"))] if case["batch"] else []
        read = write = None  # the channel
        outer, inner = list(batch), []
        if maps != "plane":
            m = self.size("M")
            read = write = ("m", m)
        if maps in ("layer", "groups", "divided"):
            inner.append(("c", self.size("C")))
            read = inner[0]
        if maps in ("groups", "divided"):
            c, g = self.size("C"), self.size("G")
            write = ("m" if maps == "divided" else f"g * {m} + m", f"{g} * {m}")
            group = f"m / {m}" if maps == "divided" else "g"
            read = (f"{group} * {c} + c", f"{g} * {c}")
        if maps == "groups":
            outer += [("g", g), ("m", m)]
        elif write:
            outer.append(write)
        self.outer = outer + [(self.out[d], self.extent(d)) for d in self.spatial]
        self.inner = inner + [(self.tap[d], self.taps(d)) for d in self.spatial]
        image = [(self.place(d), self.size(d)) for d in self.spatial]
        window = [(self.weight(d), self.taps(d)) for d in self.spatial]
        weights = [write] * (write is not None) + inner
        self.arrays = {"in": self.laid(batch, read, image)}
        if case["op"] == "sum":
            last = case["filter"] == "hwio"
            self.arrays["w"] = window + weights[::-1] if last else weights + window
        if case["bias"] != "none":
            self.arrays["bias"] = [write]
        self.arrays["out"] = self.laid(batch, write, self.outer[-len(image) :])
        if case["nests"] == 2:
            self.arrays["out2"] = self.arrays["out"]
        if case["residual"]:
            self.arrays["res"] = self.arrays["out"]
        self.outer = permuted(self.outer, case["order"])
        self.inner = permuted(self.inner, case["sum order"])

    def laid(self, batch, channel, spatial):
        channels = [channel] if channel else []
        orders = {
            "first": batch + channels + spatial,
            "last": batch + spatial + channels,
            "batch last": channels + spatial + batch,
        }
        return orders[self.case["layout"]]

    def weight(self, d):
        """Which one a tap takes along d."""
        if self.case["guard"] == "window":
            return "{0}_f + {0} - {0}_b".format(self.tap[d])
        centre = f" + {self.size('R')}" if self.case["pad"] == "centre" else ""
        return self.tap[d] + centre

    def place(self, d):
        """Where a tap reads along d: an expression, or a variable of it."""
        if self.case["guard"] == "window":
            return self.tap[d]
        if self.case["subscript"] != "inline":
            return "i" + self.out[d]
        return f"{self.corner(d)} + {self.step(d)}"

    def corner(self, d):
        text = self.out[d]
        if self.case["stride"] != "1":
            text += f" * {self.number('stride')}"
        if self.case["pad"] not in ("0", "centre"):
            text += f" - {self.number('pad')}"
        return text

    def step(self, d):
        if self.case["dilation"] == "1":
            return self.tap[d]
        return f"{self.tap[d]} * {self.number('dilation')}"

    def type_of(self, array):
        types = {"in": self.element, "w": self.element, "bias": self.acc}
        return self.generic(types.get(array, self.result))

    def generic(self, type):
        """What a template that has the elements' type as its parameter calls it."""
        return "T" if (self.case["template"], type) == ("type", self.element) else type

    def at(self, array):
        """The element of an array that an iteration uses."""
        style, dims = self.case["address"], self.arrays[array]
        if self.case["either layout"] and array == self.written:
            *batch, channel = dims[: -len(self.spatial)]
            last = batch + dims[-len(self.spatial) :] + [channel]
            return f"{array}[nhwc ? {horner(last)} : {horner(dims)}]"
        places = [i for i, _ in dims]
        if style == "arrays":
            return array + "".join(f"[{i}]" for i in places)
        if array + "_row" in self.rows:
            rest = dims[self.rows[array + "_row"] :]
            return f"{array}_row[{horner(rest)}]" if rest else f"*{array}_row"
        if len(dims) == 1 or style in ("horner", "rows", "moving"):
            return f"{array}[{horner(dims)}]"
        if style == "macro":
            name, names = f"{array}_at".upper(), "abcde"[: len(dims)]
            flat = horner([(f"({v})", e) for v, (_, e) in zip(names, dims)])
            self.helpers[name] = f"#define {name}({', '.join(names)}) {array}[{flat}]"
            return f"{name}({', '.join(places)})"
        if style in ("index helper", "load helper"):
            return self.by_helper(array, dims)
        steps = [product([e for _, e in dims[k + 1 :]]) for k in range(len(dims) - 1)]
        if style == "strides":
            for k, step in enumerate(steps):
                self.strides.append(f"const {self.t} {array}_s{k} = {step};")
                steps[k] = f"{array}_s{k}"
        terms = [f"{atom(i)} * {step}" for i, step in zip(places, steps)]
        return f"{array}[{' + '.join(terms + places[-1:])}]"

    def by_helper(self, array, dims):
        places, extents = [i for i, _ in dims], [e for _, e in dims[1:]]
        names = [f"i{k}" for k in range(len(dims))]
        bounds = [f"n{k}" for k in range(1, len(dims))]
        formal = ", ".join(f"{self.t} {v}" for v in names + bounds)
        flat = horner(list(zip(names, [""] + bounds)))
        given = ", ".join(places + extents)
        if self.case["address"] == "load helper" and array in ("in", "w"):
            t, name = self.type_of(array), f"get{len(dims)}"
            self.helper(t, name, f"const {t} *a, {formal}", f"return a[{flat}];")
            return f"{name}({array}, {given})"
        self.helper(self.t, f"index{len(dims)}", formal, f"return {flat};")
        return f"{array}[index{len(dims)}({given})]"

    def helper(self, type, name, formal, *body):
        head = f"static inline {type} {name}({formal}) {{"
        if self.case["language"] == "kernel":
            head = "__device__ " + head
        if re.search(r"\bT\b", head):
            head = "template <typename T> " + head
        self.helpers[name] = "\n  ".join((head,) + body) + "\n}"
