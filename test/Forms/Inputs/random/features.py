"""What a random function may be: a choice for each feature, and shapes."""

FEATURES = {  # the plainest first
    "language": ("c", "cpp", "kernel"),
    "dims": (2, 1, 3),
    "maps": ("plane", "layer", "depthwise", "groups", "divided"),
    "batch": (False, True),
    "layout": ("first", "last", "batch last"),
    "filter": ("oihw", "hwio"),
    "op": ("sum", "max", "average"),
    "type": ("float", "double", "wide", "int", "short", "uchar", "schar", "long"),
    "square": (True, False),
    "stride": ("1", "2", "S"),
    "dilation": ("1", "2", "L"),
    "pad": ("0", "1", "P", "centre"),
    "guard": ("combined", "nested", "continue", "continue all", "flag", "not")
    + ("ternary", "unsigned", "helper", "clipped", "window"),
    "sizes": ("args", "constants", "enum", "struct", "pointer", "array"),
    "index": ("int", "long", "size_t", "short"),
    "extents": ("local", "inline", "args"),
    "address": ("horner", "sums", "strides", "macro", "index helper")
    + ("load helper", "arrays", "rows", "moving"),
    "subscript": ("inline", "locals", "base"),
    "loops": ("plain", "prefix", "le", "c89", "while", "descending"),
    "order": tuple(range(24)),
    "sum order": tuple(range(24)),
    "sum": ("local", "in place", "before", "memset", "given"),
    "flat": (False, True),
    "update": ("add", "assign", "temporaries", "helper"),
    "bias": ("none", "init", "after", "optional"),
    "scale": (False, True),
    "residual": (False, True),
    "activation": ("none", "call", "ternary", "if", "leaky", "helper"),
    "store": ("statements", "expression"),
    "threads": ("grid", "flat", "blocks", "loops", "stride"),
    "exit": ("return", "if", "returns", "not"),
    "template": ("none", "type", "size"),
    "around": ("nothing", "check", "status"),
    "restrict": (False, True),
    "passed": ("pointers", "spans"),
    "either layout": (False, True),
    "nests": (1, 2),
}

# Elements, sums and results.
TYPES = {
    "float": ("float", "float", "float"),
    "double": ("double", "double", "double"),
    "wide": ("float", "double", "float"),
    "int": ("int", "int", "int"),
    "short": ("short", "int", "int"),
    "uchar": ("unsigned char", "int", "int"),
    "schar": ("signed char", "int", "signed char"),
    "long": ("int", "long long", "long long"),
}


def draw(rng):
    """Choices, half of them the plainest, and three shapes."""
    case = {
        name: choices[0] if rng.random() < 0.5 else rng.choice(choices)
        for name, choices in FEATURES.items()
    }
    case["shapes"] = []
    for _ in range(3):
        shape = {name: rng.randint(1, 3) for name in "NGCSLR"}
        shape |= {name: rng.randint(1, 200) for name in "DHW"}
        shape |= {k: rng.choice((1, 2, 3, 3, 4, 5)) for k in ("K", "KD", "KH", "KW")}
        shape |= {"M": rng.randint(1, 5), "P": rng.randint(0, 3)}
        shape["no bias"] = rng.random() < 0.3
        shape["nhwc"] = rng.randint(0, 1)
        case["shapes"].append(shape)
    return settle(case)


def settle(case):
    """The choices without those that mean nothing beside others."""
    c = dict(case)

    def needs(feature, choices, holds, plain):
        if c[feature] in choices and not holds:
            c[feature] = plain

    kernel = c["language"] == "kernel"
    if kernel:
        c |= {"flat": False, "loops": "plain", "around": "nothing", "index": "int"}
        needs("sum", ("before", "memset"), False, "in place")
        needs("sizes", ("pointer", "array"), False, "struct")
    else:
        c |= {"threads": "grid", "exit": "return"}
    if c["op"] != "sum":
        needs("maps", ("layer", "groups", "divided"), False, "depthwise")
        needs("type", ("uchar",), False, "int")
        needs("sum", ("memset", "given"), False, "in place")
        needs("bias", ("init",), False, "after")
    needs("op", ("average",), c["sum"] in ("local", "in place"), "sum")
    if c["type"] in ("schar", "wide"):
        c["sum"] = "local"
    if c["sum"] not in ("local", "in place"):
        c |= {"bias": "none", "scale": False, "residual": False, "flat": False}
        c |= {"activation": "none"}
        needs("guard", ("clipped", "window"), False, "combined")
        needs("address", ("moving",), False, "horner")
    if c["sum"] != "local":
        needs("bias", ("init", "optional"), False, "after")
    if c["maps"] == "plane":
        c["bias"] = "none"
        needs("layout", ("last",), False, "first")
    if c["pad"] == "centre":
        c |= {"dilation": "1", "square": True}
        needs("template", ("size",), False, "none")
    if c["pad"] == "0":
        c["guard"] = "combined"
    needs("guard", ("clipped", "window"), c["dilation"] == "1", "combined")
    needs("guard", ("window",), c["pad"] != "centre", "combined")
    if c["guard"] == "window":
        c["subscript"] = "inline"
    needs("index", ("size_t",), c["pad"] == "0", "long")
    needs("loops", ("descending",), c["index"] != "size_t", "plain")
    needs("loops", ("while",), "continue" not in c["guard"], "plain")
    needs("loops", ("while",), c["sum"] != "before", "plain")
    needs("template", ("type", "size"), c["language"] != "c", "none")
    needs("passed", ("spans",), c["language"] == "cpp", "pointers")
    if c["passed"] == "spans":
        pointers = ("load helper", "arrays", "rows", "moving")
        needs("address", pointers, False, "horner")
        c["restrict"] = False
    layouts = c["maps"] != "plane" and c["layout"] == "first" and c["sum"] == "local"
    c["either layout"] &= layouts and c["address"] == "horner"
    needs("nests", (2,), not kernel and c["loops"] != "while", 1)
    constant = c["sizes"] in ("constants", "enum")
    needs("template", ("size",), not constant, "none")
    needs("extents", ("args",), not constant, "local")
    if c["address"] == "arrays" and not constant:
        # Parameters of lengths that parameters give.
        needs("address", ("arrays",), c["language"] == "c", "horner")
        needs("extents", ("local",), False, "args")
    if c["template"] == "size":
        fixed = {k: v for k, v in c["shapes"][0].items() if k[0] == "K"}
        c["shapes"] = [shape | fixed for shape in c["shapes"]]
    if constant:
        c["shapes"] = c["shapes"][:1]
    return c
