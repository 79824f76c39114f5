#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""What a scenario file needs: `from framework import scenario, Failure, NotApplicable`.

A file tests/interop/scenarios_<topic>.py is found by its name. Its docstring's first line is
the heading of its rows in docs/interop.md. A scenario is a function of one argument, the case:

    @scenario(
        "send-64k",                                # name: unique, for --only and folders
        "Send of 64 KiB, 20 messages",             # title: the row of the matrix
        not_applicable={LOSS: "reason"},           # columns that make no sense, with reasons
        short=(ACTIVE,),                           # columns that the short form runs; default none
        mtu=4300,                                  # of the kernel's NIC [1500]; fixes the path MTU
        timeout=60,                                # seconds for one case [120]
    )
    def send_64k(case):
        if case.kernel_active:
            ours = case.program("tests/interop/peer", "server", "-a", case.our_address)
            ours.wait_for("listening")
            kernel = case.guest(["rxetest", "client", case.our_address, "-S", "send"])
        else:
            kernel = case.guest(["rxetest", "server", "-n", "1"])
            kernel.wait_for("listening")
            ours = case.program("tests/interop/peer", "client", case.kernel_address)
        kernel.expect()                            # exit status 0, otherwise Failure
        ours.expect()

Columns. ACTIVE: the kernel connects; PASSIVE: the kernel listens; IPV6: over IPv6; LOSS: netem
drops 1 % of the packets of either side. In the last two a scenario runs once for each role it has:
a role whose column is not applicable is left out there, too, and the cell is `pass` when both
passed. The function may look at case.kernel_active (bool), case.family (4 or 6), case.loss (bool),
case.column. It returns when all is well, raises Failure("exact reason") (or any exception: also a
failure) and may raise NotApplicable("reason") when it learns only then.

Other arguments of @scenario:
    attach="cable"    our port is at the other end of the cable of the machine's NIC: net_af_packet,
                      or net_pcap where mtu is above 1500
           "vhost"    net_vhost: a machine of its own is booted by the first case.program()
           "router"   our port is in another subnet (192.0.2.0/24, gateway case.our_gateway; IPv6
                      2001:db8::/64); a router, the kernel of the host, forwards to the machine
    vlan=VLAN         both sides in VLAN 77: the guest gets eth0.77 (its GIDs belong to rxe0, too),
                      the case's addresses are those of the VLAN; give your program its option
    violations={"regular expression": "reason"}
                      lines of `ndreplay check` that this scenario causes on purpose, in the peer:
                      of what we send none is excused
    malformed="reason" frames that tshark rightly calls malformed are part of the scenario
    guest_leaves={"qp": 1}
                      what `rdma res` may show more at the end than before (give the reason beside)

What a case has:
    case.our_address, case.our_prefix ("10.77.0.2/24"), case.our_gateway ("" without router)
    case.kernel_address, case.kernel_prefix, case.kernel_device ("eth0", "eth0.N")
    case.port                             a port that no other case of this run uses
    case.random                           random.Random, seeded and printed
    case.program(NAME, *ARGS, eal=(), env=None, command=())
                                          starts BUILD/NAME with the words of command, EAL
                                          arguments, "--", ARGS; a Task
    case.guest(COMMAND, stdin=b"")        starts a command in the machine (list or line); Task
    case.run_guest(COMMAND, timeout=30)   runs it, returns its output; Failure unless status 0
    case.put(LOCAL, REMOTE)               copies a file into the machine
    case.impair(kernel="loss 2%", ours="duplicate 5% delay 1ms reorder 25%")
                                          netem on the packets that the kernel sends / that we send;
                                          call again to change, case.impair() removes it
    case.drop_each(N, OPCODE)             each N-th packet of ours with this operation code is lost;
    case.dropped()                        how many were; case.impair() ends it
    case.cut_power()                      the machine ends at once, as by a power failure
    case.boot()                           it is there again; commands that ran in it have ended
    case.kernel_mtu(N)                    changes the MTU of the machine's NIC
    case.resources()                      `rdma res` as {"qp": 1, "cm_id": 0, ...}
    case.capture_mark()                   frames captured so far (to look at a part of the capture)
    case.frames(FILTER, *FIELDS)          after case.stop_capture(): rows of tshark's fields (lists)
    case.figure(ROW, COLUMN, TEXT)        an entry of the case's table in docs/interop.md: what was
                                          measured, with its unit; no case passes or fails by it
    case.log(TEXT)                        a line in the case's log

What a Task (program or guest command) has: wait_for(REGEX, timeout=30) -> match,
wait(timeout=60) -> exit status, expect(status=0, timeout=60) -> all output, output (str), lines
(list), running, kill(), signal(signal.SIGKILL), write(bytes), counters():
{name: value} of its lines `counter NAME VALUE`.
What still runs when the function returns is ended with SIGTERM, then SIGKILL.

Checked for every case without the scenario's doing: the capture (ndreplay check: no violation,
every ICRC right; tshark: nothing malformed), `rdma res` as before, and what our programs say:
a line `resources NAME=VALUE ...` must have zeros only. A program that prints it prints it after its
clean-up and before closing the adapter (endpoints, connectors, regions, windows, queues, packet
buffers in use). A line starting with `leak` fails the case.

A request of the kernel's that is never completed, though the capture has an answer to each request
packet that it sent, is the kernel's own (README.md, "Quirks of the peer"): such a case is played a
second time, the line of the cell says so, and the second time counts.

A program polls: it must flush its output at every line and end by itself or on SIGTERM (status 0 or
-15 are no failure then). Names of builds come from --build; nothing is compared by wall time.
"""

import collections
import re

ACTIVE = "kernel active"
PASSIVE = "kernel passive"
IPV6 = "IPv6"
LOSS = "with 1 % loss"
COLUMNS = (ACTIVE, PASSIVE, IPV6, LOSS)

# The only one: devices of VLANs stay in the machine, and their addresses are the same.
VLAN = 77

ATTACHMENTS = ("cable", "vhost", "router")

Scenario = collections.namedtuple(
    "Scenario",
    "name title function topic not_applicable short mtu timeout attach vlan violations malformed"
    " guest_leaves",
)

SCENARIOS = []


class Failure(Exception):
    """A case went wrong; the text is the cell of the matrix: exact and short."""


class PeerStopped(Failure):
    """The kernel has a request and does not send it, though each one that it sent was answered."""


class NotApplicable(Exception):
    """A case makes no sense; the text says why."""


def scenario(
    name,
    title,
    not_applicable=None,
    short=(),
    mtu=1500,
    timeout=120,
    attach="cable",
    vlan=0,
    violations=None,
    malformed=None,
    guest_leaves=None,
):
    """Register the decorated function; see the top of this file."""
    not_applicable = dict(not_applicable or {})
    for column in list(not_applicable) + list(short):
        if column not in COLUMNS:
            raise ValueError("%s: no column %r" % (name, column))
    for column, reason in not_applicable.items():
        if not reason:
            raise ValueError("%s: %s is not applicable without a reason" % (name, column))
        if column in short:
            raise ValueError("%s: %s is not applicable but in the short form" % (name, column))
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name):
        raise ValueError("%s: names are of a-z, 0-9, dot and hyphen" % name)
    if attach not in ATTACHMENTS:
        raise ValueError("%s: attach is one of %s" % (name, ", ".join(ATTACHMENTS)))
    if any(known.name == name for known in SCENARIOS):
        raise ValueError("two scenarios are called %s" % name)

    def register(function):
        SCENARIOS.append(
            Scenario(
                name,
                title,
                function,
                function.__module__,
                not_applicable,
                tuple(short),
                mtu,
                timeout,
                attach,
                vlan,
                dict(violations or {}),
                malformed,
                dict(guest_leaves or {}),
            )
        )
        return function

    return register


def roles(entry, column):
    """Roles of the kernel that a column runs, as values of case.kernel_active."""
    own = {ACTIVE: [True], PASSIVE: [False]}
    if column in own:
        return own[column]
    return [
        kernel_active
        for role, kernel_active in ((ACTIVE, True), (PASSIVE, False))
        if role not in entry.not_applicable
    ]
