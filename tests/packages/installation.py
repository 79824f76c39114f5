#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check the README and tools/setup.

usage: installation.py SOURCE_ROOT

tools/setup installs nothing if all packages are installed, and installs a missing package. The
README names all Debian packages, its apt-get command lists exactly the packages that the build
needs, and it is short. Exits with 0, with 1 after printing what is wrong, or with 77 (skipped) if a
package that tools/setup installs is missing.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
ABSENT = "no-such-package"
# Repeat, because a check may fail only sometimes: with a pipe whose reader ended first, an earlier
# tools/setup called a package missing in 21 of 30 runs.
ROUNDS = 5
LINES_MAX = 120
FAKE = """#!/bin/sh
echo "$(basename "$0") $*" >>"$CALLS"
"""


def calls_of_setup(root, *packages):
    """Run tools/setup on a configured tree. @return its calls of programs that need root"""
    with tempfile.TemporaryDirectory() as folder:
        calls = os.path.join(folder, "calls")
        os.makedirs(os.path.join(folder, "tools"))
        os.makedirs(os.path.join(folder, "build"))
        open(os.path.join(folder, "build", "build.ninja"), "w").close()
        shutil.copy(os.path.join(root, "tools", "setup"), os.path.join(folder, "tools"))
        for name in ("apt-get", "sudo"):
            path = os.path.join(folder, name)
            with open(path, "w") as file:
                file.write(FAKE)
            os.chmod(path, 0o755)
        subprocess.run(
            [os.path.join(folder, "tools", "setup"), "--configure", *packages], check=True,
            env=dict(os.environ, PATH=folder + ":" + os.environ["PATH"], CALLS=calls))
        if not os.path.exists(calls):
            return ""
        with open(calls) as file:
            return file.read()


def check_setup(root):
    """Check tools/setup. @return what is wrong, and whether all packages are installed"""
    absent = calls_of_setup(root, ABSENT)
    if re.search(r" install .* %s$" % ABSENT, absent, re.M) is None:
        return ["tools/setup does not install a missing package: %r" % absent], True
    if not re.search(r"--no-install-recommends %s$" % ABSENT, absent, re.M):
        return [], False
    found = [calls_of_setup(root) for _ in range(ROUNDS)]
    return ["tools/setup installs what is installed: " + calls for calls in found if calls], True


def check_readme(root):
    """Compare the README with debian/control. @return what is wrong"""
    with open(os.path.join(root, "README.md")) as file:
        readme = file.read()
    with open(os.path.join(root, "debian", "control")) as file:
        control = file.read()
    packages = re.findall(r"^Package: (\S+)$", control, re.M)
    needed = re.search(r"^Build-Depends: (.*?)\n\n", control, re.M | re.S).group(1).split(",")
    needed = {re.match(r"\s*([\w.+-]+?)(-compat)?( |$)", one).group(1) for one in needed}
    installed = re.search(r"^ *apt-get install (build-essential.*?[^\\])\n", readme, re.M | re.S)
    installed = set(installed.group(1).replace("\\\n", " ").split())
    lines = readme.count("\n")
    wrong = [] if lines <= LINES_MAX else ["README.md has %d lines, limit %d" % (lines, LINES_MAX)]
    wrong += ["the README does not name the package " + name for name in packages
             if "`%s`" % name not in readme]
    different = sorted(installed ^ (needed | {"build-essential"}))
    if different:
        wrong.append("installed by the README or needed by the build, but not both: %s"
                     % " ".join(different))
    return wrong


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    wrong = check_readme(sys.argv[1])
    found, complete = check_setup(sys.argv[1])
    wrong += found
    print("\n".join(wrong))
    if not complete:
        print("packages of tools/setup are not installed")
    return 1 if wrong else 0 if complete else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
