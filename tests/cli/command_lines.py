#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Run the command lines in a section of a document, unchanged, in a network namespace.

usage: command_lines.py DOCUMENT HEADING BUILD_APPS

Command lines are indented. A server runs until the command line of the next server. Then it gets
SIGINT and must exit with status 0. Exits with 0, with 1 after printing the failures, or with 77
(skipped) if no namespace can be made or there is only one processor.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from program import SKIPPED, TIMEOUT_S, check, failures

PROGRAMS = ("ip", "ndpmd", "ndrping")
# This variable is set in the process inside the namespace.
INSIDE = "NDPDK_COMMAND_LINES_INSIDE"
# Hide EAL's files in /run, which belong to processes outside the namespace.
ENTER = "mount -t tmpfs tmpfs /run && exec \"$@\""


def command_lines(path, heading):
    """Return the indented lines of the section that begin with one of PROGRAMS. Continued lines are
    joined."""
    with open(path, encoding="utf-8") as file:
        text = file.read().split("\n## %s\n" % heading)[1].split("\n## ")[0]
    lines = text.replace("\\\n", " ").splitlines()
    lines = [line[4:].split("#")[0].rstrip() for line in lines if line[:4] == "    "]
    return [line for line in lines if line.split(" ")[0] in PROGRAMS]


def is_server(line):
    words = line.split()
    return "--server" in words or (words[0] == "ndrping" and "-s" in words)


class Line:
    """A command line that runs in a shell, as if a reader had pasted it."""

    def __init__(self, line):
        self.line = line
        self.file = tempfile.TemporaryFile(mode="w+")
        words = ["bash", "-c", "exec " + line]
        self.popen = subprocess.Popen(words, stdout=self.file, stderr=self.file)

    def end(self):
        try:
            status = self.popen.wait(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            status = "none in %d s, killed: %s" % (TIMEOUT_S, self.popen.wait())
        self.file.seek(0)
        output = self.file.read()
        self.file.close()
        check(status == 0, "%s\nexit status %s\n%s" % (self.line, status, output[-1000:]))
        return output

    def interrupt(self):
        check(self.popen.poll() is None, self.line + "\nhas ended by itself")
        self.popen.send_signal(signal.SIGINT)
        self.end()


def play(lines):
    server = None
    for line in lines:
        if is_server(line):
            if server is not None:
                server.interrupt()
            server = Line(line)
            time.sleep(3)
        else:
            output = Line(line).end()
            if line.startswith("ndrping"):
                check(output.count("ping data: ") == 10, line + "\n" + output)
    server.interrupt()


def enter(words):
    """Run this script again inside a namespace. @return exit status"""
    for flags in (["-nm"], ["-rnm"]):
        unshare = ["unshare", *flags, "sh", "-c", ENTER, "sh"]
        if subprocess.call([*unshare, "true"], stderr=subprocess.DEVNULL) == 0:
            return subprocess.call([*unshare, *words], env=dict(os.environ, **{INSIDE: "1"}))
    print("no network namespace can be made here")
    return SKIPPED


def main():
    if len(sys.argv) != 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if shutil.which("ip") is None or not {0, 1} <= os.sched_getaffinity(0):
        print("there is no ip, or not both processors 0 and 1")
        return SKIPPED
    if INSIDE not in os.environ:
        return enter([sys.executable, *sys.argv])
    document, heading, apps = sys.argv[1:]
    for name in PROGRAMS[1:]:
        os.environ["PATH"] = os.path.join(apps, name) + ":" + os.environ["PATH"]
    lines = command_lines(document, heading)
    for name in PROGRAMS:
        check(any(line.startswith(name + " ") for line in lines), "no line with " + name)
    check(sum(is_server(line) for line in lines) == 2, "servers: %r" % lines)
    play(lines)
    print("%d lines, %d failures" % (len(lines), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
