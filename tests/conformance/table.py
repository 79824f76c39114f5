#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Write docs/conformance.md: each Network Direct statement and the tests that prove it, by API.

usage: table.py [--accept] SOURCE_ROOT

The statements are those of docs/rules.md. A test proves a statement if its name begins with the
statement's number (nd_025_...), or if its file cites the statement (ND-025). The file must be in
the list of its folder's meson.build, so that the suite runs the test. The tests in a header
*_statements.h belong to each file that includes the header. Statements that do not apply
to an API are in tests/conformance/applies/API.txt, one line each: the number and the reason, one
sentence (ND-nnn sentence). All other statements are open.

Without --accept the document is compared, and the script exits with 1 if it is out of date. With
and without --accept, the script exits with 1 and writes nothing in these cases: a line of applies/
has a number that is no statement, has no reason, lists a statement twice, or lists a statement that
a test is named after; or a row of the document claims 100 % for an API with open statements.
"""

import glob
import os
import re
import sys

DOCUMENT = "docs/conformance.md"
APPLIES = "tests/conformance/applies"
# By API: name of its file in APPLIES, and folders of its tests. An API without any of these folders
# is not built yet.
APIS = {
    "native": ("native", ("tests/conformance", "tests/e2e", "tests/unit")),
    "SPI v1": ("spi_v1", ("tests/facade/spi/v1",)),
    "SPI v2": ("spi_v2", ("tests/facade/spi",)),
    "NDK": ("ndk", ("tests/facade/ndk",)),
}
STATEMENT = re.compile(r"^\* \*\*ND-(\d{3})\*\* (.*?)(?=^\* |^\s*$|^#)", re.M | re.S)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
TEST = re.compile(r"^Test\(\s*\w+,\s*nd_(\d{3})_\w+\s*([,)][^{]*)", re.M)
CITED = re.compile(r"\bND-(\d{3})\b")
# Matches the #include of a header with tests that two versions share.
SHARED = re.compile(r'^#include "((?:\.\./)?\w+_statements\.h)"', re.M)
EXEMPT = re.compile(r"ND-(\d{3})\s+(\S.*)")
HEAD = """# Conformance

The second table lists each statement about the behaviour of Network Direct, and for each API the
tests that prove the statement. `docs/rules.md` has the sources of the statements. All these tests
are in the suites, so they pass before each change is accepted. A cell in **bold** is a file with a
test that has the number of the statement in its name (`nd_025_...`), and that proves only this
statement. A cell that is not bold is a file with a test that cites the statement. **n/a** means
that the statement does not apply to this API. The lists after the tables give the reason.
`tests/conformance/table.py --accept .` writes this page, and a test compares it.

"""


class Refused(Exception):
    """Errors in the files that the document is made of, one line each."""


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def statements(root):
    """@return {number: text}"""
    # This pattern omits the source after the last dash.
    return {number: " ".join(re.sub(r" —\s+\*[^*]*\*\s*$", "", text.strip()).split())
            for number, text in STATEMENT.findall(read(root, "docs/rules.md"))}


def runs(folder, name):
    """@return whether a test file is in the list of its folder."""
    return "'%s'" % name[len("test_"):-len(".c")] in read(folder, "meson.build")


def named(text):
    """@return numbers in names of enabled tests of this source."""
    return {number for number, rest in TEST.findall(COMMENT.sub("", text))
            if not re.search(r"\.disabled\s*=\s*(true|1)", rest)}


def tests(root, folders):
    """@return {number: list of cells}, None: none of the folders exists"""
    places, there = {}, False
    for folder in folders:
        if not os.path.exists(os.path.join(root, folder, "meson.build")):
            continue
        there = True
        for path in sorted(glob.glob(os.path.join(root, folder, "test_*.c*"))):
            name = os.path.basename(path)
            if not runs(os.path.join(root, folder), name):
                continue
            text = read(path)
            text += "".join(read(root, folder, shared) for shared in SHARED.findall(text))
            names = named(text)
            for number in names | set(CITED.findall(text)):
                bold = "**" if number in names else ""
                places.setdefault(number, []).append("%s`%s`%s" % (bold, name, bold))
    return places if there else None


def exempt(root, api, wanted, found):
    """@return {number: why the statement does not apply to the API}"""
    name = "%s/%s.txt" % (APPLIES, APIS[api][0])
    reasons, wrong = {}, []
    if not os.path.exists(os.path.join(root, name)):
        return reasons
    for count, line in enumerate(read(root, name).splitlines(), 1):
        line = line.strip()
        if line == "" or line.startswith("#"):
            continue
        match = EXEMPT.fullmatch(line)
        fault = None
        if match is None:
            fault = "expected 'ND-nnn sentence', found '%s'" % line
        elif match.group(1) not in wanted:
            fault = "ND-%s is no statement of docs/rules.md" % match.group(1)
        elif match.group(1) in reasons:
            fault = "ND-%s is listed twice" % match.group(1)
        elif any("**" in cell for cell in (found or {}).get(match.group(1), [])):
            fault = "ND-%s has a test of its name: %s" % (
                match.group(1), ", ".join(found[match.group(1)]))
        else:
            reasons[match.group(1)] = match.group(2)
        if fault is not None:
            wrong.append("%s:%d: %s" % (name, count, fault))
    if wrong:
        raise Refused("\n".join(wrong))
    return reasons


def head_row(api, wanted, found, reasons):
    """@return the row of an API in the first table."""
    if found is None:
        return "| %s | not built yet | | | | |" % api
    shown = [number for number in wanted if number in found and number not in reasons]
    names = [number for number in shown if any("**" in cell for cell in found[number])]
    open_ = len(wanted) - len(shown) - len(reasons)
    # Round the percentage down, so that 100 % means all statements.
    return "| %s | %d | %d | %d | %d | %d %% |" % (
        api, len(shown), len(names), len(reasons), open_,
        100 * (len(wanted) - open_) // max(1, len(wanted)))


def claims(text):
    """Refuse a document that claims 100 % for an API with open statements."""
    for row in text.splitlines():
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) == 6 and cells[5] == "100 %" and cells[4] != "0":
            raise Refused("%s: %s: 100 %%, but %s open" % (DOCUMENT, cells[0], cells[4]))


def document(root):
    """@return text of the document"""
    wanted = statements(root)
    places = {api: tests(root, folders) for api, (_, folders) in APIS.items()}
    reasons = {api: exempt(root, api, wanted, found) for api, found in places.items()}
    text = [HEAD + "%d statements:\n" % len(wanted),
            "| API | tested | of these by a test of their name | do not apply | open | done |",
            "| --- | --- | --- | --- | --- | --- |"]
    text += [head_row(api, wanted, found, reasons[api]) for api, found in places.items()]
    text += ["", "| | statement | %s |" % " | ".join(APIS), "| --- " * (2 + len(APIS)) + "|"]
    for number, sentence in wanted.items():
        cells = []
        for api, found in places.items():
            if number in reasons[api]:
                cells.append("**n/a**")
            elif found is None:
                cells.append("not built yet")
            else:
                cells.append(", ".join(sorted(found.get(number, ["open"]))))
        text.append("| ND-%s | %s | %s |" % (
            number, sentence.replace("|", "\\|"), " | ".join(cells)))
    for api, why in reasons.items():
        if why:
            text += ["", "## What does not apply to %s" % api, ""]
            text += ["* ND-%s: %s" % item for item in sorted(why.items())]
    return "\n".join(text) + "\n"


def main():
    arguments = sys.argv[1:]
    accept = arguments[:1] == ["--accept"]
    if len(arguments) != 1 + accept:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root = arguments[-1]
    path = os.path.join(root, DOCUMENT)
    old = read(path) if os.path.exists(path) else ""
    try:
        text = document(root)
        claims(text)
        if not accept:
            claims(old)
    except Refused as refused:
        print(refused)
        return 1
    if accept and text != old:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    if not accept and text != old:
        print("%s is out of date: tests/conformance/table.py --accept ." % DOCUMENT)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
