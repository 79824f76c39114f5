# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""What a loss costs"""

import statistics

from framework import IPV6, LOSS, PASSIVE, Failure, scenario
from peers import READ, driver, expect_counter, play

OWN_LOSS = "the scenario sets the losses itself"
SAME = "the times do not depend on the addresses"

MB = 1 << 20
TRANSFER_REQUESTS = 64  # number of requests, 1 MiB each
TRANSFER_SECONDS = 600
DIRECTIONS = (
    ("our WRITEs", True, 0),
    ("our READs", True, READ),
    ("the kernel's WRITEs", False, 0),
    ("the kernel's READs", False, READ),
)

# values of interop-peer's option --recovery
RECOVERIES = ("go-back-n", "selective")

LONE_REQUESTS = 120
LONE_DEPTH = 1
LOST_EACH = 8  # each 8th packet of the tested kind is dropped
LONE_KINDS = (("WRITE", 10, 0), ("READ", 12, READ))  # name, opcode of the request


@scenario(
    "loss-transfer",
    "Seconds for %d MiB with 1 %% loss in both directions" % TRANSFER_REQUESTS,
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


class Lone:
    """Requests of one packet each, posted one at a time, and their packets in the capture."""

    def __init__(self, rows, times):
        """rows: [second, PSN] of each of our packets of this kind, in order. times: microseconds of
        each request, in order."""
        sent = {}
        for number, (second, psn) in enumerate(rows, 1):
            sent.setdefault(psn, []).append((float(second), number % LOST_EACH == 0))
        if len(sent) != len(times):
            raise Failure("%d requests, %d times" % (len(sent), len(times)))
        pairs = list(zip(sent.values(), times))
        self.clean = sorted(time for packets, time in pairs if len(packets) == 1)
        self.needless = sum(len(packets) > 1 and not lost(packets) for packets, _ in pairs)
        # Keep the requests of which only the first transmission was dropped.
        losses = [(packets, time) for packets, time in pairs if lost(packets) == [0]]
        self.lost = sum(bool(lost(packets)) for packets, _ in pairs)
        self.slow = sorted(time for _, time in losses)
        self.waits = sorted(1e6 * (packets[1][0] - packets[0][0]) for packets, _ in losses)

    def trip(self, part):
        """Return a percentile (0..1) of the round-trip time in us, of the requests without
        retransmission."""
        return self.clean[min(int(part * len(self.clean)), len(self.clean) - 1)]


def lost(packets):
    """Return the indexes of the dropped packets in packets."""
    return [index for index, (_, dropped) in enumerate(packets) if dropped]


def tail_figures(case, row, lone):
    trip, slow = lone.trip(0.5), statistics.median(lone.slow)
    wait = statistics.median(lone.waits)
    spread = "%d / %d / %d us" % (lone.trip(0.1), trip, lone.trip(0.9))
    case.figure(row, "round trip, 10 / 50 / 90 %", spread)
    case.figure(row, "with the loss", "%d us" % slow)
    case.figure(row, "of it until the retransmission", "%d us" % wait)
    case.figure(row, "in round trips", "%.1f, %.1f" % (slow / trip, wait / trip))
    case.figure(row, "losses", "%d" % lone.lost)
    case.figure(row, "retransmissions without a loss", "%d" % lone.needless)


@scenario(
    "tail-loss",
    "One request of 8 bytes at a time, every %dth packet lost; medians" % LOST_EACH,
    not_applicable={LOSS: OWN_LOSS, IPV6: SAME},
    short=(PASSIVE,),
)
def tail_loss(case):
    played = []
    for recovery in RECOVERIES:
        for name, opcode, arg in LONE_KINDS:
            case.drop_each(LOST_EACH, opcode)
            asked = [(8, LONE_REQUESTS, arg | LONE_DEPTH | driver(case, True))]
            pairs, counters = play(case, "bulk", asked, ["--recovery=" + recovery])
            dropped = case.dropped()
            if recovery == "selective":
                expect_counter(counters, "probes", dropped)
            row = "%s, %s" % (name, recovery)
            played.append((row, opcode, pairs[0][0]["request_us"], dropped))
            case.log("counters of %s: %s" % (row, counters))
    case.stop_capture()
    packets = ours(case)
    for row, opcode, times, dropped in played:
        queue_pair = next(key for key in packets if key[0] == opcode)
        rows = packets.pop(queue_pair)
        if len(rows) // LOST_EACH != dropped:
            raise Failure("%s: %d packets, %d dropped" % (row, len(rows), dropped))
        tail_figures(case, row, Lone(rows, times))


def ours(case):
    """Return the seconds and PSNs of our one-packet requests, by opcode and by the kernel's queue
    pair."""
    wanted = " or ".join("infiniband.bth.opcode == %d" % kind for _, kind, _ in LONE_KINDS)
    fields = "infiniband.bth.opcode infiniband.bth.destqp frame.time_epoch infiniband.bth.psn"
    found = {}
    for opcode, queue_pair, second, psn in case.frames(
        "(%s) and ip.src == %s" % (wanted, case.our_address), *fields.split()
    ):
        found.setdefault((int(opcode), queue_pair), []).append((second, psn))
    return found
