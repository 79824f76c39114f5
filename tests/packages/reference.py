#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check that the reference of the API is complete.

usage: reference.py SOURCE_ROOT

The comment of each public function states from which threads the function may be called, and the
contents of each output. Doxygen must find a comment for every public symbol and member. Exits with
0, with 1 after printing what is missing, or with 77 (skipped) if doxygen is not installed and the
other checks pass.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
FUNCTION = re.compile(
    r"(/\*\*(?!<)(?:(?!\*/).)*\*/)\n((?:[\w *]|\n(?!\n))*?\b(ndk?_\w+)\()([^;{]*)[;{]", re.S
)
# An output is a pointer to data that is not const. Handles are not outputs: they are pointers to
# objects of the library.
OBJECTS = (
    "adapter engine model mr mw cq srq listener connector endpoint result overlapped trace".split()
)
THREADS = re.compile(r"@note Threads: (any|control|owner)\b.*\.")


def outputs_of(parameters):
    """Return the names of the parameters through which a function writes."""
    for parameter in parameters.split(","):
        words = " ".join(parameter.split())
        name = re.search(r"(\w+)(?:\[\])?\)?$", words)
        pointers = words.count("*") + words.count("[")
        if name is None or pointers == 0 or "const" in words:
            continue
        handle = re.match(r"(?:struct nd_|NDK_)(\w+) \*", words)
        known = handle and handle.group(1).lower() in OBJECTS
        if pointers == 1 and (known or words.startswith("void *")):
            # The library writes private_data, but not arg of a callback.
            if "private_data" not in words:
                continue
        yield name.group(1)


def check_function(path, comment, name, parameters):
    """Yield each missing part of the comment of a function."""
    if not THREADS.search(comment):
        yield "%s: %s() does not say from which threads it may be called" % (path, name)
    documented = re.findall(r"@param\[(?:in,)?out\] ((?:\w+, )*\w+)", comment)
    documented = {word for words in documented for word in words.split(", ")}
    for output in outputs_of(parameters):
        if output not in documented:
            yield "%s: %s() does not say what its output %s holds" % (path, name, output)
    if documented - set(re.findall(r"\w+", parameters)):
        yield "%s: %s() has no outputs %s" % (path, name, documented)


def check_headers(root):
    wrong, names = [], set()
    for path in sorted(glob.glob(root + "/include/**/ndpdk/*.h", recursive=True)):
        entry = os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for comment, _, name, parameters in FUNCTION.findall(text):
            if name.endswith("_sized"):
                # The comment is at the inline function that calls this function.
                continue
            names.add(name)
            wrong += check_function(entry, comment, name, parameters)
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        declared = set(re.findall(r"^(?:[\w *]*\b)?\*?(ndk?_\w+)\(", code, re.M))
        wrong += ["%s: %s() has no comment" % (entry, name) for name in declared - names
                  if not name.endswith("_sized")]
    return wrong, len(names)


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    wrong, count = check_headers(sys.argv[1])
    if count < 50:
        wrong.append("only %d functions found" % count)
    print("\n".join(wrong + ["%d functions" % count]))
    if shutil.which("doxygen") is None:
        print("there is no doxygen")
        return 1 if wrong else SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["doxygen", "Doxyfile"], cwd=sys.argv[1], env=dict(os.environ, DOXYGEN_OUTPUT=folder),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        print(result.stdout)
        if result.returncode != 0:
            wrong.append("doxygen")
        page = os.path.join(folder, "html", "nd__endpoint_8h.html")
        if not os.path.exists(page):
            wrong.append("doxygen has made no page of nd_endpoint.h")
            print(wrong[-1])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
