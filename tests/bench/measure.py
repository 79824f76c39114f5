# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Runs benches and ndpmd alternately, and stores the values of each round.

A result can be stored as JSON: facts about the machine, missing programs, and rows by name. A row
has a unit, the name of its floor, and three numbers per round: its value, the value of its floor,
and their ratio. A floor is a row of the same round. Sizes in bytes have no floor.
"""

import contextlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import application  # noqa: E402
import count  # noqa: E402
import guard  # noqa: E402

SIZES = (0, 8, 64, 256, 1024, 4096, 1 << 14, 1 << 16, 1 << 18, 1 << 20)
SIZES_QUICK = (0, 64, 4096, 1 << 16, 1 << 20)
DEPTHS = (64, 1)
OPERATIONS = ("write", "read", "send")
QUEUE_PAIRS = (1, 10, 100, 1000, 10000, 100000)
# Omitted in a short run, and on machines with too little memory.
QUEUE_PAIRS_MANY = 100000
MANY_MEGABYTES = 8192
# The document has the memory of a process for this number of queue pairs or more.
QUEUE_PAIRS_MEMORY = 1000
WINDOWS = (1, 1000, 100000, 1000000)
# For bench_lcores: numbers of engines of an adapter; memory of EAL for all processes, and per
# lcore.
LCORES_MAX = 16
LCORES_MEGABYTES, LCORE_MEGABYTES = 96, 136
PAGES = "/sys/kernel/mm/hugepages/hugepages-2048kB/"
PAGES_RESERVED, PAGES_FREE = PAGES + "nr_hugepages", PAGES + "free_hugepages"
PAGE_MEGABYTES = 2
TIMEOUT_S = 300
MHZ = "bench_stages/tsc"
# Approximate cost of a message, to distribute the time: ns, and ns per byte.
MESSAGE_NS, BYTE_NS = 600, 0.3


class Failure(Exception):
    """A program of the run failed. The text has the program and its message."""


class Scale:
    """Durations: of a run of a few minutes, or of a run for the document."""

    def __init__(self, quick, rounds=None):
        self.rounds = rounds or (1 if quick else 5)
        self.sizes = SIZES_QUICK if quick else SIZES
        most = QUEUE_PAIRS_MANY if not quick and megabytes() >= MANY_MEGABYTES else 10000
        self.queue_pairs = tuple(qps for qps in QUEUE_PAIRS if qps <= most)
        self.seconds = 0.15 if quick else 0.3  # of ndpmd, for each row
        self.bench_ns = 3e8 if quick else 8e8  # of bench_size, for each size
        self.rounds_of = {
            "bench_loop": 60 if quick else 150,
            "bench_stages": 200 if quick else 400,
            "bench_many": 6 if quick else 15,
            "bench_lcores": 10 if quick else 30,
            "bench_mem_access": 30 if quick else 100,
            "bench_mem_endpoint": 30 if quick else 100,
            "bench_loss": 2 if quick else 10,
        }
        # Operations for which the instructions of ndpmd itself are counted.
        self.counted = OPERATIONS[:1] if quick else OPERATIONS


def megabytes():
    """Return the memory of the machine."""
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20


def median(numbers):
    """Return the median; for an even number of values, the mean of the two middle values."""
    ordered = sorted(numbers)
    if not ordered:
        raise ValueError("median of nothing")
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def objects(output):
    """Parse JSON output, one object per line."""
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def parse(output, program):
    """Return the rows that a bench printed, in order: {name: {"unit", "value", "floor",
    "ratio"}}."""
    rows = {}
    for found in objects(output):
        rows["%s/%s" % (program, found["name"])] = {
            "unit": found["unit"],
            "value": found["median"],
            "floor": "%s/%s" % (program, found["floor"]) if "floor" in found else None,
            "ratio": found.get("ratio"),
        }
    if not rows:
        raise Failure("%s has no rows" % program)
    return rows


def on_core(core):
    """Return a function that binds a new process to one core."""
    return lambda: os.sched_setaffinity(0, {core})


def execute(command):
    """Run a program. @return its standard output"""
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False,
                             timeout=TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise Failure("%s: no end after %u s" % (" ".join(command), TIMEOUT_S)) from error
    if run.returncode != 0:
        raise Failure("%s: status %d\n%s%s" % (
            " ".join(command), run.returncode, run.stdout[-500:], run.stderr))
    return run.stdout


def processor_time(pid):
    """Return the ns that a thread has run, and has waited for the processor while others ran."""
    try:
        with open("/proc/%u/schedstat" % pid, encoding="ascii") as file:
            run, waited = file.read().split()[:2]
        return int(run), int(waited)
    except OSError:  # a kernel without these values, or the thread has ended
        return 0, 0


def resident_most(pid):
    """Return the peak memory of a process in bytes; 0: the process has ended."""
    try:
        with open("/proc/%u/status" % pid, encoding="ascii") as file:
            found = re.search(r"^VmHWM:\s*(\d+) kB", file.read(), re.M)
    except OSError:
        return 0
    return int(found.group(1)) << 10 if found else 0


@contextlib.contextmanager
def limited(process):
    """Kill a process that does not end in time. Its status is then an error."""
    timer = threading.Timer(TIMEOUT_S, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def watched(command, core):
    """Run ndpmd on one core. ndpmd prints a row when its operation is over, so the part of the time
    in which the process had the core is known per row. @return (output, parts, peak resident memory
    in bytes)"""
    lines, shares, before, resident = [], [], (0, 0), 0
    with tempfile.TemporaryFile(mode="w+") as errors, subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True,
            preexec_fn=on_core(core)) as process, limited(process):
        for line in process.stdout:
            lines.append(line)
            # The first line is the header of the table. The last lines are the objects of --json.
            if len(lines) == 1 or line.startswith("{"):
                continue
            now = processor_time(process.pid)
            run, waited = now[0] - before[0], now[1] - before[1]
            shares.append(run / (run + waited) if run > 0 else 1.0)
            before = now
            resident = max(resident, resident_most(process.pid))
        process.wait()
        errors.seek(0)
        if process.returncode != 0:
            raise Failure("%s: %s" % (" ".join(command), errors.read()))
    return "".join(lines), shares, resident


class Programs:
    """Programs of a build."""

    def __init__(self, build):
        self.build = build
        self.ndpmd_path = os.path.join(build, "apps", "ndpmd", "ndpmd")

    def bench(self, name, *options):
        return parse(execute([self.bench_path(name), *options]), name)

    def bench_path(self, name):
        return os.path.join(self.build, "tests", "bench", name)

    def ndpmd(self, *options):
        """Return the rows of ndpmd, with the time per operation, "ns", and the peak memory of the
        process, "resident"."""
        command = [self.ndpmd_path, "--loopback", "--path-mtu=4096", "--json", *options]
        output, shares, resident = watched(command, sorted(os.sched_getaffinity(0))[-1])
        rows = objects(output)
        if not rows or len(rows) != len(shares) or any(row["errors"] for row in rows):
            raise Failure("ndpmd %s: %s" % (" ".join(options), output))
        for row, share in zip(rows, shares):
            row["ns"] = row["seconds"] * share * 1e9 / row["ops"]
            row["resident"] = resident
        return rows


def row_of(value, floor, unit="ns/op"):
    """Return a row with the ratio of the two values, if the floor is known."""
    return {"unit": unit, "value": value, "floor": floor, "ratio": None}


def step_bench(programs, scale, name, *options):
    return programs.bench(name, "--rounds=%u" % scale.rounds_of[name], *options)


def step_size(programs, scale, size):
    """Measure messages of one size: the bench, then ndpmd."""
    cost = MESSAGE_NS + BYTE_NS * size
    iterations = max(64, int(3e5 / cost) // 64 * 64)
    # Rows: two depths, two floors and three operations each.
    rounds = max(3, min(400, int(scale.bench_ns / (10 * iterations * cost))))
    rows = programs.bench("bench_size", "--rounds=%u" % rounds, "--iterations=%u" % iterations,
                          "--only=*_%u_depth_*" % size)
    for depth in DEPTHS:
        for found in programs.ndpmd("--op=" + ",".join(OPERATIONS), "--size=%u" % size,
                                    "--depth=%u" % depth, "--time=%g" % scale.seconds,
                                    "--warmup=0.05"):
            place = "%u_depth_%u" % (size, depth)
            rows["ndpmd/%s_%s" % (found["op"], place)] = row_of(
                found["ns"], "bench_size/frames_" + place)
    return rows


def step_latency(programs, scale):
    """Median time of one operation at a time: all stages of bench_stages, as an application sees
    them."""
    rows = {}
    for name, option in (("write_depth_1", "--op=write"), ("read_latency", "--op=read"),
                         ("write_latency", "--op=write")):
        more = ["--depth=1"] if name == "write_depth_1" else ["--latency"]
        found = programs.ndpmd(option, "--size=64", "--time=%g" % scale.seconds, *more)[0]
        rows["ndpmd/" + name] = row_of(found["latency_ns"]["p50"], "bench_size/frames_64_depth_1",
                                       "ns")
    return rows


def step_many(programs, scale):
    """Queue pairs with one request each. The value of ndpmd includes the whole application."""
    rows = step_bench(programs, scale, "bench_many")
    for qps in scale.queue_pairs:
        seconds = scale.seconds if qps < 10000 else max(scale.seconds, 1)
        found = programs.ndpmd("--op=write", "--size=64", "--depth=1", "--qps=%u" % qps,
                               "--time=%g" % seconds)[0]
        rows["ndpmd/write_qps_%u" % qps] = row_of(found["ns"], "bench_many/frames_64_answered")
        if qps >= QUEUE_PAIRS_MEMORY:
            rows["ndpmd/resident_qps_%u" % qps] = row_of(found["resident"], None, "bytes")
    return rows


def step_windows(programs, scale):
    rows = step_bench(programs, scale, "bench_mem_access", "--only=mem_check_remote_*")
    rows.update(step_bench(programs, scale, "bench_mem_endpoint"))
    for windows in WINDOWS:
        found = programs.ndpmd("--op=bind", "--size=64", "--windows=%u" % windows,
                               "--time=%g" % scale.seconds)[0]
        rows["ndpmd/bind_windows_%u" % windows] = row_of(
            found["ns"], "bench_size/frames_64_depth_64")
    return rows


def lcore_counts():
    """Return the numbers of lcores to measure: powers of two, all processors but one, and all."""
    most = min(len(os.sched_getaffinity(0)), LCORES_MAX)
    counts = {1 << power for power in range(most.bit_length())} | {most - 1, most}
    return sorted(count_ for count_ in counts if count_ >= 1)


def number_of(path):
    """Return the number in a file of the kernel; 0: the file cannot be read."""
    try:
        with open(path, encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return 0


def pages_reserve(count_):
    """Set the number of hugepages. The kernel may reserve fewer. Without the right, nothing
    changes."""
    with contextlib.suppress(OSError), open(PAGES_RESERVED, "w", encoding="ascii") as file:
        file.write("%u\n" % count_)


@contextlib.contextmanager
def hugepages(megabytes_):
    """Reserve hugepages for a limited time if too few are free. Yields whether there are enough."""
    wanted = -(-megabytes_ // PAGE_MEGABYTES)
    reserved, free = number_of(PAGES_RESERVED), number_of(PAGES_FREE)
    try:
        if free < wanted:
            pages_reserve(reserved + wanted - free)
        yield number_of(PAGES_FREE) >= wanted
    finally:
        if free < wanted:
            pages_reserve(reserved)


def step_lcores(programs, scale):
    """Engines of one adapter, compared with the same number of processes, for each number of
    lcores: rows lcores_PAGES_N/WAY_OPERATION of bench_lcores."""
    rows = {}
    for count_ in lcore_counts():
        command = [programs.bench_path("bench_lcores"), "--lcores=%u" % count_,
                   "--rounds=%u" % scale.rounds_of["bench_lcores"]]
        rows.update(parse(execute(command), "lcores_small_%u" % count_))
        wanted = LCORES_MEGABYTES + count_ * LCORE_MEGABYTES
        with hugepages(wanted) as reserved:
            if reserved:
                rows.update(parse(execute([*command, "--hugepages"]), "lcores_huge_%u" % count_))
            else:
                say("no hugepages with %u lcores: %u MB of them are not free, and cannot be "
                    "reserved" % (count_, wanted))
    return rows


def step_of_lcores(programs, scale):
    return "lcores", lambda: step_lcores(programs, scale)


def step_of_loss(programs, scale):
    return "loss", lambda: step_bench(programs, scale, "bench_loss")


def steps_of(programs, scale):
    """Return (name, function that measures) for each step of a round."""
    steps = [("bench_loop", lambda: step_bench(programs, scale, "bench_loop"))]
    steps.append(("bench_stages", lambda: step_bench(programs, scale, "bench_stages")))
    for size in scale.sizes:
        steps.append(("%u bytes" % size, lambda size=size: step_size(programs, scale, size)))
    steps.append(("latency", lambda: step_latency(programs, scale)))
    steps.append(("queue pairs", lambda: step_many(programs, scale)))
    steps.append(("windows", lambda: step_windows(programs, scale)))
    steps.append(step_of_loss(programs, scale))
    steps.append(step_of_lcores(programs, scale))
    return steps


def add_round(rows, found):
    """Append the rows of a round to those of the previous rounds."""
    for name, row in found.items():
        kept = rows.setdefault(name, {"unit": row["unit"], "floor": row["floor"], "values": [],
                                      "floors": [], "ratios": []})
        kept["values"].append(row["value"])
        if row["floor"] is None:
            continue
        if row["floor"] not in found:
            raise Failure("%s: its floor %s was not measured" % (name, row["floor"]))
        floor = found[row["floor"]]["value"]
        kept["floors"].append(floor)
        kept["ratios"].append(row["value"] / floor if row["ratio"] is None else row["ratio"])


def say(words):
    print(words, file=sys.stderr, flush=True)


def rounds_run(steps, rounds):
    """Run all steps in turn, in reverse order in every second round. @return rows"""
    rows = {}
    for number in range(rounds):
        found = {}
        for name, measure in steps if number % 2 == 0 else reversed(steps):
            start = time.monotonic()
            found.update(measure())
            say("round %u of %u: %-12s %5.1f s" % (
                number + 1, rounds, name, time.monotonic() - start))
        add_round(rows, found)
    return rows


def first_line(command):
    try:
        return guard.output_of(*command).splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return None


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Processor"):
                return value.strip()
    return platform.machine()


def commit_of(root):
    name = first_line(["git", "-C", root, "rev-parse", "--short=12", "HEAD"])
    if name and first_line(["git", "-C", root, "status", "--porcelain", "--untracked-files=no"]):
        name += ", with changes"
    return name or "unknown"


def machine(build, root):
    """Return (name, value) of the facts on which the results depend."""
    program = os.path.join(build, "tests", "bench", "bench_loop")
    return [
        ("processor", "%s, %u of %u processors" % (
            processor(), len(os.sched_getaffinity(0)), os.cpu_count())),
        ("kernel", "%s %s" % (platform.system(), platform.release())),
        ("compiler", guard.compilers_in(
            guard.output_of("readelf", "--string-dump=.comment", program))),
        ("DPDK", first_line(["pkg-config", "--modversion", "libdpdk"]) or "unknown"),
        ("ISA-L", first_line(["pkg-config", "--modversion", "libisal"]) or "unknown"),
        ("C library", os.confstr("CS_GNU_LIBC_VERSION")),
        ("commit", commit_of(root)),
        ("load before the run", "%.2f processes" % os.getloadavg()[0]),
        ("date", time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime())),
    ]


def instructions(build, table, rows):
    """Count the instructions of the guarded rows and of their floors now: row -> (name of the
    floor, instructions of the row, of the floor). Empty without valgrind."""
    floors = {}
    for name in table.rows:
        floor = rows.get("bench_loop/" + name, {}).get("floor")
        if floor:
            floors[name] = floor.partition("/")[2]
    counted = {}
    try:
        for floor in sorted(set(floors.values())):
            dump = count.dump_of(build, "bench_loop", floor, ())
            counted[floor] = dump.profile(None, count.ITERATIONS).events["Ir"]
    except count.Failure as failure:
        say("no instructions: %s" % failure)
        return {}
    return {
        name: (floor, table.rows[name].total, counted[floor]) for name, floor in floors.items()
    }


def instructions_of_ndpmd(programs, scale):
    """Return [operation, depth, in ndpmd itself, in total] for each. Empty without valgrind."""
    cells = [(operation, depth) for depth in DEPTHS for operation in scale.counted]
    try:
        return application.table(programs.ndpmd_path, cells)
    except count.Failure as failure:
        say("no instructions of ndpmd: %s" % failure)
        return []
