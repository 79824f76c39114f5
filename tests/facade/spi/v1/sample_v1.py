#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Compiles the example of Network Direct v1 without warnings, and runs it in two processes.

usage: sample_v1.py SOURCE_ROOT LIBRARY_FOLDER

Each installed C compiler builds the program. Two processes run over net_memif, as in ../sample.py.
Wrong arguments must cause an error with status 2. Exits with 0, with 1 after printing what was
wrong, or with 77 (skipped) without gcc.
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import sample  # noqa: E402

FLAGS = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror"]


def build(root, libraries, folder, compiler):
    program = os.path.join(folder, "ndv1-" + compiler)
    include = os.path.join(root, "include")
    result = subprocess.run(
        [compiler, *FLAGS, "-I" + os.path.join(include, "facade/ndpdk/win"),
         "-I" + os.path.join(include, "facade"), "-I" + include, "-o", program,
         os.path.join(root, "examples/facade/ndv1/ndv1.c"), "-L" + libraries, "-lndpdk-spi",
         "-lndpdk"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    sample.check(result.returncode == 0, "%s: %s" % (compiler, result.stdout))
    return program


def check_arguments(libraries, program):
    for arguments, text in (([], "usage: ndv1"), (["1", "2", "3", "4"], "usage: ndv1"),
                            (["198.51.100.1", "198.51.100.2", "0"], "usage: ndv1"),
                            (["x"], "x is not an IPv4 address")):
        result = subprocess.run(
            [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=sample.TIMEOUT_S,
            env=dict(os.environ, LD_LIBRARY_PATH=libraries,
                     NDPDK_SPI_CONFIG="[adapter]; port = x; address = 198.51.100.1/24"))
        sample.check(result.returncode == 2 and text in result.stdout,
                     "%s: %d: %s" % (arguments, result.returncode, result.stdout))


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root, libraries = sys.argv[1:]
    compilers = [name for name in ("gcc", "clang-14") if shutil.which(name)]
    if "gcc" not in compilers:
        print("there is no gcc")
        return sample.SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        programs = [build(root, libraries, folder, name) for name in compilers]
        if not sample.failures:
            sample.run(libraries, os.path.join(folder, "socket"),
                       [programs[-1], sample.SERVER],
                       [programs[0], sample.CLIENT, sample.SERVER, "20"],
                       ("line 1\nline 2\n", "20 lines written"))
            check_arguments(libraries, programs[0])
    return 1 if sample.failures else 0


if __name__ == "__main__":
    sys.exit(main())
