#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Write docs/conformance.md: each Network Direct statement, and the tests that show it, by API.

usage: table.py [--accept] SOURCE_ROOT

The statements are those of docs/rules.md. A test shows one when its name begins with its number
(nd_025_...), or when a comment of its file cites it (ND-025); and it has to be in the list of its
folder's meson.build, so that the suite runs it. Without --accept the document is compared, and the
script exits with 1 if it is out of date.
"""

import glob
import os
import re
import sys

DOCUMENT = "docs/conformance.md"
# Folders of the tests of each API; an API without any of its folders is not built yet.
APIS = {
    "native": ("tests/conformance", "tests/e2e", "tests/unit"),
    "SPI v1": ("tests/spi/v1",),
    "SPI v2": ("tests/spi",),
    "NDK": ("tests/ndk",),
}
STATEMENT = re.compile(r"^\* \*\*ND-(\d{3})\*\* (.*?)(?=^\* |^\s*$|^#)", re.M | re.S)
NAMED = re.compile(r"^Test\(\s*\w+,\s*nd_(\d{3})_", re.M)
CITED = re.compile(r"\bND-(\d{3})\b")
HEAD = """# Conformance

Each statement about the behaviour of Network Direct (`docs/rules.md` has them with their sources),
and the tests that show it, for each API through which it can be seen. All these tests are in the
suites, so they pass whenever a change goes in. **Bold**: a test of that name (`nd_025_...`), which
proves the statement and nothing else; otherwise the file has a test that cites it. Written by
`tests/conformance/table.py --accept .`; a test compares it.

"""


def statements(root):
    """@return {number: text}"""
    with open(os.path.join(root, "docs/rules.md"), encoding="utf-8") as file:
        found = STATEMENT.findall(file.read())
    # Without the source behind the last dash.
    return {number: " ".join(re.sub(r" —\s+\*[^*]*\*\s*$", "", text.strip()).split())
            for number, text in found}


def runs(folder, name):
    """@return whether a file of tests is in the list of its folder."""
    with open(os.path.join(folder, "meson.build"), encoding="utf-8") as file:
        return "'%s'" % name[len("test_"):-len(".c")] in file.read()


def tests(root, folders):
    """@return {number: set of cells}, None: there is no such folder"""
    places, there = {}, False
    for folder in folders:
        if not os.path.exists(os.path.join(root, folder, "meson.build")):
            continue
        there = True
        for path in sorted(glob.glob(os.path.join(root, folder, "test_*.c*"))):
            name = os.path.basename(path)
            if not runs(os.path.join(root, folder), name):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read()
            named = set(NAMED.findall(text))
            for number in named | set(CITED.findall(text)):
                bold = "**" if number in named else ""
                places.setdefault(number, []).append("%s`%s`%s" % (bold, name, bold))
    return places if there else None


def document(root):
    """@return (text of the document, {api: (shown, named)})"""
    wanted = statements(root)
    places = {api: tests(root, folders) for api, folders in APIS.items()}
    counts = ["| API | statements with a test | of these, with a test of their name |",
              "| --- | --- | --- |"]
    for api, found in places.items():
        if found is None:
            counts.append("| %s | not built yet | |" % api)
            continue
        shown = [found[number] for number in wanted if number in found]
        named = [cells for cells in shown if any("**" in cell for cell in cells)]
        counts.append("| %s | %d of %d | %d |" % (api, len(shown), len(wanted), len(named)))
    rows = ["| | statement | %s |" % " | ".join(APIS), "| --- " * (2 + len(APIS)) + "|"]
    for number, text in wanted.items():
        cells = []
        for found in places.values():
            if found is None:
                cells.append("not built yet")
            else:
                cells.append(", ".join(sorted(found.get(number, ["no test yet"]))))
        rows.append("| ND-%s | %s | %s |" % (number, text.replace("|", "\\|"), " | ".join(cells)))
    return HEAD + "\n".join(counts) + "\n\n" + "\n".join(rows) + "\n"


def main():
    arguments = sys.argv[1:]
    accept = arguments[:1] == ["--accept"]
    if len(arguments) != 1 + accept:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = arguments[-1]
    text = document(root)
    path = os.path.join(root, DOCUMENT)
    old = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
    if accept and text != old:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    if not accept and text != old:
        print("%s is out of date: tests/conformance/table.py --accept ." % DOCUMENT)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
