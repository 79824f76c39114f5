# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Count the instructions of ndpmd itself per operation, without those of the library, by callgrind.

Both ends of a loopback are one process. The counts of a short run are subtracted from those of a
long run, to exclude start, connect and end. Real time passes under callgrind, so runs may differ in
the number of idle turns. At depth 1 there are no idle turns.
"""

import concurrent.futures
import os
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import count  # noqa: E402

# Number of operations of the short run and of the long run.
ITERATIONS = (4096, 12288)
SIZE = 64


def libraries_of(path, options):
    """Return the instructions of one run per file. The file of the program has the program's
    name."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        count.execute([*count.CALLGRIND, "--callgrind-out-file=" + out, path, *options])
        with open(out, encoding="utf-8") as file:
            return count.Dump(file.read()).libraries


def instructions(path, operation, depth):
    """Return (in the program itself, in total) per operation."""
    options = ["--loopback", "--path-mtu=4096", "--op=" + operation, "--size=%u" % SIZE,
               "--depth=%u" % depth]
    runs = [libraries_of(path, options + ["--iterations=%u" % n]) for n in ITERATIONS]
    more = ITERATIONS[1] - ITERATIONS[0]
    own = runs[1][os.path.basename(path)] - runs[0][os.path.basename(path)]
    total = sum(runs[1].values()) - sum(runs[0].values())
    return own / more, total / more


def table(path, cells):
    """Return [operation, depth, own, all] for each (operation, depth)."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        counted = [(cell, pool.submit(instructions, path, *cell)) for cell in cells]
        return [[*cell, *result.result()] for cell, result in counted]
