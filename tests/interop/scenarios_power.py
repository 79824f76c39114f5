# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Power cuts"""

import re
import signal
import time

from framework import IPV6, LOSS, PASSIVE, Failure, scenario
from peers import (
    DISCONNECT_SECONDS,
    READ,
    SERVER_DRIVES,
    Connections,
    driver,
    finished,
    give_up_seconds,
    numbers,
    our_client,
    our_server,
    verbs_client,
    verbs_server,
)

PARALLEL = 3  # number of connections of each kind
SIZE = 3000
ENDLESS = 1 << 30  # number of requests that is never reached
# Allowed excess over the time that the configuration promises, because the host may be loaded.
SLACK_SECONDS = 20
WAIT_SECONDS = 600  # our program's limit for a message; longer than all promised times
KEEPALIVE_MS = 1000
SILENT_SECONDS = 3  # time without traffic before the cut; keepalives are answered

# Texts that nd_end_reason_text() returns.
NO_KEEPALIVE = "the peer did not answer a keepalive"
NOT_ACKNOWLEDGED = "the peer did not acknowledge a request"

# Kinds of connections: scenario, whether our side is the driver, other bits of arg.
# If our side connects, a row has at most two kinds.
OUR_WRITES = ("bulk", True, 0)
OUR_READS = ("bulk", True, READ)
KERNEL_WRITES = ("bulk", False, 0)
IDLE = ("idle", True, 0)

# Rows: text of the row, kinds of connections, keepalive interval in ms.
CUTS = (
    ("our WRITEs", (OUR_WRITES,), 1000),
    ("our READs", (OUR_READS,), 1000),
    ("our WRITEs, the kernel's WRITEs", (OUR_WRITES, KERNEL_WRITES), 1000),
    ("idle, `keepalive_ms` 500", (IDLE,), 500),
    ("idle, `keepalive_ms` 1000", (IDLE,), 1000),
    ("idle, `keepalive_ms` 2000", (IDLE,), 2000),
)


class Cut:
    """Our program, with several connections of each kind, before and after the power cut."""

    def __init__(self, case, kinds, keepalive_ms):
        self.case = case
        self.count = PARALLEL * len(kinds)
        args = [(name, more | driver(case, ours)) for name, ours, more in kinds]
        options = ["--keepalive-ms=%d" % keepalive_ms, "--wait=%d" % WAIT_SECONDS]
        start = self._accept if case.kernel_active else self._connect
        self.ours = start(args, options)
        for _ in range(self.count):
            self.ours.wait_for('"connected"')
        asked = all(kind in (OUR_WRITES, OUR_READS) for kind in kinds)
        self.promised = give_up_seconds(case) + (0 if asked else 1.5e-3 * keepalive_ms)

    def _accept(self, args, options):
        ours = our_server(self.case, *options)
        for name, arg in args:
            verbs_client(self.case, name, SIZE, ENDLESS, arg, "-j", PARALLEL)
        return ours

    def _connect(self, args, options):
        verbs_server(self.case, self.count)
        (name, arg), (second, second_arg) = args[0], args[-1]
        options = options + ["--second-scenario=" + second, "--second-arg=%d" % second_arg]
        options += ["--parallel=%d" % self.count, "--later-scenario=ladder"]
        return our_client(self.case, name, *numbers(SIZE, ENDLESS, arg), *options, rounds=2)

    def play(self, seconds):
        """Run for some seconds, then cut the power. All connections must end by themselves within
        the promised time. Then our program disconnects, and gets no reply. Return the seconds until
        all connections have failed."""
        time.sleep(seconds)
        if "failing" in self.ours.output:
            raise Failure("connections have ended by themselves: " + self.ours.last_line())
        start = time.monotonic()
        self.case.cut_power()
        taken = self._wait_lines('{"failing"', start, self.promised)
        self._wait_lines('{"connection"', time.monotonic(), DISCONNECT_SECONDS)
        return taken

    def _wait_lines(self, begin, start, promised):
        """Wait until our program has printed a line that begins with this text for each connection.
        Return the seconds since start."""
        seconds = promised + SLACK_SECONDS
        while sum(line.startswith(begin) for line in self.ours.lines) < self.count:
            if not self.ours.running or time.monotonic() > start + seconds:
                text = "%s does not say %s %d times within %.1f s; last line: %s"
                words = self.ours.name, begin, self.count, seconds, self.ours.last_line()
                raise Failure(text % words)
            time.sleep(0.005)
        taken = time.monotonic() - start
        text = "%d lines %s... after %.2f s; promised: %.2f s"
        self.case.log(text % (self.count, begin, taken, promised))
        return taken

    def connect_again(self):
        """Connect again from the same program. Return the seconds until a connection is
        established, and the rows of the connections that the power cut has ended."""
        start = time.monotonic()
        if self.case.kernel_active:
            # Our side is the driver, because the kernel may never send its own fenced request
            # (README.md, "Quirks").
            kernel = verbs_client(self.case, "ladder", SIZE, 0, SERVER_DRIVES, "-j", PARALLEL)
            again = PARALLEL
        else:
            kernel = verbs_server(self.case, self.count)
            start = time.monotonic()
            self.ours.signal(signal.SIGUSR1)
            again = self.count
        self.ours.wait_for('"connected"')
        taken = time.monotonic() - start
        finished(kernel, again)
        if self.case.kernel_active:
            self.ours.signal(signal.SIGTERM)
        self.ours.wait()
        rows = Connections(self.ours).rows
        bad = [row["why"] for row in rows[self.count :] if not row["ok"]]
        if len(rows) != self.count + again or bad:
            text = "%d connections of %d; our side of the next ones: %s"
            raise Failure(text % (len(rows), self.count + again, bad))
        return taken, rows[: self.count]


def reason_of(row):
    """Return the reason why a connection must end. Without own requests, only a keepalive detects
    the power cut."""
    we_drive = (row["role"] == "client") != bool(row["arg"] & SERVER_DRIVES)
    asked = row["scenario"] == "bulk" and we_drive
    if row["end"] != (NOT_ACKNOWLEDGED if asked else NO_KEEPALIVE):
        raise Failure("a connection has ended so: %s" % row)
    if asked and not re.fullmatch(r"(write|read): ND_IO_TIMEOUT", row["why"]):
        raise Failure("a request has ended so: %s" % row)
    return row["end"]


@scenario(
    "power-cut",
    "Power cut with active and idle connections: all end in time, the next one works",
    short=(PASSIVE,),
    timeout=400,
)
def power_cut(case):
    if case.kernel_active:
        kinds = OUR_WRITES, OUR_READS, KERNEL_WRITES, IDLE
    elif case.family == 6 or case.loss:
        kinds = OUR_READS, KERNEL_WRITES
    else:
        kinds = OUR_WRITES, IDLE
    cut = Cut(case, kinds, KEEPALIVE_MS)
    cut.play(SILENT_SECONDS)
    case.boot()
    for row in cut.connect_again()[1]:
        reason_of(row)


@scenario(
    "power-cuts",
    "Six power cuts: seconds until our last connection ends, and until the next one after the"
    " boot",
    not_applicable={
        IPV6: "the times do not depend on the addresses",
        LOSS: "scenario power-cut covers it; a lost CM message is retransmitted after 4 s or more",
    },
    timeout=1800,
)
def power_cuts(case):
    for name, kinds, keepalive_ms in CUTS:
        cut = Cut(case, kinds, keepalive_ms)
        taken = cut.play(1 + case.random.random() * SILENT_SECONDS)
        case.boot()
        again, rows = cut.connect_again()
        case.figure(name, "connections", "%d" % cut.count)
        case.figure(name, "promised", "%.2f" % cut.promised)
        case.figure(name, "measured", "%.2f" % taken)
        case.figure(name, "reason", "; ".join(dict.fromkeys(map(reason_of, rows))))
        case.figure(name, "next connection", "%.2f" % again)
