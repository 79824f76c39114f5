#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check that a test that fails midway, or is ended by SIGTERM, leaves no process behind.

usage: program_cleanup.py
"""

import os
import subprocess
import sys

TEST = """
import os, signal, sys
import program
print(program.Process("sleep", ["600"]).popen.pid, flush=True)
%s
"""
ENDS = {
    "an exception": "raise RuntimeError",
    "SIGTERM": "try:\n os.kill(os.getpid(), signal.SIGTERM)\nfinally:\n program.started[0].wait()",
}


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def main():
    left = 0
    for name, end in ENDS.items():
        ended = subprocess.run(
            [sys.executable, "-B", "-c", TEST % end], cwd=os.path.dirname(__file__),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60, check=False)
        if ended.returncode == 0 or is_running(int(ended.stdout)):
            print("FAILED: after %s: exit status %d, process %s" % (
                name, ended.returncode, ended.stdout.strip()))
            left += 1
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
