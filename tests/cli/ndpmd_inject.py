#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndpmd with injected faults: the reported faults, and that all data is still correct.

usage: ndpmd_inject.py NDPMD GROUP

Groups: loopback, memif. Exits with 0, with 1 after printing what was wrong, or with 77 (skipped)
when the machine lacks something that the group needs.
"""

import json
import re
import signal
import sys
import tempfile

from program import EAL, SKIPPED, MemifServer, Process, check, has_memif, lcores_argument, run
from program import run_group

KINDS = ["drop", "dup", "reorder", "corrupt"]
WAYS = ["sent", "received"]
OPS = ["send", "write", "read", "bind", "send-imm", "write-imm", "fetch-add"]
ALL = "--inject=drop:1%,dup:1%,reorder:3%,corrupt:1%"


def rows_of(ended):
    """Return the JSON objects of a successful run."""
    ended.expect(0)
    return [json.loads(line) for line in ended.lines if line.startswith("{")]


def line_of(row):
    """Return the line of the table that corresponds to a JSON object."""
    text = "injected, of frames"
    for way in WAYS:
        found = row["injected"][way]
        kinds = " ".join("%s %d" % (kind, found[kind]) for kind in KINDS)
        text += " %s %d: %s overflow %d," % (way, found["frames"], kinds, found["overflow"])
    return text + " seed %d" % row["injected"]["seed"]


def check_rows(ended, count):
    """Check that each row reports the injected faults, as text and as JSON. @return rows"""
    rows = rows_of(ended)
    check(len(rows) == count, "%s: %d rows" % (ended.name, len(rows)))
    lines = [line for line in ended.lines if line.startswith("injected")]
    check(ended.lines[:1] == ["injecting " + ended.name.split("--inject=")[1].split()[0]],
          "%s: first line: %r" % (ended.name, ended.lines[:1]))
    check(lines == [line_of(row) for row in rows], "%s: %r" % (ended.name, lines))
    for row in rows:
        check(row["errors"] == 0, "%s: errors: %r" % (ended.name, row))
    return rows


def total(rows, kind, way=None):
    return sum(row["injected"][one][kind] for row in rows for one in WAYS if way in (None, one))


def counted(ended, side, name):
    match = re.search(r"^%s %s (\d+)$" % (side, name), ended.output, re.M)
    return int(match.group(1)) if match else 0


def check_icrc(ended, side, injected):
    """Check that damaged frames arrived at the other side. The last frames may be missing."""
    found = counted(ended, side, "drop_icrc")
    check(injected - 3 <= found <= injected, "%s: %d of %d: %s" % (side, found, injected,
                                                                   ended.output))


def faults(ndpmd):
    """All data is correct, and the adapters' counters match the injected faults."""
    ended = run(ndpmd, "--loopback", "--op=" + ",".join(OPS), "--iterations=2000", "--depth=16",
                "--size=3000", "--verify", "--json", "--counters", ALL + ",seed:7")
    rows = check_rows(ended, len(OPS))
    for row in rows:
        check(row["injected"]["seed"] == 7, "%r" % row)
    for kind in KINDS:
        for way in WAYS:
            check(total(rows, kind, way) > 0, "no %s %s: %s" % (kind, way, ended.output))
    check(sum(row["retransmitted"] for row in rows) > 0, "nothing is sent again")
    check(total(rows, "overflow") == 0, "held back without end: " + ended.output)
    # Frames damaged at the client arrive at the server, and vice versa.
    for side, way in (("server", "sent"), ("client", "received")):
        check_icrc(ended, side, total(rows, "corrupt", way))


def exact(ndpmd):
    """A fault rate of 100 % affects every frame. Without the option, no faults are reported."""
    ended = run(ndpmd, "--loopback", "--iterations=200", "--verify", "--json", "--inject=dup:1")
    for row in check_rows(ended, 1):
        for way in WAYS:
            found = row["injected"][way]
            check(found["frames"] > 0 and found["dup"] == found["frames"], "%r" % row)
        check(row["drops"] == 0, "a duplicate is no loss: %r" % row)
    ended = run(ndpmd, "--loopback", "--iterations=200", "--json")
    for row in rows_of(ended):
        check("injected" not in row, "%r" % row)
        check(row["retransmitted"] == 0 and row["drops"] == 0, "nothing was lost: %r" % row)
    check("injected" not in ended.output, ended.output)


def losses(ndpmd):
    """Drops equal the lost frames, and each lost SEND packet is retransmitted once."""
    for item in ("drop:1%", "corrupt:1%"):
        ended = run(ndpmd, "--loopback", "--iterations=50000", "--json",
                    "--inject=%s,seed:5" % item)
        rows = check_rows(ended, 1)
        kind = item.split(":")[0]
        lost, sent = total(rows, kind), total(rows, kind, "sent")
        check(abs(rows[0]["drops"] - lost) <= lost / 20, "%d lost: %r" % (lost, rows[0]))
        again = rows[0]["retransmitted"] + rows[0]["probes"]
        check(abs(again - sent) <= sent / 5, "%d of it sent: %r" % (sent, rows[0]))


def delay(ndpmd):
    """The latency of each direction is at least the configured delay."""
    ended = run(ndpmd, "--loopback", "--latency", "--iterations=20", "--json",
                "--inject=delay:3ms")
    for row in check_rows(ended, 1):
        check(row["latency_ns"]["p50"] >= 5900000, "%r" % row)


def lcores(ndpmd):
    eal = EAL[: EAL.index("-m")] + ["-m", "1024"] + EAL[EAL.index("-m") + 2 :]
    ended = run(ndpmd, *eal, lcores_argument(2), "--", "--loopback", "--lcores=0,1", "--qps=4",
                "--iterations=3000", "--op=send,write", "--verify", "--json", ALL)
    rows = check_rows(ended, 2)
    check(total(rows, "drop") > 0, ended.output)


def interrupted(ndpmd):
    """If all frames are lost, Ctrl-C still ends the run."""
    process = Process(ndpmd, ["--loopback", "--inject=drop:100%"])
    process.works(1)
    check(process.popen.poll() is None, "it has ended by itself")
    process.signal(signal.SIGINT)
    process.end().expect(0)


def refusals(ndpmd):
    for value, word in (("drop:200%", "more than 100%"), ("lose:1%", "unknown item 'lose'"),
                        ("drop:often", "'often'"), ("", "expected comma-separated items")):
        ended = run(ndpmd, "--loopback", "--inject=" + value)
        ended.expect(2)
        ended.expect_sentence(word)


def directions(ndpmd):
    """Both directions run at the same time. Their rows report the same faults, and the table
    reports them once."""
    ended = run(ndpmd, "--loopback", "--bidirectional", "--iterations=2000", "--json",
                "--inject=drop:5%,seed:3")
    rows = rows_of(ended)
    check(len(rows) == 2 and rows[0]["injected"] == rows[1]["injected"], ended.output)
    check(total(rows, "drop") > 0, ended.output)
    lines = [line for line in ended.lines if line.startswith("injected")]
    check(lines == [line_of(rows[0])], "%s: %r" % (ended.name, lines))


def loopback(ndpmd):
    refusals(ndpmd)
    directions(ndpmd)
    faults(ndpmd)
    exact(ndpmd)
    losses(ndpmd)
    delay(ndpmd)
    lcores(ndpmd)
    interrupted(ndpmd)


def memif(ndpmd):
    """Only the client injects faults. The server never sees frames that the client dropped."""
    server = ["--server", "--address=10.9.0.1/24", "--clients=1", "--counters", "--verify"]
    client = ["--client=10.9.0.1", "--address=10.9.0.2/24", "--op=send,write,read", "--verify",
              "--iterations=3000", "--size=1500", "--json", "--counters", ALL]
    if not has_memif(ndpmd, ["--bogus"]):
        print("DPDK has no net_memif")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        serving = MemifServer(ndpmd, folder, server)
        ended = serving.client(*client).end()
        rows = check_rows(ended, 3)
        served = serving.process.end()
        served.expect(0)
        check("injected" not in served.output, served.output)
        for kind in KINDS:
            for way in WAYS:
                check(total(rows, kind, way) > 0, "no %s %s: %s" % (kind, way, ended.output))
        check_icrc(served, "server", total(rows, "corrupt", "sent"))


if __name__ == "__main__":
    sys.exit(run_group(__doc__, {"loopback": loopback, "memif": memif}))
