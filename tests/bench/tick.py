#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""The trading example beside frames to and fro over the same port, in one run. By hand.

usage: tick.py BUILD_DIR

Two processes joined by net_memif, each on a processor of its own: frames of the size of a tick and
back of an order, then ndtick, then the frames again. A tick's time begins when the venue writes it
and ends when its engine has received the order: one round trip, with the trader's loop in it.
"""

import os
import subprocess
import sys
import tempfile
import time

EAL = ["--no-huge", "--no-shconf", "--no-pci", "-m", "256", "--no-telemetry", "--log-level=error"]
VENUE, TRADER = "198.51.100.1", "198.51.100.2"
TICK_BYTES, ORDER_BYTES = 64, 32
ROUND_TRIPS = 200000
SETTINGS = ["--ticks=200000", "--rate=20000", "--dead-ms=5000"]


def played(path, server, client):
    """@return what the second process printed, and the first one"""
    with tempfile.TemporaryDirectory() as folder:
        commands = []
        for number, (role, own) in enumerate((("server", server), ("client", client))):
            device = "--vdev=net_memif0,role=%s,socket=%s/memif,socket-abstract=no" % (
                role, folder)
            commands.append([path, *EAL, "-l", str(number), "--file-prefix=tick-" + role, device,
                             "--", *own])
        first = subprocess.Popen(commands[0], stdout=subprocess.PIPE, text=True)
        time.sleep(2)  # its port has to be there before
        second = subprocess.run(commands[1], stdout=subprocess.PIPE, text=True, check=True)
        return second.stdout, first.communicate()[0]


def frames(build):
    sizes = "%d:%d" % (TICK_BYTES, ORDER_BYTES)
    print("frames of the port, %s bytes there and back:" % sizes)
    print(played(os.path.join(build, "tests/bench/port_ping_pong"), ["server"],
                 ["client", str(ROUND_TRIPS), sizes])[0], end="")


def main():
    build = sys.argv[1]
    frames(build)
    print("ndtick " + " ".join(SETTINGS) + ":")
    for said in played(os.path.join(build, "tests/cli/ndtick"), ["--venue=" + VENUE, *SETTINGS],
                       ["--trader=%s,%s" % (TRADER, VENUE), *SETTINGS]):
        print("".join(line + "\n" for line in said.splitlines() if " to order " in line), end="")
    frames(build)


main()
