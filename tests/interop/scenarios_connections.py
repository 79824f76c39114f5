# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Connections"""

import re
import signal
import time

from framework import ACTIVE, LOSS, PASSIVE, Failure, NotApplicable, scenario
from peers import (
    SERVER_DRIVES,
    Connections,
    finished,
    numbers,
    our_client,
    our_server,
    rxetest,
    verbs_client,
    verbs_server,
)

REJECTED = b"RXT1REJECTED-BY-USER"
REASON_CONSUMER = 28  # reason "rejected by consumer", as rdma_cm reports it
ROUNDS = 200
CONNECTIONS = 64
STORM = 1000  # number of connections that cmtime makes
BUSY = 256  # number of simultaneous connections of our program


def expect_data(row, what):
    data = bytes.fromhex(row["private_data"])
    if data[: len(REJECTED)] != REJECTED or data[len(REJECTED) :].strip(b"\0"):
        raise Failure("private data of %s: %r" % (what, data))


@scenario(
    "reject",
    "The listener rejects, with private data; nothing else arrives",
    short=(ACTIVE, PASSIVE),
)
def reject(case):
    if case.kernel_active:
        ours = our_server(case, rounds=1)
        kernel = verbs_client(case, "reject", 64, 1, 0)
        row = finished(kernel, 1).rows[0]
        if row["reject_reason"] != REASON_CONSUMER:
            raise Failure("rejected for reason %d" % row["reject_reason"])
        expect_data(row, "our rejection")
        finished(ours, 1)
        return
    kernel = verbs_server(case, 1)
    ours = our_client(case, "rej", "--connect-status=ND_CONNECTION_REFUSED")
    expect_data(finished(ours, 1).rows[0], "the kernel's rejection")
    finished(kernel, 1)


@scenario(
    "reject-answer",
    "The connecting side rejects the answer, with private data",
    not_applicable={ACTIVE: "rdma_cm's client cannot reject an answer"},
)
def reject_answer(case):
    kernel = verbs_server(case, 1, "-x")
    finished(our_client(case, "ladder", "--reject-reply"), 1)
    row = finished(kernel, 1).rows[0]
    if row["reject_reason"] != REASON_CONSUMER:
        raise Failure("rejected for reason %d" % row["reject_reason"])
    expect_data(row, "our rejection")


@scenario(
    "disconnect-server",
    "The listening side disconnects",
    not_applicable={LOSS: "the ACK of the last SEND may be lost and is not retransmitted"},
    short=(PASSIVE,),
)
def disconnect_server(case):
    rxetest(case, "srvdisc", 500, 10)


@scenario(
    "rounds",
    "%d times: connect, messages of 3000 B, disconnect; nothing leaks" % ROUNDS,
    not_applicable={LOSS: "the kernel's CM retransmits a lost message after 4 s or more"},
    timeout=240,
)
def rounds(case):
    options = numbers(3000, 1, 0)
    if case.kernel_active:
        ours = our_server(case, rounds=ROUNDS)
        kernel = verbs_client(case, "ladder", 3000, 1, 0, "-n", ROUNDS)
    else:
        kernel = verbs_server(case, ROUNDS)
        ours = our_client(case, "ladder", *options, rounds=ROUNDS)
    kernel.wait(200)
    ours.wait(60)
    finished(ours, ROUNDS)
    finished(kernel, ROUNDS)


@scenario(
    "parallel",
    "%d connections at once, with traffic" % CONNECTIONS,
    not_applicable={LOSS: "the kernel's CM retransmits a lost message after 4 s or more"},
    timeout=240,
)
def parallel(case):
    size = 4097
    if case.kernel_active:
        ours = our_server(case, "--ack-timeout=18", rounds=CONNECTIONS)
        kernel = verbs_client(case, "ladder", size, 0, 0, "-j", CONNECTIONS)
    else:
        kernel = verbs_server(case, CONNECTIONS)
        options = numbers(size, 0, SERVER_DRIVES) + ["--parallel=%d" % CONNECTIONS]
        ours = our_client(case, "ladder", "--ack-timeout=18", *options)
    kernel.wait(200)
    ours.wait(60)
    finished(ours, CONNECTIONS)
    finished(kernel, CONNECTIONS)


def start_long(case):
    """Start a connection that lasts long. Return our task and the kernel's task."""
    if case.kernel_active:
        ours = our_server(case, rounds=2)
        # Use 6 retries, because rxe takes 7 as "retry without limit".
        kernel = verbs_client(case, "ladder", 3000, 1000000, 0, "-r", 6)
    else:
        kernel = verbs_server(case, 2)
        ours = our_client(case, "ladder", *numbers(3000, 1000000, 0))
    ours.wait_for('"connected"')
    time.sleep(0.5)
    if not ours.running or not kernel.running:
        raise Failure("the traffic has ended by itself")
    return ours, kernel


def short_client(case):
    if case.kernel_active:
        return verbs_client(case, "ladder", 4097, 0, 0)
    return our_client(case, "ladder", *numbers(4097, 0, 0))


@scenario(
    "kill-kernel",
    "The kernel's program is killed during traffic; its next connection works",
    timeout=150,
)
def kill_kernel(case):
    ours, kernel = start_long(case)
    kernel.kill()
    if case.kernel_active:
        client = short_client(case)
        finished(client, 1)
        ours.wait()
        rows = Connections(ours).rows
        if [row["ok"] for row in rows] != [False, True]:
            raise Failure("our connections: %s" % [row["why"] for row in rows])
        return
    ours.wait()
    if Connections(ours).rows[0]["ok"]:
        raise Failure("our client has not noticed it")
    kernel = verbs_server(case, 1)
    finished(short_client(case), 1)
    finished(kernel, 1)


@scenario(
    "kill-ours",
    "Our program is killed during traffic, without a disconnect; its next connection works",
    timeout=150,
)
def kill_ours(case):
    ours, kernel = start_long(case)
    ours.kill()
    if case.kernel_active:
        # Our program is dead and answers nothing, so the kernel ends the connection after its
        # retries.
        kernel.wait(90)
        if Connections(kernel).rows[0]["ok"]:
            raise Failure("the kernel has not noticed it")
        ours = our_server(case, rounds=1)
        finished(short_client(case), 1)
        finished(ours, 1)
        return
    finished(short_client(case), 1)
    kernel.finish()


@scenario(
    "stale-request",
    "The kernel's device is recreated and reuses a queue pair number: rejected once as stale",
    not_applicable={PASSIVE: "our numbers are random: none is reused", LOSS: "the link is cut"},
    timeout=200,
)
def stale_request(case):
    ours, kernel = start_long(case)
    case.impair("loss 100%", "loss 100%")
    kernel.kill()
    case.run_guest(
        ["sh", "-c", "rdma link del rxe0; rdma link add rxe0 type rxe netdev eth0"], timeout=120
    )
    case.impair()
    for attempt in range(5):
        client = short_client(case)
        client.wait()
        row = Connections(client).rows[0]
        if row["ok"]:
            break
        case.log("attempt %d: %s, reason %d" % (attempt, row["why"], row["reject_reason"]))
    if not row["ok"]:
        raise Failure("the kernel does not connect any more: " + row["why"])


def ucmatose(case, connections):
    """Run ucmatose: simultaneous connections, each with 10 messages of 3000 bytes in each
    direction."""
    words = ["ucmatose", "-c", connections, "-C", 10, "-S", 3000, "-p", case.port]
    options = ["--scenario=ucmatose", "--size=3000", "--count=10", "--ack-timeout=18"]
    if case.family == 6:
        words += ["-f", "ip6"]
    if case.kernel_active:
        ours = our_server(case, *options, rounds=connections)
        kernel = case.guest([str(word) for word in words + ["-s", case.our_address]])
    else:
        words += ["-b", case.kernel_address]
        kernel = case.guest([str(word) for word in words])
        time.sleep(1.5)
        ours = our_client(case, "ucmatose", *options, "--parallel=%d" % connections)
    finished(ours, connections)
    output = kernel.expect(timeout=60)
    if not re.search(r"test complete\s+return status 0", output):
        raise Failure("ucmatose: " + kernel.last_line())


@scenario("ucmatose", "ucmatose, 1 connection", short=(PASSIVE,))
def ucmatose_one(case):
    ucmatose(case, 1)


@scenario(
    "ucmatose-64",
    "ucmatose, 64 connections",
    not_applicable={LOSS: "the kernel's CM retransmits a lost message after 4 s or more"},
)
def ucmatose_many(case):
    ucmatose(case, CONNECTIONS)


@scenario(
    "cmtime",
    "cmtime, %d connections from one address; none of its requests is dropped" % STORM,
    not_applicable={
        PASSIVE: "cmtime as server does not report what it received",
        LOSS: "the kernel's CM retransmits a lost message after 4 s or more",
    },
    timeout=240,
)
def cmtime(case):
    if not case.kernel_active:
        raise NotApplicable("cmtime as server does not report what it received")
    ours = our_server(case, "--scenario=ucmatose", "--size=1", "--count=0", rounds=STORM)
    words = ["cmtime", "-s", case.our_address, "-c", STORM, "-p", case.port]
    kernel = case.guest([str(word) for word in words])
    output = kernel.expect(timeout=200)
    steps = dict(re.findall(r"^\s*(connect|disconnect)\s*:\s*([0-9.]+)", output, re.M))
    if set(steps) != {"connect", "disconnect"}:
        raise Failure("cmtime: " + kernel.last_line())
    case.log("milliseconds of cmtime: %s" % steps)
    connections = finished(ours, STORM)
    dropped = {
        name: value
        for name, value in connections.counters.items()
        # Only cm_drop_duplicate may count.
        # A request that is retransmitted while it waits is a duplicate. The answer is an MRA.
        if name.startswith("cm_drop") and name != "cm_drop_duplicate" and value > 0
    }
    if dropped:
        raise Failure("dropped of an honest storm: %s" % dropped)


@scenario(
    "storm-ours",
    "%d connections at once, with traffic, to a busy listener; none stays half-open" % BUSY,
    not_applicable={
        ACTIVE: "our side sends the requests",
        LOSS: "the kernel's CM retransmits a lost message after 4 s or more",
    },
    timeout=300,
)
def storm_ours(case):
    if case.kernel_active:
        raise NotApplicable("our side sends the requests")
    kernel = verbs_server(case, BUSY)
    options = numbers(64, 0, SERVER_DRIVES) + ["--parallel=%d" % BUSY]
    ours = our_client(case, "ladder", "--ack-timeout=18", *options)
    kernel.wait(250)
    ours.wait(60)
    finished(ours, BUSY)
    finished(kernel, BUSY)


@scenario(
    "udaddy",
    "udaddy: its request for a datagram service is rejected at once",
    not_applicable={PASSIVE: "our programs request no datagram services"},
    short=(ACTIVE,),
)
def udaddy(case):
    if not case.kernel_active:
        raise NotApplicable("our programs request no datagram services")
    ours = our_server(case)
    words = ["udaddy", "-s", case.our_address]
    if case.family == 6:
        words += ["-f", "ipv6"]
    kernel = case.guest(words)
    kernel.wait_for(r"event: RDMA_CM_EVENT_UNREACHABLE, error: 1\b", timeout=60)
    kernel.wait(timeout=60)
    ours.signal(signal.SIGTERM)
    finished(ours, 0)
