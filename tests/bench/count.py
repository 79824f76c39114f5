#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Instructions and data reads per operation of bench rows, counted by callgrind.

usage: count.py BUILD_DIR [ROW...]

Prints one JSON line per row: the name, the function that is counted with its callees (null: the
whole row), and per operation the number of instructions, of loads (data reads), and of instructions
that are not loads. A row runs twice and only the second run is counted, which excludes the set-up.
ROWS below has the names of the rows.
"""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

# row: name of the row in the bench. function: counted with everything that it calls; None: the
# whole row with its loop.
Row = collections.namedtuple("Row", "bench row function")
# events: name in callgrind -> total per operation. functions: name -> instructions per operation in
# the function itself. If only one function is counted, functions has this function with all its
# callees.
Profile = collections.namedtuple("Profile", "events functions")

# Function of the harness in which every row runs.
RUN = "bench_row_run"
# Operations per run of a row: a multiple of the batch size of every bench.
ITERATIONS = 1024
# Full names in the output, because Dump does not read abbreviations.
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
    """A row cannot be counted. The text is the reason."""


class Dump:
    """Output of callgrind for one run of a row."""

    def __init__(self, text):
        header = dict(re.findall(r"^(desc: Trigger|events|summary|totals): *(.*)$", text, re.M))
        self.is_run = header.get("desc: Trigger") == "--dump-after=" + RUN
        self.events = header["events"].split()
        totals = header["totals"].split()
        # callgrind omits zeros at the end.
        totals += ["0"] * (len(self.events) - len(totals))
        self.totals = [int(total) for total in totals]
        self.own = collections.Counter()
        self.libraries = collections.Counter()
        self.inclusive = collections.defaultdict(lambda: [0] * len(self.events))
        self._read(text.splitlines())

    def _read(self, lines):
        """Each line of costs belongs to the last function line, or to the call line directly before
        it."""
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
    """Return the name of a file with code, without the version of a library."""
    return os.path.basename(path).split(".so")[0]


def plain_name(name, library):
    """Return a name without the suffixes that gcc adds to parts and copies of a function and
    callgrind to recursions. Functions of a library without a name get the name of the library."""
    if name.startswith("0x") and library:
        return "(%s)" % library_name(library)
    return re.sub(r"(\.(part|isra|constprop|cold)(\.\d+)?|'\d+)+$", "", name)


def execute(command):
    """@return output of the program"""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise Failure("%s is not installed" % error.filename) from error
    if run.returncode != 0:
        raise Failure("%s does not run\n%s%s" % (" ".join(command), run.stdout, run.stderr))
    return run.stdout


def callgrind(build, bench, row, options, out):
    """Run a row and its floor. @return their names, in the order of execution"""
    command = [*CALLGRIND, "--dump-before=" + RUN, "--dump-after=" + RUN]
    command += ["--callgrind-out-file=" + out, *options]
    command += [os.path.join(build, "tests", "bench", bench)]
    command += ["--repeatable", "--rounds=1", "--iterations=%u" % ITERATIONS, "--only=" + row]
    output = execute(command)
    return [json.loads(line)["name"] for line in output.splitlines() if line.startswith("{")]


def dump_of(build, bench, row, options):
    """Run a row a second time, in a separate process, because previous rows change the state."""
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
    """Yield (name, Profile) for rows of ROWS. One process per processor runs at a time."""
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
