"""Checks docs/diagnostics.md: each rule of the front end has a section, and
each section an input that is refused by that rule, at the line and with the
text of its comment in Clang's form:

    // expected-error {{text}}      on this line
    // expected-error@0 {{text}}    anywhere

usage: diagnostics.py CONVOPT PAGE Diagnostics.h FOLDER
"""

import os
import re
import subprocess
import sys

EXPECTED = re.compile(r"// expected-error(@0)? \{\{(.+)\}\}")
EXTENSION = {"c": ".c", "cpp": ".cpp", "cuda": ".cu"}


def sections(page):
    """Each rule with the language and text of its examples."""
    for part in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        rule = re.match(r"`(.*)`\n", part).group(1)
        yield rule, re.findall(r"```(\w+) refused\n(.*?)```", part, re.DOTALL)


def expectation(rule, name, source):
    """What the one error of `source` must look like."""
    [(line, anywhere, message)] = [
        (number, *match.groups())
        for number, content in enumerate(source.split("\n"), start=1)
        for match in EXPECTED.finditer(content)
    ]
    place = "" if anywhere else re.escape(f"{name}:{line}:")
    return f"{place}.*error: .*{re.escape(message)}.* \\[{re.escape(rule)}\\]$"


def check(convopt, rule, path, source):
    """What is wrong with the example; nothing where it is right."""
    folder, name = os.path.split(path)
    with open(path, "w") as file:
        file.write(source)
    output = name + ".tiled.cu"
    run = subprocess.run(
        [convopt, name, "-o", output], cwd=folder, capture_output=True, text=True
    )
    if os.path.exists(os.path.join(folder, output)):
        return "an output file was left"
    if run.returncode != 1:
        return f"exit status {run.returncode}"
    errors = re.findall(r"^.*error: .*$", run.stderr, re.MULTILINE)
    expected = expectation(rule, name, source)
    if len(errors) != 1 or not re.match(expected, errors[0]):
        return f"expected {expected}, got\n{run.stderr}"
    return None


def main(convopt, page, header, folder):
    with open(page) as file:
        documented = dict(sections(file.read()))
    with open(header) as file:
        rules = set(re.findall(r' = "(.*)";', file.read()))
    wrong = [f"{rule} has no section" for rule in rules - set(documented)]
    os.makedirs(folder)
    for rule, examples in documented.items():
        if rule not in rules or not examples:
            wrong.append(f"{rule} is no rule, or has no example")
        for number, (language, source) in enumerate(examples):
            name = f"{rule}-{number}{EXTENSION[language]}"
            what = check(convopt, rule, os.path.join(folder, name), source)
            if what:
                wrong.append(f"{name}: {what}")
    print(*wrong, f"{len(documented)} rules, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
