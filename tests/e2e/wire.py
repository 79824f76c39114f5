#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Have other programs check the packets that the stack sends.

usage: wire.py CAPTURE NDREPLAY SOURCE_ROOT

CAPTURE (test_capture.c) makes captures of all operations, in both families and with VLAN, and of
all messages of the connection manager. ndreplay must find no violation in them. tshark must find no
malformed frame, and may only give warnings that it also gives for recorded traffic of Linux. Every
header must match docs/wire.md, which compares the headers with those of Linux. Without tshark, only
ndreplay checks the captures, and the test ends as skipped (77).
"""

import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "interop"))
import compare

SKIPPED = 77
CM_MESSAGES = {"REQ", "REP", "RTU", "REJ", "MRA", "DREQ", "DREP"}
OPCODES = {
    "SEND First", "SEND Middle", "SEND Last", "SEND Only", "SEND Only with Invalidate",
    "WRITE First", "WRITE Middle", "WRITE Last", "WRITE Only",
    "READ Request", "READ Response First", "READ Response Middle", "READ Response Last",
    "READ Response Only", "Acknowledge", "SEND Last with Immediate", "SEND Only with Immediate",
    "WRITE Last with Immediate", "WRITE Only with Immediate", "CmpSwap", "FetchAdd",
    "ATOMIC Acknowledge",
}  # fmt: skip


def captures_make(program, folder):
    environment = dict(os.environ, NDPDK_CAPTURES=folder)
    done = subprocess.run([program, "-j1"], env=environment, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit("no captures:\n" + done.stderr)
    return sorted(os.path.join(folder, name) for name in os.listdir(folder))


def replay_check(ndreplay, captures):
    command = [ndreplay, "check", "--complete", *captures]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line for line in done.stdout.splitlines() if not line.startswith(" ")]
    clean = [line for line in lines if line.endswith(" 0 wrong") or ", 0 violations" in line]
    if done.returncode != 0 or len(clean) != len(captures):
        return ["ndreplay: " + done.stdout]
    return []


def complaints(packets):
    """@return warnings of tshark: {warning: first frame}"""
    found = {}
    for path, decoded in packets.items():
        for packet in decoded:
            where = "%s frame %d, %s" % (os.path.basename(path), packet.number, packet.kind)
            for expert in packet.experts:
                found.setdefault(expert, where)
            if any("malformed" in layer for layer in packet.layers):
                found.setdefault("malformed: " + packet.kind, where)
    return found


def tshark_check(captures, fixtures):
    """@return one sentence per error"""
    ours = compare.decode(captures)
    theirs = complaints(compare.decode(fixtures))
    wrong = [
        "tshark: %s: %s" % (where, complaint)
        for complaint, where in complaints(ours).items()
        if complaint not in theirs
    ]
    packets = [packet for decoded in ours.values() for packet in decoded]
    missing = (CM_MESSAGES | OPCODES) - {packet.kind for packet in packets}
    if missing:
        wrong.append("not in any capture: " + ", ".join(sorted(missing)))
    for layer in ("ip", "ipv6", "vlan"):
        if not any(layer in p.layers and "infiniband" in p.layers for p in packets):
            wrong.append("no RoCE packet has a header " + layer)
    return wrong


def main():
    if len(sys.argv) != 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    program, ndreplay, root = sys.argv[1:]
    fixtures = os.path.join(root, "pcap_fixtures")
    with tempfile.TemporaryDirectory() as folder:
        captures = captures_make(program, folder)
        wrong = replay_check(ndreplay, captures)
        if shutil.which("tshark") is None:
            print("\n".join(wrong) or "ndreplay has no objection; skipped: there is no tshark")
            return 1 if wrong else SKIPPED
        recorded = [os.path.join(fixtures, theirs + ".pcap") for _, _, theirs in compare.PAIRS]
        wrong += tshark_check(captures, recorded)
        text, missing, used = compare.tables(compare.captures_compare(folder, fixtures))
        wrong += compare.judge(text, missing, used, os.path.join(root, "docs", "wire.md"))
    print("\n".join(wrong) or "%d captures, nothing wrong" % len(captures))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
