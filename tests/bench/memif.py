# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Measures ndpmd between two processes over memif, and round trips of frames as the floor.

All values are medians of single round trips. Both processes poll on separate processors. The frames
are measured before and after ndpmd, because the speed of a machine may change between processes.
"""

import os
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "cli")]
import measure  # noqa: E402
import program  # noqa: E402

SIZES = (8, 64, 4096)
OPERATIONS = ("read", "write", "send")
ADDRESSES = ("--address=10.9.0.1/24", "--address=10.9.0.2/24")


def available(programs):
    """Return whether DPDK has the driver and there are two processors."""
    return len(os.sched_getaffinity(0)) > 1 and program.has_memif(
        programs.ndpmd_path, ["--server", "--address=224.0.0.1"])


def played(path, server, client):
    """Run a server and a client. @return JSON output of the client"""
    with tempfile.TemporaryDirectory() as folder:
        serving = program.MemifServer(path, folder, server)
        ended = serving.client(*client).end()
        if ended.status != 0:
            serving.process.kill()
        serving.process.end()
    if ended.status != 0:
        raise measure.Failure("%s: %s%s" % (ended.name, ended.output, ended.errors))
    return measure.objects(ended.output)


def latencies(programs, scale, size):
    """Round trip of each operation in ns. READ: a request and its response. WRITE and SEND: one
    message in each direction."""
    found = played(programs.ndpmd_path, ["--server", "--clients=1", ADDRESSES[0]], [
        "--client=10.9.0.1", ADDRESSES[1], "--op=" + ",".join(OPERATIONS), "--latency",
        "--size=%u" % size, "--time=%g" % (2 * scale.seconds), "--json"])
    return {row["op"]: row["latency_ns"]["p50"] for row in found}


def payloads(operation, size):
    """Return the bytes in both directions."""
    return (0, size) if operation == "read" else (size, size)


def frames(programs, round_trips):
    """Round trip of frames with these payloads in ns."""
    pairs = sorted({payloads(operation, size) for operation in OPERATIONS for size in SIZES})
    found = played(programs.bench_path("port_ping_pong"), ["server"], [
        "client", str(round_trips), *("%u:%u" % pair for pair in pairs)])
    return {pair: row["median"] for pair, row in zip(pairs, found)}


def floor_of(operation, size):
    return "memif/frames_%u_%u" % payloads(operation, size)


def step(programs, scale):
    round_trips = 10000 if scale.rounds == 1 else 40000
    before = frames(programs, round_trips)
    rows = {}
    for size in SIZES:
        for operation, taken in latencies(programs, scale, size).items():
            rows["memif/%s_%u" % (operation, size)] = measure.row_of(
                taken, floor_of(operation, size), "ns")
    after = frames(programs, round_trips)
    for pair, taken in before.items():
        name = "memif/frames_%u_%u" % pair
        rows[name] = measure.row_of((taken + after[pair]) / 2, name, "ns")
    return rows
