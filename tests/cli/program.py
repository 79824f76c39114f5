# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""An application as its tests run it, alone or as one of two processes joined by memif."""

import os
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
TIMEOUT_S = 120  # of one run; sanitizer builds on a busy machine are slow
# EAL as ndpmd starts it by itself, for runs that need a device.
EAL = ["--no-huge", "--no-shconf", "--no-pci", "-m", "256", "--no-telemetry", "--log-level=error"]

failures = []


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED: " + text)


class Ended:
    """A run that is over."""

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
        """Exactly one line on standard error, with this word in it."""
        lines = self.errors.splitlines()
        check(len(lines) == 1, "%s: %d lines: %r" % (self.name, len(lines), self.errors))
        check(word in self.errors, "%s: no %r in %r" % (self.name, word, self.errors))
        check(self.errors.startswith(self.program + ": "), "%s: %r" % (self.name, self.errors))


class Process:
    """A run that goes on. What it prints goes to files: nobody reads a pipe while another process
    is being waited for."""

    def __init__(self, program, arguments):
        self.program = program
        self.arguments = list(arguments)
        self.files = [tempfile.TemporaryFile(mode="w+") for _ in range(2)]
        self.popen = subprocess.Popen(
            [program] + self.arguments, stdout=self.files[0], stderr=self.files[1]
        )

    def signal(self, number):
        self.popen.send_signal(number)

    def end(self):
        """Wait for its end."""
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
        return Ended(self.program, self.arguments, status, texts[0], texts[1] + late)

    def kill(self):
        self.popen.kill()
        self.popen.wait()


def run(program, *arguments):
    return Process(program, arguments).end()


def run_group(usage, groups):
    """The command line of a test: PROGRAM GROUP. @return exit status"""
    if len(sys.argv) != 3 or sys.argv[2] not in groups:
        print(usage.strip(), file=sys.stderr)
        return 2
    groups[sys.argv[2]](sys.argv[1])
    print("%d failures" % len(failures))
    return 1 if failures else 0


def lcores_argument(count, backwards=False):
    """EAL's lcores 0, 1, ..., on the processors that there are, one after the other."""
    cpus = sorted(os.sched_getaffinity(0), reverse=backwards)
    return "--lcores=" + ",".join("%d@%d" % (i, cpus[i % len(cpus)]) for i in range(count))


def memif_arguments(program, role, socket, own, lcores=1):
    """With two processors, the first lcores of server and client are on different ones."""
    device = "--vdev=net_memif0,role=%s,socket=%s,socket-abstract=no" % (role, socket)
    prefix = "--file-prefix=%s-%s" % (os.path.basename(program), role)
    places = lcores_argument(lcores, backwards=role == "client")
    return EAL + [prefix, places, device, "--"] + list(own)


def has_memif(program, own):
    """Whether DPDK has the driver; own are arguments that the application refuses."""
    ended = run(program, *memif_arguments(program, "client", "no-such-socket", own))
    return "EAL did not start" not in ended.errors


class MemifServer:
    """A server in a process of its own, and how to reach it from another one.

    A server that goes on polling while a client leaves can crash in DPDK 22.11's memif driver,
    whose interrupt thread frees what the polling thread reads; so no server has two clients."""

    def __init__(self, program, folder, own, lcores=1):
        self.program = program
        self.socket = os.path.join(folder, "memif")
        self.lcores = lcores
        self.process = Process(
            program, memif_arguments(program, "server", self.socket, own, lcores))
        check(self.wait_for_socket(), "memif has no socket")
        time.sleep(0.5)

    def wait_for_socket(self):
        for _ in range(200):
            if os.path.exists(self.socket):
                return True
            time.sleep(0.05)
        return False

    def client(self, *own):
        """Start a client."""
        arguments = memif_arguments(self.program, "client", self.socket, own, self.lcores)
        return Process(self.program, arguments)
