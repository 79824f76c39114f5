#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""The simulator's adapters are played again from what their ports sent and received.

usage: replay_sim.py NDSIM NDREPLAY [--seeds FIRST-LAST] [--scenario NAME]

Each capture is that of the port of one adapter, and both commands play what this adapter was. There
is no difference that nothing explains, nothing is left out, and the explanations are those that a
network with faults, and settings that packets do not show, can have. Exits with 0, or with 1 after
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

SCENARIOS = ("pair", "errors", "switch", "spray", "bursts", "incast", "pauses", "churn", "powercut",
             "partition", "mixed", "gobackn", "shared")
ADDRESSES = {"A": ("192.0.2.1", "2001:db8::a"), "B": ("192.0.2.2", "2001:db8::b")}
# Each had a difference once: a packet that its receiver dropped after it was captured, a READ that
# was executed again behind a WRITE.
FURTHER = (("bursts", 2, "B"), ("bursts", 13, "B"), ("pauses", 7, "A"), ("pauses", 7, "B"))
SEND_ONLY = 0x04
# Each seed brings some thousand frames.
COMPARED_PER_CAPTURE = 200
# Nobody was there any more, or the network was cut.
ONE_SIDED = {"no frame of the played side was captured", "no frame of the other side was captured"}
CAUSES = {"ack-coalescing", "ack-request", "after-end", "cm-repeat", "cm-setting", "congestion",
          "corrupted", "earlier-attempt", "header", "lost", "memory", "msn", "nak-delay",
          "read-split", "repeat"}


def capture(ndsim, scenario, seed, adapter, folder):
    """Run a seed. @return file of what the adapter's port has seen"""
    path = os.path.join(folder, f"{scenario}-{seed}-{adapter}.pcap")
    subprocess.run([ndsim, "--scenario", scenario, "--seed", str(seed), "--pcap", path, "--at",
                    adapter], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                   timeout=120)
    return path


def play(ndreplay, command, paths):
    """@return the answer about each file"""
    done = subprocess.run([ndreplay, command, "--json", *paths], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=500, check=False)
    if done.returncode not in (0, 1, 4):
        sys.exit(f"ndreplay {command}: status {done.returncode}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def judge(command, entry, adapter):
    """@return (frames compared, explanations), list of what is wrong"""
    name = f"{command} {os.path.basename(entry['file'])}"
    own = {each["connection"]: each for each in entry["connections"]
           if each["address"] in ADDRESSES[adapter]}
    wrong = [f"{name}: {row}" for row in entry["differences"] if row["connection"] in own]
    explained = collections.Counter()
    for each in own.values():
        explained.update(each["explained"])
        if set(each["not_judged"]) - ONE_SIDED:
            wrong.append(f"{name}: connection {each['connection']}: {each['not_judged']}")
    if not set(explained) <= CAUSES:
        wrong.append(f"{name}: {explained}")
    return sum(each["compared"] for each in own.values()), explained, wrong


def change(path, adapter):
    """Change the TTL of a request of the adapter, which no checksum but that of the IPv4 header
    covers."""
    with open(path, "rb") as file:
        content = bytearray(file.read())
    own = [ipaddress.ip_address(address).packed for address in ADDRESSES[adapter]]
    at = 24
    while at + 16 < len(content):
        frame = at + 16
        while content[frame + 12:frame + 14] == b"\x81\x00":
            frame += 4
        v4 = content[frame + 12:frame + 14] == b"\x08\x00"
        source = content[frame + 26:frame + 30] if v4 else content[frame + 22:frame + 38]
        bth = frame + (42 if v4 else 62)
        if bytes(source) in own and content[bth] == SEND_ONLY:
            content[frame + (22 if v4 else 21)] ^= 1
            break
        at += 16 + int.from_bytes(content[at + 8:at + 12], "little")
    with open(path, "wb") as file:
        file.write(content)


def main():
    """Capture, play, judge."""
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
                      if at == adapter and scenario in scenarios and not first <= seed <= last]
            captures += len(paths)
            for command in ("respond", "request"):
                for entry in play(options.ndreplay, command, paths):
                    count, reasons, errors = judge(command, entry, adapter)
                    compared += count
                    explained += reasons
                    wrong += errors
            change(paths[0], adapter)
            changed = [play(options.ndreplay, command, paths[:1])[0]["differences"]
                       for command in ("respond", "request")]
            if not any(row["field"] == "TTL" for rows in changed for row in rows):
                wrong.append(f"{paths[0]}: a TTL that was changed is not found")
    if compared < captures * COMPARED_PER_CAPTURE:
        wrong.append(f"{compared} frames compared, of {captures} captures")
    print("\n".join(wrong) or f"{captures} captures, {compared} frames compared, no difference; "
          f"explained: {dict(explained)}")
    return 1 if wrong else 0


sys.exit(main())
