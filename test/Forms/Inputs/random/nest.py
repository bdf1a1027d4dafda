"""The loops, guards and statements of a random function."""

import re

from access import Access, horner, permuted, product

LOWEST = {"float": "-FLT_MAX", "double": "-DBL_MAX"}


class Nest(Access):
    """Text is put line by line; what waits for variables follows the last."""

    def __init__(self, case, name):
        super().__init__(case, name)
        self.lines, self.depth, self.declared = [], 1, []

    def put(self, *lines):
        for line in lines:
            self.depth -= line == "}"
            self.lines.append("  " * self.depth + line)
            self.depth += line.endswith("{")

    def close(self, depth):
        while self.depth > depth:
            if self.depth in self.steps:
                self.put(self.steps.pop(self.depth))
            self.put("}")

    def bind(self, name):
        """A variable has its value."""
        self.bound.add(name)
        ready = [p for p in self.pending if p[0] <= self.bound]
        self.pending = [p for p in self.pending if p not in ready]
        self.put(*(line for _, line in ready))

    def start(self):
        """A nest begins."""
        self.bound, self.pending, self.moves = set(), [], {}
        self.rows, self.steps = {}, {}
        for d in self.spatial:
            o, begin = self.out[d], self.corner(d)
            needs = {o, self.tap[d]}
            if self.case["subscript"] == "base":
                self.pending.append(({o}, f"const {self.t} {o}0 = {begin};"))
                begin = o + "0"
            if self.case["subscript"] != "inline":
                line = f"const {self.t} i{o} = {begin} + {self.step(d)};"
                self.pending.append((needs, line))
        self.pending += self.guards()
        if self.case["address"] == "rows":
            for array, dims in self.arrays.items():
                self.row(array, dims)

    def loop(self, name, extent):
        style, t = self.case["loops"], f"{self.t} "
        begin, end, last = "0", extent, f"{extent} - 1"
        if name in self.tap.values():
            if self.case["pad"] == "centre":
                last = self.size("R")
                begin, end = f"-{last}", f"{last} + 1"
            style = self.case["guard"]
            if style in ("clipped", "window") and self.case["pad"] != "0":
                d = next(d for d in self.spatial if self.tap[d] == name)
                bounds = self.clip if style == "clipped" else self.window
                begin, end = bounds(d, begin, end)
                last = f"{end} - 1"
        if style == "c89":
            self.declared.append(name)
            t = ""
        step = f"++{name}" if style == "prefix" else f"{name}++"
        step += self.moves.get(name, "")
        if style == "while":
            self.put(f"{t}{name} = {begin};", f"while ({name} < {end}) {{")
            self.steps[self.depth] = step.replace(", ", "; ") + ";"
        elif style == "descending":
            self.put(f"for ({t}{name} = {last}; {name} >= {begin}; {name}--) {{")
        else:
            within = f"{name} <= {last}" if style == "le" else f"{name} < {end}"
            self.put(f"for ({t}{name} = {begin}; {within}; {step}) {{")
        self.bind(name)

    def clip(self, d, begin, end):
        """Bounds of the taps that read within the image."""
        tap, corner = self.tap[d], f"({self.corner(d)})"
        low, high = f"-{corner}", f"{self.size(d)} - {corner}"
        self.put(f"const {self.t} {tap}_b = {low} > {begin} ? {low} : {begin};")
        self.put(f"const {self.t} {tap}_e = {high} < {end} ? {high} : {end};")
        return tap + "_b", tap + "_e"

    def window(self, d, begin, taps):
        """Bounds of what is read within the image, whose first weight follows
        from where it ends."""
        i, n = self.tap[d], self.size(d)
        padded = f"{n} + {self.number('pad')}"
        head = f"const {self.t} {i}_"
        self.put(
            f"{head}s = {self.corner(d)};",
            f"{head}m = {i}_s + {taps} < {padded} ? {i}_s + {taps} : {padded};",
            f"{head}b = {i}_s > {begin} ? {i}_s : {begin};",
            f"{head}e = {i}_m < {n} ? {i}_m : {n};",
            f"{head}f = {i}_e < {taps} ? {taps} - {i}_e : 0;",
        )
        return i + "_b", i + "_e"

    # Guards

    def inside(self, *dims):
        unsigned = "unsigned" + " long" * (self.t == "long")
        text = f"({unsigned})({{0}}) < ({unsigned}){{1}}"
        if self.case["guard"] != "unsigned":
            text = "{0} >= 0 && {0} < {1}"
        return " && ".join(text.format(self.place(d), self.size(d)) for d in dims)

    def outside(self, *dims):
        text = "{0} < 0 || {0} >= {1}"
        return " || ".join(text.format(self.place(d), self.size(d)) for d in dims)

    def guards(self):
        """What asks whether a tap reads within the image, and when."""
        style, dims = self.case["guard"], self.spatial
        if self.case["pad"] == "0" or style in ("clipped", "ternary", "window"):
            return []
        needs = {d: {self.out[d], self.tap[d]} for d in dims}
        every = set().union(*needs.values())
        if style == "nested":
            return [(needs[d], f"if ({self.inside(d)}) {{") for d in dims]
        if style == "continue":
            return [(needs[d], f"if ({self.outside(d)}) continue;") for d in dims]
        inside = self.inside(*dims)
        if style == "flag":
            return [(every, f"const int ok = {inside};"), (every, "if (ok) {")]
        if style == "helper":
            formal = ", ".join(f"{self.t} {v}{d}" for d in dims for v in "in")
            test = " && ".join(f"i{d} >= 0 && i{d} < n{d}" for d in dims)
            self.helper("int", "within", formal, f"return {test};")
            given = (v for d in dims for v in (self.place(d), self.size(d)))
            inside = f"within({', '.join(given)})"
        if style == "continue all":
            return [(every, f"if ({self.outside(*dims)}) continue;")]
        if style == "not":
            inside = f"!({self.outside(*dims)})"
        return [(every, f"if ({inside}) {{")]

    def guarded(self, read):
        if self.case["guard"] != "ternary" or self.case["pad"] == "0":
            return read
        return f"({self.inside(*self.spatial)} ? {read} : 0)"

    # Pointers

    def point(self, array, leading, offset):
        const = "" if array == self.written else "const "
        self.rows[array + "_row"] = leading
        return f"{const}{self.type_of(array)} *{array}_row = {array}{offset};"

    def row(self, array, dims):
        """A pointer to where the subscripts before the image's lead."""
        images, leading = [self.place(d) for d in self.spatial], 0
        while leading < len(dims) - 1 and dims[leading][0] not in images:
            leading += 1
        if not leading:
            return
        rest = product([e for _, e in dims[leading:]])
        line = self.point(array, leading, f" + ({horner(dims[:leading])}) * {rest}")
        names = set(re.findall(r"\w+", " ".join(i for i, _ in dims[:leading])))
        loops = {name for name, _ in self.outer + self.inner}
        self.pending.append((names & loops, line))

    def move(self):
        """Pointers that the loops of the sum advance."""
        case, names = self.case, [name for name, _ in self.inner]
        if case["address"] != "moving" or case["op"] != "sum":
            return
        if case["loops"] == "descending" or case["guard"] in ("clipped", "window"):
            return
        dims = self.arrays["w"]
        leading = len(dims) - len(names)
        if [i for i, _ in dims[leading:]] == names:
            size = product([e for _, e in dims[leading:]])
            offset = f" + ({dims[0][0]}) * {size}" if leading else ""
            self.put(self.point("w", len(dims), offset))
            self.moves[names[-1]] = ", w_row++"
        dims, batch = self.arrays["in"], int(case["batch"])
        if names[0] == dims[batch][0] == "c" and case["layout"] == "first":
            plane = product([e for _, e in dims[batch + 1 :]])
            offset = f" + n * {dims[batch][1]} * {plane}" if batch else ""
            self.put(self.point("in", batch + 1, offset))
            self.moves["c"] = self.moves.get("c", "") + f", in_row += {plane}"

    # Statements

    def update(self, target):
        case, style = self.case, self.case["update"]
        x = self.guarded(self.at("in"))
        wide = f"({self.acc})" * (self.acc in ("double", "long long"))
        wide *= self.acc != self.element
        if style == "temporaries":
            self.put(f"const {self.type_of('in')} u = {x};")
            x = "u"
        if case["op"] == "max":
            if style == "helper" and self.acc in LOWEST:
                call = "fmaxf" if self.acc == "float" else "fmax"
                self.put(f"{target} = {call}({target}, {x});")
            elif style == "assign":
                self.put(f"{target} = {x} > {target} ? {x} : {target};")
            else:
                self.put(f"if ({x} > {target}) {target} = {x};")
            return
        term = wide + x + (f" * {self.at('w')}" if case["op"] == "sum" else "")
        if style == "helper":
            t = self.generic(self.acc)
            self.helper(t, "plus", f"{t} a, {t} b", "return a + b;")
            self.put(f"{target} = plus({target}, {term});")
        elif style == "assign":
            self.put(f"{target} = {target} + {term};")
        else:
            self.put(f"{target} += {term};")

    def initial(self):
        if self.case["op"] == "max":
            return LOWEST.get(self.acc, "-9999")
        return self.at("bias") if self.case["bias"] == "init" else "0"

    def finish(self, v):
        """The value that becomes of a sum in v."""
        case, real = self.case, self.acc in LOWEST
        f, kind = "f" * (self.acc == "float"), case["activation"]
        steps = []
        if case["op"] == "average":
            taps = product([self.taps(d) for d in self.spatial])
            steps.append(("/", f"({self.acc})({taps})"))
        steps += [("*", "alpha")] * case["scale"]
        if case["bias"] == "after":
            steps.append(("+", self.at("bias")))
        if case["residual"]:
            steps.append(("+", self.at("res")))
        value, twice = v, kind in ("if", "ternary", "leaky")
        if case["store"] == "expression" and not twice:
            for op, operand in steps:
                value = f"({value}) {op} {operand}"
        else:
            self.put(*(f"{v} {op}= {operand};" for op, operand in steps))
        if case["bias"] == "optional":
            test = "!bias.empty()" if case["passed"] == "spans" else "bias"
            self.put(f"if ({test}) {v} += {self.at('bias')};")
        if kind == "call" and real:
            value = f"fmax{f}({value}, 0.0{f})"
        elif kind == "helper":
            t = self.generic(self.acc)
            self.helper(t, "relu", f"{t} v", "if (v > 0)", "  return v;", "return 0;")
            value = f"relu({value})"
        elif kind == "leaky":
            value = f"{v} > 0 ? {v} : " + (f"{v} * 0.25{f}" if real else f"-{v}")
        elif kind == "ternary":
            value = f"{v} > 0 ? {v} : 0"
        elif kind == "if":
            self.put(f"if ({v} < 0) {v} = 0;")
        if self.result == "signed char":
            self.put(f"{v} = ({value}) / 16;", f"if ({v} > 127) {v} = 127;")
            self.put(f"if ({v} < -128) {v} = -128;")
            value = v
        return value

    def one_output(self):
        """The sum of one output, or one addition where loops are mixed."""
        if self.case["sum"] not in ("local", "in place"):
            self.update(self.at(self.written))
            return
        local, target = self.case["sum"] == "local", "acc"
        if local:
            self.put(f"{self.generic(self.acc)} acc = {self.initial()};")
        else:
            target = self.at(self.written)
            self.put(f"{target} = {self.initial()};")
        self.move()
        depth = self.depth
        for name, extent in self.inner:
            self.loop(name, extent)
        self.update(target)
        self.close(depth)
        value = self.finish(target)
        if local:
            cast = f"({self.result})" * (self.result != self.acc)
            value = f"{cast}({value})" if cast else value
            self.put(f"{self.stored()} = {value};")
        elif value != target:
            self.put(f"{target} = {value};")

    def stored(self):
        ascending = self.case["loops"] != "descending" and not self.case["flat"]
        in_order = self.arrays[self.written] == self.outer and ascending
        if self.case["address"] == "moving" and in_order and self.suffix != ".cu":
            return f"*{self.written}++"
        return self.at(self.written)

    def digits(self, index, loops):
        """Variables of several loops from one index."""
        for k, (name, extent) in reversed(list(enumerate(loops))):
            text = index
            if k + 1 < len(loops):
                text += f" / ({product([e for _, e in loops[k + 1:]])})"
            if k:
                text += f" % ({extent})"
            self.put(f"const {self.t} {name} = {text};")
            self.bind(name)

    def nests(self):
        """The body of a function on the host."""
        case, depth = self.case, self.depth
        self.start()
        if case["sum"] == "memset":
            size = product([e for _, e in self.outer])
            type, place = self.type_of(self.written), self.written
            place += ".data()" * (case["passed"] == "spans")
            self.put(f"memset({place}, 0, {size} * sizeof({type}));")
        if case["sum"] == "before":
            self.pending, self.rows = [], {}
            for name, extent in self.outer:
                self.loop(name, extent)
            self.put(f"{self.at(self.written)} = {self.initial()};")
            self.close(depth)
            self.start()
        if case["flat"]:
            size = product([e for _, e in self.outer])
            self.put(f"for ({self.t} at = 0; at < {size}; at++) {{")
            self.digits("at", self.outer)
        else:
            loops = self.outer
            if case["sum"] not in ("local", "in place"):
                k = case["order"] * 24 + case["sum order"]
                loops = permuted(self.outer + self.inner, k)
            for name, extent in loops:
                self.loop(name, extent)
        self.one_output()
        self.close(depth)
