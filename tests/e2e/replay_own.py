#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Replay the stack's own recorded traffic: ndreplay must find no difference.

usage: replay_own.py CAPTURE NDREPLAY

CAPTURE (test_capture.c) makes the captures: all operations, both families, VLAN, windows, losses.
Both sides of each capture are replayed. Exits with 0, or with 1 after printing the differences.
"""

import glob
import json
import os
import subprocess
import sys
import tempfile

CAPTURES_MIN = 20
COMPARED_MIN = 1000


def main():
    program, ndreplay = sys.argv[1:]
    wrong, compared = [], 0
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, NDPDK_CAPTURES=folder)
        subprocess.run([program, "-j1"], env=environment, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, timeout=200)
        files = sorted(glob.glob(os.path.join(folder, "*.pcap")))
        for command in ("respond", "request"):
            done = subprocess.run([ndreplay, command, "--json", *files], stdout=subprocess.PIPE,
                                  timeout=100)
            for entry in json.loads(done.stdout):
                compared += sum(each["compared"] for each in entry["connections"])
                wrong += [f"{command} {entry['file']}: {row}" for row in entry["differences"]]
            if done.returncode != 0:
                wrong.append(f"{command}: status {done.returncode}")
    if len(files) < CAPTURES_MIN or compared < COMPARED_MIN:
        wrong.append(f"{len(files)} captures, {compared} frames compared")
    print("\n".join(wrong) or f"{len(files)} captures, {compared} frames, no difference")
    return 1 if wrong else 0


sys.exit(main())
