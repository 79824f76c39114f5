#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check with small trees that table.py detects each error.

Every case is a small tree of two APIs and three statements, with one good file replaced, and either
words of the expected message, or a row that the document must have. "@" stands for ND here, so that
this file cites no rule.
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "table.py")
NATIVE = "tests/conformance/applies/native.txt"
NDK = "tests/conformance/applies/ndk.txt"
SOURCE = "tests/conformance/test_bind.c"

GOOD = {
    "docs/rules.md": "* **@-001** One. — *S1*\n* **@-002** Two | two. — *S2*\n"
                     "* **@-003** Three. — *S3*\n\n",
    "tests/conformance/meson.build": "conformance_tests = [\n  'bind',\n]\n",
    SOURCE: "Test(suite, nd_001_one)\n{\n}\n/* @-003. */\nTest(suite, other)\n{\n}\n",
    "tests/conformance/test_not_in_the_list.c": "Test(suite, nd_002_two)\n{\n}\n",
    NATIVE: "# A comment, and an empty line.\n\n@-002 Handles cannot be wrong here.\n",
    "tests/facade/ndk/meson.build": "ndk_tests = [ 'ndk_bind' ]\n",
    "tests/facade/ndk/test_ndk_bind.c": "Test(suite, nd_001_one)\n{\n}\n",
}

# Name: (files that replace the good ones, words of the expected message).
REFUSED = {
    "tested and exempt": (
        {NATIVE: "@-001 It is tested.\n"},
        "native.txt:1: @-001 has a test of its name: **`test_bind.c`**"),
    "unknown number": (
        {NATIVE: "# x\n@-004 There is none.\n"},
        "native.txt:2: @-004 is no statement of docs/rules.md"),
    "unknown number, API not built": (
        {"tests/conformance/applies/spi_v1.txt": "@-999 There is none.\n"},
        "spi_v1.txt:1: @-999 is no statement"),
    "no sentence": ({NATIVE: "@-002\n"}, "native.txt:1: expected '@-nnn sentence'"),
    "only spaces behind it": ({NATIVE: "@-002   \n"}, "native.txt:1: expected"),
    "no number": ({NATIVE: "It does not apply.\n"}, "native.txt:1: expected"),
    "two digits": ({NATIVE: "@-02 It does not apply.\n"}, "native.txt:1: expected"),
    "twice": (
        {NATIVE: "@-002 It is so.\n@-002 It is so.\n"},
        "native.txt:2: @-002 is listed twice"),
    "all faults at once": (
        {NDK: "@-001 Tested.\n@-002\n@-004 None.\n"},
        "ndk.txt:3: @-004 is no statement"),
}

# Name: (files that replace the good ones, an expected line of the document).
WRITTEN = {
    "counts, all done": ({}, "| native | 2 | 1 | 1 | 0 | 100 % |"),
    "counts, some open": ({}, "| NDK | 1 | 1 | 0 | 2 | 33 % |"),
    "not built": ({}, "| SPI v1 | not built yet | | | | |"),
    "row": ({}, "| @-002 | Two \\| two. | **n/a** | not built yet | not built yet | open |"),
    "reason": ({}, "* @-002: Handles cannot be wrong here."),
    "cited is less than named": ({}, "| @-003 | Three. | `test_bind.c` | not built yet |"
                                     " not built yet | open |"),
    "cited and exempt": (
        {NATIVE: "@-002 So.\n@-003 So.\n"}, "| native | 1 | 1 | 2 | 0 | 100 % |"),
    "commented out": (
        {SOURCE: "/*\nTest(suite, nd_001_one)\n{\n}\n*/\n"}, "| native | 0 | 0 | 1 | 2 | 33 % |"),
    "disabled": (
        {SOURCE: "Test(suite, nd_001_one, .disabled = true)\n{\n}\n"},
        "| native | 0 | 0 | 1 | 2 | 33 % |"),
    "not in the list of meson.build": ({NATIVE: ""}, "| native | 2 | 1 | 0 | 1 | 66 % |"),
}


def run(root, *arguments):
    """@return (exit code, output)"""
    done = subprocess.run([sys.executable, TABLE, *arguments, root], capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def make(root, changed):
    for path, text in {**GOOD, **changed}.items():
        path = os.path.join(root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("@", "ND"))


def written(root):
    path = os.path.join(root, "docs/conformance.md")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def refused(changed, words):
    """@return whether table.py refuses the tree with these words, with and without --accept."""
    with tempfile.TemporaryDirectory() as root:
        make(root, changed)
        words = words.replace("@", "ND")
        answers = [run(root), run(root, "--accept")]
        return (all(code == 1 and words in text for code, text in answers)
                and written(root) is None)


def writes(changed, line):
    with tempfile.TemporaryDirectory() as root:
        make(root, changed)
        accepted = run(root, "--accept")[0] == 0
        line = line.replace("@", "ND")
        return accepted and line in written(root).splitlines() and run(root)[0] == 0


def documents():
    """Check table.py with documents that were edited. @return names of failed cases."""
    wrong = []
    with tempfile.TemporaryDirectory() as root:
        make(root, {})
        if run(root) != (1, "docs/conformance.md is out of date: "
                            "tests/conformance/table.py --accept .\n"):
            wrong.append("no document")
        run(root, "--accept")
        text = written(root)
        for name, old, new, words in (
            ("100 % of what is open", "2 | 33 %", "2 | 100 %", "NDK: 100 %, but 2 open"),
            ("another test", "`test_bind.c`", "`test_window.c`", "out of date"),
        ):
            with open(os.path.join(root, "docs/conformance.md"), "w", encoding="utf-8") as file:
                file.write(text.replace(old, new))
            code, printed = run(root)
            if code != 1 or words not in printed:
                wrong.append(name)
        if run(root, "--accept")[0] != 0 or written(root) != text:
            wrong.append("--accept repairs the document")
    return wrong


def main():
    wrong = [name for name, case in REFUSED.items() if not refused(*case)]
    wrong += [name for name, case in WRITTEN.items() if not writes(*case)]
    wrong += documents()
    for name in wrong:
        print("table.py: " + name)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
