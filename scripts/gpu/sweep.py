#!/usr/bin/env python3
"""Times the tiles that the default chooses beside many others.

sweep.py emit DIR LINES   writes the kernels (needs convopt: CONVOPT=...)
sweep.py run DIR          compiles and times them where the GPU is, in parallel;
                          of each line the default and the fastest others;
                          all are in DIR/times.txt

A line of LINES is a source, a function and the sizes to run at, such as
  scripts/gpu/windows.c image w=4096,h=4096,k=5 k
The names at its end are those whose sizes all kernels know (-assume=).
"""
import itertools
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Tiles of stencils, and of what has a third loop, such as channels of outputs.
PLANE = (["32,8", "32,4", "16,8"],
         ["x:1", "x:4", "x:8", "y:4", "x:4,y:2", "x:2,y:4", "x:4,y:4"],
         ["shared", "none"])
LAYER = (["8,4,8", "16,4,4", "8,8,4", "8,2,8"],
         ["x:4,z:4", "x:4,z:8", "x:8,z:4", "x:4,y:2,z:4", "x:4,y:2,z:8",
          "x:2,y:2,z:4"],
         ["pipelined"])


def variants(names):
    """Of loops x, y and z by their names."""
    yield "default", []
    for group in PLANE, LAYER:
        for threads, outputs, staging in itertools.product(*group):
            reg = ",".join(f"{names.get(o[0], o[0])}{o[1:]}"
                           for o in outputs.split(","))
            name = f"{threads}-{outputs}-{staging}"
            yield (name.replace(",", "x").replace(":", ""),
                   [f"-tile={threads}", f"-reg={reg}", f"-staging={staging}"])


def launch(text, function, sizes):
    """The call of the launcher of all kernels, pointers taken from a[]."""
    found = re.search(rf"^[\w \"]*\b{function}_tiled_launch\(([^)]*)\)", text, re.M)
    arguments, arrays = [], 0
    for param in re.sub(r"\s+", " ", found[1]).split(", "):
        name = re.search(r"(\w+)( = .*)?$", param)[1]
        if name == "stream":
            arguments.append("0")
        elif "*" in param:
            arguments.append(f"Any{{a[{arrays}]}}")
            arrays += 1
        else:
            arguments.append(str(sizes.get(name, "0.5f")))
    return f"{function}_tiled_launch({', '.join(arguments)})"


def loops(command):
    """Its parallel loops, innermost first, as -reg= names them."""
    error = subprocess.run([*command, "-reg=none:2"], capture_output=True,
                           text=True).stderr
    return re.search(r"parallel loops are ([^;]*)", error)[1].split(", ")


def emit(folder, lines):
    convopt = os.environ.get("CONVOPT", "build/bin/convopt")
    folder.mkdir(parents=True, exist_ok=True)
    jobs = []
    for line in lines:
        source, function, given, *known = line.split()
        sizes = dict(pair.split("=") for pair in given.split(","))
        facts = [f"-assume={k}={sizes[k]}" for k in known]
        command = [convopt, source, f"-function={function}", "-q", *facts]
        names = dict(zip("xyz", loops(command)))
        for name, options in variants(names):
            jobs.append((function, sizes, folder / f"{function}-{name}.cu",
                         [*command, *options]))

    def one(job):
        function, sizes, out, command = job
        if subprocess.run([*command, "-o", out], capture_output=True).returncode:
            return
        call = launch(out.read_text(), function, sizes)
        with open(out, "a") as file:
            file.write("struct Any { void *p; template <class T> operator T *() "
                       "const { return (T *)p; } };\n"
                       f'extern "C" int run(float **a) {{ return {call}; }}\n')

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, jobs))


def build(source):
    subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-w", "-shared",
                    "-Xcompiler", "-fPIC", "-cudart", "shared", source,
                    "-o", source.with_suffix(".so")], capture_output=True)


def run(folder, times):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(build, sorted(folder.glob("*-*.cu"))))
    program = folder / "times"
    subprocess.run(["nvcc", "-O2", "-std=c++17", "-arch=native", "-cudart",
                    "shared", times, "-o", program, "-ldl"], check=True)
    libraries = [f"./{p.name}" for p in sorted(folder.glob("*.so"))]
    output = subprocess.run(["./times", *libraries], cwd=folder, text=True,
                            capture_output=True).stdout
    (folder / "times.txt").write_text(output)
    found = {}
    for row in output.splitlines():
        ms, function, *name = row.split()
        if ms != "refused":
            found.setdefault(function, []).append((float(ms), " ".join(name)))
    for function, rows in found.items():
        rows.sort()
        default = next((ms for ms, name in rows if name == "default"), 0)
        best = ", ".join(f"{name} {ms:g}" for ms, name in rows[:5])
        print(f"{function}: default {default:g}, {default / rows[0][0]:.2f} of "
              f"the fastest of {len(rows)}: {best}")


if __name__ == "__main__":
    if sys.argv[1] == "emit":
        emit(Path(sys.argv[2]), Path(sys.argv[3]).read_text().splitlines())
    else:
        run(Path(sys.argv[2]), Path(__file__).with_name("times.cu").resolve())
