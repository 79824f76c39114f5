#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check the page that compares ndpmd with other tools.

usage: compared.py SOURCE_ROOT BUILD_ROOT PROGRAM...

Each row of docs/compared.md has a command of ndpdk and tests, or begins with "no: " and a reason.
Options of the commands must be in --help. Listed tests must exist in the build, and the source of
one of them must contain the option. Exits with 0, or with 1 after printing what is wrong.
"""

import json
import os
import re
import sys

import pages

GROUPS = ("testpmd", "perftest", "TRex", "tcpreplay")
ROWS_MIN = 40
REASON_MIN = 25  # minimum length of a reason, in characters
OPTION = re.compile(r"(?<!\S)--?([A-Za-z][a-z-]*)")
TEXTS = (".py", ".md", ".c", ".sh")


def rows_of(text):
    """Yield (group, cells) of each row."""
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        group = section.split("\n", 1)[0]
        for line in section.splitlines():
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            is_row = line.startswith("| ") and not line.startswith("| ---")
            if is_row and cells[0] != "they rely on":
                yield group, [cell.rstrip(" |") for cell in cells]


def options_of(program):
    """Return the options in --help, and in --help of each command."""
    text = pages.help_of(program)
    text += "".join(pages.help_of(program, command) for command, _ in pages.commands_of(text))
    return set(re.findall(r"(?:^|[ \[|])--?([A-Za-z][a-z-]*)", text, re.M))


def commands_of(cell, programs):
    """Yield (program, options) of commands in a cell. Options without a program belong to the
    program before them."""
    program = None
    for span in re.findall(r"`([^`]+)`", cell):
        words = span.split(" -- ")[-1] if " -- " in span else span
        first = span.split()[0]
        if first in programs:
            program = first
        elif not first.startswith("--"):
            continue
        if program is not None:
            yield program, OPTION.findall(words)


def imports_of(path):
    """Return the modules next to a script that the script imports."""
    with open(path, encoding="utf-8") as file:
        names = re.findall(r"^(?:import|from) (\w+)", file.read(), re.M)
    beside = [os.path.join(os.path.dirname(path), name + ".py") for name in names]
    return [name for name in beside if os.path.exists(name)]


def sources_of(test, root):
    """Return the texts of a test: scripts and documents of its command, or the source of its
    program."""
    found = []
    for word in test["cmd"]:
        if os.path.isfile(word) and word.endswith(TEXTS):
            found.append(word)
        elif os.path.isdir(word) and os.path.samefile(word, os.path.join(root, "docs")):
            found.append(os.path.join(word, "manual.md"))
    for path in list(found):
        if path.endswith(".py"):
            found += imports_of(path)
    name = os.path.basename(test["cmd"][0]).replace("test_e2e_", "test_")
    for folder in ("unit", "e2e", "fixture"):
        path = os.path.join(root, "tests", folder, name + ".c")
        if os.path.exists(path):
            found.append(path)
    return found


def text_of(paths):
    text = ""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text += file.read()
    return text


class Page:
    """The page and the data with which it is compared."""

    def __init__(self, root, build, programs):
        with open(os.path.join(build, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
            self.tests = {test["name"]: test for test in json.load(file)}
        self.root = root
        self.programs = {os.path.basename(path): options_of(path) for path in programs}

    def wrong_command(self, here, names):
        """Yield errors in a row with a command."""
        sources = [path for name in names for path in sources_of(self.tests[name], self.root)]
        text = text_of(sources)
        if not sources:
            yield "tests %r have no source" % names
        for program, options in commands_of(here, self.programs):
            for option in options:
                dashed = ("--" if len(option) > 1 else "-") + option
                if option not in self.programs[program]:
                    yield "%s has no %s" % (program, dashed)
                elif not re.search(re.escape(dashed) + r"(?![a-z-])", text):
                    yield "no source of %s has %s" % (", ".join(names), dashed)

    def wrong_row(self, cells):
        """Yield errors in a row."""
        if len(cells) not in (2, 3):
            yield "%d cells" % len(cells)
            return
        here, tests = cells[1], cells[2] if len(cells) == 3 else ""
        names = re.findall(r"`([^`]+)`", tests)
        if here.startswith("no: "):
            if names or len(here) < REASON_MIN:
                yield "a row with a reason has a test, or the reason is short"
            return
        unknown = [name for name in names if name not in self.tests]
        if unknown or not names:
            yield "there are no tests %s" % (unknown or "at all")
            return
        yield from self.wrong_command(here, names)


def main():
    if len(sys.argv) < 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = sys.argv[1]
    page = Page(root, sys.argv[2], sys.argv[3:])
    with open(os.path.join(root, "docs", "compared.md"), encoding="utf-8") as file:
        rows = list(rows_of(file.read()))
    failures = ["%s: %s: %s" % (group, cells[0], wrong)
                for group, cells in rows for wrong in page.wrong_row(cells)]
    with_command = [cells for _, cells in rows if not cells[1].startswith("no: ")]
    if len(with_command) < ROWS_MIN:
        failures.append("only %d rows have a command" % len(with_command))
    if tuple(dict.fromkeys(group for group, _ in rows)) != GROUPS:
        failures.append("the groups are not %r" % (GROUPS,))
    for failure in failures:
        print("FAILED: " + failure)
    print("%d rows, %d failures" % (len(rows), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
