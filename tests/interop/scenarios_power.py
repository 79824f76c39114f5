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

# As nd_end_reason_text() has them.
NOT_ACKNOWLEDGED = "the peer did not acknowledge a request"


def connected(task, count):
    for _ in range(count):
        task.wait_for('"connected"')


def start_driven_by_us(case):
    """Connections on which we always have requests outstanding. @return our task, how many."""
    if case.kernel_active:
        ours = our_server(case)
        for arg in (SERVER_DRIVES, SERVER_DRIVES | READ):
            verbs_client(case, "bulk", SIZE, ENDLESS, arg, "-j", PARALLEL)
        connected(ours, 2 * PARALLEL)
        return ours, 2 * PARALLEL
    verbs_server(case, 2 * PARALLEL)
    arg = READ if case.family == 6 or case.loss else 0
    ours = our_client(case, "bulk", *numbers(SIZE, ENDLESS, arg), "--parallel=%d" % PARALLEL)
    connected(ours, PARALLEL)
    return ours, PARALLEL


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


def check_ends(rows, reason):
    for row in rows:
        if row["end"] != reason:
            raise Failure("a connection has ended so: %s, and not: %s" % (row["end"], reason))


@scenario(
    "power-cut-traffic",
    "The machine loses its power while we WRITE to it or READ from it: all connections end in"
    " time, and the next works",
    short=(PASSIVE,),
    timeout=400,
)
def traffic(case):
    ours, count = start_driven_by_us(case)
    time.sleep(0.5)
    if "failing" in ours.output:
        raise Failure("the traffic has ended by itself")
    case.cut_power()
    ended(case, ours, count, give_up_seconds(case))
    case.boot()
    rows = connects_again(case, ours)
    check_ends(rows, NOT_ACKNOWLEDGED)
    for row in rows:
        if not re.fullmatch(r"(write|read): ND_IO_TIMEOUT", row["why"]):
            raise Failure("a connection has ended so: %s" % row)
