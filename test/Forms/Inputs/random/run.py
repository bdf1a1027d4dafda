#!/usr/bin/env python3
"""Runs convopt on random functions: run.py CONVOPT HOST INCLUDE [OPTION...]

Draws naive functions and options of convopt, and runs what convopt writes beside
what it was given, under the sanitizers, with several shapes (RandomForms.h). A
refusal is no failure; other values, crashes, output that does not compile and
statuses that convopt must not have are. What fails loses one choice after
another for as long as it fails, and is printed as a file with a command.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # beside the sources

from features import FEATURES, draw, settle
from program import Program

HERE = pathlib.Path(__file__).resolve().parent
SANITIZED = ["-O0", "-w", "-ffp-contract=off", "-fsanitize=address,undefined"]
SANITIZED += ["-fno-sanitize=shift-base,float-cast-overflow,float-divide-by-zero"]
SANITIZED += ["-fno-sanitize-recover=all"]
PASSED = ("same", "same by default", "naive code ran", "refused")


def run(command, **options):
    command = [str(part) for part in command]
    options |= {"capture_output": True, "text": True, "errors": "replace"}
    try:
        return subprocess.run(command, timeout=300, **options)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 124, "", "more than 300 s")


def draw_options(rng, loops):
    """What means something for a nest with these parallel loops."""

    def by_name(most, largest):
        few = rng.sample(loops, rng.randint(1, min(most, len(loops))))
        return ",".join(f"{name}:{rng.randint(1, largest)}" for name in few)

    options = []
    if rng.random() < 0.6:
        options.append("-tile=" + by_name(3, 12))
        if rng.random() < 0.6:
            options.append("-reg=" + by_name(2, 4))
    if rng.random() < 0.5:
        kinds = ("none", "shared", "pipelined", "shared:2", "pipelined:1")
        options.append("-staging=" + rng.choice(kinds))
    if rng.random() < 0.4:
        kinds = ("recompute", "full-tiles", "guards")
        options.append("-boundary=" + rng.choice(kinds))
    elif rng.random() < 0.2:
        options += ["-boundary=fill", "-ffinite-math-only", "-fno-signed-zeros"]
    elif rng.random() < 0.1:
        options.append("-ffast-math")
    if rng.random() < 0.1:
        options.append("-filter-widths=" + rng.choice(("3", "2,3")))
    return options


def reason(text):
    """The first error, without the names and numbers of its program."""
    errors = [line for line in text.splitlines() if "error:" in line] or [text[:200]]
    text = re.sub(r"'[^']*'", "'_'", re.sub(r"^.*?error: ", "", errors[0]))
    return re.sub(r": [^:]*\]\[.*\]", ": _", re.sub(r"\d+", "N", text))


class Case:
    """Choices and options, which are drawn where they are None; and a verdict."""

    def __init__(self, folder, seed, choices, options):
        self.folder, self.seed, self.choices = folder, seed, choices
        self.program = Program(choices, f"conv{seed}")
        self.options = options
        self.source = folder / f"conv{seed}{self.program.suffix}"
        self.emitted = folder / f"conv{seed}.emitted.cu"
        self.verdict = self.message = ""

    def transform(self, tool, verify):
        """Has convopt write the file; the verdict, where it does not."""

        span = ["--", "-std=c++20"] * (self.choices["passed"] == "spans")

        def convopt(*options):
            return run([tool, self.source, *options, "-o", self.emitted, *span])

        self.source.write_text(self.program.source)
        result = run([tool, self.source, "-emit=dependences", *span])
        loops = re.findall(r"for (\w+) in .*// parallel", result.stdout)
        several = "[several-nests]" in result.stderr  # one run takes all
        if several:
            loops = [name for name, _ in self.program.outer]
        if self.options is None:
            self.options = draw_options(random.Random(self.seed), loops) if loops else []
        if result.returncode == 0 or several:
            result = convopt(*self.options)
        if loops and result.returncode in (1, 2) and self.options:
            default = convopt()
            if default.returncode not in (1, 2):
                self.verdict, self.message = "same by default", reason(result.stderr)
                self.options, result = [], default
        if result.returncode == 0 and verify:
            result = convopt(*self.options, "-verify=cpu")
            if result.returncode == 4:
                result = convopt(*self.options)
        if result.returncode:
            self.message = result.stderr[-1500:]
            self.verdict = f"status {result.returncode}"
        if result.returncode in (1, 2):
            self.message = reason(result.stderr)
            # What Clang says has no kind.
            isRefusal = self.message.endswith("]")
            self.verdict = "refused" if isRefusal else "no function"

    def text(self):
        """Naive and emitted code and their calls, as a part of a driver."""
        p, name, emitted = self.program, self.program.name, self.emitted.read_text()
        calls = re.search(rf"{name}_(nest|body)\d*_tiled", emitted)
        own = name if calls else f"{name}_tiled"
        parts = [f"namespace tiled{self.seed} {{\n{emitted}\n}}\n"]
        spaces = f"naive{self.seed}::", f"tiled{self.seed}::"
        if p.suffix == ".c":  # compiled as C, under these names
            parts.append(f"namespace {spaces[0][:-2]} {{\n")
            parts.append(p.declarations(f"naive_{name}", own) + "}\n")
            spaces, functions = (spaces[0], spaces[0]), (f"naive_{name}", own)
        else:
            parts.append(f"namespace {spaces[0][:-2]} {{\n{p.source}\n}}\n")
            functions = ("run_" + name,) * 2 if p.suffix == ".cu" else (name, own)
        data = ("Random", "Special", "Random")
        if any(o.startswith(("-ffast", "-ffinite")) for o in self.options):
            data = ("Integers",) * 3
        types = (p.type_of(a) for a in p.arrays)
        types = ", ".join(p.element if t == "T" else t for t in types)
        formals = ", ".join(f"auto {a}" for a in p.arrays)
        parts.append(f"void program{self.seed}() {{\n")
        for k, shape in enumerate(self.choices["shapes"]):
            lengths = ", ".join(str(p.elements(a, shape)) for a in p.arrays)
            calls = ", ".join(
                f"[&]({formals}) {{ {p.call(space + function, shape, space)} }}"
                for space, function in zip(spaces, functions)
            )
            arguments = f'"shape {k}", {{{lengths}}}, forms::Data::{data[k]}, {calls}'
            parts.append(f"  forms::compare<{types}>({arguments});\n")
        parts.append("}\n")
        names = re.findall(r"(?m)^ *# *define (\w+)", emitted + p.source)
        return "".join(parts + [f"#undef {name}\n" for name in names])


class Runner:
    def __init__(self, arguments):
        self.tool, self.cxx = arguments.convopt, arguments.cxx
        self.verify, self.folder = arguments.verify, pathlib.Path(arguments.folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.launches = arguments.host / "convopt-host-launches"
        self.common = [f"-I{arguments.host / 'include'}", f"-I{arguments.include}"]
        self.common += ["-std=c++20", *SANITIZED]
        header, pch = HERE / "RandomForms.h", self.folder / "forms.pch"
        made = run([self.cxx, *self.common, "-x", "c++-header", header, "-o", pch])
        if made.returncode:
            sys.exit(made.stderr)
        self.common += ["-include-pch", pch]

    def run(self, cases):
        """Gives each case its verdict; they are in one folder."""
        for case in cases:
            verify = random.Random(case.seed + 1).random() < self.verify
            case.transform(self.tool, verify)
        cases = [c for c in cases if c.verdict in ("", "same by default")]
        if not cases:
            return
        driver, error = self.build(cases)
        if not error:
            self.execute(cases, driver)
        elif len(cases) == 1:
            cases[0].verdict, cases[0].message = "does not compile", error
        else:
            for case in cases:
                self.run([case])

    def build(self, cases):
        """A driver of these cases, or what the compiler says."""
        driver = cases[0].folder / f"driver{cases[0].seed}"
        text, objects = "".join(case.text() for case in cases), []
        include = r"(?m)^#include .*$"
        head = "\n".join(dict.fromkeys(re.findall(include, text)))
        calls = "".join(f"  forms::run({c.seed}, program{c.seed});\n" for c in cases)
        text = head + "\n" + re.sub(include, "", text) + f"int main() {{\n{calls}}}\n"
        text = run([self.launches], input=text).stdout
        driver.with_suffix(".cpp").write_text(text)
        for case in cases:
            name = case.program.name
            if case.source.suffix != ".c":
                continue
            for source, other in ((case.source, f"naive_{name}"), (case.emitted, name)):
                objects.append(source.with_suffix(".o"))
                command = [self.cxx.replace("++", ""), *SANITIZED, f"-D{name}={other}"]
                made = run([*command, "-x", "c", "-c", source, "-o", objects[-1]])
                if made.returncode:
                    return driver, made.stderr[:1500]
        sources = ["-x", "c++", driver.with_suffix(".cpp"), "-x", "none", *objects]
        made = run([self.cxx, *self.common, *sources, "-lboost_context", "-o", driver])
        return driver, made.stderr[:1500] if made.returncode else ""

    def execute(self, cases, driver):
        options = "detect_leaks=0:symbolize=0"
        result = run([driver], env={**os.environ, "ASAN_OPTIONS": options})
        lines = result.stdout.splitlines()
        for case in cases:
            before = -1
            status = "none"
            for at, line in enumerate(lines):
                if found := re.fullmatch(rf"program {case.seed}: (\d+)", line):
                    before, status = at - 1, found[1]
            if status == "0":
                case.verdict = case.verdict or "same"
            elif status == "4":
                case.verdict = "naive code ran"
            elif status == "3":
                case.verdict, case.message = "WRONG", lines[before]
            else:
                case.verdict = f"crash, status {status}"
                case.message = result.stderr[:1500] if len(cases) == 1 else ""


def shrink(runner, case):
    """The same failure with as few choices, options and shapes as it needs."""
    best, folder = case, runner.folder / f"shrink{case.seed}"
    folder.mkdir(exist_ok=True)

    def attempt(options, **choices):
        nonlocal best
        settled = settle({**best.choices, **choices})
        tried = Case(folder, case.seed, settled, options)
        runner.run([tried])
        if tried.verdict == case.verdict:
            best = tried

    attempt(best.options)
    for name, choices in FEATURES.items():
        if best.choices[name] != choices[0]:
            attempt(best.options, **{name: choices[0]})
    for option in case.options:
        attempt([o for o in best.options if o != option])
    for shape in best.choices["shapes"]:
        attempt(best.options, shapes=[shape])
    best.source.write_text(best.program.source)
    return best


def report(case):
    print(f"--- seed {case.seed}: {case.verdict}: {case.message}")
    kept = (f for f in FEATURES if case.choices[f] != FEATURES[f][0])
    print("//", ", ".join(f"{f}={case.choices[f]}" for f in kept))
    print(f"// convopt {case.source.name} {' '.join(case.options)}")
    for shape in case.choices["shapes"]:
        print("// " + case.program.call(case.program.name, shape))
    print(case.program.source, flush=True)


def given(name, default):
    return int(os.environ.get("CONVOPT_RANDOM_" + name, default))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("convopt")
    parser.add_argument("host", type=pathlib.Path, help="test/Host of the build folder")
    parser.add_argument("include", help="where cuda_on_cpu.h is")
    parser.add_argument("--cxx", default="clang++")
    parser.add_argument("--folder", default=tempfile.gettempdir() + "/convopt-forms")
    parser.add_argument("--seed", type=int, default=given("SEED", 1), help="the first")
    parser.add_argument("--programs", type=int, default=given("FORMS", 16))
    parser.add_argument("--batch", type=int, default=8, help="programs of a driver")
    parser.add_argument("--verify", type=float, default=0, help="share for -verify=cpu")
    parser.add_argument("-j", type=int, default=1)
    arguments = parser.parse_args()
    runner, end = Runner(arguments), arguments.seed + arguments.programs
    counts, reasons, failures = (collections.Counter() for _ in range(3))
    seeds = {}

    def batch(first):
        folder, cases = runner.folder / str(first), []
        folder.mkdir(exist_ok=True)
        for seed in range(first, min(first + arguments.batch, end)):
            cases.append(Case(folder, seed, draw(random.Random(seed)), None))
        runner.run(cases)
        return cases

    print(f"seeds {arguments.seed} to {end - 1}", flush=True)
    firsts = range(arguments.seed, end, arguments.batch)
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for case in (case for cases in pool.map(batch, firsts) for case in cases):
            counts[case.verdict] += 1
            if case.verdict not in PASSED:
                kind = f"{case.verdict}: {reason(case.message)}"
                failures[kind] += 1
                report(shrink(runner, case) if failures[kind] == 1 else case)
            elif case.verdict != "same":
                kind = f"{case.verdict}: {case.message}"
                reasons[kind] += 1
                seeds.setdefault(kind, case.seed)
    for what, count in counts.most_common():
        print(f"| {what} | {count} |")
    for what, count in reasons.most_common():
        print(f"| {what} (seed {seeds[what]}) | {count} |")
    same, failed = counts["same"] + counts["same by default"], sum(failures.values())
    print(f"{same} same, {counts['refused']} refused, {failed} failed")
    sys.exit(1 if failed or not same else 0)


if __name__ == "__main__":
    main()
