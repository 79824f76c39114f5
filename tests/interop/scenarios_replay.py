# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Captures, replayed by ndreplay live and serve against the tools that produced them

The captures are in pcap_fixtures. The tool on the kernel's side executes the same operations as in
the capture, and checks the data that it receives. ndreplay compares the packets of the tool with
the recorded packets.
"""

import os
import time

from framework import ACTIVE, IPV6, LOSS, PASSIVE, Failure, scenario
from peers import ACK_TIMEOUT

NDREPLAY = "apps/ndreplay/ndreplay"
CAPTURES = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), os.pardir, os.pardir, "pcap_fixtures"
)

# Option for ucmatose and perftest, whose messages have no defined contents; see peer_ucmatose.c.
NO_PAYLOAD = ["--ignore-payload"]
RPING_VIOLATIONS = {
    r"RC-101 RC SEND Only with PSN \d+ was sent in frame \d+ with different": (
        "rping overwrites the previous SEND with the description of its next buffer, and may have"
        " to retransmit that SEND"
    ),
}
NO_LOSS = {LOSS: "the capture has no loss; other rows test these operations with loss"}
IPV4_ONLY = dict(NO_LOSS, **{IPV6: "perftest 4.5 resolves only IPv4 addresses for -R"})


def capture(name):
    return os.path.join(CAPTURES, name + ".pcap")


def ours_serves(case, name, *options):
    words = [capture(name), "--address=" + case.our_prefix, "--service=%d" % case.port]
    ours = case.program(NDREPLAY, *words, *options, command=["serve"])
    ours.wait_for("listening on port")
    return ours


def ours_connects(case, name, *options):
    words = [capture(name), "--address=" + case.our_prefix, "--service=%d" % case.port]
    words.append("--to=" + case.kernel_address)
    return case.program(NDREPLAY, *words, *options, command=["live"])


def wait_for_listener(case, kernel):
    for _ in range(100):
        if not kernel.running:
            raise Failure("%s: %s" % (kernel.name, kernel.last_line()))
        if "LISTEN" in case.run_guest("rdma res show cm_id"):
            return
        time.sleep(0.1)
    raise Failure("%s does not listen" % kernel.name)


def check_ours(ours):
    """Check that ndreplay has found no difference and has replayed all operations."""
    if ours.wait(100) != 0:
        lines = [line for line in ours.lines if ": expected " in line] or ours.lines[-1:]
        raise Failure("ndreplay: " + "; ".join(lines[:2]))


@scenario(
    "replay-rping",
    "rping, 5 pings of 64 bytes",
    not_applicable=NO_LOSS,
    short=(ACTIVE, PASSIVE),
    violations=RPING_VIOLATIONS,
)
def rping(case):
    options = "-C 5 -S 64 -V -v -p %d" % case.port
    if case.kernel_active:
        ours = ours_serves(case, "rping-64")
        kernel = case.guest("rping -c -a %s %s" % (case.our_address, options))
    else:
        kernel = case.guest("rping -s -a %s %s" % (case.kernel_address, options))
        wait_for_listener(case, kernel)
        ours = ours_connects(case, "rping-64")
    check_ours(ours)
    kernel.wait(30)
    if "ping data: rdma-ping-4: EFGHIJ" not in kernel.output:
        raise Failure("rping has not got the fifth ping: %s" % kernel.last_line())


@scenario("replay-ucmatose", "ucmatose, two connections at once", not_applicable=NO_LOSS)
def ucmatose(case):
    words = "ucmatose -c 2 -C 3 -S 200 -p %d" % case.port
    if case.family == 6:
        words += " -f ip6"
    if case.kernel_active:
        ours = ours_serves(case, "ucmatose", *NO_PAYLOAD)
        kernel = case.guest("%s -s %s" % (words, case.our_address))
    else:
        kernel = case.guest("%s -b %s" % (words, case.kernel_address))
        wait_for_listener(case, kernel)
        ours = ours_connects(case, "ucmatose", *NO_PAYLOAD)
    check_ours(ours)
    kernel.expect()


@scenario("replay-perftest", "`ib_send_lat -R`, 5 messages of 1 byte", not_applicable=IPV4_ONLY)
def perftest(case):
    words = ["ib_send_lat", "-R", "-F", "-n", "5", "-s", "1", "-p", str(case.port)]
    if case.kernel_active:
        ours = ours_serves(case, "perf-send-lat-cm", *NO_PAYLOAD)
        kernel = case.guest(words + [case.our_address])
    else:
        kernel = case.guest(words)
        wait_for_listener(case, kernel)
        ours = ours_connects(case, "perf-send-lat-cm", *NO_PAYLOAD)
    check_ours(ours)
    kernel.expect()


def asked(name):
    """Return the request of the recorded client, from its private data (guest/peer_protocol.h)."""
    with open(capture(name), "rb") as file:
        data = file.read()
    at = data.index(b"RXT1")
    number = lambda offset, size: int.from_bytes(data[at + offset : at + offset + size], "big")
    name = data[at + 32 : at + 44].rstrip(b"\0").decode()
    return name, number(8, 4), number(12, 4), number(6, 2)


# Captures with a different payload: the rxetest that made them announced the end of the window with
# the word 0x600d. The rxetest in the machine sends 0 instead.
OTHER_PAYLOAD = ("mw2-localinv",)


def rxetest(case, name):
    what, size, count, arg = asked(name)
    options = NO_PAYLOAD if name in OTHER_PAYLOAD else []
    if case.kernel_active:
        ours = ours_serves(case, name, *options)
        words = ["rxetest", "client", case.our_address, "-S", what, "-z", size, "-c", count]
        words += ["-a", arg, "-T", ACK_TIMEOUT, "-p", case.port]
        kernel = case.guest([str(word) for word in words])
    else:
        words = ["rxetest", "server", "-p", case.port, "-T", ACK_TIMEOUT]
        kernel = case.guest([str(word) for word in words])
        kernel.wait_for("listening")
        ours = ours_connects(case, name, *options)
    check_ours(ours)
    if '"ok":true' not in kernel.expect():
        raise Failure("rxetest: %s" % kernel.last_line())


NO_CLIENT = dict(NO_LOSS, **{ACTIVE: "rxetest's client in the machine does not support it"})

# Capture, title, columns of the short form, columns that are not applicable.
RXETEST = (
    ("send-many", "60 SENDs, 16 at a time", (), NO_LOSS),
    ("sendimm", "SENDs with immediate data", (), NO_LOSS),
    ("pingpong", "SENDs, each echoed", (), NO_LOSS),
    ("write-65536-mtu4096", "WRITEs of 64 KiB", (PASSIVE,), NO_CLIENT),
    ("writeimm", "WRITEs with immediate data", (), NO_CLIENT),
    ("read-depth1", "READs, one at a time", (), NO_CLIENT),
    ("fadd", "fetch-adds", (), NO_CLIENT),
    ("cswap", "compare-swaps", (), NO_CLIENT),
    ("inline", "inline WRITEs and SENDs", (), NO_CLIENT),
    ("solicit", "SENDs, every other solicited", (), NO_LOSS),
    ("mw2-sendinv", "a window, invalidated by a SEND, then refused", (ACTIVE,), NO_LOSS),
    ("mw2-localinv", "a window, invalidated by its owner, then refused", (), NO_LOSS),
    ("server-disconnects", "the server disconnects", (), NO_LOSS),
)


def register_rxetest():
    for name, title, short, not_applicable in RXETEST:

        @scenario(
            "replay-" + name, "rxetest: " + title, not_applicable=not_applicable, short=short
        )
        def run(case, name=name):
            rxetest(case, name)


register_rxetest()
