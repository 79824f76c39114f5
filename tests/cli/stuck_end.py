#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""A program whose EAL does not end, ends all the same, with its status and all it had to print.

usage: stuck_end.py NDPMD PRELOADED

PRELOADED replaces rte_eal_cleanup() by a function that does not return.
Exits with 0, or with 1 after printing what was wrong.
"""

import os
import sys

from program import check, failures, run

SENTENCE = "EAL did not end within"


def main():
    ndpmd, preloaded = sys.argv[1:]
    os.environ["LD_PRELOAD"] = os.path.abspath(preloaded)
    loopback = run(ndpmd, "--loopback", "--iterations=1000")
    refused = run(ndpmd, "--server", "--address=224.0.0.1")
    del os.environ["LD_PRELOAD"]
    loopback.expect(0)
    check("\nsend " in loopback.output, "no row: %r" % loopback.output)
    refused.expect(2)
    for ended in (loopback, refused):
        check(SENTENCE in ended.errors, "not said: %r" % ended.errors)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
