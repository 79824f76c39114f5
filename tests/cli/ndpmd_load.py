#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test the loads of ndpmd: mixes, ramps and bursts, both directions.

usage: ndpmd_load.py NDPMD GROUP

Groups: loopback, memif. Exits with 0, with 1 after printing what was wrong, or with 77 (skipped)
when the machine lacks something that the group needs.
"""

import csv
import json
import signal
import sys
import tempfile

from ndpmd_generator import CLIENT, SERVER, check_intervals, check_progress, results
from program import SKIPPED, MemifServer, check, has_memif, lcores_argument, run, run_group, EAL

MIX = {"send": 50, "write": 30, "read": 20}
ALL = {"send": 1, "write": 3, "read": 2, "send-imm": 7, "write-imm": 100}
MORE_EAL = EAL[: EAL.index("-m")] + ["-m", "1024"] + EAL[EAL.index("-m") + 2 :]


def op_of(weights):
    return "--op=" + ",".join("%s:%d" % pair for pair in weights.items())


def check_mix(ended, row, weights, qps, iterations=None):
    """The parts of a mix add up to the total. On each queue pair, the parts have the given weights
    within two operations."""
    name = "%s, %d bytes" % (ended.name, row["size"])
    check(row["op"] == "mix" and row["errors"] == 0, "%s: %r" % (name, row))
    parts = {part["op"]: part for part in row["parts"]}
    check(list(parts) == [op for op in ALL if op in weights], "%s: %r" % (name, list(parts)))
    check(sum(part["ops"] for part in parts.values()) == row["ops"], "%s: %r" % (name, row))
    if iterations is not None:
        check(row["ops"] == qps * iterations, "%s: %r" % (name, row))
    total = sum(weights.values())
    for op, part in parts.items():
        due = row["ops"] * weights[op] / total
        # The sequence of operations may be at any position when the measurement begins or ends.
        check(abs(part["ops"] - due) <= 4 * qps, "%s: %s %r of %r" % (name, op, part["ops"], due))
        check(part["weight"] == weights[op], "%s: %r" % (name, part))
        longest = part["latency_ns"]["max"]
        check(0 < longest <= row["latency_ns"]["max"], "%s: %r" % (name, part))
    found = max(part["latency_ns"]["max"] for part in parts.values())
    check(found == row["latency_ns"]["max"], "%s: max %r" % (name, row))
    # If the iterations are a multiple of the sum of the weights, the division is exact.
    if iterations is not None and iterations % total == 0:
        for op, part in parts.items():
            check(part["ops"] * total == row["ops"] * weights[op], "%s: %r" % (name, part))
    lines = [line.split() for line in ended.lines if line.startswith("+")]
    there = [(line[0], line[1]) for line in lines]
    for op in parts:
        check(("+" + op, str(row["size"])) in there, "%s: no row +%s" % (name, op))


def refused(ndpmd, table):
    for own, word in table:
        ended = run(ndpmd, *own)
        ended.expect(2)
        ended.expect_sentence(word)


def mixes(ndpmd):
    for weights, own, qps in ((MIX, ["--depth=13", "--qps=3"], 3), (ALL, [], 1),
                              ({"read": 9}, ["--depth=1"], 1)):
        total = sum(weights.values())
        ended = run(ndpmd, "--loopback", op_of(weights), "--size=0,1,48,64,5000", "--verify",
                    "--iterations=%d" % (10 * total), "--json", *own)
        for row in results(ended, 5):
            check_mix(ended, row, weights, qps, 10 * total)
            check_progress(ended, row)
    ended = run(ndpmd, *MORE_EAL, lcores_argument(2), "--", "--loopback", op_of(MIX), "--time=0.3",
                "--lcores=0,1", "--qps=3", "--interval=0.1", "--json", "--csv", "--rate=5k")
    ended.expect(0)
    rows = [json.loads(line) for line in ended.lines if line.startswith("{")]
    for row in rows:
        check_mix(ended, row, MIX, 3)
        check_intervals(ended, row, 1)
        first = [line[:5] for line in ended.lines].index("kind,")
        parts = [line for line in csv.DictReader(ended.lines[first:]) if line["kind"] == "part"]
        found = [(line["op"], line["ops"], line["weight"]) for line in parts]
        told = [(part["op"], str(part["ops"]), str(part["weight"])) for part in row["parts"]]
        check(found == told, "%s: %r" % (ended.name, parts))
    refused(ndpmd, [
        (["--loopback", "--op=send:50,write"], "each operation has a weight"),
        (["--loopback", "--op=write,send:50"], "each operation has a weight"),
        (["--loopback", "--op=send:1,bind:1"], "bind takes no weight"),
        (["--loopback", "--op=send:1,fetch-add:1"], "fetch-add takes no weight"),
        (["--loopback", "--op=send:1,send:2"], "has one weight"),
        (["--loopback", "--op=send:0,write:1"], "1 to 100"),
        (["--loopback", "--op=send:101"], "1 to 100"),
        (["--loopback", "--op=send:"], "1 to 100"),
        (["--loopback", "--op=mix"], "--op=mix"),
        (["--loopback", "--op=send:1,write:1", "--latency"], "--latency"),
        (["--loopback", "--op=send:1,write:1", "--perftest"], "--perftest"),
    ])


def schedules(ndpmd):
    """A ramp posts half as many operations as its rate, and fewer at first. Bursts post as many as
    the rate."""
    own = ["--loopback", "--rate=20k", "--time=0.5", "--qps=2", "--json"]
    ended = run(ndpmd, *own, "--ramp=0.5", "--interval=0.1")
    for row in results(ended, 1):
        check_progress(ended, row)
        check_intervals(ended, row, 1)
        check(abs(row["ops"] - 5000) <= 4, "%s: %d operations" % (ended.name, row["ops"]))
        check(row["missed"] == 0 and row["rate"] == 20000, "%s: %r" % (ended.name, row))
    # Each queue pair starts its last burst, because the burst's first operation is due in time.
    ended = run(ndpmd, *own, "--burst=64", "--warmup=0")
    for row in results(ended, 1):
        check_progress(ended, row)
        check(row["ops"] % 64 == 0, "%s: %d operations" % (ended.name, row["ops"]))
        check(abs(row["ops"] - 10000) <= 2 * 64, "%s: %d operations" % (ended.name, row["ops"]))
    # The run lasts for its whole duration, although the last message is due earlier.
    ended = run(ndpmd, "--loopback", "--rate=4", "--time=0.6", "--warmup=0", "--json")
    for row in results(ended, 1):
        check(row["ops"] == 3 and row["seconds"] >= 0.6, "%s: %r" % (ended.name, row))
    ended = run(ndpmd, "--loopback", "--rate=100", "--iterations=10", "--time=50", "--json")
    for row in results(ended, 1):
        check(row["ops"] == 10 and row["seconds"] < 20, "%s: %r" % (ended.name, row))
    # A burst is larger than the number of outstanding operations. The rest of the burst waits, and
    # nothing is lost.
    ended = run(ndpmd, "--loopback", "--rate=1k", "--burst=100", "--depth=1", "--time=0.5",
                "--warmup=0", "--verify", "--json")
    for row in results(ended, 1):
        check(row["ops"] == 500 and row["missed"] == 0, "%s: %r" % (ended.name, row))


def check_directions(ended, rows, qps, ops=None):
    """Check that each operation has two rows: operations of the client, then those of the
    server."""
    sides = [row["posted_by"] for row in rows]
    check(sides == ["client", "server"] * (len(rows) // 2), "%s: %r" % (ended.name, sides))
    names = [line.split()[0] for line in ended.lines if not line.startswith(("{", "@", "+"))][1:]
    told = [("<" if row["posted_by"] == "server" else "") + row["op"] for row in rows]
    check(names == told, "%s: rows %r, not %r" % (ended.name, names, told))
    for row in rows:
        check(row["errors"] == 0 and row["ops"] > 0, "%s: %r" % (ended.name, row))
        check(row["qps"] == qps, "%s: %r" % (ended.name, row))
        check(ops is None or row["ops"] == ops, "%s: %r, not %r" % (ended.name, row, ops))


def directions(ndpmd):
    own = ["--loopback", "--bidirectional", "--json"]
    some = ["send", "write", "read", "bind", "send-imm", "write-imm", "fetch-add", "compare-swap"]
    for more in (["--verify", "--depth=7"], ["--latency", "--verify"], ["--size=20000"]):
        ended = run(ndpmd, *own, "--op=" + ",".join(some), "--iterations=300", "--qps=3", *more)
        rows = results(ended, 2 * len(some))
        check_directions(ended, rows, 3, 900)
        for row in rows:
            check_progress(ended, row)
            check(row["latency_ns"]["max"] > 0, "%s: %r" % (ended.name, row))
    # The server must use the rates that the client has sent to it.
    schedule = ["--rate=4k", "--time=0.5", "--qps=2", "--burst=10"]
    for more, ops in (["--warmup=0"], 2000), (["--ramp=0.5"], 1000):
        ended = run(ndpmd, *own, *schedule, *more)
        rows = results(ended, 2)
        check_directions(ended, rows, 2)
        for row in rows:
            check(row["missed"] == 0 and row["rate"] == 4000, "%s: %r" % (ended.name, row))
            check(abs(row["ops"] - ops) <= 2 * 10, "%s: %r" % (ended.name, row))
        check(rows and rows[0]["ops"] == rows[1]["ops"], "%s: %r" % (ended.name, rows))
    ended = run(ndpmd, *own, *schedule)
    rows = results(ended, 2)
    check_directions(ended, rows, 2)
    for row in rows:
        check(row["ops"] >= 2000 - 2 * 2 * 10, "%s: %r" % (ended.name, row))
    # If a rate cannot be reached, the rows of both directions report the missed rate.
    ended = run(ndpmd, *own, "--rate=1G", "--time=0.1")
    ended.expect(0)
    for row in [json.loads(line) for line in ended.lines if line.startswith("{")]:
        check(row["missed"] > 0, "%s: %r" % (ended.name, row))
    check(ended.errors.count("--rate is too high") == 2, ended.name + ": " + ended.errors)
    # Each server has executed its share of the operations on its lcore.
    ended = run(ndpmd, *MORE_EAL, lcores_argument(2), "--", *own, op_of(MIX), "--time=0.2",
                "--lcores=0,1", "--qps=3", "--interval=0.1", "--verify")
    rows = results(ended, 2)
    check_directions(ended, rows, 3)
    check("parts" in rows[0] and "parts" not in rows[1], "%s: %r" % (ended.name, rows))
    refused(ndpmd, [
        (["--server", "--address=10.9.0.1", "--bidirectional"],
         "--server takes no --bidirectional"),
        (["--loopback", "--perftest", "--bidirectional"], "--perftest"),
        (["--loopback", "--op=bind", "--windows=2", "--bidirectional"], "--windows"),
        (["--loopback", "--qps=100K", "--bidirectional"], "doubles --qps"),
    ])


def loopback(ndpmd):
    directions(ndpmd)
    mixes(ndpmd)
    schedules(ndpmd)


def with_server(ndpmd, own, count, lcores=()):
    """Run a client with a server. @return end of the client, rows of the client, end of the
    server"""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, [*SERVER, *lcores], lcores=1 + len(lcores))
        client = server.client(*CLIENT, *own, *lcores).end()
        ended = server.process.end()
    ended.expect(0)
    ended.expect_silence()
    return client, results(client, count), ended


def memif(ndpmd):
    if not has_memif(ndpmd, ["--server", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        sys.exit(SKIPPED)
    own = [op_of(ALL), "--iterations=1130", "--qps=2", "--size=64,20000", "--verify"]
    client, rows, ended = with_server(ndpmd, own, 2)
    for row in rows:
        check_mix(client, row, ALL, 2, 1130)
    check([line[0] for line in rows_of_server(ended)] == ["mix", "mix"], ended.output)
    # Server and client have each measured the latency of their own operations.
    own = ["--op=send,write,read,bind", "--iterations=500", "--qps=2", "--verify"]
    own += ["--bidirectional"]
    client, rows, ended = with_server(ndpmd, own, 8)
    check_directions(client, rows, 2, 1000)
    check_both_ends(client, rows, ended)
    own = ["--bidirectional", "--rate=2k", "--time=1", "--warmup=0"]
    client, rows, ended = with_server(ndpmd, own, 2)
    check_directions(client, rows, 1)
    for row in rows:
        # Operations that the server posts before it knows that the measurement has begun are not
        # counted.
        least = 2000 if row["posted_by"] == "client" else 1980
        check(least <= row["ops"] <= 2000, "%s: %r" % (client.name, row))
        check(row["missed"] == 0, "%s: %r" % (client.name, row))
    check_both_ends(client, rows, ended)
    # Each lcore of the server has queue pairs with traffic in both directions.
    own = ["--bidirectional", "--op=write,read", "--iterations=300", "--qps=3", "--verify"]
    client, rows, ended = with_server(ndpmd, own, 4, lcores=["--lcores=0,1"])
    check_directions(client, rows, 3, 900)
    check_both_ends(client, rows, ended)
    interrupted(ndpmd)
    vanished(ndpmd)


def rows_of_server(ended):
    """Return the words of the lines after the header."""
    lines = [line.split() for line in ended.lines]
    return lines[[line[0] for line in lines].index("op") + 1:]


def check_both_ends(client, rows, ended):
    """Each end has a row per direction, and the latency of the operations that it posted."""
    for row in rows:
        has_latency = row["latency_ns"]["p50"] is not None
        check(has_latency == (row["posted_by"] == "client"), "%s: %r" % (client.name, row))
    lines = rows_of_server(ended)
    expected = [("" if row["posted_by"] == "server" else "<") + row["op"] for row in rows]
    check([line[0] for line in lines] == expected, "%s: %r" % (ended.name, lines))
    for line in lines:
        check((line[8] == "-") == line[0].startswith("<"), "%s: %r" % (ended.name, line))


def interrupted(ndpmd):
    """Ctrl-C at the client ends both directions. Ctrl-C at the server breaks both, which is
    reported."""
    for who in ("client", "server"):
        with tempfile.TemporaryDirectory() as folder:
            server = MemifServer(ndpmd, folder, SERVER)
            client = server.client(*CLIENT, "--bidirectional", "--op=write", "--time=60")
            server.works(client, 2)
            (client if who == "client" else server.process).signal(signal.SIGINT)
            ended = client.end()
            server_ended = server.process.end()
        server_ended.expect(0)
        server_ended.expect_silence()
        rows = [json.loads(line) for line in ended.lines if line.startswith("{")]
        check(rows and rows[0]["ops"] > 0, ended.name + ": " + ended.output)
        if who == "client":
            ended.expect(0)
            check_directions(ended, rows, 1)
        else:
            ended.expect(1)
            ended.expect_sentence("the server ended the connection")


def vanished(ndpmd):
    """A client stops running, and --keepalive is not set. The server must end both directions and
    count the failed operations, because its own operations are not acknowledged and the client's
    operations no longer arrive."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER)
        client = server.client(*CLIENT, "--bidirectional", "--op=write", "--time=600")
        server.works(client, 2)
        client.signal(signal.SIGSTOP)
        ended = server.process.end()
        client.kill()
    ended.expect(1)
    ended.expect_sentence("(the peer did not ")
    errors = [line[7] for line in rows_of_server(ended)]
    check(errors == ["1", "1"], "%s: errors %r" % (ended.name, errors))


GROUPS = {"loopback": loopback, "memif": memif}


if __name__ == "__main__":
    sys.exit(run_group(__doc__, GROUPS))
