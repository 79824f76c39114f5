#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Replays the adapters of the simulator from captures at their ports.

usage: replay_sim.py NDSIM NDREPLAY [--seeds FIRST-LAST] [--scenario NAME]

Each capture was made at the port of one adapter, and both commands replay this adapter. The replays
must have no unexplained difference and must omit nothing. Only explanations that a network with
faults, or settings that packets do not show, can cause are allowed. Exits with 0, or with 1 after
printing what is wrong.
"""

import argparse
import collections
import ipaddress
import json
import os
import subprocess
import sys
import tempfile
import zlib

SCENARIOS = ("pair", "errors", "switch", "spray", "bursts", "incast", "pauses", "churn", "powercut",
             "partition", "mixed", "gobackn", "shared", "keys")
ADDRESSES = {"A": ("192.0.2.1", "2001:db8::a"), "B": ("192.0.2.2", "2001:db8::b")}
# Each of these replays once had an unexplained difference.
FURTHER = (
    # The capture has a packet that its receiver dropped.
    ("bursts", 2, "B"), ("bursts", 13, "B"), ("pauses", 7, "A"), ("pauses", 7, "B"),
    # A packet was dropped during a go-back, or was kept and dropped later.
    ("bursts", 15, "B"), ("gobackn", 13, "B"), ("shared", 6, "A"), ("pauses", 11, "A"),
    # The sender delayed a NAK, or a requester keeps almost no packets.
    ("gobackn", 15, "A"), ("switch", 18, "A"),
    # Requests with keys arrived before the RTU, or without an RTU.
    ("mixed", 11, "A"),
    # Requests were refused again after a restart.
    ("powercut", 12, "B"), ("powercut", 20, "B"),
    # A host was paused while its peers ran, or answers were refused or late.
    ("pauses", 13, "B"), ("pauses", 26, "B"),
    # Parts of READs were requested again earlier than by the engine, or DREQs crossed.
    ("bursts", 18, "B"), ("gobackn", 21, "A"), ("churn", 32, "B"),
    # Keys ended within a message or between a READ and its duplicate, or receives were late.
    ("keys", 30, "B"), ("keys", 23, "B"), ("keys", 19, "B"), ("spray", 35, "A"),
    ("pair", 22, "A"), ("pair", 66, "A"),
    # A side with READs keeps only one packet, or a last retry was answered during a pause.
    ("keys", 59, "B"), ("mixed", 58, "A"), ("pauses", 66, "A"),
    # The network duplicated READs, or the engine counts messages earlier.
    ("switch", 54, "B"), ("spray", 64, "B"),
    # A READ was executed again after a WRITE, or was kept while its memory changed.
    ("spray", 58, "B"), ("keys", 76, "A"),
    # A side with too few buffers sent NAKs while its peer restarted, or an RNR NAK was late.
    ("incast", 64, "A"), ("spray", 54, "A"), ("gobackn", 84, "A"),
    # A NAK came after the READ response that made it obsolete, or packets met a paused host.
    ("spray", 95, "A"), ("pauses", 89, "B"),
    # A port delayed data until the peer had refused, or a connection was stale.
    ("mixed", 50, "A"), ("partition", 54, "A"),
    # A retransmission of a READ was refused, although the READ completed.
    ("keys", 7, "A"),
    # A request was sent before its host processed an RNR NAK; a REJ was lost after the capture.
    ("errors", 132, "B"), ("pauses", 123, "B"),
    # A packet was not kept, and was retransmitted before its NAK was due.
    ("spray", 132, "A"),
)
SEND_ONLY = 0x04
ACKNOWLEDGE = 0x11
NAK_SEQUENCE = 0x60
# Each seed has some thousand frames.
COMPARED_PER_CAPTURE = 200
# In these runs, the peer had left, or the network was cut.
ONE_SIDED = {"no frame of the replayed side was captured",
             "no frame of the other side was captured"}
# A REJ ended a stale connection, because its host had a newer connection.
STALE = {"a REJ with a reason that no application can give"}
UNJUDGED = {"partition-54-A.pcap": ONE_SIDED | STALE}
CAUSES = {"ack-coalescing", "ack-request", "after-end", "cm-repeat", "cm-setting", "congestion",
          "corrupted", "earlier-attempt", "header", "lost", "memory", "msn", "nak-delay",
          "read-split", "repeat"}


def capture(ndsim, scenario, seed, adapter, folder):
    """Run a seed. @return capture at the port of the adapter"""
    path = os.path.join(folder, f"{scenario}-{seed}-{adapter}.pcap")
    subprocess.run([ndsim, "--scenario", scenario, "--seed", str(seed), "--pcap", path, "--at",
                    adapter], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                   timeout=120)
    return path


def play(ndreplay, command, paths):
    """@return reply for each file"""
    done = subprocess.run([ndreplay, command, "--json", *paths], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=500, check=False)
    if done.returncode not in (0, 1, 4):
        sys.exit(f"ndreplay {command}: status {done.returncode}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def judge(command, entry, adapter):
    """@return (frames compared, explanations), list of failures"""
    file = os.path.basename(entry["file"])
    name = f"{command} {file}"
    own = {each["connection"]: each for each in entry["connections"]
           if each["address"] in ADDRESSES[adapter]}
    wrong = [f"{name}: {row}" for row in entry["differences"] if row["connection"] in own]
    explained = collections.Counter()
    for each in own.values():
        explained.update(each["explained"])
        if set(each["not_judged"]) - UNJUDGED.get(file, ONE_SIDED):
            wrong.append(f"{name}: connection {each['connection']}: {each['not_judged']}")
    if not set(explained) <= CAUSES:
        wrong.append(f"{name}: {explained}")
    return sum(each["compared"] for each in own.values()), explained, wrong


class Packet:
    """A RoCEv2 packet of a capture. data: the bytes of the packet in the contents of the file."""

    def __init__(self, data):
        self.data = data
        self.ip = 14
        while data[self.ip - 2:self.ip] == b"\x81\x00":
            self.ip += 4
        self.v4 = data[self.ip - 2:self.ip] == b"\x08\x00"
        self.bth = self.ip + (28 if self.v4 else 48)

    @property
    def source(self):
        return bytes(self.data[self.ip + 12:self.ip + 16] if self.v4
                     else self.data[self.ip + 8:self.ip + 24])

    @property
    def opcode(self):
        return self.data[self.bth]

    @property
    def is_gap_nak(self):
        return self.opcode == ACKNOWLEDGE and self.data[self.bth + 12] == NAK_SEQUENCE

    def change_ttl(self):
        """Change the TTL, which only the checksum of the IPv4 header covers."""
        self.data[self.ip + (8 if self.v4 else 7)] ^= 1

    def change_psn(self):
        """Increment the PSN."""
        psn = int.from_bytes(self.data[self.bth + 9:self.bth + 12], "big") + 1
        self.data[self.bth + 9:self.bth + 12] = (psn & 0xFFFFFF).to_bytes(3, "big")
        self.seal()

    def seal(self):
        """Correct the ICRC."""
        end = self.bth - 8 + int.from_bytes(self.data[self.bth - 4:self.bth - 2], "big")
        masked = bytearray(self.data[self.ip:end - 4])
        if self.v4:
            masked[1] = masked[8] = masked[10] = masked[11] = 0xFF
        else:
            masked[0] |= 0x0F
            masked[1:4] = b"\xff\xff\xff"
            masked[7] = 0xFF
        at = self.bth - self.ip
        masked[at - 2:at] = b"\xff\xff"
        masked[at + 4] = 0xFF
        self.data[end - 4:end] = zlib.crc32(b"\xff" * 8 + bytes(masked)).to_bytes(4, "little")


def change(path, adapter, choose, alter):
    """Change the first packet of the adapter that choose() selects. @return its number; 0: none"""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    own = [ipaddress.ip_address(address).packed for address in ADDRESSES[adapter]]
    at, number = 24, 0
    while at + 16 < len(content):
        number += 1
        end = at + 16 + int.from_bytes(content[at + 8:at + 12], "little")
        packet = Packet(content[at + 16:end])
        if packet.source in own and choose(packet):
            alter(packet)
            content[at + 16:end] = packet.data
            with open(path, "wb") as file:
                file.write(content)
            return number
        at = end
    return 0


# Name, selection of the packet, change. ndreplay must report the packet or the field, because the
# TTL of the first packet defines the expected TTL of its side.
CHANGES = (
    ("TTL", lambda packet: packet.opcode == SEND_ONLY, Packet.change_ttl),
    ("NAK", lambda packet: packet.is_gap_nak, Packet.change_psn),
)
# Captures whose first NAK, with another PSN, acknowledges a packet that is not in the capture. An
# engine that has lost other packets also sends such a NAK, but later.
EARLY_NAK = {"A": "switch-18-A.pcap", "B": "keys-30-B.pcap"}


def find_change(ndreplay, paths, adapter, what, choose, alter):
    """Change a packet of the first capture with such a packet. @return list of failures"""
    for path in paths:
        number = change(path, adapter, choose, alter)
        if number == 0:
            continue
        found = {row[key] for command in ("respond", "request")
                 for row in play(ndreplay, command, [path])[0]["differences"]
                 for key in ("frame", "field")}
        return [] if {number, what} & found else [f"{path}: a {what} that was changed is not found"]
    return [f"adapter {adapter}: no {what} could be changed"]


def main():
    """Capture, replay, check."""
    parser = argparse.ArgumentParser()
    parser.add_argument("ndsim")
    parser.add_argument("ndreplay")
    parser.add_argument("--seeds", default="3-5")
    parser.add_argument("--scenario", choices=SCENARIOS)
    options = parser.parse_args()
    first, last = (int(part) for part in options.seeds.split("-"))
    scenarios = (options.scenario,) if options.scenario else SCENARIOS
    wrong, compared, explained, captures = [], 0, collections.Counter(), 0
    with tempfile.TemporaryDirectory() as folder:
        for adapter in ADDRESSES:
            paths = [capture(options.ndsim, scenario, seed, adapter, folder)
                     for scenario in scenarios for seed in range(first, last + 1)]
            paths += [capture(options.ndsim, scenario, seed, adapter, folder)
                      for scenario, seed, at in FURTHER
                      if at == adapter and options.scenario in (None, scenario) and
                      (scenario not in scenarios or not first <= seed <= last)]
            captures += len(paths)
            for command in ("respond", "request"):
                for entry in play(options.ndreplay, command, paths):
                    count, reasons, errors = judge(command, entry, adapter)
                    compared += count
                    explained += reasons
                    wrong += errors
            for what, choose, alter in CHANGES:
                wrong += find_change(
                    options.ndreplay, paths, adapter, what, choose, alter)
            early = [path for path in paths if os.path.basename(path) == EARLY_NAK[adapter]]
            if early:
                wrong += find_change(options.ndreplay, early, adapter, *CHANGES[1])
    if compared < captures * COMPARED_PER_CAPTURE:
        wrong.append(f"{compared} frames compared, of {captures} captures")
    print("\n".join(wrong) or f"{captures} captures, {compared} frames compared, no difference; "
          f"explained: {dict(explained)}")
    return 1 if wrong else 0


sys.exit(main())
