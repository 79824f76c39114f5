#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Compiles Microsoft's samples and unit tests of Network Direct without changes, and runs them.

usage: networkdirect.py CHECKOUT SOURCE_ROOT LIBRARY_FOLDER [--only REGEX] [--limit SECONDS]

CHECKOUT is a clone of https://github.com/microsoft/NetworkDirect. Its sources are not part of this
project, so no test suite runs this script. Programs that need a peer run in two processes over
net_memif, the others on a loopback of net_ring. Prints a line per program: passed, FAILED, or its
progress within the limit [600 s], because benchmarks transfer gigabytes. ndconn, which prints
nothing for 65 s, and ndrpingpong get at least two minutes. Exits with 0, or with 1 if one failed.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

SERVER, CLIENT = "198.51.100.2", "198.51.100.1"
ALONE = (("ndadapterinfo",), ("ndcq",), ("ndmrlat",), ("ndmrrate",),
         ("ndmemorytest", "-s", "-t", "NdMRInvalidBuffer"),
         ("ndmemorytest", "-c", "-t", "NdMRInvalidBuffer"),
         ("ndmemorytest", "-c", "-t", "NdInvalidIP"))
MEMORY_TESTS = (
    "NdConnClose", "NdConnListenClosing", "NdConnReject", "NdDualConnection", "NdDualListen",
    "NdInvalidRead", "NdInvalidWrite", "NdLargePrivateData", "NdLargeQPDepth", "NdMRDeregister",
    "NdOverRead", "NdOverWrite", "NdQpMax", "NdReceiveFlushQP",
    "NdSendNoReceive", "NdReceiveConnClosed", "NdWriteViolation")
# These programs wait in a loop for a byte of their memory, through a pointer that is not volatile.
# Microsoft's compiler reads the byte each time. g++ from -O1 on reads it once, or removes the loop.
POLL_MEMORY = ("ndrping", "ndrpingpong")
# Minimum time limit in seconds of programs that print their first line late.
LEAST = {"ndconn": 120, "ndrpingpong": 120}
PAIRS = (("ndconn",), ("ndmval",), ("ndmw",), ("ndmpic",),
         *(("ndmemorytest", "-t", name) for name in MEMORY_TESTS),
         *((name, how) for name in ("ndping", "ndpingpong", "ndrping", "ndrpingpong")
           for how in ("-b", "-p")))


def build(checkout, root, libraries, folder):
    """@return {name: program}, list of programs that do not compile"""
    programs, wrong = {}, []
    shared = os.path.join(checkout, "src", "examples")
    for kind in ("examples", "unittests"):
        for name in sorted(os.listdir(os.path.join(checkout, "src", kind))):
            source = os.path.join(checkout, "src", kind, name)
            if name == "ndtestutil" or not os.path.isdir(source):
                continue
            program = os.path.join(folder, name)
            files = [os.path.join(source, file) for file in sorted(os.listdir(source))
                     if file.endswith(".cpp")]
            # Do not use the ndspi.h of the checkout, or the ndsupport.h in the folder of the
            # samples.
            include = os.path.join(root, "include")
            done = subprocess.run(
                ["g++", "-O0" if name in POLL_MEMORY else "-O2", "-w", "-DUNICODE", "-D_UNICODE",
                 "-I" + os.path.join(include, "facade/ndpdk/win"),
                 "-I" + os.path.join(include, "facade"), "-I" + include,
                 "-I" + os.path.join(folder, "shared"), "-I" + os.path.join(shared, "ndtestutil"),
                 "-o", program, *files, os.path.join(shared, "ndtestutil", "ndtestutil.cpp"),
                 "-L" + libraries, "-lndpdk-spi", "-lndpdk"],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode == 0:
                programs[name] = program
            else:
                wrong.append(name)
                print("%-32s FAILED to compile\n%s" % (name, done.stdout[:2000]))
    return programs, wrong


def share_headers(checkout, folder):
    """Create links to the samples' headers, except ndsupport.h, which this project replaces."""
    os.mkdir(os.path.join(folder, "shared"))
    examples = os.path.join(checkout, "src", "examples")
    for name in os.listdir(examples):
        if name.endswith(".h") and name != "ndsupport.h":
            os.symlink(os.path.abspath(os.path.join(examples, name)),
                       os.path.join(folder, "shared", name))


def environment(libraries, device, port, address, prefix):
    text = ("eal = --no-huge --no-shconf --no-pci --no-telemetry -m 1024 --file-prefix=%s "
            "--log-level=error --vdev=%s;[adapter]; port = %s; mbuf_count = 8192; address = %s/24"
            % (prefix, device, port, address))
    return dict(os.environ, LD_LIBRARY_PATH=libraries, NDPDK_SPI_CONFIG=text)


def side(libraries, role, socket, address):
    return environment(libraries, "net_memif0,role=%s,socket=%s,socket-abstract=no"
                       % (role, socket), "net_memif0", address, "nd-" + role)


def start(command, env):
    return subprocess.Popen(["stdbuf", "-o0", *command], env=env, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True)


def end(process, deadline):
    """@return (status, or None if it was still running, output)"""
    try:
        said = process.communicate(timeout=max(0.1, deadline - time.monotonic()))[0]
        return process.returncode, said
    except subprocess.TimeoutExpired:
        process.kill()
        return None, process.communicate()[0]


def verdict(name, ends):
    """Print a line. @return whether it failed"""
    rows = sum(bool(re.match(r"\s+\d+l?\s|\d+%", line)) for _, said in ends
               for line in said.splitlines())
    if all(status == 0 for status, _ in ends):
        print("%-32s passed%s" % (name, ", %d rows" % rows if rows else ""))
        return False
    if any(status is None for status, _ in ends) and rows != 0:
        print("%-32s came to row %d within the limit" % (name, rows))
        return False
    print("%-32s FAILED: %s" % (name, [status for status, _ in ends]))
    for _, said in ends:
        print("    " + "\n    ".join(said.splitlines()[-4:]))
    return True


def run_pair(name, command, arguments, libraries, limit, folder):
    socket = os.path.join(folder, "memif.sock")
    if os.path.exists(socket): # a killed process has left it
        os.unlink(socket)
    deadline = time.monotonic() + max(limit, LEAST.get(name, 0))
    last = (SERVER, CLIENT), (CLIENT, SERVER)
    addresses = last if name == "ndmpic" else ((SERVER,), (SERVER,))
    server = start([command, "-s", *arguments, *addresses[0]],
                   side(libraries, "server", socket, SERVER))
    time.sleep(3)
    client = start([command, "-c", *arguments, *addresses[1]],
                   side(libraries, "client", socket, CLIENT))
    client_end = end(client, deadline)
    # The client has failed if the server continues without its client.
    server_end = end(server, min(deadline + 1, time.monotonic() + 30))
    return verdict(" ".join((name, *arguments)), (server_end, client_end))


def main():
    """Build and run all programs."""
    sys.stdout.reconfigure(line_buffering=True)
    parser = argparse.ArgumentParser()
    parser.add_argument("checkout")
    parser.add_argument("root")
    parser.add_argument("libraries")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=600)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        share_headers(options.checkout, folder)
        programs, wrong = build(options.checkout, options.root, options.libraries, folder)
        failed += len(wrong)
        for name, *arguments in ALONE:
            title = " ".join((name, *arguments))
            if name in programs and re.search(options.only, title):
                env = environment(options.libraries, "net_ring0", "net_ring0", CLIENT, "nd-alone")
                process = start([programs[name], *arguments, CLIENT], env)
                failed += verdict(title, (end(process, time.monotonic() + options.limit),))
        for name, *arguments in PAIRS:
            if name in programs and re.search(options.only, " ".join((name, *arguments))):
                failed += run_pair(name, programs[name], arguments, options.libraries,
                                   options.limit, folder)
    return 1 if failed else 0


sys.exit(main())
