#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndpmd as a traffic generator: rates, intervals, sweeps, and whether its figures are correct.

usage: ndpmd_generator.py NDPMD GROUP

Groups: loopback, plot, many, memif. Exits with 0, with 1 after printing what was wrong, or with 77
(skipped) when the machine lacks something that the group needs.
"""

import csv
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import xml.etree.ElementTree

from program import (EAL, SKIPPED, MemifServer, check, failures, has_memif, lcores_argument, run,
                     run_group)

LOSSES = ["retransmitted", "probes", "naks", "rnrs", "drops"]
SUMS = ["ops"] + LOSSES
SERVER = ["--server", "--address=10.9.0.1/24", "--clients=1"]
CLIENT = ["--client=10.9.0.1", "--address=10.9.0.2/24", "--json"]
STALL_S = 0.01
LONG_STALL_S = 0.5


def docs():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/ndpmd.md")
    with open(path, encoding="utf-8") as file:
        return file.read()


def results(ended, count):
    """Return the JSON objects of a successful run."""
    ended.expect(0)
    found = [json.loads(line) for line in ended.lines if line.startswith("{")]
    check(len(found) == count, "%s: %d objects: %s" % (ended.name, len(found), ended.output))
    return found if len(found) == count else []


def check_intervals(ended, row, least):
    """Check the interval lines of a row: at least so many, in order, and their sums equal the row.
    If a process does not run for longer than an interval, this time has only one line."""
    parts = row.get("intervals", [])
    name = ended.name + ": " + row["op"]
    check(len(parts) >= least, "%s: %d intervals" % (name, len(parts)))
    for key in SUMS:
        found = sum(part[key] for part in parts)
        check(found == row[key], "%s: %s %d in intervals, %d in all" % (name, key, found, row[key]))
    ends = [part["end"] for part in parts]
    check(ends == sorted(ends), "%s: ends %r" % (name, ends))
    if not parts:
        return
    seconds = sum(part["seconds"] for part in parts)
    # The lcores do not begin to measure at exactly the same time.
    check(abs(seconds - row["seconds"]) < 0.1, "%s: %r s, %r s" % (name, seconds, row["seconds"]))
    largest = max(part["latency_ns"]["max"] for part in parts)
    most = row["latency_ns"]["max"]
    check(most <= largest <= most * 1.01, "%s: max %r, %r" % (name, largest, most))
    # The table must have the same interval lines as the JSON.
    lines = [line for line in ended.lines if line.startswith("@")]
    for part in parts:
        begins = "@%.3f " % part["end"]
        line = [line.split() for line in lines if line.startswith(begins)]
        losses = [str(part[key]) for key in LOSSES]
        found = any(words[-len(LOSSES):] == losses for words in line)
        check(found, "%s: no line %s" % (name, begins))


def check_progress(ended, row):
    check(row["posted"] == row["ops"] + row["outstanding"], "%s: %r" % (ended.name, row))
    check(row["outstanding"] == 0, "%s: outstanding %r" % (ended.name, row))


def intervals(ndpmd):
    ops = ["send", "write", "read", "bind"]
    own = ["--loopback", "--op=" + ",".join(ops), "--interval=0.1", "--json"]
    for more in ([], ["--rate=5k", "--qps=3", "--verify"]):
        ended = run(ndpmd, *own, "--time=0.45", *more)
        for row in results(ended, len(ops)):
            check_intervals(ended, row, 2)
            check_progress(ended, row)
    eal = EAL[: EAL.index("-m")] + ["-m", "1024"] + EAL[EAL.index("-m") + 2 :]
    ended = run(ndpmd, *eal, lcores_argument(2), "--", *own, "--time=0.45", "--lcores=0,1",
                "--qps=3")
    for row in results(ended, len(ops)):
        check_intervals(ended, row, 2)
    # A run that is shorter than the interval prints one interval line, at its end.
    ended = run(ndpmd, "--loopback", "--iterations=10", "--interval=100", "--json")
    for row in results(ended, 1):
        check_intervals(ended, row, 1)
        check(len(row["intervals"]) == 1, "%s: %r" % (ended.name, row))


def sweeps(ndpmd):
    ended = run(ndpmd, "--loopback", "--op=send,fetch-add,write", "--size=8:128:x4,5",
                "--iterations=50", "--verify", "--json")
    found = [(row["op"], row["size"]) for row in results(ended, 9)]
    sizes = [8, 32, 128, 5]
    expected = [("send", size) for size in sizes] + [("fetch-add", 8)]
    expected += [("write", size) for size in sizes]
    # fetch-add always has one size, whatever sizes the list contains.
    check(found == expected, "%s: %r" % (ended.name, found))


def rates(ndpmd):
    """The number of posted operations follows from the rate, also on a busy machine, with a delay
    of at most one second. ndpmd reports a rate that was not reached."""
    ops = ["send", "write", "read", "bind", "send-imm", "write-imm", "fetch-add", "compare-swap"]
    for more, rate in ((["--rate=2k"], 2000), (["--rate=1k/qp", "--qps=2"], 2000),
                       (["--rate=1.024Mbps"], None), (["--rate=500", "--latency"], 500)):
        ended = run(ndpmd, "--loopback", "--op=" + ",".join(ops), "--time=0.5", "--json", *more)
        for row in results(ended, len(ops)):
            check_progress(ended, row)
            due = (rate if rate else 1024000 / (8 * row["size"])) * 0.5
            check(abs(row["rate"] * 0.5 - due) < 1e-3, "%s: rate %r" % (ended.name, row))
            check(row["missed"] == 0, "%s: missed %r" % (ended.name, row))
            # Late operations that were due in the warm-up are posted during the measurement.
            check(row["ops"] >= due - 2 * row["qps"], "%s: %r of %r" % (ended.name, row, due))
            check(row["ops"] <= due + 0.15 * 2 * due + 2 * row["qps"],
                  "%s: %r of %r" % (ended.name, row, due))
    ended = run(ndpmd, "--loopback", "--rate=1G", "--time=0.1", "--json")
    for row in results(ended, 1):
        check(row["missed"] > 0, "%s: %r" % (ended.name, row))
        # The backlog must be reported: the last operation was posted long after its due time.
        check(row["latency_ns"]["max"] > 500e6, "%s: %r" % (ended.name, row))
    ended.expect_sentence("--rate is too high for this path")


def documented(ndpmd):
    """The keys of all objects are exactly the keys in docs/ndpmd.md."""
    text = docs().split("## JSON")[1]
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    keys = set(re.findall("`([a-z_]+)`", " ".join(rows))) | {"end", "weight"}
    ended = run(ndpmd, "--loopback", "--rate=1k", "--interval=0.1", "--time=0.2", "--json",
                "--op=send:1,write:1", "--bidirectional", "--inject=delay:1us")
    for row in results(ended, 2)[:1]:
        found = set(row) | set(row["intervals"][0]) | set(row["parts"][0])
        check(found == keys, "%s: keys differ: %r" % (ended.name, found ^ keys))


def json_field(found, column):
    """Return the value of a JSON object for a CSV column, as text."""
    for end in ("_ns", ""):
        key = column[: len(column) - len(end)]
        holder = found["latency_ns"] if end else found
        if column.endswith(end) and key in holder:
            value = holder[key]
            return "" if value is None else str(value)
    return ""


def csv_tables(ndpmd):
    """The CSV files have the figures of the JSON objects: one line per interval, and one line per
    row."""
    own = ["--loopback", "--op=send,bind", "--rate=1k", "--interval=0.1", "--time=0.25"]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("csv", "json")]
        ended = run(ndpmd, *own, "--csv=" + paths[0], "--json=" + paths[1])
        ended.expect(0)
        there = "{" in ended.output or "row," in ended.output
        check(not there, ended.name + ": " + ended.output)
        with open(paths[0], encoding="ascii", newline="") as file:
            lines = list(csv.DictReader(file))
        # Parse decimal fractions exactly as written.
        with open(paths[1], encoding="ascii") as file:
            rows = [json.loads(line, parse_float=str) for line in file]
    expected = []
    for row in rows:
        expected += [("interval", part) for part in row["intervals"]] + [("row", row)]
    check(len(lines) == len(expected) >= 4, "%s: %d lines" % (ended.name, len(lines)))
    for line, (kind, found) in zip(lines, expected):
        check(line.pop("kind") == kind, "%s: kind of %r" % (ended.name, line))
        for column, text in line.items():
            wanted = json_field(found, column)
            check(text == wanted, "%s: %s %r, JSON %r" % (ended.name, column, text, wanted))
        for key in ("posted", "rate", "missed"):
            check((line[key] != "") == (kind == "row"), "%s: %s: %r" % (ended.name, key, line))

    # CSV output on standard output comes after the table and the JSON.
    ended = run(ndpmd, "--loopback", "--iterations=9", "--csv", "--json")
    ended.expect(0)
    heads = [line[:5] for line in ended.lines]
    check(heads == ["op   ", "send ", '{"op"', "kind,", "row,s"], ended.name + ": " + ended.output)
    check("    %s\n" % ended.lines[3] in docs(), "other columns in the documentation")


def bad_files(ndpmd):
    """If a file cannot be opened, ndpmd exits before the run. If a file system is full, it fails at
    the end."""
    own = ["--loopback", "--iterations=9"]
    for option in ("--csv", "--json"):
        ended = run(ndpmd, *own, option + "=/no/such/folder/file")
        ended.expect(2)
        ended.expect_sentence("/no/such/folder/file cannot be written")
        check(ended.output == "", ended.name + ": " + ended.output)
        ended = run(ndpmd, *own, option + "=/dev/full")
        ended.expect(1)
        ended.expect_sentence("/dev/full could not be written completely")
        ended = run(ndpmd, *own, option + "=")
        ended.expect(2)
        ended.expect_sentence("expected a file name or nothing")
    ended = run(ndpmd, *own, "--csv=same", "--json=same")
    ended.expect(2)
    ended.expect_sentence("two different files")


def loopback(ndpmd):
    documented(ndpmd)
    csv_tables(ndpmd)
    bad_files(ndpmd)
    intervals(ndpmd)
    sweeps(ndpmd)
    rates(ndpmd)


def texts(path):
    """Return the texts in a picture (SVG), without the names of SVG elements."""
    found = xml.etree.ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")
    return ["".join(text.itertext()).strip() for text in found]


def no_gnuplot(ndpmd, folder):
    """Without gnuplot, or with a gnuplot that cannot draw this format, ndpmd fails before the
    run."""
    path = os.environ["PATH"]
    own = ["--loopback", "--iterations=9", "--plot=" + os.path.join(folder, "none.svg")]
    os.environ["PATH"] = folder
    ended = run(ndpmd, *own)
    ended.expect(2)
    ended.expect_sentence("which is not in PATH")
    with open(os.path.join(folder, "gnuplot"), "w", encoding="ascii") as file:
        file.write("#!/bin/sh\nexit 1\n")
    os.chmod(file.name, 0o755)
    ended = run(ndpmd, *own)
    ended.expect(2)
    ended.expect_sentence("does not execute: set terminal svg")
    os.environ["PATH"] = path
    check(not os.path.exists(own[-1].split("=")[1]), "a file for a picture that cannot be drawn")
    for name in ("picture", "picture.gif", ".svg"):
        ended = run(ndpmd, "--loopback", "--plot=" + name)
        ended.expect(2)
        ended.expect_sentence("ends with .svg or .png")
    ended = run(ndpmd, "--server", "--address=10.9.0.1", "--plot=x.svg")
    ended.expect(2)
    ended.expect_sentence("--server takes no --plot")


def plot(ndpmd):
    """A picture has one curve per row, and panels only for available figures."""
    panels = ["Latency of messages", "Rate over time", "Rate and median latency over size"]
    many_sizes = ["send, %d B" % size for size in range(1, 15)]
    cases = [
        (["--op=send,bind", "--size=4K"], [0], ["send, 4 KiB", "bind, 4 KiB"]),
        (["--op=read", "--interval=0.01"], [0, 1],
         ["read, 64 B", "packets retransmitted or dropped"]),
        (["--op=write,read", "--size=0:64:+32"], [0, 2],
         ["write, 0 B", "write, 32 B", "read, 64 B", "write, Gbit/s", "read, latency", "64 B"]),
        (["--op=send", "--size=64,128", "--bidirectional"], [0, 2],
         ["send, 64 B, client", "send, 128 B, server", "send, client, Gbit/s",
          "send, server, latency"]),
        (["--size=1:14:+1"], [0, 2], [many_sizes[0], many_sizes[-1], "send, Gbit/s"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        no_gnuplot(ndpmd, folder)
        if shutil.which("gnuplot") is None:
            print("there is no gnuplot")
            sys.exit(1 if failures else SKIPPED)
        path = os.path.join(folder, "a 'picture' $(x).svg")
        for own, shown, words in cases:
            ended = run(ndpmd, "--loopback", "--iterations=5000", "--plot=" + path, *own)
            ended.expect(0)
            ended.expect_silence()
            found = texts(path)
            for index, panel in enumerate(panels):
                there = any(text.startswith(panel) for text in found)
                check(there == (index in shown), "%s: %s: %r" % (ended.name, panel, found))
            for word in words:
                check(word in found, "%s: no %r in %r" % (ended.name, word, found))
        curves = [text for text in found if text in many_sizes]
        check(len(curves) == 12, "%s: %r" % (ended.name, curves))
        path = os.path.join(folder, "picture.png")
        run(ndpmd, "--loopback", "--iterations=9", "--plot=" + path).expect(0)
        with open(path, "rb") as file:
            check(file.read(8) == b"\x89PNG\r\n\x1a\n", "no PNG")
        path = os.path.join(folder, "full.svg")
        os.symlink("/dev/full", path)
        ended = run(ndpmd, "--loopback", "--iterations=9", "--plot=" + path)
        ended.expect(1)
        check("could not be drawn completely" in ended.errors, ended.name + ": " + ended.errors)
        ended = run(ndpmd, "--loopback", "--iterations=9", "--plot=/no/such/folder/x.svg")
        ended.expect(2)
        ended.expect_sentence("/no/such/folder/x.svg cannot be written")


def many(ndpmd):
    """10000 queue pairs with one completion queue at each end. All messages arrive, within the
    memory that docs/ndpmd.md specifies."""
    qps, count = 10000, 2
    ended = run(ndpmd, "--loopback", "--op=send,write", "--qps=%d" % qps, "--depth=1",
                "--iterations=%d" % count, "--verify", "--json")
    for row in results(ended, 2):
        check(row["ops"] == qps * count, "%s: %r" % (ended.name, row))
        check(row["qps"] == qps and row["errors"] == 0, "%s: %r" % (ended.name, row))
        check_progress(ended, row)
    if "NDPDK_TEST_SANITIZED" in os.environ:
        print("the memory is not judged: the sanitizers' own is in it")
        return
    limit = int(re.search("less than ([0-9]+) MB", docs()).group(1))
    # This run is the only child process.
    used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
    check(0 < used < limit, "%s: %d MB of %d" % (ended.name, used, limit))


def stalled(ndpmd, own, stall_s, pause_s):
    """Run over memif with a server that stalls periodically. @return row of the run"""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER)
        client = server.client(*CLIENT, *own)
        stalls = 0
        while client.popen.poll() is None and server.process.popen.poll() is None:
            time.sleep(pause_s)
            server.process.signal(signal.SIGSTOP)
            time.sleep(stall_s)
            server.process.signal(signal.SIGCONT)
            stalls += 1
        ended = client.end()
        server.process.end().expect(0)
    check(stalls >= 3, "%s: %d stalls" % (ended.name, stalls))
    found = results(ended, 1)
    return ended, found[0] if found else None


def vanished(ndpmd):
    """If a peer stops for ever, the row has the results so far and the missing operations."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER)
        client = server.client(*CLIENT, "--time=100", "--interval=0.5", "--rate=1k", "--qps=2")
        server.works(client, 3)
        server.process.signal(signal.SIGSTOP)
        ended = client.end()
        server.process.kill()
    ended.expect(1)
    ended.expect_sentence("ND_IO_TIMEOUT")
    row = json.loads(ended.lines[-1])
    check(row["errors"] > 0, "%s: errors %r" % (ended.name, row))
    check(row["ops"] > 0 and row["outstanding"] > 0, "%s: %r" % (ended.name, row))
    check(row["posted"] == row["ops"] + row["outstanding"], "%s: %r" % (ended.name, row))
    check(row["retransmitted"] > 0, "%s: %r" % (ended.name, row))
    check_intervals(ended, row, 3)


def memif(ndpmd):
    if not has_memif(ndpmd, ["--server", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        sys.exit(SKIPPED)
    # The peer stalls for 10 ms once a second.
    # A closed loop posts nothing during a stall, so few of its messages are late.
    # In an open loop, 1 % of the messages were due in a stall.
    # A tenth of these late messages were due in the first millisecond of the stall.
    # Therefore p99.9 is at least 9 ms, minus the time that the stall takes to begin.
    _, closed = stalled(ndpmd, ["--time=5"], STALL_S, 1 - STALL_S)
    if closed is None:
        return
    rate = "--rate=%d" % max(1, closed["mops"] * 1e5)
    ended, opened = stalled(ndpmd, ["--time=5", rate], STALL_S, 1 - STALL_S)
    if opened is None:
        return
    p999 = [row["latency_ns"]["p999"] for row in (closed, opened)]
    check(p999[1] >= 0.5 * STALL_S * 1e9, "%s: open loop p99.9 %r" % (ended.name, p999))
    check(p999[0] <= p999[1], "%s: closed, open loop: p99.9 %r" % (ended.name, p999))
    check(opened["missed"] == 0, "%s: %r" % (ended.name, opened))

    # The server stalls for half of the time, and each stall exceeds the ACK timeout.
    # So packets are retransmitted, and the row reports retransmissions.
    # At least a third of all messages were due during a stall, in its first four fifths.
    # Only 16 messages were posted before each stall.
    # So latencies measured from the time of posting would not show the stall at p90.
    own = ["--time=3", "--rate=1k", "--depth=16", "--interval=0.25"]
    ended, row = stalled(ndpmd, own, LONG_STALL_S, LONG_STALL_S)
    if row is None:
        return
    late = row["latency_ns"]["p90"]
    check(late >= LONG_STALL_S * 1e9 / 5, "%s: p90 %r" % (ended.name, late))
    check(row["retransmitted"] > 0, "%s: %r" % (ended.name, row))
    check(row["latency_ns"]["max"] >= LONG_STALL_S * 1e9 / 2, "%s: %r" % (ended.name, row))
    check_intervals(ended, row, 6)
    vanished(ndpmd)


GROUPS = {"loopback": loopback, "plot": plot, "many": many, "memif": memif}


if __name__ == "__main__":
    sys.exit(run_group(__doc__, GROUPS))
