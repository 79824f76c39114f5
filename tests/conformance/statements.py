#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check that each numbered statement that applies to the native API has exactly one test.

usage: statements.py FOLDER

Reads the Criterion tests of FOLDER/*.c. A test belongs to ND statement 25 if its name begins with
nd_025_; region_nd_025_ is the same statement for regions with rights and keys. Prints one line for
each statement without a test or with several tests, and for each number that is no statement. Exits
with 1 after printing any line. First checks that each of these errors would be detected.
"""

import collections
import glob
import os
import re
import sys

# Each statement has a test, unless FOLDER/applies/native.txt gives a reason why it has none.
NUMBERS = range(1, 221)
STATEMENTS = [
    "region_nd_%03d" % number
    for number in (18, 25, 27, 28, 29, 30, 31, 41, 49, 67, 203, 204, 205, 207, 208, 209, 210)
]

EXEMPT = re.compile(r"^ND-(\d{3}) ", re.M)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
TEST = re.compile(r"^Test\(\s*\w+,\s*(\w+)", re.M)
NUMBERED = re.compile(r"((?:region_)?nd_\d+)_[a-z]")


def faults(sources, wanted):
    """
    @param sources {path: text}
    @param wanted names of the statements
    @return one line per fault, sorted
    """
    places = collections.defaultdict(list)
    for path, text in sources.items():
        for name in TEST.findall(COMMENT.sub("", text)):
            match = NUMBERED.match(name)
            if match:
                places[match.group(1)].append(path)
    found = ["%s: no test" % statement for statement in wanted if statement not in places]
    for statement, paths in places.items():
        if statement not in wanted:
            found.append("%s: no such statement, in %s" % (statement, paths[0]))
        if len(paths) > 1:
            found.append("%s: %d tests, in %s" % (statement, len(paths), ", ".join(paths)))
    return sorted(found)


def statements(exempt):
    """@param exempt text of applies/native.txt. @return names of the statements with a test"""
    without = {int(number) for number in EXEMPT.findall(exempt)}
    return STATEMENTS + ["nd_%03d" % number for number in NUMBERS if number not in without]


def selfcheck():
    """Check that faults() detects each error. @return one line per undetected error"""
    wanted = statements("# ND-003 in a comment\nND-002 It is so.\n")
    tests = {statement: "Test(suite, %s_holds)\n{\n}\n" % statement for statement in wanted}

    def text(**changed):
        return {"a.c": "".join({**tests, **changed}.values())}

    wrong = []
    if faults(text(), wanted) != []:
        wrong.append("a complete set has no faults")
    for statement in wanted:
        if faults(text(**{statement: ""}), wanted) != [statement + ": no test"]:
            wrong.append(statement + " is missing")
    cases = {
        "commented out": ("/* %s */", ["nd_025: no test"]),
        "not a test": ("static void\n\t%s", ["nd_025: no test"]),
        "twice": (tests["nd_025"] + "%s", ["nd_025: 2 tests, in a.c, a.c"]),
    }
    for what, (frame, expected) in cases.items():
        if faults(text(nd_025=frame % tests["nd_025"]), wanted) != expected:
            wrong.append(what)
    if faults({**text(), "b.c": tests["nd_001"]}, wanted) != ["nd_001: 2 tests, in a.c, b.c"]:
        wrong.append("twice, in two files")
    for number in ("nd_999", "nd_002"):
        if faults({**text(), "b.c": "Test(s, %s_x)\n" % number}, wanted) != [
            number + ": no such statement, in b.c"
        ]:
            wrong.append("%s is no statement, or exempt" % number)
    if faults(text(nd_025="Test(\n\ts, nd_025_x)\n"), wanted) != []:
        wrong.append("name on the next line")
    return wrong


def main():
    wrong = selfcheck()
    for what in wrong:
        print("self-check failed: " + what)
    sources = {}
    for path in glob.glob(os.path.join(sys.argv[1], "*.c")):
        with open(path, encoding="utf-8") as file:
            sources[os.path.basename(path)] = file.read()
    with open(os.path.join(sys.argv[1], "applies", "native.txt"), encoding="utf-8") as file:
        found = faults(sources, statements(file.read()))
    for line in found:
        print(line)
    return 1 if found or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
