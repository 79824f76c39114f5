# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Power cuts"""

import re
import signal
import time

from framework import ACTIVE, PASSIVE, Failure, scenario
from peers import (
    DISCONNECT_SECONDS,
    READ,
    SERVER_DRIVES,
    Connections,
    finished,
    give_up_seconds,
    numbers,
    our_client,
    our_server,
    verbs_client,
    verbs_server,
)

PARALLEL = 3  # connections of each kind
SIZE = 3000
ENDLESS = 1 << 30  # requests
# What a loaded machine of ours may need beyond what the configuration promises.
SLACK_SECONDS = 20
KEEPALIVE_MS = 1000
SILENT_SECONDS = 3  # keepalives are answered

# As nd_end_reason_text() has them.
NO_KEEPALIVE = "the peer did not answer a keepalive"
NOT_ACKNOWLEDGED = "the peer did not acknowledge a request"


def connected(task, count):
    for _ in range(count):
        task.wait_for('"connected"')


def start(case):
    """Connections of all kinds: our requests, the kernel's, none. @return our task, how many."""
    keepalive = "--keepalive-ms=%d" % KEEPALIVE_MS
    if case.kernel_active:
        ours = our_server(case, keepalive)
        kinds = ("bulk", SERVER_DRIVES), ("bulk", SERVER_DRIVES | READ), ("bulk", 0), ("idle", 0)
        for name, arg in kinds:
            verbs_client(case, name, SIZE, ENDLESS, arg, "-j", PARALLEL)
        connected(ours, len(kinds) * PARALLEL)
        return ours, len(kinds) * PARALLEL
    verbs_server(case, 2 * PARALLEL)
    other = case.family == 6 or case.loss
    options = numbers(SIZE, ENDLESS, READ if other else 0) + [
        "--second-scenario=" + ("bulk" if other else "idle"),
        "--second-arg=%d" % SERVER_DRIVES,
        "--parallel=%d" % (2 * PARALLEL),
        keepalive,
    ]
    ours = our_client(case, "bulk", *options)
    connected(ours, 2 * PARALLEL)
    return ours, 2 * PARALLEL


def wait_lines(task, start, count, seconds):
    """Wait until that many lines begin so."""
    deadline = time.monotonic() + seconds
    while sum(line.startswith(start) for line in task.lines) < count:
        if not task.running or time.monotonic() > deadline:
            text = "%s does not say %s %d times within %.1f s; last line: %s"
            raise Failure(text % (task.name, start, count, seconds, task.last_line()))
        time.sleep(0.02)


def ended(case, ours, count, promised):
    """
    After a power cut: all connections end by themselves, and in time. What comes after is ours: a
    disconnect without an answer.
    """
    cut = time.monotonic()
    for start, seconds in (('{"failing"', promised), ('{"connection"', DISCONNECT_SECONDS)):
        wait_lines(ours, start, count, seconds + SLACK_SECONDS)
        text = "%d lines %s... %.2f s after the power cut; promised: %.2f s after what is before"
        case.log(text % (count, start, time.monotonic() - cut, seconds))


def connects_again(case, ours):
    """The next connection works, at the same program of ours if that listens."""
    if case.kernel_active:
        finished(verbs_client(case, "ladder", 4097, 0, 0), 1)
        ours.signal(signal.SIGTERM)
        ours.wait()
        rows = Connections(ours).rows
        if not rows[-1]["ok"]:
            raise Failure("our side of the next connection: " + rows[-1]["why"])
        return rows[:-1]
    ours.wait()
    kernel = verbs_server(case, 1)
    finished(our_client(case, "ladder", *numbers(4097, 0, 0)), 1)
    finished(kernel, 1)
    return Connections(ours).rows


def check_end(row):
    """Of a connection without requests of ours, only a keepalive finds out."""
    we_drive = (row["role"] == "client") != bool(row["arg"] & SERVER_DRIVES)
    asked = row["scenario"] == "bulk" and we_drive
    if row["end"] != (NOT_ACKNOWLEDGED if asked else NO_KEEPALIVE):
        raise Failure("a connection has ended so: %s" % row)
    if asked and not re.fullmatch(r"(write|read): ND_IO_TIMEOUT", row["why"]):
        raise Failure("a request has ended so: %s" % row)


@scenario(
    "power-cut",
    "The machine loses its power, connections are in use or silent: all end in time, the next"
    " works",
    short=(PASSIVE,),
    timeout=400,
)
def power_cut(case):
    ours, count = start(case)
    time.sleep(SILENT_SECONDS)
    if "failing" in ours.output:
        raise Failure("connections have ended by themselves: " + ours.last_line())
    case.cut_power()
    ended(case, ours, count, 1.5e-3 * KEEPALIVE_MS + give_up_seconds(case))
    case.boot()
    for row in connects_again(case, ours):
        check_end(row)
