#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Compiles the example of Network Direct v2 without warnings, and runs it in two processes.

usage: sample.py SOURCE_ROOT LIBRARY_FOLDER

Each installed C++ compiler builds the server and the client, which run a few rounds over net_memif,
and a program that transfers many messages. If a client ends without Disconnect, does not wait for
the end of Disconnect, or is killed, its peer must see an orderly end. The end of a child process of
the client must not end the connection. A missing or invalid configuration must cause an error with
the remedy.
Exits with 0, with 1 after printing what was wrong, or with 77 (skipped) without g++.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT_S = 120
SERVER, CLIENT = "198.51.100.2", "198.51.100.1"
FLAGS = ["-std=c++11", "-O1", "-Wall", "-Wextra", "-Werror"]
failures = []


def check(condition, text):
    if not condition:
        print(text)
        failures.append(text)


def configuration(role, socket, address):
    return ("eal = --no-huge --no-shconf --no-pci --no-telemetry -m 256 --file-prefix=spi-%s "
            "--vdev=net_memif0,role=%s,socket=%s,socket-abstract=no;"
            "[adapter]; port = net_memif0; mbuf_count = 2048; address = %s/24"
            % (role, role, socket, address))


def build(root, libraries, folder, compiler, source):
    program = os.path.join(folder, "%s-%s" % (os.path.basename(source)[:-4], compiler))
    include = os.path.join(root, "include")
    result = subprocess.run(
        [compiler, *FLAGS, "-I" + os.path.join(include, "facade/ndpdk/win"),
         "-I" + os.path.join(include, "facade"), "-I" + include, "-o", program,
         os.path.join(root, source), "-L" + libraries, "-lndpdk-spi", "-lndpdk"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    check(result.returncode == 0, "%s: %s" % (compiler, result.stdout))
    return program


def play(client, environment, killed):
    """Run a client. killed: kill the client after its output "gone", so that its peer detects the
    end by the default of keepalive_ms. @return status, output"""
    active = subprocess.Popen(client, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=environment)
    try:
        said = ""
        while killed and not said.endswith("gone\n"):
            line = active.stdout.readline()
            if not line:
                break
            said += line
        if killed:
            active.kill()
        said += active.communicate(timeout=TIMEOUT_S)[0]
    finally:
        if active.poll() is None:
            active.kill()
            active.wait()
    return active.returncode, said


def run(libraries, socket, server, client, expected, killed=False):
    """Run server and client. expected: text that each must print. The client may be killed; the
    server ends by itself."""
    def environment(role, address):
        return dict(os.environ, LD_LIBRARY_PATH=libraries,
                    NDPDK_SPI_CONFIG=configuration(role, socket, address))

    with tempfile.TemporaryFile(mode="w+") as output:
        passive = subprocess.Popen(server, stdout=subprocess.PIPE, stderr=output, text=True,
                                   env=environment("server", SERVER))
        try:
            first = passive.stdout.readline()
            check(first == "listening\n", "the server says %r" % first)
            status, text = play(client, environment("client", CLIENT), killed)
            check(status == (-signal.SIGKILL if killed else 0) and expected[1] in text,
                  "%s: %d: %s" % (client, status, text))
            said = passive.communicate(timeout=TIMEOUT_S)[0]
            output.seek(0)
            check(passive.returncode == 0 and expected[0] in said,
                  "%s: %d: %s%s" % (server, passive.returncode, said, output.read()))
        except subprocess.TimeoutExpired as error:
            check(False, "it does not end: %s" % error)
        finally:
            if passive.poll() is None:
                passive.kill()
                passive.wait()


def check_configurations(libraries, program, folder):
    absent = os.path.join(folder, "absent.conf")
    for value, wanted in (
            (absent, [absent, "[adapter]", "address = 198.51.100.1/24"]),
            ("[adapter]; port = net_null0", ["adapter 1 has no address", "Example configuration"]),
            ("[adapter]; port = x; mtu = 4", ["line 3", "path_mtu", '"mtu"']),
            ("[adapter]; port = x; address = 198.51.100.300", ["line 3", "198.51.100.1/24"]),
            ("[adapter]; port = x; address = 198.51.100.1; vlan_id = 70000", ["line 4"]),
            ("eal = --no-such-argument; [adapter]; port = x; address = 198.51.100.1",
             ["EAL does not start"])):
        result = subprocess.run(
            [program, "-s", "198.51.100.1"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, timeout=TIMEOUT_S,
            env=dict(os.environ, LD_LIBRARY_PATH=libraries, NDPDK_SPI_CONFIG=value))
        check(result.returncode == 1, "%s: exit status %d" % (value, result.returncode))
        for text in wanted:
            check(text in result.stdout, "%s: %r is not in %s" % (value, text, result.stdout))


def main():
    if len(sys.argv) != 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    root, libraries = sys.argv[1:]
    compilers = [name for name in ("g++", "clang++-14") if shutil.which(name)]
    if "g++" not in compilers:
        print("there is no g++")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        programs = [build(root, libraries, folder, name, "examples/facade/ndv2/ndv2.cpp")
                    for name in compilers]
        millions = [build(root, libraries, folder, name, "tests/facade/spi/million.cpp")
                    for name in compilers]
        leaver = build(root, libraries, folder, "g++", "tests/facade/spi/leave.cpp")
        if not failures:
            server = [programs[-1], "-s", SERVER, "5000"]
            run(libraries, os.path.join(folder, "first"), server,
                [programs[0], "-c", CLIENT, SERVER, "5000", "2", "200"],
                ("2 rounds", "400 messages sent and returned"))
            run(libraries, os.path.join(folder, "many"), [millions[-1], "-s", SERVER],
                [millions[0], "-c", CLIENT, SERVER, "4000"],
                ("2000 messages received, 1000 found in windows, 4 windows",
                 "4000 messages: 1000 writes, 1000 reads, 2000 sends, 4 windows"))
            for how in ("exit", "disconnect", "fork", "stay"):
                run(libraries, os.path.join(folder, how), server,
                    [leaver, CLIENT, SERVER, "5000", how], ("0 rounds", "gone"), how == "stay")
            check_configurations(libraries, programs[0], folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
