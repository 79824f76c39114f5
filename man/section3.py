#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Write the man pages of the native API, from the comments of its headers.

usage: section3.py SOURCE_ROOT OUTPUT_DIR DEPFILE

Doxygen writes one page for each group of functions, and for each function a page that includes the
page of its group. The pages of functions and of nd.h are copied to OUTPUT_DIR; pages of members and
macros are not. DEPFILE lists the inputs for ninja. Exits with 1 if a function that nd.h lists has
no page.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SETTINGS = """
INPUT = include/ndpdk
OUTPUT_DIRECTORY = %s
STRIP_FROM_PATH = include
GENERATE_HTML = NO
GENERATE_MAN = YES
MAN_LINKS = YES
WARN_AS_ERROR = NO
WARNINGS = NO
"""
OVERVIEW = "nd.h.3"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def generate(root, folder):
    """Run doxygen. @return the folder with its pages"""
    settings = read(os.path.join(root, "Doxyfile")) + SETTINGS % folder
    subprocess.run(["doxygen", "-"], input=settings, text=True, cwd=root, check=True)
    return os.path.join(folder, "man", "man3")


def headers_of(root):
    return sorted(glob.glob(os.path.join(root, "include", "ndpdk", "*.h")))


def functions_of(root):
    """Return the names of the functions of the native API, and those that nd.h lists."""
    code = "".join(re.sub(r"/\*.*?\*/", "", read(path), flags=re.S) for path in headers_of(root))
    overview = read(os.path.join(root, "include", "ndpdk", "nd.h")).split("*/")[2]
    return set(re.findall(r"\b(nd_\w+)\(", code)), set(re.findall(r"\b(nd_\w+)\(\)", overview))


def pages_of(folder, functions):
    """Yield the file names of the pages to install."""
    yield OVERVIEW
    for name in functions:
        link = re.match(r"\.so man3/(\S+)", read_page(folder, name + ".3"))
        if link:
            yield name + ".3"
            yield link.group(1)


def read_page(folder, name):
    path = os.path.join(folder, name)
    return read(path) if os.path.exists(path) else ""


def main(root, output, depfile):
    functions, listed = functions_of(root)
    with tempfile.TemporaryDirectory() as folder:
        pages = generate(root, folder)
        names = set(pages_of(pages, functions))
        shutil.rmtree(output, ignore_errors=True)
        os.makedirs(output)
        for name in names:
            shutil.copy(os.path.join(pages, name), output)
    with open(depfile, "w", encoding="utf-8") as file:
        file.write("%s: %s\n" % (output, " ".join(headers_of(root) + [root + "/Doxyfile"])))
    missing = sorted(name for name in listed if name + ".3" not in names)
    for name in missing:
        print("section3.py: %s() has no man page" % name, file=sys.stderr)
    return 1 if missing or not listed else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
