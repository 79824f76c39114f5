#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Instructions and data reads per operation of bench rows, counted by callgrind.

usage: count.py BUILD_DIR [ROW...]

Prints one JSON line per row: name, the function that is counted with everything it calls, and per
operation the instructions, the loads (data reads), and the instructions that are no loads. Each row
runs twice, with few and with many iterations, and what is printed is the difference by the
operations that it was more: nothing of the set-up is in it. Rows: those of ROWS below.
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

Row = collections.namedtuple("Row", "bench function few many")

# What runs a row calls the operation in a loop, which is part of the count; mem_check_remote is
# counted without it. Iterations are multiples of 16, the length of a batch.
ROWS = {
    "wire_build_64": Row("bench_wire", "build_run", 1600, 16000),
    "wire_parse_64": Row("bench_wire", "parse_run", 1600, 16000),
    "write_64_depth_1": Row("bench_loop", "write_run", 1600, 16000),
    "write_64_depth_64": Row("bench_loop", "write_run", 1600, 16000),
    "write_4096_depth_64": Row("bench_loop", "write_run", 1600, 16000),
    "mem_check_remote_warm_1": Row("bench_mem_access", "mem_check_remote", 1600, 16000),
    "mem_check_remote_warm_1000": Row("bench_mem_access", "mem_check_remote", 1600, 16000),
    "mem_bind_invalidate_one_1": Row("bench_mem_bind", "bind_run", 1600, 16000),
    "mem_bind_invalidate_one_1000": Row("bench_mem_bind", "bind_run", 1600, 16000),
    "mem_bind_invalidate_random_1000": Row("bench_mem_bind", "bind_run", 1600, 16000),
    "nd_bind_invalidate_one_1": Row("bench_mem_endpoint", "pair_run", 1600, 16000),
    "nd_bind_invalidate_one_1000": Row("bench_mem_endpoint", "pair_run", 1600, 16000),
    "nd_bind_invalidate_random_1000": Row("bench_mem_endpoint", "pair_run", 1600, 16000),
    "nd_bind_invalidate_batch_1": Row("bench_mem_endpoint", "batch_run", 1600, 16000),
    "nd_bind_invalidate_batch_1000": Row("bench_mem_endpoint", "batch_run", 1600, 16000),
}
# A row runs once before its first round, unmeasured.
RUNS = 2


def totals(build, name, row, iterations, out):
    """Instructions and data reads of all runs together."""
    command = [
        "valgrind",
        "--tool=callgrind",
        "--cache-sim=yes",
        f"--toggle-collect={row.function}",
        f"--callgrind-out-file={out}",
        os.path.join(build, "tests", "bench", row.bench),
        "--rounds=1",
        f"--iterations={iterations}",
        f"--only={name}",
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode != 0 or f'"{name}"' not in run.stdout:
        sys.exit(f"{name}: does not run\n{run.stdout}{run.stderr}")
    with open(out, encoding="utf-8") as file:
        text = file.read()
    events = re.search(r"^events: (.*)$", text, re.MULTILINE).group(1).split()
    counts = re.search(r"^totals: (.*)$", text, re.MULTILINE).group(1).split()
    # Zeros at the end are left out.
    found = dict.fromkeys(events, 0) | dict(zip(events, map(int, counts)))
    return found["Ir"], found["Dr"]


def count(build, name):
    row = ROWS[name]
    with tempfile.TemporaryDirectory() as folder:
        few, many = (
            totals(build, name, row, iterations, os.path.join(folder, "out"))
            for iterations in (row.few, row.many)
        )
    operations = RUNS * (row.many - row.few)
    instructions, loads = ((b - a) / operations for a, b in zip(few, many))
    return {
        "name": name,
        "function": row.function,
        "instructions": round(instructions, 2),
        "loads": round(loads, 2),
        "instructions_less_loads": round(instructions - loads, 2),
    }


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    names = sys.argv[2:] or list(ROWS)
    for name in names:
        if name not in ROWS:
            sys.exit(f"{name}: not one of {', '.join(ROWS)}")
        print(json.dumps(count(sys.argv[1], name)), flush=True)


if __name__ == "__main__":
    main()
