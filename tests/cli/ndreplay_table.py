#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Run ndreplay respond and request on all captures of Soft-RoCE. Makes the table in docs/replay.md.

usage: ndreplay_table.py NDREPLAY SOURCE_ROOT [--accept]

All differences must have an explanation, and an explanation is allowed only where manifest.json has
its cause. Exits with 0, or with 1 after printing what is wrong. --accept writes the table.
"""

import json
import os
import re
import subprocess
import sys

ADDRESSES = {"A": ("10.77.0.1", "fd77::1"), "B": ("10.77.0.2", "fd77::2")}
USUAL = {"cm-setting", "header"}
BEGIN, END = "<!-- table: tests/cli/ndreplay_table.py --accept -->\n", "<!-- end of table -->"
# Reject reason 10 occurs only if the same host has another connection.
UNJUDGED = {("respond", "rej-stale.pcap")}


def has_faults(capture):
    return bool(capture["faults"])


def has_nak(*names):
    return lambda capture: any(name in capture["naks"] for name in names)


def is_named(*parts):
    return lambda capture: any(part in capture["file"] for part in parts)


def disconnects(capture):
    return bool(capture["naks"]) or is_named("stale", "killed", "disconnects")(capture)


# An explanation is allowed if its function returns true for the capture.
CAUSES = {
    "ack-coalescing": lambda capture: True,
    "ack-request": lambda capture: True,
    "memory": lambda capture: True,
    "credits": lambda capture: False,
    "repeat": has_faults,
    "lost": has_faults,
    "uncaptured": lambda capture: False,
    "corrupted": lambda capture: bool(capture["icrc_bad_frames"]),
    "cm-repeat": lambda capture: has_faults(capture) or is_named("cm-slow")(capture),
    "nak-code": has_nak("invalid request", "remote operation"),
    "nak-after-rnr": has_nak("RNR"),
    "rnr-timer": has_nak("RNR"),
    "msn": has_faults,
    "reserved": lambda capture: False,
    "read-split": has_faults,
    "congestion": is_named("ecn"),
    "earlier-attempt": lambda capture: False,
    "after-end": disconnects,
    "nak-delay": lambda capture: False,
    "peer-defect": is_named("sendinv-bad-rkey"),
}


def play(ndreplay, command, files):
    done = subprocess.run([ndreplay, command, "--json", "--explained", *files],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    if done.returncode not in (0, 1, 4):
        sys.exit(f"ndreplay {command}: status {done.returncode}: {done.stderr.decode()}")
    return json.loads(done.stdout)


def judge(command, capture, entry):
    """@return (frames compared, explained differences by reason), list of failures"""
    name = capture["file"]
    wrong = [f"{command} {name}: {row}" for row in entry["differences"]
             if row["reason"] == "unexplained"]
    explained = {}
    compared = unjudged = 0
    for connection in entry["connections"]:
        compared += connection["compared"]
        unjudged += len(connection["not_judged"])
        for reason, count in connection["explained"].items():
            explained[reason] = explained.get(reason, 0) + count
    for reason in explained:
        if reason not in USUAL and not CAUSES[reason](capture):
            wrong.append(f"{command} {name}: {reason}, but the manifest has no cause for it")
    # Packets that the replayed side sent may be lost after the capture.
    played = "B" if command == "respond" else "A"
    if "lost" in explained and "loss" not in capture["faults"].get(played, ""):
        wrong.append(f"{command} {name}: lost, but nothing loses packets of {played}")
    if (unjudged + entry["strays"] != 0) != ((command, name) in UNJUDGED):
        wrong.append(f"{command} {name}: not judged: {entry['connections']}")
    frames = {row["frame"] for row in entry["differences"] if row["reason"] == "corrupted"}
    if not frames <= set(capture["icrc_bad_frames"]):
        wrong.append(f"{command} {name}: corrupted {frames}")
    return compared, explained, wrong


# Pattern of netem's command line, and type of the fault. "loss" with "ecn" marks packets.
NETEM = ((r"\bloss\b(?!.*\becn\b)", "lost"), (r"\bduplicate\b", "repeated"),
         (r"\breorder\b", "reordered"), (r"\bcorrupt\b", "corrupted"))


def judge_faults(command, capture, faults):
    """@return list of failures: the faults found must be of the types that netem caused"""
    made = {kind for told in capture["faults"].values() for pattern, kind in NETEM
            if re.search(pattern, told)}
    found = {kind for kind, count in faults.items() if count != 0}
    wrong = []
    if found != made:
        wrong.append(f"{command} {capture['file']}: faults {faults}, made were {made}")
    if faults["corrupted"] != len(capture["icrc_bad_frames"]):
        wrong.append(f"{command} {capture['file']}: {faults['corrupted']} corrupted")
    return wrong


def sent(capture, host):
    """@return number of packets with a valid ICRC that this host sent, from the manifest"""
    return sum(sum(opcodes.values()) for direction, opcodes in capture["opcodes"].items()
               if direction.split(" ")[0] in ADDRESSES[host])


def cell(compared, explained):
    parts = [f"{count} {reason}" for reason, count in sorted(explained.items())
             if reason not in USUAL]
    return f"{compared} | {', '.join(parts) if parts else '-'}"


def table(ndreplay, fixtures):
    with open(os.path.join(fixtures, "manifest.json"), encoding="utf-8") as file:
        captures = json.load(file)["captures"]
    files = [os.path.join(fixtures, capture["file"]) for capture in captures]
    rows, wrong = {}, []
    for command, host in (("respond", "B"), ("request", "A")):
        for capture, entry in zip(captures, play(ndreplay, command, files)):
            compared, explained, errors = judge(command, capture, entry)
            wrong += errors + judge_faults(command, capture, entry["faults"])
            if sent(capture, host) != compared:
                wrong.append(f"{command} {capture['file']}: {compared} of "
                             f"{sent(capture, host)} frames")
            rows.setdefault(capture["file"], []).append(cell(compared, explained))
    lines = ["| capture | respond: frames | explained | request: frames | explained |\n",
             "| --- | --- | --- | --- | --- |\n"]
    for name, cells in rows.items():
        lines.append(f"| {name[:-5]} | {' | '.join(cells)} |\n")
    return "".join(lines), wrong


def main():
    ndreplay, root = sys.argv[1:3]
    path = os.path.join(root, "docs", "replay.md")
    with open(path, encoding="utf-8") as file:
        page = file.read()
    made, wrong = table(ndreplay, os.path.join(root, "pcap_fixtures"))
    match = re.search(re.escape(BEGIN) + "(.*?)" + re.escape(END), page, re.S)
    if "--accept" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(page[:match.start(1)] + made + page[match.end(1):])
    elif match.group(1) != made:
        wrong.append("docs/replay.md has another table: --accept writes this one:\n" + made)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
