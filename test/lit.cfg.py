# What every test under test/ can use: tools, substitutions and features.
# docs/Testing.md says how to write one.

import os
import shlex
import shutil
import subprocess
import sys

import lit.formats

config.name = "convopt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".nest", ".test", ".c", ".cpp", ".cu"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.convopt_obj_root, "test")


def in_source(*parts):
    return shlex.quote(os.path.join(config.convopt_src_root, *parts))


def tool(name):
    return os.path.join(config.convopt_tools_dir, name)


def script(name):
    return "bash " + in_source("test", "Inputs", name)


def succeeds(*command):
    try:
        return (
            subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=30,
            ).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False


# FileCheck, not, count and split-file are LLVM's; nvcc is often installed
# without being on the path.
search_path = [config.llvm_tools_dir, config.environment["PATH"]]
if not shutil.which("nvcc") and os.path.exists("/usr/local/cuda/bin/nvcc"):
    search_path.append("/usr/local/cuda/bin")
config.environment["PATH"] = os.pathsep.join(search_path)
config.environment["FILECHECK_OPTS"] = (
    "-enable-var-scope --allow-unused-prefixes=false"
)
config.environment["CONVOPT"] = tool("convopt")
# What `-verify` compiles but once: not in the user's own.
config.environment["XDG_CACHE_HOME"] = os.path.join(
    config.test_exec_root, "cache"
)
config.environment["HOST_CLANGXX"] = config.host_clangxx
config.environment["HOST_FILES"] = os.path.join(config.test_exec_root, "Host")
for name in (
    "CONVOPT_RANDOM_COMPILED",
    "CONVOPT_RANDOM_FORMS",
    "CONVOPT_RANDOM_SEED",
):
    if name in os.environ:
        config.environment[name] = os.environ[name]
# Messages are compared as text.
config.environment["LC_ALL"] = "C"

# Longer names first: each is replaced wherever it stands.
config.substitutions += [
    ("%convopt-bench", shlex.quote(tool("convopt-bench"))),
    ("%convopt-opt", shlex.quote(tool("convopt-opt"))),
    ("%convopt", shlex.quote(tool("convopt"))),
    ("%examples", in_source("examples")),
    ("%status", script("status.sh")),
    ("%refuses", script("refuses.sh")),
    ("%host-cxx", shlex.quote(config.host_clangxx)),
    ("%host-cc", shlex.quote(config.host_clangxx.removesuffix("++"))),
    ("%host", script("../Host/Inputs/host.sh")),
    ("%program", script("../Host/Inputs/program.sh")),
    ("%unprivileged", script("unprivileged.sh")),
    (
        "%terminal",
        shlex.quote(sys.executable)
        + " "
        + in_source("test", "Inputs", "terminal.py"),
    ),
    ("%python", shlex.quote(sys.executable)),
    ("%cmake", shlex.quote(config.cmake)),
    ("%cpack", shlex.quote(config.cpack)),
    ("%cxx", shlex.quote(config.cxx)),
    ("%build", shlex.quote(config.convopt_obj_root)),
    ("%source", shlex.quote(config.convopt_src_root)),
]

nvcc = shutil.which("nvcc", path=config.environment["PATH"])
if nvcc:
    config.available_features.add("nvcc")
if nvcc and os.path.exists("/dev/nvidiactl") and succeeds("nvidia-smi", "-L"):
    config.available_features.add("gpu")
if shutil.which("dpkg-shlibdeps"):
    config.available_features.add("dpkg")
if shutil.which("groff"):
    config.available_features.add("groff")
if os.geteuid() == 0:
    config.available_features.add("root")
# Root reads and writes everything, so tests of permissions give that up.
if os.geteuid() != 0 or succeeds("setpriv", "--bounding-set=-all", "true"):
    config.available_features.add("permissions")
if succeeds("unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"):
    config.available_features.add("mount")
if os.path.exists(config.host_clangxx):
    config.available_features.add("host")
if os.path.exists(tool("convopt")):
    config.available_features.add("convopt")
