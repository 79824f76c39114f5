#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""If the library or the machine lacks a resource, ndpmd ends at once with an error message.

usage: refusals.py NDPMD GROUP PRELOADED

GROUP is listen (PRELOADED makes listening fail) or memory (PRELOADED makes calloc() fail on lcores
other than the main lcore). Exits with 0, or with 1 after printing what was wrong.
"""

import os
import sys

from program import EAL, check, failures, lcores_argument, run

SERVER = [*EAL, "--vdev=net_null0", "--", "--server", "--address=192.0.2.1"]


def listen(ndpmd):
    for own in ([], ["--perftest"], ["--perftest", "--op=read", "--clients=1"]):
        ended = run(ndpmd, *SERVER, *own)
        ended.expect(2)
        check("cannot listen on port" in ended.errors, "%r: %r" % (own, ended.errors))


def memory(ndpmd):
    for own in (["--qps=4"], ["--qps=4", "--op=send:1,read:1"]):
        ended = run(ndpmd, *EAL, lcores_argument(2), "--", "--loopback", "--lcores=0,1",
                    "--time=60", *own)
        ended.expect(1)
        check("no memory for the connections" in ended.errors, "%r: %r" % (own, ended.errors))


def main():
    ndpmd, group, preloaded = sys.argv[1:]
    os.environ["LD_PRELOAD"] = os.path.abspath(preloaded)
    {"listen": listen, "memory": memory}[group](ndpmd)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
