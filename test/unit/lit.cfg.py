# GoogleTest programs: each case counts as a test.

import os

import lit.formats

config.name = "convopt-unit"
config.suffixes = []
config.excludes = ["CMakeFiles"]
config.test_source_root = config.convopt_unit_dir
config.test_exec_root = config.convopt_unit_dir
config.test_format = lit.formats.GoogleTest(".", "Tests")
# What `-verify` compiles but once: not in the user's own.
config.environment["XDG_CACHE_HOME"] = os.path.join(
    config.test_exec_root, os.pardir, "cache"
)
