#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test that callgraph.py detects errors: compiles small modules and checks its output.

usage: callgraph_selftest.py COMPILER...
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import callgraph  # noqa: E402

# Source code of the files of a module with the name m.
STRAIGHT = {
    "low.c": "int low(void) { return 1; }",
    "middle.c": "int low(void); int middle(void) { return low(); }",
    "top.c": "int middle(void); int low(void); int top(void) { return middle() + low(); }",
}
BY_CALL = {**STRAIGHT, "low.c": "int top(void); int low(void) { return top(); }"}
BY_ADDRESS = {**STRAIGHT, "low.c": "int top(void); int (*low(void))(void) { return top; }"}
WITHIN_A_FILE = {**STRAIGHT, "low.c": "int low(void); int x(void); int low(void) { return x(); }"
                                      " int x(void) { return low(); }"}

ALL = frozenset({"m/low.c", "m/middle.c", "m/top.c"})
WHY = "low calls back into top"

# name: (files, text of the document, intended circles, number of errors without the lines for
# arrows)
CASES = {
    "straight": (STRAIGHT, "", {}, 0),
    "a file may call itself": (WITHIN_A_FILE, "", {}, 0),
    "circle of calls": (BY_CALL, "", {}, 1),
    "circle through an address": (BY_ADDRESS, "", {}, 1),
    "circle that is meant": (BY_CALL, "Here low calls\nback into top.", {ALL: WHY}, 0),
    "circle without its sentence": (BY_CALL, "Nothing.", {ALL: WHY}, 1),
    "circle that is gone": (STRAIGHT, "Here " + WHY, {ALL: WHY}, 1),
}


def graph_of(compiler, files):
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for name, code in files.items():
            # Name the object files as meson does, and put them into a thin archive.
            target = os.path.join(folder, "m_%s.o" % name)
            subprocess.run(
                compiler + ["-x", "c", "-c", "-o", target, "-"], input=code, text=True, check=True
            )
            objects.append(target)
        archive = os.path.join(folder, "libnd_m.a")
        subprocess.run(["ar", "rcsT", archive] + objects, check=True, stderr=subprocess.DEVNULL)
        return callgraph.graph_of(callgraph.symbols_of(archive))


def failures(compiler):
    for name, (files, document, meant, expected) in CASES.items():
        graph = graph_of(compiler, files)
        if graph.files != set(files):
            yield "%s: files %s" % (name, sorted(graph.files))
        found = list(callgraph.offences({"m": graph}, document, meant))
        count = sum(not line.startswith(" ") for line in found)
        if count != expected:
            yield "%s: %d offences, want %d: %s" % (name, count, expected, found)
    arrows = set(graph_of(compiler, STRAIGHT).arrows)
    if arrows != {("middle.c", "low.c"), ("top.c", "low.c"), ("top.c", "middle.c")}:
        yield "arrows of the straight module: %s" % sorted(arrows)


def main():
    if len(sys.argv) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    lines = list(failures(sys.argv[1:]))
    for line in lines:
        print(line)
    if not lines:
        print("%d cases" % len(CASES))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
