# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Headers and VLAN"""

import compare
from framework import ACTIVE, LOSS, PASSIVE, VLAN, Failure, scenario
from peers import SERVER_DRIVES, WITH_IMMEDIATE, play

IN_PAIRS = "sent packets are compared, whether lost or not"


def compared(case, options=()):
    """Check that both sides send the same packets for the same operations. Differences need an
    explanation in docs/wire.md."""
    flags = WITH_IMMEDIATE
    asked = [(20000, 0, flags), (20000, 0, flags | SERVER_DRIVES)]
    play(case, "ladder", asked, ["--path-mtu=1024", *options])
    play(case, "atomics", [(16, 20, 0), (16, 20, SERVER_DRIVES)], options)
    case.stop_capture()
    packets = compare.decode([case.capture_path])[case.capture_path]
    ours, theirs = compare.sides(packets, case.our_address)
    kinds = [{packet.kind for packet in side} for side in (ours, theirs)]
    managing = set(compare.CM.values())
    if kinds[0] - managing != kinds[1] - managing or len(kinds[0] - managing) < 15:
        raise Failure("not the same packets from both: %s" % sorted(kinds[0] ^ kinds[1]))
    wrong = compare.differences(ours, theirs)
    if wrong:
        raise Failure("; ".join(wrong))
    return packets


@scenario(
    "headers",
    "Headers of both sides, all operations: no differences except those in docs/wire.md",
    not_applicable={LOSS: IN_PAIRS},
    short=(ACTIVE,),
    timeout=240,
)
def headers(case):
    compared(case)


@scenario(
    "vlan",
    "All operations in VLAN %d, in both directions" % VLAN,
    short=(PASSIVE,),
    vlan=VLAN,
    timeout=240,
)
def vlan(case):
    option = ["--vlan=%d" % VLAN]
    if case.loss:
        play(case, "ladder", [(20000, 0, 0), (20000, 0, SERVER_DRIVES)], option)
        case.stop_capture()
        packets = compare.decode([case.capture_path])[case.capture_path]
    else:
        packets = compared(case, option)
    tags = {p.fields.get("vlan.id") for p in packets if "infiniband" in p.layers}
    if tags != {str(VLAN)}:
        raise Failure("VLAN tags of RoCE packets: %s" % tags)
