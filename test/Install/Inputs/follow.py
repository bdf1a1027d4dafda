"""follow.py PAGE FOLDER: does in FOLDER what PAGE says.

A block after a line "`NAME`:" is the file NAME; a block of cmake without one is
put at its end; blocks of sh are run, and print what they print.
"""

import pathlib
import re
import subprocess
import sys

page, folder = map(pathlib.Path, sys.argv[1:])
section = re.search(r"^## From a naive.*?(?=^## )", page.read_text(), re.M | re.S)[0]
blocks = re.findall(r"(?:^`([^`]+)`:\n\n)?^```(\w*)\n(.*?)^```$", section, re.M | re.S)
for name, language, text in blocks:
    if name:
        (folder / name).write_text(text)
    elif language == "cmake":
        with open(folder / "CMakeLists.txt", "a") as file:
            file.write(text)
    elif language == "sh":
        sys.stdout.flush()
        run = subprocess.run(
            ["bash", "-e", "-c", text], cwd=folder, stderr=subprocess.STDOUT
        )
        if run.returncode:
            sys.exit(f"{text}\nexited with {run.returncode}")
    elif not language:
        print("THE PAGE SAYS", *text.splitlines(), sep="\n  ")
