#!/usr/bin/env python3
"""Makes of what `TOOL -help` prints a man page or a shell's completion.

    from-help.py man|bash|zsh TOOL VERSION OUTPUT
"""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field


@dataclass
class Option:
    name: str
    value: str  # "=<file>", "[=<auto>]", " <file>" or ""
    text: str
    choices: list = field(default_factory=list)  # (value, text)

    def takes_file(self):
        return "<file" in self.value

    def is_word(self):
        """Whether the value is in the option's own word."""
        return self.value.startswith("=")


def sections(text):
    """(title, lines) of each part that begins with a title in capitals."""
    found = []
    for line in text.splitlines():
        title = re.match(r"([A-Z][A-Z ]+):(.*)", line)
        if title:
            found.append((title[1], [title[2].strip()]))
        else:
            found[-1][1].append(line)
    return found


def parse_options(lines):
    options = []
    for line in lines:
        option = re.match(r"  -{1,2}([A-Za-z][\w-]*)(.*?)\s+- (.*)", line)
        choice = re.match(r"    =(\S+)\s+-\s+(.*)", line)
        if option:
            options.append(Option(option[1], option[2], option[3]))
        elif choice:
            options[-1].choices.append((choice[1], choice[2]))
    return options


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(['.])", r"\\&\1", text, flags=re.MULTILINE)


def paragraph(lines):
    return [".PP" if not l.strip() else roff(l.strip()) for l in lines]


def section(title, lines):
    """Indented lines stay as they are."""
    page = [f".SH {title}"]
    for line in lines:
        if line.startswith("  "):
            page += [".nf", roff(line), ".fi"]
        elif line.strip():
            page.append(roff(line))
    return page


def man(tool, version, parts, options):
    overview = parts["OVERVIEW"]
    page = [
        f'.TH {tool.upper()} 1 "" "convopt {version}" "User Commands"',
        ".SH NAME",
        roff(overview[0].replace(": ", " - ", 1)),
        ".SH SYNOPSIS",
        f".B {roff(tool)}",
        roff(parts["USAGE"][0].removeprefix(tool).strip()),
        ".SH DESCRIPTION",
        *paragraph(overview[1:]),
        ".SH OPTIONS",
    ]
    for o in options:
        page += [".TP", f".B {roff('-' + o.name + o.value)}", roff(o.text)]
        for value, text in o.choices:
            page += [".RS", ".TP", f".B {roff(value)}", roff(text), ".RE"]
    for title, lines in parts.items():
        if title not in ("OVERVIEW", "USAGE", "OPTIONS"):
            page += section(title, lines)
    others = {"convopt", "convopt-opt", "convopt-bench"} - {tool}
    page += [".SH SEE ALSO", ", ".join(f"{roff(o)}(1)" for o in sorted(others))]
    return page


def bash(tool, version, parts, options):
    function = "_" + tool.replace("-", "_")
    names = " ".join(o.name + "=" * o.is_word() for o in options)
    page = [
        f"# Completion of {tool}'s options, for bash.",
        function + "() {",
        "  local word=${COMP_WORDS[COMP_CWORD]} option=",
        "  local before=${COMP_WORDS[COMP_CWORD - 1]}",
        "  if [[ $word == = ]]; then",
        "    option=$before word=",
        "  elif [[ $before == = ]]; then",
        "    option=${COMP_WORDS[COMP_CWORD - 2]}",
        "  fi",
        "  option=${option#-}",
        "  case ${option#-} in",
    ]
    for o in options:
        if o.choices:
            values = " ".join(value for value, _ in o.choices)
            page += [
                f"  {o.name})",
                f"    mapfile -t COMPREPLY < <(compgen -W '{values}' -- \"$word\")",
                "    return ;;",
            ]
    files = "|".join(o.name for o in options if o.takes_file() and o.is_word())
    page += [
        f"  '' | {files or '-'}) ;;",
        "  *) return ;;",
        "  esac",
        "  if [[ -z $option && $word == -* ]]; then",
        "    local dashes=${word%%[^-]*}",
        f"    mapfile -t COMPREPLY < <(compgen -P \"$dashes\" -W '{names}' -- \\",
        '      "${word#"$dashes"}")',
        "    [[ ${COMPREPLY[*]} != *= ]] || compopt -o nospace 2>/dev/null",
        "  else",
        '    mapfile -t COMPREPLY < <(compgen -f -- "$word")',
        "    compopt -o filenames 2>/dev/null",
        "  fi",
        "}",
        f"complete -F {function} {tool}",
    ]
    return page


def zsh(tool, version, parts, options):
    def quoted(text):
        return text.replace("'", "'\\''")

    def described(text):
        return quoted(re.sub(r"([\[\]\\:])", r"\\\1", text))

    page = [f"#compdef {tool}", "_arguments \\"]
    for o in options:
        value = re.sub(r"[\[\]=<> ]", "", o.value)
        spec = f"'*-{o.name}{'=-' if o.is_word() else ''}[{described(o.text)}]"
        if o.choices:
            spec += f":value:({' '.join(v for v, _ in o.choices)})"
        elif o.takes_file() or o.value == " <build>":
            spec += ":file:_files"
        elif o.is_word():
            spec += f":{described(value)}: "
        page.append(f"  {spec}' \\")
    page.append("  '*:source:_files'")
    return page


def main():
    kind, path, version, output = sys.argv[1:]
    help_text = subprocess.run(
        [path, "-help"], check=True, capture_output=True, text=True
    ).stdout
    parts = dict(sections(help_text))
    options = parse_options(parts["OPTIONS"])
    make = {"man": man, "bash": bash, "zsh": zsh}[kind]
    page = make(os.path.basename(path), version, parts, options)
    with open(output, "w") as file:
        file.write("\n".join(page) + "\n")


main()
