# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Run interop-peer against verbspeer or rxetest in the machine. One of them is the client."""

import json
import re
import signal

from framework import Failure

PROGRAM = "tests/interop/interop-peer"

# Bits of a scenario's arg, defined in guest/peer_protocol.h.
SERVER_DRIVES = 0x100
WITH_IMMEDIATE = 0x200
WINDOW_STAYS = 0x400
READ = 0x80

# Exponent n of the ACK timeout 4.096 us * 2^n = 67 ms, as on our side. The default of rdma_cm is
# 2.1 s.
ACK_TIMEOUT = 14

# ACK timeouts (exponents) of our connections, see docs/timeouts.md. If rdma_cm connects, it
# determines the timeout. If our side connects, the timeout follows from our default and from
# Soft-RoCE's ACK delay, 15.
ACTIVE_ACK_TIMEOUT = 19
PASSIVE_ACK_TIMEOUT = 16
DISCONNECT_SECONDS = 11.8  # time after which a disconnect request without reply is given up


class Connections:
    """The lines that a program has printed about its connections, and its counters."""

    def __init__(self, task):
        self.task = task
        self.rows = []
        times = {}
        for line in task.lines:
            match = re.fullmatch(r"request of connection (\d+) took (\d+) us", line)
            if match:
                times.setdefault(int(match.group(1)), []).append(int(match.group(2)))
            if line.startswith('{"connection"') or line.startswith('{"role"'):
                try:
                    self.rows.append(json.loads(line))
                except ValueError:
                    raise Failure("%s: not JSON: %s" % (task.name, line[:100])) from None
        for row in self.rows:
            row["request_us"] = times.get(row.get("connection"), [])
        self.counters = task.counters()

    def check(self, count):
        for row in self.rows:
            if not row["ok"]:
                raise Failure("%s: %s" % (self.task.name, row.get("why") or row))
        if len(self.rows) != count:
            text = "%s: %d connections instead of %d"
            raise Failure(text % (self.task.name, len(self.rows), count))


def driver(case, ours):
    """Return the value for arg that makes our side, or the kernel's side, the driver."""
    return SERVER_DRIVES if case.kernel_active == ours else 0


def our_server(case, *options, rounds=0):
    """Start our server. It ends after this number of connections; without a number, at the end of
    the case."""
    words = ["server", "--rounds=%d" % rounds] + network_options(case) + list(options)
    task = case.program(PROGRAM, *words)
    task.wait_for('"listening"')
    return task


def our_client(case, scenario, *options, rounds=1):
    words = ["client", "--peer=" + case.kernel_address, "--scenario=" + scenario]
    words += ["--rounds=%d" % rounds] + network_options(case) + list(options)
    return case.program(PROGRAM, *words)


def network_options(case):
    words = ["--address=" + case.our_prefix, "--port=%d" % case.port]
    if case.our_gateway:
        words.append("--gateway=" + case.our_gateway)
    return words


def give_up_seconds(case):
    """Return the seconds until our side ends a connection whose requests are not acknowledged. The
    retries follow after 1, 2, 4, 4, ... ACK timeouts."""
    return 27 * 4.096e-6 * 2 ** (
        ACTIVE_ACK_TIMEOUT if case.kernel_active else PASSIVE_ACK_TIMEOUT
    )


def numbers(size, count, arg):
    return ["--size=%d" % size, "--count=%d" % count, "--arg=%d" % arg]


def verbs_server(case, connections, *options):
    words = ["verbspeer", "server", "-p", case.port, "-n", connections, "-t", ACK_TIMEOUT]
    task = case.guest([str(word) for word in words + list(options)])
    task.wait_for("listening")
    return task


def verbs_client(case, scenario, size, count, arg, *options):
    words = ["verbspeer", "client", "-A", case.our_address, "-s", scenario, "-z", size]
    words += ["-c", count, "-a", arg, "-p", case.port, "-t", ACK_TIMEOUT] + list(options)
    return case.guest([str(word) for word in words])


def play(case, scenario, asked, options=(), timeout=100, kernel_options=()):
    """
    Run a scenario of verbspeer for each (size, count, arg) in asked, one connection after another.
    @return [(our row, the kernel's row)], and our counters
    """
    if case.kernel_active:
        # The server runs to the end of the case, because it must answer a disconnect request that
        # the kernel retransmits.
        ours = our_server(case, *options)
        clients = []
        for one in asked:
            clients.append(verbs_client(case, scenario, *one, *kernel_options))
            clients[-1].wait(timeout)
        kernel_rows = [row for task in clients for row in finished(task, 1).rows]
        ours.signal(signal.SIGTERM)
        our = finished(ours, len(asked))
        return list(zip(our.rows, kernel_rows)), our.counters
    kernel = verbs_server(case, len(asked), *kernel_options)
    our_rows, counters = [], {}
    for one in asked:
        task = our_client(case, scenario, *options, *numbers(*one))
        task.wait(timeout)
        our = finished(task, 1)
        our_rows += our.rows
        for name, value in our.counters.items():
            counters[name] = counters.get(name, 0) + value
    return list(zip(our_rows, finished(kernel, len(asked)).rows)), counters


def finished(task, count):
    """Wait until a program ends, and check that none of its connections failed."""
    status = task.wait()
    connections = Connections(task)
    connections.check(count)
    if status != 0:
        raise Failure("%s: exit status %d: %s" % (task.name, status, task.last_line()))
    return connections


def rxetest(case, scenario, size=64, count=4, arg=0, ours=(), kernel=(), timeout=60):
    """Run a scenario of rxetest. Return the Connections of our side and those of the kernel."""
    if case.kernel_active:
        our_task = our_server(case, *ours, rounds=1)
        words = ["rxetest", "client", case.our_address, "-S", scenario, "-z", size, "-c", count]
        words += ["-a", arg, "-T", ACK_TIMEOUT, "-p", case.port] + list(kernel)
        kernel_task = case.guest([str(word) for word in words])
    else:
        words = ["rxetest", "server", "-p", case.port, "-T", ACK_TIMEOUT] + list(kernel)
        kernel_task = case.guest([str(word) for word in words])
        kernel_task.wait_for("listening")
        our_task = our_client(case, scenario, *numbers(size, count, arg), *ours)
    our_task.wait(timeout)
    kernel_task.wait(timeout)
    return finished(our_task, 1), finished(kernel_task, 1)


def expect_counter(counters, name, least=1):
    if counters.get(name, 0) < least:
        raise Failure("counter %s is %d, not %d or more" % (name, counters.get(name, 0), least))
