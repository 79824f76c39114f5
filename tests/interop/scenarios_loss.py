# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""What a loss costs"""

import statistics

from framework import IPV6, LOSS, PASSIVE, Failure, scenario
from peers import READ, SERVER_DRIVES, expect_counter, play

OWN_LOSS = "the losses are the scenario's own"
SAME = "neither time nor repeat depends on the addresses"

MB = 1 << 20
TRANSFER_REQUESTS = 64  # of 1 MiB
TRANSFER_SECONDS = 600
DIRECTIONS = (
    ("our WRITEs", True, 0),
    ("our READs", True, READ),
    ("the kernel's WRITEs", False, 0),
    ("the kernel's READs", False, READ),
)

# As interop-peer takes them.
RECOVERIES = ("go-back-n", "selective")

LONE_REQUESTS = 40
LONE_DEPTH = 1
LOST_EACH = 8  # packet of that kind
LONE_KINDS = (("WRITE", 10, 0), ("READ", 12, READ))  # with the operation code of its request


def driver(case, ours):
    """The bit of arg with which we drive, or the kernel does."""
    return SERVER_DRIVES if case.kernel_active == ours else 0


@scenario(
    "loss-transfer",
    "Seconds for %d MiB with 1 %% loss at both sides" % TRANSFER_REQUESTS,
    not_applicable={LOSS: OWN_LOSS, IPV6: SAME},
    timeout=8 * TRANSFER_SECONDS,
)
def loss_transfer(case):
    case.impair("loss 1%", "loss 1%")
    wait = TRANSFER_SECONDS
    for recovery in RECOVERIES:
        options = ["--recovery=" + recovery, "--wait=%d" % wait]
        for name, ours, arg in DIRECTIONS:
            asked = [(MB, TRANSFER_REQUESTS, arg | driver(case, ours))]
            pairs, counters = play(case, "bulk", asked, options, wait, ["-w", wait])
            row = pairs[0][0 if ours else 1]
            case.figure(name, recovery, "%.1f" % row["transfer_seconds"])
            case.log("counters of %s, %s: %s" % (name, recovery, counters))


@scenario(
    "tail-loss",
    "A lone request of 8 bytes, each %dth of which is lost" % LOST_EACH,
    not_applicable={LOSS: OWN_LOSS, IPV6: SAME},
    short=(PASSIVE,),
)
def tail_loss(case):
    for recovery in RECOVERIES:
        for name, opcode, arg in LONE_KINDS:
            case.drop_each(LOST_EACH, opcode)
            asked = [(8, LONE_REQUESTS, arg | LONE_DEPTH | driver(case, True))]
            pairs, counters = play(case, "bulk", asked, ["--recovery=" + recovery])
            times, lost = sorted(pairs[0][0]["request_us"]), case.dropped()
            if len(times) != LONE_REQUESTS or lost < LONE_REQUESTS // LOST_EACH:
                raise Failure("%d requests, %d dropped packets" % (len(times), lost))
            if recovery == "selective":
                expect_counter(counters, "probes", lost)
            trip, slow = statistics.median(times[:-lost]), statistics.median(times[-lost:])
            row = "%s, %s" % (name, recovery)
            case.figure(row, "round trip", "%d us" % trip)
            case.figure(row, "with the loss", "%d us" % slow)
            case.figure(row, "in round trips", "%.1f" % (slow / trip))
            case.log("counters of %s: %s" % (row, counters))
