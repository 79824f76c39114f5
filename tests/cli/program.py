# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Run applications in tests, alone or as two processes that are joined by memif."""

import atexit
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
TIMEOUT_S = 120  # time limit of a run; sanitizer builds on a busy machine are slow
# EAL options that ndpmd uses by default, for runs that need a device.
QUIET = "--log-level=error"
EAL = ["--no-huge", "--no-shconf", "--no-pci", "-m", "256", "--no-telemetry", QUIET]
# EAL options for a port. They enable the log message about the start of the port.
PORT_LOG = "--log-level=lib.ndpdk.port:info"
TELLING = ["--log-level=info", "--log-level=*:error", PORT_LOG]
PORT_LINE = re.compile(r"^port \d+ .*\n", re.M)

failures = []
# Processes that helpers have started. They are killed at the end of the test.
started = []


@atexit.register
def end_started():
    for popen in started:
        if popen.poll() is None:
            print("still running at the end: %s" % " ".join(map(str, popen.args)), file=sys.stderr)
            popen.kill()
            popen.wait()


def terminate(number, _frame):
    """Kill the processes before the exit, because code in "finally" may wait for them. No wait
    here, because the interrupted code may hold the lock of a process."""
    for popen in started:
        popen.kill()
    sys.exit(128 + number)


# Catch SIGTERM, because its default action would skip the functions of atexit.
signal.signal(signal.SIGTERM, terminate)


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED: " + text)


class Ended:
    """A process that has ended."""

    def __init__(self, program, arguments, status, output, errors):
        self.program = os.path.basename(program)
        self.name = self.program + " " + " ".join(arguments)
        self.status = status
        self.output = output
        self.errors = errors
        self.lines = output.splitlines()

    def expect(self, status):
        text = "%s: exit status %d instead of %d\n...%s\n%s"
        end = self.output[-1000:]
        check(self.status == status, text % (self.name, self.status, status, end, self.errors))

    def expect_silence(self):
        check(self.errors == "", "%s: says %r" % (self.name, self.errors))

    def expect_sentence(self, word):
        """Check that standard error has exactly one line, and that this line contains the word."""
        lines = self.errors.splitlines()
        check(len(lines) == 1, "%s: %d lines: %r" % (self.name, len(lines), self.errors))
        check(word in self.errors, "%s: no %r in %r" % (self.name, word, self.errors))
        check(self.errors.startswith(self.program + ": "), "%s: %r" % (self.name, self.errors))


class Process:
    """A running process. Its output goes to files, because nobody reads a pipe while the test waits
    for another process."""

    def __init__(self, program, arguments):
        self.program = program
        self.arguments = list(arguments)
        self.files = [tempfile.TemporaryFile(mode="w+") for _ in range(2)]
        self.popen = subprocess.Popen(
            [program] + self.arguments, stdout=self.files[0], stderr=self.files[1]
        )
        started.append(self.popen)

    def signal(self, number):
        self.popen.send_signal(number)

    def end(self):
        """Wait until the process ends."""
        late = ""
        try:
            self.popen.wait(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            late = "no end after %d s\n" % TIMEOUT_S
            self.kill()
        texts = []
        for file in self.files:
            file.seek(0)
            texts.append(file.read())
            file.close()
        status = self.popen.returncode
        if set(TELLING) <= set(self.arguments):
            texts[1] = PORT_LINE.sub("", texts[1])
        return Ended(self.program, self.arguments, status, texts[0], texts[1] + late)

    def says(self, text):
        """Return whether the process has printed this text to standard error so far. Does not
        move the file position, because the process shares it."""
        return text in os.pread(self.files[1].fileno(), 1 << 16, 0).decode()

    def works(self, seconds):
        """Wait until the process has used this much processor time since its start. A program that
        polls makes the same progress in this time on a busy machine as on an idle machine."""
        stat = "/proc/%d/stat" % self.popen.pid
        ticks = seconds * os.sysconf("SC_CLK_TCK")
        end = time.monotonic() + TIMEOUT_S
        while self.popen.poll() is None and time.monotonic() < end:
            with open(stat, encoding="ascii") as file:
                fields = file.read().rpartition(")")[2].split()
            if int(fields[11]) + int(fields[12]) >= ticks:
                break
            time.sleep(0.01)

    def kill(self):
        self.popen.kill()
        self.popen.wait()


def run(program, *arguments):
    return Process(program, arguments).end()


def run_group(usage, groups):
    """Execute the command line of a test: PROGRAM GROUP. @return exit status"""
    if len(sys.argv) != 3 or sys.argv[2] not in groups:
        print(usage.strip(), file=sys.stderr)
        return 2
    groups[sys.argv[2]](sys.argv[1])
    print("%d failures" % len(failures))
    return 1 if failures else 0


def lcores_argument(count, backwards=False):
    """Return EAL's argument for lcores 0, 1, ... on consecutive available processors."""
    cpus = sorted(os.sched_getaffinity(0), reverse=backwards)
    return "--lcores=" + ",".join("%d@%d" % (i, cpus[i % len(cpus)]) for i in range(count))


def memif_arguments(program, role, socket, own, lcores=1):
    """With two processors, the first lcores of server and client are on different processors."""
    device = "--vdev=net_memif0,role=%s,socket=%s,socket-abstract=no" % (role, socket)
    prefix = "--file-prefix=%s-%s" % (os.path.basename(program), role)
    places = lcores_argument(lcores, backwards=role == "client")
    log = TELLING if role == "server" else [QUIET]
    return EAL[:-1] + log + [prefix, places, device, "--"] + list(own)


def has_memif(program, own):
    """Return whether DPDK has the memif driver. own: arguments that the application rejects"""
    ended = run(program, *memif_arguments(program, "client", "no-such-socket", own))
    return "EAL did not start" not in ended.errors


class MemifServer:
    """A server in a separate process, and the memif arguments of its clients.

    If a client connects before the server's port has started, memif rejects the client, which then
    never has a link. If a server polls while a client leaves, DPDK's memif driver can crash,
    because its interrupt thread unmaps memory that the polling thread reads. Therefore no server
    has two clients, and the client closes its port after the server."""

    def __init__(self, program, folder, own, lcores=1, slow=False):
        """slow: one second between creation of the socket and start of the port"""
        self.program = program
        self.socket = os.path.join(folder, "memif")
        self.lcores = lcores
        self.process = Process(
            program, memif_arguments(program, "server", self.socket, own, lcores))
        if slow:
            self.wait("memif has no socket", lambda: os.path.exists(self.socket))
            self.process.signal(signal.SIGSTOP)
            time.sleep(1)
            self.process.signal(signal.SIGCONT)
        self.wait("its port is not started", lambda: self.process.says("port 0 is started\n"))

    def wait(self, otherwise, over):
        end = time.monotonic() + TIMEOUT_S
        while not over() and self.process.popen.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        check(over(), otherwise)

    def works(self, client, seconds):
        """Wait until server and client have each used this much processor time."""
        self.process.works(seconds)
        client.works(seconds)

    def client(self, *own):
        """Start a client."""
        arguments = memif_arguments(self.program, "client", self.socket, own, self.lcores)
        return Process(self.program, arguments)
