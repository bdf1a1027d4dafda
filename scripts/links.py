#!/usr/bin/env python3
"""Checks the links of Markdown files, and copies them for an installation.

    links.py check FOLDER PARTS=PAGE...
                                    each link names a file there is, and a heading;
                                    those within PARTS/*.md are of PAGE, too, which
                                    has their text
    links.py copy FOLDER TO NAME... copies these; links to what is not copied
                                    become their words
"""

import pathlib
import re
import shutil
import sys

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]*(?:\([^()]*\))?[^()\s]*)\)")


def pieces(text):
    """(is code, text): fenced blocks, which have no links, and the rest."""
    for k, piece in enumerate(re.split(r"^(```.*?^```$)", text, flags=re.M | re.S)):
        yield k % 2 == 1, piece


def anchor(heading):
    """GitHub's."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(path):
    text = "".join(p for code, p in pieces(path.read_text()) if not code)
    return {anchor(h) for h in re.findall(r"^#+ (.*)$", text, flags=re.M)}


def is_elsewhere(target):
    return re.match(r"[a-z]+:", target)


def fault(page, target):
    """What is wrong with a link to target from page; None if nothing."""
    name, _, heading = target.partition("#")
    path = page.parent / name if name else page
    if is_elsewhere(target):
        return None
    if not path.exists():
        return "no file"
    if heading and path.suffix == ".md" and heading not in anchors(path):
        return "no heading"


def check(root, parts):
    broken = []
    page_of = {root / part: root / page for part, page in parts}
    for page in sorted(root.rglob("*.md")):
        whole = page_of.get(page.parent, page)
        for code, piece in pieces(page.read_text()):
            for _, words, target in [] if code else LINK.findall(piece):
                wrong = fault(page, target)
                if wrong and fault(whole, target):
                    broken.append(f"{page}: '{words}' links to {wrong}: {target}")
    print("\n".join(broken) or "all links lead somewhere")
    return bool(broken)


def copy(root, to, names):
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    for name in names:
        if (root / name).is_dir():
            shutil.copytree(root / name, to / name)
        else:
            shutil.copy2(root / name, to / name)
    for page in to.rglob("*.md"):

        def link(match):
            target = match[3]
            path = page.parent / target.partition("#")[0]
            there = is_elsewhere(target) or path.exists()
            return match[0] if there else match[2]

        text = "".join(
            piece if code else LINK.sub(link, piece)
            for code, piece in pieces(page.read_text())
        )
        page.write_text(text)


def main():
    command, root, *rest = sys.argv[1:]
    if command == "check":
        parts = [part.split("=") for part in rest]
        sys.exit(check(pathlib.Path(root).resolve(), parts))
    copy(pathlib.Path(root), pathlib.Path(rest[0]), rest[1:])


main()
