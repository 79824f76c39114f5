# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Networks"""

from framework import ACTIVE, IPV6, LOSS, PASSIVE, VLAN, Failure, scenario
from peers import SERVER_DRIVES, WINDOW_STAYS, play

ALREADY = "the scenario sets netem itself"

IMPAIRMENTS = (
    ("loss-5", "5 % of the packets lost", "loss 5%", 0),
    ("duplicates", "20 % of the packets duplicated", "duplicate 20%", 0),
    ("reordering", "25 % of the packets reordered", "delay 2ms reorder 75% 50%",
     WINDOW_STAYS),
    ("everything", "loss 2 %, duplicates 5 %, reordering 20 %",
     "delay 2ms reorder 80% 50% loss 2% duplicate 5%", WINDOW_STAYS),
)
# Excused violations: netem duplicates requests after tcpdump has captured them, so the capture
# lacks the duplicates. Soft-RoCE answers each of them.
COPIES_ANSWERED = {
    r"RC-073 responses to the request in frame \d+ restart": (
        "the network duplicates requests, and Soft-RoCE answers each duplicate"
    ),
}


def messages(case, size=70000, options=(), arg=0):
    """Run the scenarios ladder (also with larger sizes) and atomics. Each side is the driver
    once."""
    for count, largest in ((0, 4097), (4, size)):
        asked = [(largest, count, arg), (largest, count, arg | SERVER_DRIVES)]
        play(case, "ladder", asked, options)


def register_impairments():
    for name, title, netem, arg in IMPAIRMENTS:

        @scenario(
            "netem-" + name,
            "In both directions %s" % title,
            not_applicable={LOSS: ALREADY},
            # Only "duplicates" is in the short form. With all faults together, Soft-RoCE's queue
            # pair sometimes ends with a flush, although the capture shows no reason.
            short=(PASSIVE,) if name == "duplicates" else (),
            timeout=200,
            violations=COPIES_ANSWERED if "duplicate" in netem else None,
        )
        def run(case, netem=netem, arg=arg):
            case.impair(netem, netem)
            messages(case, arg=arg)
            play(case, "atomics", [(16, 50, 0), (16, 50, SERVER_DRIVES)])


register_impairments()


@scenario("messages-vlan", "Messages and accesses in VLAN %d" % VLAN, short=(ACTIVE,), vlan=VLAN)
def vlan(case):
    messages(case, options=["--vlan=%d" % VLAN])


@scenario(
    "messages-router",
    "Messages and accesses through a gateway, on both sides",
    attach="router",
)
def router(case):
    messages(case)


@scenario(
    "messages-cold",
    "Neighbour discovery with an empty cache on both sides",
    not_applicable={LOSS: "lost requests are retransmitted"},
)
def neighbours(case):
    case.run_guest(["ip", "neigh", "flush", "all"])
    messages(case)
    case.stop_capture()
    # Count the ARP requests or neighbour solicitations that each side has sent.
    ours = case.our_address
    if case.family == 4:
        rows = case.frames("arp.opcode == 1", "arp.src.proto_ipv4")
    else:
        rows = case.frames("icmpv6.type == 135", "ipv6.src")
    asked = {row[0] for row in rows}
    # The listening side need not ask, because it may have learnt the address from the other side's
    # request.
    if case.kernel_active and not asked - {ours, "::"}:
        raise Failure("the kernel has asked nobody")
    if not case.kernel_active and ours not in asked:
        raise Failure("we have asked nobody: %s" % sorted(asked))


@scenario(
    "messages-vhost",
    "Messages and accesses: our port is net_vhost, without the host's kernel",
    attach="vhost",
    not_applicable={
        PASSIVE: "each case boots a machine; one is enough",
        IPV6: "each case boots a machine; one is enough",
        LOSS: "each case boots a machine; one is enough",
    },
    mtu=4300,
    timeout=200,
)
def vhost(case):
    # Run only one scenario, because the machine ends with the first program.
    play(case, "ladder", [(65536, 0, 0), (65536, 0, SERVER_DRIVES)], ["--path-mtu=4096"])
