#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check that the symbols files of the Debian packages have the functions of the public headers.

usage: symbols.py [--accept] SOURCE_ROOT

A new function gets the version of the project; --accept writes it. A removed function is always an
error, because programs need it. Exits with 0, or with 1 after printing what is wrong.
"""

import glob
import os
import re
import sys


def package_of(header):
    """@return the library to which a header belongs"""
    if header.startswith(("nd_trace", "nd_model")):
        return "libndpdk-trace"
    return "libndpdk-ndk" if header.startswith("ndk") else "libndpdk"


def functions(root):
    """Yield (function, library) for each function that a header declares."""
    folders = [os.path.join(root, folder) for folder in ("include/ndpdk", "include/facade/ndpdk")]
    for path in sorted(path for folder in folders for path in glob.glob(folder + "/*.h")):
        name = os.path.basename(path)
        with open(path, encoding="utf-8") as file:
            code = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        code = re.sub(r"static inline.*?\n}", "", code, flags=re.S)
        code = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", code, flags=re.M)
        for function in re.findall(r"\b(ndk?_\w+)\((?!\*)[^;{]*;", code):
            yield function, package_of(name)
        if name == "ndspi_support.h":
            for function in re.findall(r"^(?:\w+ )*\*?(Nd\w+)\(", code, re.M):
                yield function, "libndpdk-spi"
    # Functions with names of Windows are exported under other symbol names.
    for path in sorted(glob.glob(folders[1] + "/win/*.h")):
        with open(path, encoding="utf-8") as file:
            code = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", "", file.read(), flags=re.M)
        for function in re.findall(r"\bNDWIN_LINK\((\w+)\)", code):
            yield "ndwin_" + function, "libndpdk-spi"


def read(path, node):
    """@return (first line, {function: version})"""
    if not os.path.exists(path):
        return None, {}
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    rows = [re.match(r" ([\w.]+)@%s (\S+)$" % re.escape(node), line) for line in lines[1:]]
    return lines[0], dict(row.groups() for row in rows)


def main():
    arguments = sys.argv[1:]
    accept = arguments[:1] == ["--accept"]
    if accept:
        del arguments[0]
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with open(os.path.join(arguments[0], "meson.build"), encoding="utf-8") as file:
        version = re.search(r"version: '([\d.]+)'", file.read()).group(1)
    with open(os.path.join(arguments[0], "lib", "ndpdk.map"), encoding="utf-8") as file:
        node = re.search(r"^(NDPDK_[\d.]+) {", file.read(), re.M).group(1)
    wrong = 0
    for package in ("libndpdk", "libndpdk-trace", "libndpdk-spi", "libndpdk-ndk"):
        path = os.path.join(arguments[0], "debian", package + "0.symbols")
        first = "%s.so.0 %s0 #MINVER#" % (package, package)
        declared = {name for name, own in functions(arguments[0]) if own == package}
        declared.add(node)
        head, known = read(path, node)
        for name in sorted(set(known) - declared):
            print("%s has %s(), and no header declares it" % (path, name))
            wrong += 1
        new = sorted(declared - set(known))
        if accept:
            known.update((name, version) for name in new)
            with open(path, "w", encoding="utf-8") as file:
                file.write(first + "\n")
                file.writelines(" %s@%s %s\n" % (name, node, known[name]) for name in sorted(known))
        elif new or head != first:
            print("%s lacks %s: tests/packages/symbols.py --accept ." % (path, ", ".join(new)))
            wrong += 1
        if len(declared) < 5:
            print("only %d functions of %s found" % (len(declared), package))
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
