"""follow.py PAGE FOLDER [HEADING]: does in FOLDER what PAGE says, or its section
of that heading.

A block after a line "`NAME`:" is the file NAME; a block of cmake without one is
put at its end; blocks of sh are run, and print what they print. A block of no
language is what the last of them printed; lines of "..." stand for any others,
and tenths of seconds for any time.
"""

import pathlib
import re
import subprocess
import sys

page, folder = map(pathlib.Path, sys.argv[1:3])
section = page.read_text()
if len(sys.argv) > 3:
    heading = re.escape(sys.argv[3])
    section = re.search(rf"^## {heading}$.*?(?=^## )", section, re.M | re.S)[0]
printed = ""
blocks = re.findall(r"(?:^`([^`]+)`:\n\n)?^```(\w*)\n(.*?)^```$", section, re.M | re.S)
for name, language, text in blocks:
    if name:
        (folder / name).write_text(text)
    elif language == "cmake":
        with open(folder / "CMakeLists.txt", "a") as file:
            file.write(text)
    elif language == "sh":
        run = subprocess.run(
            ["bash", "-e", "-c", text],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        printed = run.stdout
        print(printed, end="", flush=True)
        if run.returncode:
            sys.exit(f"{text}\nexited with {run.returncode}")
    elif not language:
        said = re.split(r"^\.\.\.\n", text, flags=re.M)
        pattern = ".*".join(map(re.escape, said))
        pattern = re.sub(r"\d+\\\.\d\\ s\b", r"[0-9.]+ s", pattern)
        if not re.search(pattern, printed, re.S):
            sys.exit(f"The page says\n{text}\nand this was printed:\n{printed}")
