#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Write the man pages of the native API, from the comments of its headers.

usage: section3.py SOURCE_ROOT OUTPUT_DIR DEPFILE

Doxygen writes a page for each group of functions and structures, a page for each header, and for
each function a page that includes the page of its group. The script writes to OUTPUT_DIR:

- the page of nd.h
- the page of each group, with the comment at the head of the header that has the group's name
- the page of each function

DEPFILE lists the inputs for ninja. Exits with 1 if a function has no page, if the page of its group
does not contain the function, or if nd.h lists a function that does not exist.
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
INLINE_GROUPED_CLASSES = YES
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
    """Return the names of the functions of the native API, and those that nd.h lists. The names
    *_sized are left out, because programs call these functions only through inline functions."""
    code = "".join(re.sub(r"/\*.*?\*/", "", read(path), flags=re.S) for path in headers_of(root))
    overview = read(os.path.join(root, "include", "ndpdk", OVERVIEW[:-2]))
    overview = re.search(r"@file\b.*?\*/", overview, re.S).group()
    names = set(re.findall(r"\b(nd_\w+)\(", code))
    return {name for name in names if not name.endswith("_sized")}, set(
        re.findall(r"\b(nd_\w+)\(\)", overview)
    )


def group_of(folder, name):
    """@return the name of the page that the page of a function includes, or None if the included
    page does not contain the function"""
    path = os.path.join(folder, name + ".3")
    link = re.match(r"\.so man3/(\S+)", read(path)) if os.path.exists(path) else None
    declared = r"(\b|\\fB)%s(\\fP)? \(" % name
    if link and re.search(declared, read(os.path.join(folder, link.group(1)))):
        return link.group(1)
    return None


def group_page(folder, group):
    """@return the page of a group, with the comment at the head of its header"""
    page = read(os.path.join(folder, group + ".3"))
    header = read(os.path.join(folder, group + ".h.3"))
    comment = re.search(r'^(\.SH "Detailed Description"\n)(.*?)^\.SH', header, re.S | re.M)
    include = ".SH SYNOPSIS\n.br\n\\fC#include <ndpdk/%s\\&.h>\\fP\n" % group
    page = page.replace(".SH SYNOPSIS\n", include, 1)
    return page.replace(comment.group(1), comment.group(1) + comment.group(2), 1)


def write(output, name, text):
    with open(os.path.join(output, name), "w", encoding="utf-8") as file:
        file.write(text)


def main(root, output, depfile):
    functions, listed = functions_of(root)
    groups = set()
    for path in headers_of(root):
        groups |= set(re.findall(r"@addtogroup (\w+)", read(path)))
    shutil.rmtree(output, ignore_errors=True)
    os.makedirs(output)
    with tempfile.TemporaryDirectory() as folder:
        pages = generate(root, folder)
        write(output, OVERVIEW, read(os.path.join(pages, OVERVIEW)))
        for group in groups:
            write(output, group + ".3", group_page(pages, group))
        found = {name for name in functions if group_of(pages, name)}
        for name in found:
            write(output, name + ".3", read(os.path.join(pages, name + ".3")))
    write(".", depfile, "%s: %s %s/Doxyfile\n" % (output, " ".join(headers_of(root)), root))
    missing = (functions | listed) - found
    for name in sorted(missing):
        print("section3.py: %s() has no man page" % name, file=sys.stderr)
    return 1 if missing or not listed else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
