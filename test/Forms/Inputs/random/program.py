"""A random function as a file of C, C++ or CUDA, and calls of it."""

import re

from access import product
from nest import Nest


class Program(Nest):
    def __init__(self, case, name):
        self.suffix = {"c": ".c", "cpp": ".cpp", "kernel": ".cu"}[case["language"]]
        super().__init__(case, name)
        self.source = self.write()

    # One thread an output

    def kernel(self):
        """The body; how many blocks it takes, of how many threads."""
        depth = self.depth
        self.start()
        launch = self.threads()
        if self.case["sum"] == "given":
            for name, extent in self.inner:
                self.loop(name, extent)
        self.one_output()
        self.close(depth)
        return launch

    def threads(self):
        style, loops = self.case["threads"], self.outer
        here = "blockIdx.{0} * blockDim.{0} + threadIdx.{0}".format
        if style in ("flat", "stride"):
            size = product([e for _, e in loops])
            grid = f"({size} + 127) / 128"
            if style == "flat":
                self.put(f"const int at = {here('x')};")
                self.leave([("at", size)])
            else:
                grid += " / 2 + 1"
                step = "at += gridDim.x * blockDim.x"
                self.put(f"for (int at = {here('x')}; at < {size}; {step}) {{")
            self.digits("at", loops)
            return grid, "128"
        rest, guards, grid = loops[:-2], [], []
        block = {"blocks": (32, 1, 1)}.get(style, (16, 4, 2))
        axes = [(axis, [loop]) for axis, loop in zip("xy", loops[:-3:-1])]
        if rest and style != "loops":
            axes.append(("z", rest))
        for (axis, along), threads in zip(axes, block):
            name = along[0][0] if len(along) == 1 else "rest"
            size = product([e for _, e in along])
            if threads == 1:
                self.put(f"const int {name} = blockIdx.{axis};")
                grid.append(size)
                continue
            self.put(f"const int {name} = {here(axis)};")
            grid.append(f"({size} + {threads - 1}) / {threads}")
            guards.append((name, size))
        self.leave(guards)
        for axis, along in axes:
            if len(along) == 1:
                self.bind(along[0][0])
            else:
                self.digits("rest", along)
        if style == "loops":
            for name, extent in rest:
                self.loop(name, extent)
        return ", ".join(grid), ", ".join(str(n) for n in block[: len(axes)])

    def leave(self, guards):
        """Threads beyond the output do nothing."""
        style = self.case["exit"]
        within = " && ".join(f"{name} < {size}" for name, size in guards)
        beyond = [f"{name} >= {size}" for name, size in guards]
        if style == "if":
            self.put(f"if ({within}) {{")
        elif style == "not":
            self.put(f"if (!({within})) return;")
        elif style == "returns":
            self.put(*(f"if ({test}) return;" for test in beyond))
        else:
            self.put(f"if ({' || '.join(beyond)}) return;")

    # The file

    def write(self):
        case, kernel = self.case, self.case["language"] == "kernel"
        if kernel:
            launch = self.kernel()
        else:
            self.nests()
            if case["nests"] == 2:
                self.written = "out2"
                self.nests()
        value, local = self.values(case["shapes"][0]), []
        formulas = [(f"O{d}", self.formula(d)) for d in self.spatial]
        head = [f"#include <{name}.h>" for name in ("float", "math", "string")]
        head += ["#include <span>"] * (case["passed"] == "spans")
        if case["sizes"] == "constants":
            head += [f"#define {s} {value[s]}" for s in self.symbols]
        elif case["sizes"] == "enum":
            each = ", ".join(f"{s} = {value[s]}" for s in self.symbols)
            head.append(f"enum {{ {each} }};")
        elif case["sizes"] in ("struct", "pointer"):
            head.append(f"struct Sizes {{ {self.t} {', '.join(self.arguments())}; }};")
        if case["extents"] == "local":
            if self.constant:
                head += [f"#define {o} ({formula})" for o, formula in formulas]
            else:
                local = [f"const {self.t} {o} = {f};" for o, f in formulas]
        start = []
        if self.declared:
            start.append(f"{self.t} {', '.join(dict.fromkeys(self.declared))};")
        if case["around"] != "nothing":
            test = "in.empty()" if case["passed"] == "spans" else "!in"
            start.append(f"if ({test}) return{' -1' * (case['around'] == 'status')};")
        body = start + local + list(dict.fromkeys(self.strides))
        body = ["  " + line for line in body] + self.lines
        if case["around"] == "status":
            body.append("  return 0;")
        signature = f"{self.returns()} {self.name}({', '.join(self.formals())}) {{"
        if case["template"] == "type":
            signature = f"template <typename T>\n{'__global__ ' * kernel}{signature}"
        elif self.fixed():
            formal = ", ".join(f"int {s}" for s in self.fixed())
            signature = f"template <{formal}>\n{'__global__ ' * kernel}{signature}"
        else:
            signature = "__global__ " * kernel + signature
        lines = head + list(self.helpers.values()) + [signature] + body + ["}"]
        if kernel:
            formals = [re.sub(r"\bT\b", self.element, f) for f in self.formals()]
            lines.append(f"void run_{self.name}({', '.join(formals)}) {{")
            lines += [f"  constexpr int {s} = {value[s]};" for s in self.fixed()]
            lines += ["  " + line for line in local]
            lines.append(f"  const dim3 grid({launch[0]}), block({launch[1]});")
            call = f"{self.name}{self.instance(value)}<<<grid, block>>>"
            lines += [f"  {call}({', '.join(self.names())});", "}"]
        return "\n".join(lines) + "\n"

    def returns(self):
        return "int" if self.case["around"] == "status" else "void"

    def instance(self, value):
        """Arguments of the template."""
        if self.case["template"] == "type":
            return f"<{self.element}>"
        fixed = ", ".join(str(value[s]) for s in self.fixed())
        return f"<{fixed}>" if fixed else ""

    def names(self):
        """Of the parameters."""
        given = {"struct": ["p"], "pointer": ["p"], "array": ["dims"]}
        sizes = given.get(self.case["sizes"], [] if self.constant else self.arguments())
        others = list(self.arrays) + ["alpha"] * self.case["scale"]
        others += ["nhwc"] * self.case["either layout"]
        first = self.case["address"] == "arrays"
        return sizes + others if first else others + sizes

    def formals(self):
        case = self.case
        struct = "struct Sizes" if case["language"] == "c" else "Sizes"
        mark = "restrict " if case["language"] == "c" else "__restrict__ "
        types = {"p": f"{struct} ", "alpha": f"{self.generic(self.acc)} "}
        types["nhwc"] = "int "
        types["dims"] = f"const {self.t} *"
        if case["sizes"] == "pointer":
            types["p"] = f"const {struct} *"
        formals = []
        for name in self.names():
            type = types.get(name, f"{self.t} ")
            extents = ""
            if name in self.arrays:
                const = "const " * (not name.startswith("out"))
                type = f"{const}{self.type_of(name)} "
                if case["passed"] == "spans":
                    type = f"std::span<{type.rstrip()}> "
                elif case["address"] == "arrays":
                    extents = "".join(f"[{e}]" for _, e in self.arrays[name])
                else:
                    type += "*" + mark * case["restrict"]
            formals.append(type + name + extents)
        return formals

    # Calls

    def declarations(self, *names):
        """A function of C under other names, for C++."""
        struct = "".join(re.findall(r"struct Sizes {.*};\n", self.source))
        formals = [re.sub(r" (\w+)\[.*", r" *\1", f) for f in self.formals()]
        formal = ", ".join(formals).replace("restrict ", "")
        return struct + "".join(
            f'extern "C" {self.returns()} {name}({formal});\n' for name in names
        )

    def call(self, function, shape, scope=""):
        """A statement that calls a function with arrays of their own names."""
        value = self.values(shape)
        given = ", ".join(str(value[s]) for s in self.arguments())
        before = {
            "struct": f"{scope}Sizes p = {{{given}}}; ",
            "pointer": f"{scope}Sizes s = {{{given}}}, *p = &s; ",
            "array": f"{self.t} dims[] = {{{given}}}; ",
        }
        known = {s: str(value[s]) for s in self.arguments()} | {"alpha": "3"}
        known["nhwc"] = str(shape["nhwc"])
        if shape["no bias"] and self.case["bias"] == "optional":
            known["bias"] = "{}" if self.case["passed"] == "spans" else "nullptr"
        names = ", ".join(known.get(name, name) for name in self.names())
        if self.case["language"] != "kernel":
            function += self.instance(value)
        return f"{before.get(self.case['sizes'], '')}{function}({names});"

    def elements(self, array, shape):
        """How many an array has."""
        size = product([extent for _, extent in self.arrays[array]])
        size = re.sub(r"dims\[(\d+)\]", lambda m: self.arguments()[int(m[1])], size)
        size = size.replace("p->", "").replace("p.", "").replace("/", "//")
        return eval(size, {}, self.values(shape))
