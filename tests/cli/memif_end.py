#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""A process must not crash at its end if the peer of its net_memif port connects or closes its port
at the same time.

usage: memif_end.py NDPMD SLOW_EXIT SLOW_UNMAP

First, a peer connects to the port while the server's process exits. SLOW_EXIT keeps the process
alive for a second after main() has returned, and the driver listens until the process exits. The
peer connects through a second name of the socket, because the driver removes the first name.

Then the server closes its port, and SLOW_UNMAP delays the client's interrupt thread while the
driver unmaps the rings. The client must not close its port before the driver has finished. One
client sees that the link is down, the other stops waiting before that.

Exits with 0, with 1 after printing what was wrong, or with 77 (skipped) without net_memif.
"""

import os
import socket
import sys
import tempfile
import time

from program import SKIPPED, TIMEOUT_S, MemifServer, check, failures, has_memif

SERVER = ["--server", "--perftest", "--address=fd09::1/64", "--clients=1", "--op=read"]
CLIENT = ["--client=fd09::1", "--perftest", "--address=fd09::2/64", "--op=read"]


def connect(path, process):
    """Connect again and again until the process has exited. @return number of successful
    connects"""
    count = 0
    end = time.monotonic() + TIMEOUT_S
    while process.popen.poll() is None and time.monotonic() < end:
        peer = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        peer.settimeout(0.01)
        try:
            peer.connect(path)
            count += 1
        except OSError:
            pass
        peer.close()
        time.sleep(0.001)
    return count


def connected_while_it_exits(ndpmd, slow_exit, folder):
    os.environ["LD_PRELOAD"] = os.path.abspath(slow_exit)
    target = MemifServer(ndpmd, folder, SERVER)
    del os.environ["LD_PRELOAD"]
    other = os.path.join(folder, "other")
    os.link(target.socket, other)
    client = target.client(*CLIENT, "--iterations=10")
    while os.path.exists(target.socket) and target.process.popen.poll() is None:
        time.sleep(0.001)
    count = connect(other, target.process)
    check(count > 0, "nobody listened after the port was closed")
    target.process.end().expect(0)
    client.end().expect(0)


def closed_while_the_driver_unmaps(ndpmd, slow_unmap, folder):
    target = MemifServer(ndpmd, folder, SERVER)
    os.environ["LD_PRELOAD"] = os.path.abspath(slow_unmap)
    client = target.client(*CLIENT, "--iterations=10")
    del os.environ["LD_PRELOAD"]
    target.process.end().expect(0)
    ended = client.end()
    ended.expect(0)
    check("delayed" in ended.errors, "the driver has not unmapped the rings: %r" % ended.errors)


def main():
    ndpmd, slow_exit, slow_unmap = sys.argv[1:]
    if not has_memif(ndpmd, ["--server", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        connected_while_it_exits(ndpmd, slow_exit, folder)
    with tempfile.TemporaryDirectory() as folder:
        closed_while_the_driver_unmaps(ndpmd, slow_unmap, folder)
    os.environ["NDPDK_TEST_LINK"] = "up"
    with tempfile.TemporaryDirectory() as folder:
        closed_while_the_driver_unmaps(ndpmd, slow_unmap, folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
