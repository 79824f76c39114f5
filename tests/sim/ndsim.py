#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Tests of the command line of ndsim, and that its checks detect deliberate faults.

usage: ndsim.py NDSIM
"""

import os
import re
import subprocess
import sys
import tempfile

last = []  # result of the newest run of ndsim
NANOSECOND_PCAP = bytes.fromhex("4d3cb2a1")


def run(ndsim, *arguments):
    """@return exit status, standard output, standard error; a failed test prints them"""
    done = subprocess.run([ndsim, *arguments], capture_output=True, text=True, check=False)
    last[:] = [done]
    return done.returncode, done.stdout, done.stderr


def expect(condition, what):
    """End the test with a message unless condition is true."""
    if not condition:
        sys.exit(f"FAILED: {what}\n{last}")


def usage_test(ndsim):
    """Check the help, the list of scenarios, and invalid command lines."""
    status, out, _ = run(ndsim, "--help")
    expect(status == 0 and "--scenario" in out, "--help")
    status, out, _ = run(ndsim, "--version")
    expect(status == 0 and re.match(r"ndsim \d+\.\d+", out), "--version")
    status, out, _ = run(ndsim, "--scenario", "list")
    names = [line.split()[0] for line in out.splitlines()]
    expect(status == 0 and {"pair", "mixed", "powercut"} <= set(names), "--scenario list")
    for wrong in (["--nonsense"], ["--scenario", "nonsense"], ["--runs", "0"], ["--seed", "1x"],
                  ["--time", "1d"], ["--jobs", "0"], ["--engines", "17"], ["more"], ["--at", "A"],
                  ["--at", "G", "--pcap", "x.pcap"], ["--at", "AB", "--pcap", "x.pcap"]):
        status, out, err = run(ndsim, *wrong)
        expect(status == 2 and out == "" and "try ndsim --help" in err, f"{wrong}: {status} {err}")
    status, out, err = run(ndsim, "--pcap", "/nonexistent/file", "--seed", "1")
    expect(status == 2 and out == "" and "/nonexistent/file cannot be written" in err, err)


def own_frames_only(content, mac):
    """Return whether each frame of a capture is from or to this address, or to a group address."""
    at = 24
    while at < len(content):
        frame = content[at + 16:at + 16 + int.from_bytes(content[at + 8:at + 12], "little")]
        if mac not in (frame[:6], frame[6:12]) and frame[0] & 1 == 0:
            return False
        at += 16 + len(frame)
    return True


def passing_test(ndsim):
    """Test passing runs: one run, several runs, several processes, and a capture."""
    status, out, _ = run(ndsim, "--scenario", "pair", "--seed", "3")
    expect(status == 0 and "seed 3 of pair" in out and "1 runs passed, 0 failed" in out, out)
    expect(re.search(r"\d seeds/s", out), "no rate")
    status, out, _ = run(ndsim, "--runs", "6", "--jobs", "2")
    expect(status == 0 and "6 runs passed, 0 failed" in out, out)
    status, out, _ = run(ndsim, "--scenario", "switch", "--seed", "4", "--runs", "3", "--hashes")
    expect(status == 0, out)
    lines = [line for line in out.splitlines() if re.fullmatch(r"switch \d [0-9a-f]{16} \d+", line)]
    expect([line.split()[1] for line in lines] == ["4", "5", "6"], out)
    for line in lines:
        _, seed, value, events = line.split()
        _, out, _ = run(ndsim, "--scenario", "switch", "--seed", seed)
        expect(f"{events} events, hash {value}" in out, f"another hash in a run of its own: {out}")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "frames.pcap")
        status, out, _ = run(ndsim, "--scenario", "switch", "--seed", "1", "--pcap", file)
        expect(status == 0, out)
        with open(file, "rb") as capture:
            expect(capture.read(4) == NANOSECOND_PCAP, "not a capture")
        all_bytes = os.path.getsize(file)
        status, out, _ = run(ndsim, "--scenario", "switch", "--seed", "1", "--pcap", file, "--at",
                             "B")
        expect(status == 0, out)
        with open(file, "rb") as capture:
            content = capture.read()
        expect(0 < len(content) < all_bytes, "the port of one adapter has seen all frames")
        expect(own_frames_only(content, b"\x02\x00\x5e\x00\x00\x0b"), "frames of other adapters")


def sabotage_test(ndsim):
    """Each fault is reported with property, seed, time and command. Then the next seed runs."""
    found = {
        "byte": r"byte|wrong|read|write",
        "leak": r"packet buffers are lost",
        "forget": r"a connector is left",
        "result": r"twice or out of order|no result|without|count|no application|too many",
        "hang": r"no application makes progress|deadlock|the connection broke|ended with",
        "crash": r"crashed",
        "exit": r"crashed \(status 0x100\)",
    }
    for kind, words in found.items():
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "frames.pcap")
            status, out, err = run(ndsim, "--scenario", "pair", "--seed", "1", "--runs", "2",
                                   "--sabotage", kind, "--pcap", file)
            expect(status == 1, f"{kind}: exit status {status}")
            expect("0 runs passed, 2 failed" in out, f"{kind}: {out}{err}")
            expect(re.search(rf"seed 1: .*({words})", err), f"{kind}: {err}")
            expect(re.search(r"at [0-9.]+ us", err) or "crashed" in words, f"{kind}: no time")
            expect("ndsim --scenario pair --engines 1 --seed 1 --trace" in err, f"{kind}: replay")
            expect(os.path.getsize(file) > 1000, f"{kind}: no capture")


def main():
    """Run all checks."""
    usage_test(sys.argv[1])
    passing_test(sys.argv[1])
    sabotage_test(sys.argv[1])


main()
