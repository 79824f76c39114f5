#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Instructions and data reads per operation of bench rows, counted by callgrind.

usage: count.py BUILD_DIR [ROW...]

Prints one JSON line per row: name, the function that is counted with its callees (null: the whole
row), and per operation the instructions, the loads (data reads), and the instructions that are no
loads. A row runs twice and only the second run is counted, which excludes the set-up. The rows are
listed in ROWS below.
"""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

# row: of the bench; function: counted with everything it calls, None: the whole row with its loop.
Row = collections.namedtuple("Row", "bench row function")
# events: callgrind's name -> per operation, everything together; functions: name -> instructions
# per operation in that function itself; of a single function, it alone with all it calls.
Profile = collections.namedtuple("Profile", "events functions")

# What the harness runs every row in.
RUN = "bench_row_run"
# Per run of a row: a multiple of the requests of a batch, of all benches.
ITERATIONS = 1024
# Names in full, in what it writes: Dump reads no abbreviations.
CALLGRIND = ("valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no")


def of(bench, *rows):
    return {row: Row(bench, row, None) for row in rows}


ROWS = {
    **of("bench_wire", "wire_build_64", "wire_parse_64"),
    **of("bench_loop", "write_64_depth_64", "write_8_depth_1", "write_4096_depth_64"),
    **of("bench_loop", "send_64_depth_64", "send_imm_64_depth_64", "read_64_depth_64"),
    **of("bench_loop", "send_srq_64_depth_64"),
    **of("bench_loop", "fetch_add_8_depth_64", "turn_idle"),
    "receive_post": Row("bench_loop", "send_64_depth_64", "nd_endpoint_receive"),
    **{
        "mem_check_remote_warm_%u" % windows: Row(
            "bench_mem_access", "mem_check_remote_warm_%u" % windows, "mem_check_remote"
        )
        for windows in (1, 1000)
    },
    **of("bench_ndk", "ndk_floor_send_64", "ndk_send_64"),
    **of("bench_spi", "native_write_singly_64", "spi_write_64", "spi1_write_64"),
    **of("bench_spi", "native_send_singly_64", "spi_send_64", "spi1_send_64"),
    **of("bench_engine", "engine_1_write_64_depth_64", "engine_1_bind_invalidate_depth_64"),
    **of("bench_many", "idle_turn_1", "idle_turn_10000"),
    **of("bench_mem_bind", "mem_bind_invalidate_one_1", "mem_bind_invalidate_one_1000"),
    **of("bench_mem_bind", "mem_bind_invalidate_random_1000"),
    **of("bench_mem_endpoint", "nd_bind_invalidate_one_1", "nd_bind_invalidate_one_1000"),
    **of("bench_mem_endpoint", "nd_bind_invalidate_random_1000"),
    **of("bench_mem_endpoint", "nd_bind_invalidate_batch_1", "nd_bind_invalidate_batch_1000"),
}


class Failure(Exception):
    """A row cannot be counted; why."""


class Dump:
    """What callgrind wrote of one run of a row."""

    def __init__(self, text):
        header = dict(re.findall(r"^(desc: Trigger|events|summary|totals): *(.*)$", text, re.M))
        self.is_run = header.get("desc: Trigger") == "--dump-after=" + RUN
        self.events = header["events"].split()
        totals = header["totals"].split()
        # Zeros at the end are left out.
        totals += ["0"] * (len(self.events) - len(totals))
        self.totals = [int(total) for total in totals]
        self.own = collections.Counter()
        self.libraries = collections.Counter()
        self.inclusive = collections.defaultdict(lambda: [0] * len(self.events))
        self._read(text.splitlines())

    def _read(self, lines):
        """Each line of costs belongs to the function named last, or to the call just before it."""
        library = caller = called = None
        is_call = False
        for line in lines:
            key, _, value = line.partition("=")
            if key == "ob":
                library = value
            elif key == "fn":
                caller = plain_name(value, library)
            elif key == "cfn":
                called = plain_name(value, None)
            elif key == "calls":
                is_call = True
            elif line[:1].isdigit():
                costs = [int(cost) for cost in line.split()[1:]]
                self._add(costs, caller, is_call and called)
                if costs and not is_call:
                    self.libraries[library_name(library)] += costs[0]
                is_call = False

    def _add(self, costs, caller, called):
        if called:
            costs += [0] * (len(self.events) - len(costs))
            self.inclusive[called] = [a + b for a, b in zip(self.inclusive[called], costs)]
        elif costs:
            self.own[caller] += costs[0]

    def profile(self, function, operations):
        if function is None:
            totals, own = self.totals, self.own
        elif function in self.inclusive:
            totals = self.inclusive[function]
            own = {function: totals[0]}
        else:
            raise Failure("%s is not called, or is compiled into its caller" % function)
        return Profile(
            {event: total / operations for event, total in zip(self.events, totals)},
            {name: cost / operations for name, cost in own.items()},
        )


def library_name(path):
    """Of a file with code: a library without its version."""
    return os.path.basename(path).split(".so")[0]


def plain_name(name, library):
    """Without what gcc adds to parts and copies of a function, and callgrind to a recursion. What a
    library has no name for goes by the library's."""
    if name.startswith("0x") and library:
        return "(%s)" % library_name(library)
    return re.sub(r"(\.(part|isra|constprop|cold)(\.\d+)?|'\d+)+$", "", name)


def execute(command):
    """@return what the program printed"""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Failure("%s is not installed" % error.filename) from error
    if run.returncode != 0:
        raise Failure("%s does not run\n%s%s" % (" ".join(command), run.stdout, run.stderr))
    return run.stdout


def callgrind(build, bench, row, options, out):
    """Runs a row and its floor. @return their names, in the order in which they ran"""
    command = [*CALLGRIND, "--dump-before=" + RUN, "--dump-after=" + RUN]
    command += ["--callgrind-out-file=" + out, *options]
    command += [os.path.join(build, "tests", "bench", bench)]
    command += ["--repeatable", "--rounds=1", "--iterations=%u" % ITERATIONS, "--only=" + row]
    output = execute(command)
    return [json.loads(line)["name"] for line in output.splitlines() if line.startswith("{")]


def dump_of(build, bench, row, options):
    """Second run of a row, in a process of its own: a run finds what those before it left."""
    with tempfile.TemporaryDirectory() as folder:
        ran = callgrind(build, bench, row, options, os.path.join(folder, "out"))
        parts = [part for part in os.listdir(folder) if part.startswith("out.")]
        dumps = []
        for part in sorted(parts, key=lambda part: int(part.split(".")[1])):
            with open(os.path.join(folder, part), encoding="utf-8") as file:
                dumps.append(Dump(file.read()))
    dumps = [dump for dump in dumps if dump.is_run]
    if len(dumps) != 2 * len(ran) or row not in ran:
        raise Failure("%s: %u dumps of %s" % (row, len(dumps), ran))
    return dumps[len(ran) + ran.index(row)]


def count(build, names, options=()):
    """Yields (name, Profile) of rows of ROWS, as many at a time as there are processors."""
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        dumps = {
            run: pool.submit(dump_of, build, *run, options)
            for run in {ROWS[name][:2]: None for name in names}
        }
        for name in names:
            row = ROWS[name]
            yield name, dumps[row[:2]].result().profile(row.function, ITERATIONS)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    names = sys.argv[2:] or list(ROWS)
    for name in names:
        if name not in ROWS:
            sys.exit(f"{name}: not one of {', '.join(ROWS)}")
    for name, profile in count(sys.argv[1], names, ["--cache-sim=yes"]):
        instructions, loads = profile.events["Ir"], profile.events["Dr"]
        line = {
            "name": name,
            "function": ROWS[name].function,
            "instructions": round(instructions, 2),
            "loads": round(loads, 2),
            "instructions_less_loads": round(instructions - loads, 2),
        }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
