#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndpmd's options for settings of connections.

usage: ndpmd_settings.py NDPMD GROUP

Groups: loopback (counters show the effect) and wire (packets between two processes in network
namespaces show the effect). Exits with 0, with 1 after printing what was wrong, or with 77
(skipped) when the machine lacks something that the group needs.
"""

import json
import re
import sys
import time

import bridge
import observe
from program import EAL, check, run, run_group

DATA = 1000  # message size in bytes; one packet


def counted(ended, side, name):
    match = re.search(r"^%s %s (\d+)$" % (side, name), ended.output, re.M)
    return int(match.group(1)) if match else 0


def play(ndpmd, *own):
    ended = run(ndpmd, "--loopback", "--op=write", "--iterations=10000", "--counters", "--json",
                *own)
    ended.expect(0)
    return ended


def seconds_of(ended):
    found = [json.loads(line)["seconds"] for line in ended.lines if line.startswith("{")]
    check(len(found) == 1, "%s: %s" % (ended.name, ended.output))
    return found[0] if found else 0


def fastest(ndpmd, *own):
    """Return the shortest of several runs, because other load on the machine makes runs longer."""
    return min(seconds_of(play(ndpmd, *own)) for _ in range(3))


def recovery(ndpmd):
    lossy = "--inject=drop:0.3%"
    usual = play(ndpmd, lossy)
    kept = counted(usual, "server", "rx_kept")
    check(counted(usual, "client", "retries_selective") > 0 and kept > 0, usual.output)
    check(counted(usual, "server", "rx_keep_full") == 0, usual.output)
    back = play(ndpmd, lossy, "--recovery=go-back-n")
    check(counted(back, "client", "retries_selective") == 0, back.output)
    check(counted(back, "server", "rx_kept") == 0, back.output)
    for few in ("--keep-packets=1", "--keep-packets-total=1"):
        ended = play(ndpmd, lossy, few)
        check(counted(ended, "server", "rx_keep_full") > 0, ended.output)


def reorder_window(ndpmd):
    """With two packets in flight, a reordered packet arrives at most 100 us late."""
    turned = ["--depth=2", "--inject=reorder:5%"]
    patient = play(ndpmd, *turned, "--reorder-window=100000")
    check(counted(patient, "server", "tx_naks_sequence") == 0, patient.output)
    hasty = play(ndpmd, *turned, "--reorder-window=0")
    check(counted(hasty, "server", "tx_naks_sequence") > 0, hasty.output)


def swift_target(ndpmd):
    """A round-trip time above the target indicates a queue, so the window shrinks to one packet."""
    far = ["--congestion=swift", "--inject=delay:1ms", "--iterations=1000"]
    near, wide = (fastest(ndpmd, *far, "--swift-target=" + target)
                  for target in ("1", "100000"))
    check(wide < near, "%r s, %r s" % (wide, near))


def initial_window(ndpmd):
    """Send 64 messages with a delay of 40 ms: all at once, or in windows of 1, 2, 4, ..."""
    far = ["--inject=delay:20ms", "--iterations=64"]
    few, many = (fastest(ndpmd, *far, "--initial-window=" + window)
                 for window in ("1", "64"))
    check(few > 0.16 and many < few, "%r s, %r s" % (few, many))


def refused(ndpmd):
    table = [
        (["--dcqcn=rpg_gd:99", "--congestion=dcqcn"], "dcqcn.rpg_gd is 99"),
        (["--dcqcn=rpg_gx:9", "--congestion=dcqcn"], "rpg_gd:11"),
        (["--dcqcn=rpg_gd:9"], "--congestion=dcqcn only"),
        (["--dcqcn=rpg_gd:9,rpg_gd:9", "--congestion=dcqcn"], "gives rpg_gd twice"),
        (["--line-rate=9"], "--congestion=dcqcn only"),
        (["--swift-target=9"], "--congestion=swift only"),
        (["--initial-window=9", "--congestion=none"], "--congestion=none"),
        (["--ecn", "--congestion=none"], "--congestion=none"),
        (["--recovery=none"], "selective or go-back-n"),
        (["--reorder-window=100001"], "0 to 100000"),
        (["--retry-count=8"], "1 to 7"),
        (["--rnr-timer=32"], "1 to 31"),
        (["--inline=257"], "1 to 256"),
        (["--mbufs=100"], "512 to 16M"),
        (["--keep-packets-total=9999"], "keep_packets_total is 9999"),
        (["--perftest", "--reads=4"], "--perftest does not support --reads"),
    ]
    for own, word in table:
        ended = run(ndpmd, "--loopback", *own)
        ended.expect(2)
        ended.expect_sentence(word)
    # The adapter must not allocate fewer buffers than requested, but memory is too small.
    ended = run(ndpmd, *EAL, "--", "--loopback", "--mbufs=1M")
    ended.expect(2)
    check("1048576 packet buffers" in ended.errors, ended.errors)


def posting(ndpmd):
    """Runs with different ways of posting transfer the same number of bytes."""
    for own in (["--post-list=1"], ["--inline=256", "--size=64,256,257"], ["--inline=64"]):
        for ops in ("send,write,send-imm,write-imm", "send:1,write:2,read:1,write-imm:1"):
            ended = run(ndpmd, "--loopback", "--op=" + ops, "--iterations=2000", "--verify", *own)
            ended.expect(0)
            ended.expect_silence()


def own_port(ndpmd):
    """Programs that look for free ports, such as DPDK's telemetry, must not find a port with an
    owner."""
    for own, expected in ([], [0, 1]), (["--own-port"], []):
        running = observe.Ndpmd(ndpmd, *own)
        found = running.ask("/ethdev/list")[0]
        running.end().expect(0)
        check(found == expected, "%r: ports %r" % (own, found))


def loopback(ndpmd):
    refused(ndpmd)
    posting(ndpmd)
    recovery(ndpmd)
    reorder_window(ndpmd)
    swift_target(ndpmd)
    initial_window(ndpmd)
    own_port(ndpmd)


def over_wire(ndpmd, wire, client, server):
    """Run client and server over the bridge. @return the ended client"""
    serving = bridge.ndpmd_on(ndpmd, "server", "--clients=1", *server)
    time.sleep(1)
    ended = bridge.ndpmd_on(ndpmd, "client", "--json", "--counters", *client).end()
    ended.expect(0)
    if ended.status != 0:
        serving.kill()
    serving.end().expect(0)
    wire.close()
    return ended


def headers(ndpmd):
    """Check fields of packet headers and of the connection request."""
    wire = bridge.Bridge(mark=True)
    both = ["--ttl=9", "--dscp=10", "--dscp-ack=20", "--dscp-cnp=30", "--udp-source-port=777",
            "--ecn", "--cnp-interval=1000000", "--path-mtu=512"]
    own = ["--ack-timeout=17", "--retry-count=3", "--rnr-retry-count=5", "--reads=3",
           "--op=write,read", "--iterations=200", "--size=512", "--depth=16",
           "--verify"]
    over_wire(ndpmd, wire, both + own, both + ["--reads=2"])
    check(all(packet.ttl == 9 for packet in wire.packets), "TTL")
    for sender, opcode, dscp in (("server", bridge.ACK, 20), ("server", bridge.CNP, 30)):
        found = {packet.dscp for packet in wire.of(sender, opcode)}
        check(found == {dscp}, "DSCP of opcode %#x: %r" % (opcode, found))
    data = [packet for packet in wire.packets if packet.is_data]
    check({packet.dscp for packet in data} == {10}, "DSCP of data")
    check({packet.ecn for packet in data} == {bridge.ECT0}, "ECN of data")
    check({packet.source_port for packet in data} == {777}, "source port of data")
    # Each of two connections gets one CNP per second, although every packet was marked.
    count = len(wire.of("server", bridge.CNP))
    check(0 < count < len(data) / 20, "%d CNPs of the server" % count)
    request = wire.requests()[-1]  # the newest connection request belongs to the run with READs
    fields = {
        "retry count": request[47] & 7,
        "RNR retry count": request[50] & 7,
        "path MTU": request[50] >> 4,
        "initiator depth": request[39],
        "traffic class": request[92] >> 2,
        "hop limit": request[93],
        "ACK timeout": request[95] >> 3,
    }
    expected = [3, 5, 2, 3, 10, 9, 17]
    check(list(fields.values()) == expected, "REQ: %r, not %r" % (fields, expected))


def no_cnps(ndpmd):
    wire = bridge.Bridge(mark=True)
    own = ["--ecn", "--no-cnps"]
    over_wire(ndpmd, wire, own + ["--iterations=100"], own)
    found = [packet for packet in wire.packets if packet.opcode == bridge.CNP]
    check(not found, "%d CNPs" % len(found))


def rates(ndpmd):
    """After the first CNP the rate limit is the line rate, or the rate in the parameters. A slow
    machine is slower, but never faster: 2 Mbit are sent after the first CNP."""
    own = ["--ecn", "--congestion=dcqcn"]
    slow = ["rate_to_set_on_first_cnp_mbps:1", "rpg_min_rate_mbps:1", "rpg_ai_rate_mbps:1",
            "rpg_hai_rate_mbps:1", "rpg_time_reset_us:1000000"]
    for limit, least in (("--line-rate=1", 0.3), ("--dcqcn=" + ",".join(slow), 1.5)):
        wire = bridge.Bridge(mark=True)
        ended = over_wire(ndpmd, wire, own + [limit, "--iterations=300", "--size=%d" % DATA], own)
        check(seconds_of(ended) > least, "%s: %r s" % (limit, seconds_of(ended)))


def connecting(ndpmd):
    """If nobody replies, the connection request is retransmitted as often as configured."""
    wire = bridge.Bridge(lose=True)
    begin = time.monotonic()
    ended = bridge.ndpmd_on(
        ndpmd, "client", "--neighbour=%s,%s" % (bridge.SERVER, bridge.MACS["server"]),
        "--connect-retransmit=300", "--connect-retries=2").end()
    ended.expect(1)
    wire.close()
    check(len(wire.requests()) == 3, "%d requests" % len(wire.requests()))
    check(time.monotonic() - begin > 0.9, "it has not waited")


def wire(ndpmd):
    bridge.enter()
    headers(ndpmd)
    no_cnps(ndpmd)
    rates(ndpmd)
    connecting(ndpmd)


if __name__ == "__main__":
    sys.exit(run_group(__doc__, {"loopback": loopback, "wire": wire}))
