#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Interface for scenario files: `from framework import scenario, Failure, NotApplicable`.

The runner loads all files tests/interop/scenarios_<topic>.py. The first line of the docstring of
such a file is the heading of its rows in docs/interop.md. A scenario is a function with one
parameter, the case:

    @scenario(
        "send-64k",                                # name: unique, for --only and folders
        "Send of 64 KiB, 20 messages",             # title: the row of the matrix
        not_applicable={LOSS: "reason"},           # columns that do not apply, with reasons
        short=(ACTIVE,),                           # columns of the short form; default: none
        mtu=4300,                                  # kernel NIC's MTU [1500]; sets the path MTU
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
drops 1 % of the packets of each side. In IPV6 and LOSS, a scenario runs once for each role. A role
whose column is not applicable is also omitted there. The cell is `pass` if all roles passed. The
function may read case.kernel_active (bool), case.family (4 or 6), case.loss (bool), case.column. If
the case passed, the function returns. Otherwise it raises Failure("exact reason"); any other
exception is a failure, too. The function may also raise NotApplicable("reason").

Other arguments of @scenario:
    attach="cable"    our port is connected to the machine's NIC by a cable: net_af_packet, or
                      net_pcap if mtu is above 1500
           "vhost"    net_vhost: the first case.program() boots a separate machine
           "router"   our port is in another subnet (192.0.2.0/24, gateway case.our_gateway; IPv6
                      2001:db8::/64); the kernel of the host is a router between both subnets
    vlan=VLAN         both sides are in VLAN 77: the guest gets eth0.77 (its GIDs also belong to
                      rxe0), and the case has the addresses of the VLAN; pass the option for the
                      VLAN to your program
    violations={"regular expression": "reason"}
                      lines of `ndreplay check` for violations of the peer that this scenario causes
                      on purpose; violations of our side are never excused
    malformed="reason" the scenario includes frames that are malformed, as tshark reports
    guest_leaves={"qp": 1}
                      resources that `rdma res` may show at the end in addition to those before
                      (write the reason next to the entry)

Members of a case:
    case.our_address, case.our_prefix ("10.77.0.2/24"), case.our_gateway ("" without router)
    case.kernel_address, case.kernel_prefix, case.kernel_device ("eth0", "eth0.N")
    case.port                             port that no other case of this run uses
    case.random                           random.Random, seeded and printed
    case.program(NAME, *ARGS, eal=(), env=None, command=())
                                          starts BUILD/NAME with the words of command, EAL
                                          arguments, "--", ARGS; a Task
    case.guest(COMMAND, stdin=b"")        starts a command in the machine (list or line) as a Task
    case.run_guest(COMMAND, timeout=30)   runs a command, returns its output; Failure unless status
                                          0
    case.put(LOCAL, REMOTE)               copies a file into the machine
    case.impair(kernel="loss 2%", ours="duplicate 5% delay 1ms reorder 25%")
                                          netem for packets of the kernel and for our packets;
                                          call again to change, case.impair() removes netem
    case.drop_each(N, OPCODE)             drops each N-th packet of ours with this opcode;
                                          case.impair() ends this
    case.dropped()                        number of packets that drop_each() has dropped
    case.cut_power()                      stops the machine at once, like a power failure
    case.boot()                           boots the machine again; its commands have ended
    case.kernel_mtu(N)                    changes the MTU of the machine's NIC
    case.resources()                      `rdma res` as {"qp": 1, "cm_id": 0, ...}
    case.capture_mark()                   number of frames captured so far
    case.frames(FILTER, *FIELDS)          after case.stop_capture(): rows of tshark's fields (lists)
    case.figure(ROW, COLUMN, TEXT)        adds an entry to the case's table in docs/interop.md: a
                                          measured value with its unit; does not affect the result
    case.log(TEXT)                        writes a line to the case's log

Members of a Task (program or guest command): wait_for(REGEX, timeout=30) -> match,
wait(timeout=60) -> exit status, expect(status=0, timeout=60) -> all output, output (str), lines
(list), running, kill(), signal(signal.SIGKILL), write(bytes), counters():
{name: value} of its lines `counter NAME VALUE`. When the function returns, processes that still run
get SIGTERM, then SIGKILL.

The runner checks in every case:
- the capture: ndreplay check reports no violation and valid ICRCs, tshark no malformed frame;
- `rdma res` reports the same resources as before;
- lines `resources NAME=VALUE ...` of our programs have only zeros. A program prints this line after
  its clean-up and before closing the adapter (endpoints, connectors, regions, windows, queues,
  packet buffers in use);
- no line of our programs begins with `leak`.

If a request of the kernel never completes although the capture has an answer to each request packet
of the kernel, the fault is in the kernel (README.md, "Quirks of the peer"). Such a case is repeated
once, the line of the cell reports this, and the second result counts.

Programs must flush their output after every line, and end by themselves or on SIGTERM (then status
0 or -15 is not a failure). The build folder comes from --build. Results do not depend on wall time.
"""

import collections
import re

ACTIVE = "kernel active"
PASSIVE = "kernel passive"
IPV6 = "IPv6"
LOSS = "with 1 % loss"
COLUMNS = (ACTIVE, PASSIVE, IPV6, LOSS)

# The only VLAN ID. VLAN devices are never removed from the machine, and have fixed addresses.
VLAN = 77

ATTACHMENTS = ("cable", "vhost", "router")

Scenario = collections.namedtuple(
    "Scenario",
    "name title function topic not_applicable short mtu timeout attach vlan violations malformed"
    " guest_leaves",
)

SCENARIOS = []


class Failure(Exception):
    """A case has failed. The text is written into the cell of the matrix, so it is exact and
    short."""


class PeerStopped(Failure):
    """The kernel has stopped: it does not send a pending request, although all requests that it has
    sent were answered."""


class NotApplicable(Exception):
    """Raised by a scenario that is not applicable. The text is the reason."""


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
    """Register the decorated function as a scenario; see the docstring of this file."""
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
    """Return the roles of the kernel in a column, as values of case.kernel_active."""
    own = {ACTIVE: [True], PASSIVE: [False]}
    if column in own:
        return own[column]
    return [
        kernel_active
        for role, kernel_active in ((ACTIVE, True), (PASSIVE, False))
        if role not in entry.not_applicable
    ]
