#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Measures the trading example and round trips of frames over the same port, in one run.

usage: tick.py BUILD_DIR [--accept README]

Runs over net_memif between two processes, and over net_ring between two lcores of one process.
First frames are measured (of the size of a tick, and back of the size of an order), then ndtick,
then the frames again. The time of a tick begins when the venue writes the tick and ends when its
engine has received the order: one round trip, which includes the trader's loop. Prints a table;
--accept writes it into a file, between the lines with MARK. Exits with 0, 1 after a run that
failed, or 77 (skipped) with one processor.
"""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
EAL = ["--no-huge", "--no-shconf", "--no-pci", "-m", "256", "--no-telemetry", "--log-level=error"]
VENUE, TRADER = "198.51.100.1", "198.51.100.2"
SIZES = "64:32"  # bytes of a tick, of an order
ROUND_TRIPS = 200000
SETTINGS = ["--ticks=200000", "--rate=20000", "--dead-ms=5000"]
MARK = "<!-- written by tests/bench/tick.py: %s -->\n"
TIMES = re.compile(r"^(tick \w+ to order \w+): \d+, p50 ([\d.]+) us, p99 ([\d.]+) us, "
                   r"p99.9 ([\d.]+) us, max ([\d.]+) us$", re.M)


def processes(path, server, client):
    """Run two processes, joined by net_memif. @return output of both"""
    with tempfile.TemporaryDirectory() as folder:
        commands = []
        for number, (role, own) in enumerate((("server", server), ("client", client))):
            device = "--vdev=net_memif0,role=%s,socket=%s/memif,socket-abstract=no" % (
                role, folder)
            commands.append([path, *EAL, "-l", str(number), "--file-prefix=tick-" + role, device,
                             "--", *own])
        first = subprocess.Popen(commands[0], stdout=subprocess.PIPE, text=True)
        time.sleep(2)  # its port must exist before the client starts
        second = subprocess.run(commands[1], stdout=subprocess.PIPE, text=True, check=True)
        return first.communicate()[0] + second.stdout


def lcores(path, own):
    """Run two lcores of one process, joined by rings."""
    command = [path, *EAL, "-l", "0,1", "--file-prefix=tick", "--", *own]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def measured(frames, ndtick):
    """@return in us: (median, p99) of frames, before and after; p50 to max of ndtick"""
    rows = []
    said = {}
    for run in (frames, ndtick, frames):
        text = run()
        if run is ndtick:
            said = {what: [float(word) for word in times]
                    for what, *times in TIMES.findall(text)}
            continue
        row = json.loads(text)
        rows.append((row["median"] / 1000, row["p99"] / 1000))
    return rows, said


def table(build):
    ping_pong = os.path.join(build, "tests/bench/port_ping_pong")
    ndtick = os.path.join(build, "tests/cli/ndtick")
    trips = [str(ROUND_TRIPS), SIZES]
    ways = (
        ("net_memif, two processes",
         lambda: processes(ping_pong, ["server"], ["client", *trips]),
         lambda: processes(ndtick, ["--venue=" + VENUE, *SETTINGS],
                           ["--trader=%s,%s" % (TRADER, VENUE), *SETTINGS])),
        ("net_ring, two lcores",
         lambda: lcores(ping_pong, ["rings", *trips]),
         lambda: lcores(ndtick, ["--loopback", *SETTINGS])),
    )
    lines = ["| us | p50 | p99 | p99.9 | max |", "| --- | ---: | ---: | ---: | ---: |"]
    for name, frames, example in ways:
        (before, after), said = measured(frames, example)
        lines.append("| **%s** | | | | |" % name)
        for when, row in (("before", before), ("after", after)):
            lines.append("| frames of %s bytes to and fro, %s | %.2f | %.2f | | |" % (
                SIZES.replace(":", " and "), when, *row))
        lines += ["| %s | %.2f | %.2f | %.2f | %.2f |" % (what, *times)
                  for what, times in said.items()]
    return "".join(line + "\n" for line in lines)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*: (.*)$", file.read(), re.M)
    return found.group(1) if found else platform.machine()


def main():
    if len(sys.argv) not in (2, 4) or sys.argv[2:3] not in ([], ["--accept"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if len(os.sched_getaffinity(0)) < 2:
        print("one processor only")
        return SKIPPED
    text = table(sys.argv[1])
    print(text, end="")
    if len(sys.argv) == 4:
        with open(sys.argv[3], encoding="utf-8") as file:
            head, rest = file.read().split(MARK % "begin")
        text += "\n`tests/bench/tick.py build`, ndtick with `%s`; " % " ".join(SETTINGS)
        text += "%s, %d processors, load %.1f.\n" % (
            processor(), os.cpu_count(), os.getloadavg()[0])
        with open(sys.argv[3], "w", encoding="utf-8") as file:
            file.write(head + MARK % "begin" + text + MARK % "end" + rest.split(MARK % "end")[1])
    return 0


sys.exit(main())
