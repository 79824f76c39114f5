#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Numbered rules: find citations, and make the table in docs/rules.md.

docs/rules.md defines each rule once, in a list entry that begins with its number in bold. Code and
tests cite rules by number. tests/tidy.py uses this module to find citations without a definition
and an outdated table. tools/rules writes the table.
"""

import re

DOCUMENT = "docs/rules.md"
NO_CITATIONS = (
    "docs/rules.md",
    "tests/sim/mutants.toml",  # quotes lines of the library with their citations
    "tests/tidy_selftest.py",  # contains rules of generated test trees
)
TABLE_BEGIN = "<!-- table: written by tools/rules -->\n"
TABLE_END = "<!-- end of table -->\n"

# Families with three digits may be cited anywhere. Q is so short that it has other meanings in
# scripts.
NUMBER = r"(?:RC|CM|CC|SEC|ND|B)-\d{3}"
DEFINITION = re.compile(r"^\* \*\*(%s|[QV]\d+)\*\* +\S" % NUMBER, re.M)
CITATION = re.compile(r"\b%s\b" % NUMBER)
CITATION_IN_CODE = re.compile(r"\b(?:%s|Q\d{1,2})\b" % NUMBER)

# This pattern matches text that has only numbers and separators.
WORDLESS = re.compile(r"(?:\b(?:%s|[QW]\d{1,2})\b|\band\b|\bto\b|[\s/*<.,:;()-])+" % NUMBER)

# Families of rules that need a test, and the words with which a definition explains a missing test.
TESTED = ("RC", "CC", "SEC", "B")
NOT_TESTED = re.compile(r"\b(?:Not\s+built|Not\s+applicable|No\s+test):\s+\S")
DEFINED_TEXT = re.compile(r"^\* \*\*(%s)\*\*(.*?)(?=^\* \*\*|^$|^#|^<|\Z)" % NUMBER, re.M | re.S)

COLUMNS = (("code", ("lib", "include", "apps")), ("tests", ("tests",)))


def definitions(text):
    """Return the numbers that the document defines, in order. A number defined twice is listed
    twice."""
    return DEFINITION.findall(text)


def citations(file):
    """Yield (number, offset) for each citation in a tidy.File."""
    if file.path in NO_CITATIONS:
        return
    pattern = CITATION_IN_CODE if file.is_code else CITATION
    for match in pattern.finditer(file.text):
        yield match.group(0), match.start()


def untested(files, text):
    """Yield (number, offset) of each definition that has neither a test nor a reason for that."""
    tested = {n for file in files if file.area == "tests" for n, _ in citations(file)}
    for match in DEFINED_TEXT.finditer(text):
        number, body = match.groups()
        if number.split("-")[0] in TESTED and number not in tested:
            if not NOT_TESTED.search(body):
                yield number, match.start()


def is_wordless(comment):
    """Return whether a comment consists of rule numbers, without words."""
    return bool(CITATION_IN_CODE.search(comment)) and bool(WORDLESS.fullmatch(comment))


def table(files, numbers):
    """Return the table: one row per cited number, in the order of the definitions."""
    users = {}
    for file in files:
        for number, _ in citations(file):
            for column, areas in COLUMNS:
                if file.area in areas:
                    users.setdefault(number, {}).setdefault(column, set()).add(shown(file))
    lines = ["| rule | code | tests |", "| --- | --- | --- |"]
    for number in numbers:
        if number in users:
            cells = [", ".join(sorted(users[number].get(c, ()))) for c, _ in COLUMNS]
            lines.append("| %s | %s | %s |" % (number, cells[0] or "-", cells[1] or "-"))
    return "\n".join(lines) + "\n"


def shown(file):
    """Return a path without the folder that the heading of its column already names."""
    for prefix in ("lib/facade/", "lib/", "include/facade/ndpdk/", "include/ndpdk/", "tests/unit/",
                   "tests/facade/", "tests/"):
        if file.path.startswith(prefix):
            return file.path[len(prefix):]
    return file.path


def split(text):
    """Return (text before the table, table, text after it), or None if a marker is missing."""
    before, begin, rest = text.partition(TABLE_BEGIN)
    written, end, behind = rest.partition(TABLE_END)
    return (before + begin, written, end + behind) if begin and end else None
