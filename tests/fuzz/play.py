#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Run a fuzz target with fixed inputs, for suite fuzz.

usage: play.py REPLAY TARGET COUNT SEED

REPLAY is the program fuzz_TARGET_replay. Its inputs are the inputs that seeds.py makes from the
captures, the files inputs/TARGET-*, and COUNT inputs generated from SEED, each run as generated,
mutated and crossed. Each file in inputs runs a hundred times in a row, to detect state that is left
from the previous run. Exit status: the status of the run that failed.
"""

import glob
import os
import subprocess
import sys
import tempfile

import seeds

KEPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs")


def play(command):
    status = subprocess.run(command, check=False).returncode
    if status != 0:
        print("play.py: status %d of %s" % (status, " ".join(command)), file=sys.stderr)
        sys.exit(status if 0 < status < 77 else 1)


def main(arguments):
    if len(arguments) != 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    replay, target, count, seed = arguments
    kept = sorted(glob.glob(os.path.join(KEPT, target + "-*")))
    if kept:
        play([replay, "--repeat=100"] + kept)
    with tempfile.TemporaryDirectory() as folder:
        seeds.main([target, folder])
        made = sorted(glob.glob(os.path.join(folder, "*")))
        if made:
            play([replay] + made)
    play([replay, "--generated=" + count, "--seed=" + seed])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
