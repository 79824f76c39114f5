#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Build the examples with the installed libraries, and run them as two processes over net_memif.

usage: examples.py MESON BUILD FOREIGN.c DESCHEDULED.c
       examples.py --installed FOLDER FOREIGN.c DESCHEDULED.c

BUILD is installed into a temporary folder. With --installed, the examples are in FOLDER, the
documents are next to FOLDER, and the libraries are those of the system. Each available compiler
must build all examples without a warning. The two source files are in the folder of this file. They
are preloaded into a server and into a client. Exits with 0, with 1 after printing what was wrong,
or with 77 (skipped) without g++.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
import embed  # noqa: E402
from program import EAL, SKIPPED, TIMEOUT_S, check, failures, lcores_argument  # noqa: E402

PROGRAMS = ("client", "server", "window", "own_port", "hello",
            "facade/ndk/ndk_client", "facade/ndk/ndk_server")
COMPILERS = (("gcc", "g++"), ("clang-14", "clang++-14"))
OWN, PEER = "198.51.100.1", "198.51.100.2"
# Rows: program that listens, program that connects, and the last output of each.
PAIRS = (
    ("server", "client", "10 messages sent back", "10 messages sent and returned"),
    ("server", "own_port", "1 messages sent back",
     r'"hello from a port of my own"\n[1-9]\d* frames given to the engine, '),
    ("server", "hello", "3 messages sent back", "hello\nfrom\nC++"),
    ("window", "window", "1000 windows opened, written and closed", "1000 requests written"),
    ("facade/ndk/ndk_server", "facade/ndk/ndk_client",
     "line 2\n3 windows written and closed by the client", "3 lines written"),
)
# Programs of the service-provider interface, which read a configuration. Per row: program;
# arguments of the listening and the connecting side; the last output of each.
SPI_PAIRS = (
    ("facade/ndv1/ndv1", [OWN], [PEER, OWN, "7"], "7 lines", "7 lines written"),
    ("facade/ndv2/ndv2", ["-s", OWN], ["-c", PEER, OWN, "54321", "3", "50"], "3 rounds",
     "150 messages sent and returned"),
)
FOLDERS = ("", "ndtick", "facade/ndk", "facade/ndv1", "facade/ndv2")


def build(folder, examples, compilers, environment):
    """@return folder of the programs, or None"""
    target = os.path.join(folder, "built-with-" + compilers[0])
    shutil.copytree(examples, target)
    flags = "-O2 -Wall -Wextra -Werror"
    for source in FOLDERS:
        command = ["make", "-s", "-C", os.path.join(target, source)]
        command += ["CC=" + compilers[0], "CXX=" + compilers[1]]
        command += ["CFLAGS=" + flags, "CXXFLAGS=" + flags]
        result = embed.run(command, env=environment)
        check(result.returncode == 0, "%s: %s" % (compilers[0], result.stdout + result.stderr))
    for name in PROGRAMS + ("ndtick/ndtick",) + tuple(pair[0] for pair in SPI_PAIRS):
        there = os.access(os.path.join(target, name), os.X_OK)
        check(there, "%s has not made %s" % (compilers[0], name))
    return None if failures else target


def build_preloaded(folder, source, compilers, environment):
    """@return path of a library that LD_PRELOAD loads into a program"""
    flags = embed.run(["pkg-config", "--cflags", "libndpdk", "libdpdk"], env=environment).stdout
    library = os.path.join(folder, os.path.basename(source) + ".so")
    command = [compilers[0], "-shared", "-fPIC", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra"]
    command += ["-Werror", source, "-o", library, *flags.split(), "-ldl"]
    result = embed.run(command, env=environment)
    check(result.returncode == 0, "%s: %s" % (source, result.stderr))
    return library


class Program:
    """A running example. Both sides of a connection have separate processors if there are two. On
    one processor, each message and its reply would take two time slices."""

    def __init__(self, path, role, socket, addresses, environment, preloaded=None):
        device = "--vdev=net_memif0,role=%s,socket=%s,socket-abstract=no" % (role, socket)
        self.name = os.path.basename(path)
        place = lcores_argument(1, backwards=role == "client")
        command = [path, *EAL, place, "--file-prefix=example-" + role, device, "--", *addresses]
        if preloaded:
            environment = dict(environment, LD_PRELOAD=preloaded)
        self.output = tempfile.TemporaryFile(mode="w+")
        self.process = subprocess.Popen(
            command, stdout=self.output, stderr=subprocess.STDOUT, env=environment
        )

    def text(self):
        return os.pread(self.output.fileno(), 1 << 16, 0).decode()

    def wait_for(self, text):
        end = time.monotonic() + TIMEOUT_S
        while text not in self.text() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        check(text in self.text(), "%s does not say %r but %r" % (self.name, text, self.text()))

    def end(self, status, last):
        try:
            self.process.wait(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        said = self.text()
        code = self.process.returncode
        check(code == status, "%s: exit status %s instead of %d: %s" % (
            self.name, code, status, said))
        found = re.search(last, said)
        check(found is not None, "%s says %r instead of %r" % (self.name, said, last))
        self.output.close()
        return said


def check_headers(compilers, environment):
    """Compile a file with each public header alone, as C and as C++, with strict warnings."""
    result = embed.run(["pkg-config", "--cflags", "libndpdk"], env=environment)
    words = result.stdout.split()
    include = next(word[2:] for word in words + ["-I/usr/include"]
                   if os.path.isdir(os.path.join(word[2:], "ndpdk")))
    strict = "-Wall -Wextra -Wpedantic -Wconversion -Wcast-qual -Werror".split()
    # Another test compiles programs that include the headers of the folder win.
    names = sorted(name for name in os.listdir(os.path.join(include, "ndpdk"))
                   if name.endswith(".h"))
    check("nd.h" in names, "headers: %s" % names)
    for name in names:
        source = '#include <ndpdk/%s>\n#include <ndpdk/nd_status.h>\n' % name
        source += "nd_status status(void);\nnd_status status(void) { return ND_CANCELED; }\n"
        for compiler, language, own in (
            (compilers[0], "c", ["-std=c11", "-Wshadow"]),
            (compilers[1], "c++", ["-std=c++11", "-Wold-style-cast"]),
            (compilers[1], "c++", ["-std=c++20", "-Wold-style-cast"]),
        ):
            command = [compiler, "-fsyntax-only", "-I" + include, *strict, *own, "-x", language]
            result = embed.run([*command, "-"], input=source)
            check(result.returncode == 0, "%s: %s: %s" % (name, command, result.stderr))


def play(programs, pairs, folder, environment):
    for number, (listener, connector, listener_says, connector_says) in enumerate(pairs):
        socket = os.path.join(folder, "memif-%s-%d" % (os.path.basename(programs), number))
        first = Program(os.path.join(programs, listener), "server", socket, [OWN], environment)
        first.wait_for("listening\n")
        second = Program(
            os.path.join(programs, connector), "client", socket, [PEER, OWN], environment)
        second.end(0, connector_says)
        first.end(0, listener_says)


def spi_configuration(role, socket, address):
    return (" ".join(EAL) + " --file-prefix=spi-%s "
            "--vdev=net_memif0,role=%s,socket=%s,socket-abstract=no;"
            "[adapter]; port = net_memif0; mbuf_count = 2048; address = %s/24"
            % (role, role, socket, address))


def spi_start(program, role, socket, address, arguments, environment):
    configuration = "eal = " + spi_configuration(role, socket, address)
    return subprocess.Popen(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=dict(environment, NDPDK_SPI_CONFIG=configuration))


def spi_end(process, last):
    try:
        said = process.communicate(timeout=TIMEOUT_S)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        said = "it does not end: " + process.communicate()[0]
    check(process.returncode == 0 and last in said,
          "%s: exit status %s: %s" % (process.args, process.returncode, said))


def spi_play(programs, folder, environment):
    for number, (name, server, client, server_says, client_says) in enumerate(SPI_PAIRS):
        socket = os.path.join(folder, "spi-%s-%d" % (os.path.basename(programs), number))
        program = os.path.join(programs, name)
        first = spi_start(program, "server", socket, OWN, server, environment)
        line = first.stdout.readline()
        check(line.startswith("listening"), "%s says %r" % (name, line))
        second = spi_start(program, "client", socket, PEER, client, environment)
        spi_end(second, client_says)
        spi_end(first, server_says)


def disturb(programs, folder, environment, foreign, descheduled):
    """Test a client that is descheduled while it disconnects, and a received frame that is not
    RoCE."""
    for number, (listener, connector, listener_says, connector_says) in enumerate(PAIRS):
        socket = os.path.join(folder, "disturbed-%d" % number)
        first = Program(
            os.path.join(programs, listener), "server", socket, [OWN], environment, foreign)
        first.wait_for("listening\n")
        second = Program(os.path.join(programs, connector), "client", socket, [PEER, OWN],
                         environment, descheduled)
        said = second.end(0, connector_says)
        check("the rings are still mapped" in said, "%s says %r" % (connector, said))
        if connector == "own_port":
            check(" given to the engine, 1 kept by it\n" in said, "own_port says %r" % said)
        first.end(0, listener_says)


def fail_well(programs, folder, environment):
    """After an error, an example must print a message and exit with a status, without crash or
    hang."""

    def start(name, why, *addresses):
        socket = os.path.join(folder, os.path.basename(name) + why)
        return Program(os.path.join(programs, name), "server", socket, addresses, environment)

    clients = [name for name in PROGRAMS if "server" not in name]
    # Servers of memif without a peer, so nobody replies. They run at the same time, because each
    # waits.
    alone = [start(name, "-alone", PEER, OWN) for name in clients]
    for name in PROGRAMS:
        start(name, "-usage").end(2, "usage: " + os.path.basename(name))
    for name in clients:
        start(name, "-bad", "nonsense", OWN).end(1, "nonsense is not an IPv4 address")
    for program in alone:
        program.end(1, "(ND|STATUS)_HOST_UNREACHABLE")


def vanish(programs, folder, environment):
    """If a peer is killed, the example on the other side must exit with a status."""
    socket = os.path.join(folder, "vanish")
    owner = Program(os.path.join(programs, "window"), "server", socket, [OWN], environment)
    owner.wait_for("listening\n")
    stopped = owner.process
    writer = Program(os.path.join(programs, "window"), "client", socket, [PEER, OWN], environment)
    stopped.send_signal(signal.SIGSTOP)
    writer.end(1, "ND_")
    stopped.kill()
    stopped.wait()
    owner.output.close()


def check_examples(folder, examples, sources, environment):
    found = [pair for pair in COMPILERS
             if all(map(shutil.which, ("make", *pair)))]
    if not found:
        print("not both of make and g++ are there")
        sys.exit(SKIPPED)
    for compilers in found:
        check_headers(compilers, environment)
        programs = build(folder, examples, compilers, environment)
        if programs is None:
            return
        # Run all pairs with the first compiler, and only the pair with C++ with other compilers.
        pairs = PAIRS if compilers == found[0] else PAIRS[2:3]
        play(programs, pairs, folder, environment)
        spi_play(programs, folder, environment)
        if compilers == found[0]:
            libraries = [build_preloaded(folder, source, compilers, environment)
                         for source in sources]
            disturb(programs, folder, environment, *libraries)
        print("built and run with " + " and ".join(compilers))
    fail_well(programs, folder, environment)
    vanish(programs, folder, environment)


def main():
    if len(sys.argv) != 5:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    sources = [os.path.abspath(path) for path in sys.argv[3:]]
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1] == "--installed":
            embed.check_documents(os.path.dirname(sys.argv[2]))
            check_examples(folder, sys.argv[2], sources, dict(os.environ))
        else:
            installed = os.path.join(folder, "installed")
            pkgconfig = embed.install(sys.argv[1], sys.argv[2], installed)
            examples = os.path.join(installed, "usr/local/share/doc/ndpdk/examples")
            environment = dict(os.environ, PKG_CONFIG_PATH=pkgconfig,
                               LD_LIBRARY_PATH=os.path.dirname(pkgconfig))
            check_examples(folder, examples, sources, environment)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
