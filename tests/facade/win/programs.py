#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""
usage: programs.py SOURCE_ROOT LIBRARY.a SANITIZERS PROGRAM.c PROGRAM.cpp

Compiles each header of include/facade/ndpdk/win alone, the headers of both interfaces in one file
in both orders, and the programs. Uses each available compiler for C and C++. No compiler may give a
warning. Then runs the programs. Without a compiler for C or C++, exits with status 77, after the
tests of C if there is a compiler for C.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

WARNINGS = ["-Wall", "-Wextra", "-Werror"]
EXPECTED = "\u00e4\u20ac -1 3\n\u00e4\n0\n"
CPP = ["g++", "clang++", "clang++-14"]
C = ["gcc", "clang", "clang-14"]
INTERFACES = ["ndkpi.h", "ndspi_support.h", "win/ntstatus.h"]


def compilers(names):
    """@return compilers without duplicates, because a compiler may have several names."""
    found = {}
    for name in names:
        path = shutil.which(name)
        if path:
            found.setdefault(os.path.realpath(path), name)
    return list(found.values())


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True, encoding="utf-8", **more)
    if done.returncode != 0:
        sys.exit("%s\n%s\nstatus %d" % (" ".join(command), done.stdout, done.returncode))
    return done.stdout


def check_headers(compiler, language, flags, root, folder):
    """Compile all headers in one run, with one source file for each."""
    files = []
    for header in sorted(glob.glob(root + "/include/facade/ndpdk/win/*.h")):
        name = os.path.basename(header)
        if not is_complete(header, root):
            continue
        files.append("%s/%s.%s" % (folder, name[:-2], "cpp" if language == "c++" else "c"))
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write("#include <%s>\n#include <%s>\n" % (name, name))
            file.write("extern int ndwin_unused;\n")
    run([compiler] + WARNINGS + flags + ["-fsyntax-only"] + files)
    return len(files)


def check_orders(compiler, language, flags, folder):
    """Compile the service provider interface and the kernel interface in one file."""
    files = []
    for order in (INTERFACES, INTERFACES[::-1]):
        files.append("%s/order%d.%s" % (folder, len(files), "cpp" if language == "c++" else "c"))
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write("".join("#include <ndpdk/%s>\n" % name for name in order))
            file.write("int ndwin_used = NT_SUCCESS(STATUS_PENDING) && sizeof(GUID) == 16;\n")
    run([compiler] + WARNINGS + flags + ["-fsyntax-only"] + files)


def is_complete(header, root):
    """@return whether all project headers that a header includes exist. Façades may be missing."""
    with open(header, encoding="utf-8") as file:
        names = re.findall(r"^#include <(ndpdk/.*)>", file.read(), re.M)
    return all(os.path.exists("%s/include/%s%s" % (root, facade, name))
               for name in names for facade in ("", "facade/"))


def check_program(compiler, source, flags, archive, folder):
    program = folder + "/program"
    run([compiler] + WARNINGS + flags + [source, archive, "-o", program, "-lpthread"])
    output = run([program, "\u00e4\u20ac", "198.51.100.1:4791"])
    if output != EXPECTED:
        sys.exit("%s by %s wrote %r, expected %r" % (source, compiler, output, EXPECTED))


def main():
    root, archive, sanitizers, program_c, program_cpp = sys.argv[1:6]
    include = ["-I%s/include/%s" % (root, folder)
               for folder in ("facade/ndpdk/win", "facade", "")]
    with tempfile.TemporaryDirectory() as folder:
        for language, names, modes, program in (
                ("c", C, [["-std=gnu11"]], program_c),
                ("c++", CPP, [["-std=gnu++11"], ["-std=gnu++20", "-DUNICODE"]], program_cpp)):
            there = compilers(names)
            if not there:
                print("skipped: none of %s is there" % ", ".join(names))
                sys.exit(77)
            for compiler in there:
                count = check_headers(compiler, language, include, root, folder)
                check_orders(compiler, language, include, folder)
                # An archive with sanitizers can only be linked by the compiler that built it.
                for flags in modes if sanitizers == "none" else []:
                    check_program(compiler, program, flags + include, archive, folder)
                print("%s: %d headers%s" % (compiler, count, ", and the program ran"
                                            if sanitizers == "none" else ""))


main()
