#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""ndpmd's prompt on a terminal, and its commands from a file.

usage: ndpmd_prompt.py NDPMD GROUP

Groups: terminal, endings, file. Exits with 0, or with 1 after printing what was wrong.
"""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

from program import TIMEOUT_S, check, run, run_group, started

PROMPT = "ndpmd> "
TAB, CTRL_C, CTRL_D, UP = "\t", "\x03", "\x04", "\x1b[A"


class Terminal:
    """ndpmd on a pseudo terminal. Ctrl-C on this terminal is SIGINT."""

    def __init__(self, ndpmd, *arguments):
        self.name = "ndpmd " + " ".join(arguments)
        self.unseen = ""
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self.popen = subprocess.Popen(
            [ndpmd] + list(arguments), stdin=self.slave, stdout=self.slave, stderr=self.slave,
            preexec_fn=lambda: os.login_tty(self.slave) if hasattr(os, "login_tty")
            else self.take_terminal())
        started.append(self.popen)

    def take_terminal(self):
        """Runs in the child process: make the terminal the controlling terminal."""
        import fcntl
        os.setsid()
        fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)

    def type(self, text):
        os.write(self.master, text.encode())

    def until(self, pattern):
        """Wait until the pattern appears on the screen. @return output up to the end of the
        match"""
        end = time.monotonic() + TIMEOUT_S
        while True:
            match = re.search(pattern, self.unseen)
            if match:
                seen = self.unseen[:match.end()]
                self.unseen = self.unseen[match.end():]
                return seen
            if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
                break
            try:
                self.unseen += os.read(self.master, 65536).decode().replace("\r", "")
            except OSError:
                break
        check(False, "%s: no %r in %r" % (self.name, pattern, self.unseen[-2000:]))
        self.unseen = ""
        return ""

    def command(self, line, pattern=""):
        """Execute a command. @return its output, which must contain the pattern"""
        self.type(line + "\n")
        self.until(re.escape(line) + r"\n")
        answer = self.until(PROMPT)
        check(re.search(pattern, answer), "%s: %s: no %r in %r" % (
            self.name, line, pattern, answer))
        return answer

    def end(self, status=0):
        """Wait for the end of ndpmd, and check the terminal settings. @return remaining output"""
        end = time.monotonic() + TIMEOUT_S
        rest = self.unseen
        while self.popen.poll() is None and time.monotonic() < end:
            if select.select([self.master], [], [], 0.05)[0]:
                rest += os.read(self.master, 65536).decode().replace("\r", "")
        while select.select([self.master], [], [], 0)[0]:
            rest += os.read(self.master, 65536).decode().replace("\r", "")
        check(self.popen.poll() == status, "%s: exit status %r instead of %d: %r" % (
            self.name, self.popen.poll(), status, rest))
        check(termios.tcgetattr(self.slave) == self.before, self.name + ": other terminal settings")
        if self.popen.poll() is None:
            self.popen.kill()
            self.popen.wait()
        os.close(self.slave)
        os.close(self.master)
        return rest


def until_measuring(terminal):
    """Wait until the run has started and messages have been sent."""
    end = time.monotonic() + TIMEOUT_S
    while time.monotonic() < end:
        answer = terminal.command("show stats")
        if re.search(r"state: measuring\nrun:\n(  .*\n)*  ops: [1-9]", answer):
            return
    check(False, terminal.name + ": the run does not begin")


def completion(terminal):
    """Tab completes and lists words, ? explains them, and the up arrow recalls the last line."""
    terminal.until(PROMPT)
    terminal.type("sh" + TAB)
    terminal.until("show ")
    terminal.type("po" + TAB)
    terminal.until("port ")
    terminal.type("\n")
    terminal.until(r"port: net_ring_ndpmd_0\n")
    terminal.until(PROMPT)
    terminal.type(UP)
    terminal.until("show port")
    terminal.type("\n")
    terminal.until(r"port: net_ring_ndpmd_0\n")
    terminal.until(PROMPT)
    terminal.type("show " + TAB + TAB)
    for noun in ("port", "engine", "qp", "cq", "mr", "mw", "neighbours", "config", "stats",
                 "counters"):
        terminal.until(r" %s\b" % noun)
    terminal.until(PROMPT + "show ")
    terminal.type("config\n")
    terminal.until("mode: loopback")
    terminal.until(PROMPT)
    terminal.type("set ra" + TAB)
    terminal.until("set rate ")
    terminal.type("1k\n")
    terminal.until(r"at_once:\n  rate: 1000\n")
    terminal.until(PROMPT)
    terminal.type("c?")
    seen = terminal.until("make a connection in addition to those of the runs")
    seen += terminal.until(PROMPT + "c")
    check("[connect]: make a connection" in seen and "STRING" not in seen, repr(seen))
    terminal.type("lear\n")
    terminal.until(PROMPT)
    terminal.type("set inj" + TAB + "?")
    terminal.until(re.escape("[VALUE]: inject KIND:RATE[,...] as in --inject, default: no faults"))
    terminal.until(PROMPT + "set inject ")
    terminal.type("\n")
    terminal.until(PROMPT)


def helps(terminal):
    answer = terminal.command("help")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/prompt.md"),
              encoding="utf-8") as file:
        text = file.read()
    table = text.split("## Commands")[1].split("## Settings")[0]
    documented = set(re.findall(r"^\| `([a-z]+(?: [a-z]+)?)", table, re.M))
    listed = set(re.findall(r"^([a-z]+(?: [a-z]+)?)[ :]", answer, re.M))
    # A row of the document may describe two forms of a command.
    check(listed | {"listen stop"} == documented, "commands differ: %r" % (listed ^ documented))
    settings = text.split("## Settings")[1].split("## Prompt")[0]
    rows = re.findall(r"^\| (`.*?) \|", settings, re.M)
    names = set(re.findall("`([a-z-]+)`", " ".join(rows)))
    answer = terminal.command("help set", "rate, interval, inject, dcqcn: at once")
    found = set(re.findall(r"^  ([a-z-]+): ", answer, re.M))
    check(names == found, "settings differ: %r" % (names ^ found))
    check("NAME of dcqcn: g_1024, initial_alpha_1024, " in answer, answer)
    terminal.command("help show qp", r"show qp \[QPN\]: ")
    terminal.command("help nonsense", "Command not found: nonsense")


def wrong_words(terminal):
    terminal.command("nonsense", "Command not found: nonsense: expected one of start, stop, ")
    terminal.command("show", "Bad arguments: show: expected show and one of port, engine, ")
    terminal.command("show nonsense", "Bad arguments: nonsense: expected show and one of port")
    terminal.command("set rate", r"Bad arguments: expected set OPTION VALUE")
    terminal.command("set rate 1k depth", r"Bad arguments: expected set OPTION VALUE")
    terminal.command("set rate fast", "rate=fast is not valid: expected a number ")
    terminal.command("set verify maybe", "verify maybe is not valid: expected on or off")
    terminal.command("set dscp 3", "Bad arguments: dscp: expected one of rate, interval, ")
    terminal.command("set qps 100000", "qps 100000: expected 1 to 512")
    terminal.command("set latency on depth 4", "--depth must be 1")
    terminal.command("show qp first", "Bad arguments: first: expected the number of a queue pair")
    terminal.command("show qp 99", "no adapter has this queue pair")
    terminal.command("stop", "no run is in progress")
    terminal.command("start now", "Bad arguments: expected start\\n")
    terminal.command("wait a minute", r"Bad arguments: expected wait \[SECONDS\]")
    terminal.command("wait long", "Bad arguments: long: expected a number of seconds")
    terminal.command("bind", "there is no connection: connect first")
    terminal.command("disconnect", "there is no connection: connect first")
    terminal.command("connect server", "Bad arguments: server: expected an IPv4 or IPv6 address")
    terminal.command("listen loud", r"Bad arguments: expected listen \[stop\]")
    terminal.command("capture", "Bad arguments: capture: expected capture and one of start, stop")
    terminal.command("capture stop", "no capture is in progress")
    terminal.command("capture start /no/such/folder/file", "/no/such/folder/file cannot be written")
    terminal.command("   # only a comment")


def running(terminal):
    """Commands during a run, and Ctrl-C, which ends the run but not ndpmd."""
    terminal.command("set rate default time 100", r"next_start:\n  time: 100")
    terminal.command("start", "state: started")
    until_measuring(terminal)
    terminal.command("start", "a run is in progress")
    answer = terminal.command("show qp", r"qps: \d+\n  role: client")
    qpn = re.search(r"qps: (\d+)", answer).group(1)
    terminal.command("show qp " + qpn, r"state: RTS\n")
    terminal.command("show cq", r"endpoints: \d+\n")
    terminal.command("show mr", r"regions: \d+\n")
    terminal.command("show engine", r"polled: 1\n")
    terminal.command("show neighbours", r"addresses: 198\.18\.0\.2\n")
    terminal.command("show counters", r"client:\n(  .*\n)*  tx_packets: [1-9]")
    terminal.command("set rate 1k size 128", r"at_once:\n  rate: 1000\nnext_start:\n  size: 128")
    terminal.command("show config", r"now:\n  rate: 1000\n(  .*\n)*  size: 64\n(  .*\n)*next_start:"
                     r"\n  rate: 1000\n(  .*\n)*  size: 128\n")
    terminal.type("set interval 0.1\n")
    terminal.until(r"\n@[0-9.]+ +64 +64 +1 ")
    terminal.type(CTRL_C)
    terminal.until(r"\nsend +64 +64 +1 ")
    terminal.until(PROMPT)
    terminal.command("show stats", r"state: idle\nrun: -\n")


def next_start(terminal):
    """Settings during a run apply to the next start. The command wait prints its two rows."""
    terminal.command("set op write,send interval default rate default time 0.1", "op: write send")
    terminal.command("start", "state: started")
    terminal.type("wait\n")
    seen = terminal.until(r"state: idle\nrows:\n(  .*\n|\n)*failure: -\n")
    check(re.search(r"\nwrite +128 .*\nsend +128 ", seen), "no rows: %r" % seen)
    check(len(re.findall(r"\n  op: (?:write|send)\n  size: 128\n", seen)) == 2, repr(seen))
    terminal.until(PROMPT)
    terminal.command("clear")
    terminal.command("show counters", r"^((?!tx_packets).|\n)*$")


def connection(terminal):
    terminal.command("connect", r"state: connected\n  peer: 198.18.0.2\n")
    terminal.command("connect", "there is already a connection")
    terminal.command("bind", r"window_bound: true\n  window_bytes: 64")
    terminal.command("show mw", r"windows_bound: 1\n")
    terminal.command("bind", "the window is bound")
    terminal.command("invalidate", "window_bound: false")
    terminal.command("invalidate", "no window is bound")
    terminal.command("disconnect", "state: disconnected")
    terminal.command("listen stop", "state: not listening")
    terminal.command("connect", "connection refused")
    terminal.command("listen", r"state: listening\nlisten_port: 18515")
    terminal.command("connect", "state: connected")


def terminal(ndpmd):
    screen = Terminal(ndpmd, "--loopback", "--interactive")
    completion(screen)
    helps(screen)
    wrong_words(screen)
    running(screen)
    next_start(screen)
    connection(screen)
    screen.type(CTRL_D)  # typed while the connection still exists
    screen.end()


def endings(ndpmd):
    """At every kind of end, the status is 0, the row of the run is printed, and the terminal is
    restored."""
    for last, row in (("quit\n", True), (CTRL_D, True), (signal.SIGTERM, True), (CTRL_C, False)):
        screen = Terminal(ndpmd, "--loopback", "-i", "--time=100")
        screen.until(PROMPT)
        if row:
            screen.command("start", "started")
            until_measuring(screen)
        if isinstance(last, str):
            screen.type(last)
        else:
            screen.popen.send_signal(last)
        rest = screen.end()
        check(bool(re.search(r"\nsend +64 ", rest)) == row, "%r: %r" % (last, rest))
    # Type a second Ctrl-C while the run is ending, or after the run.
    screen = Terminal(ndpmd, "--loopback", "-i", "--time=100")
    screen.until(PROMPT)
    screen.command("start", "started")
    until_measuring(screen)
    screen.type(CTRL_C)
    screen.until(r"\nsend +64 ")
    screen.type(CTRL_C)
    screen.end()
    # ndpmd reads its input from a pipe and writes its output to a full disk.
    for target, status in ((os.devnull, 0), ("/dev/full", 3)):
        with open(target, "w", encoding="utf-8") as file:
            ended = subprocess.run([ndpmd, "--loopback", "-i"], input="help\n", stdout=file,
                                   stderr=subprocess.PIPE, timeout=TIMEOUT_S, text=True)
        check(ended.returncode == status, "%s: status %d" % (target, ended.returncode))
    ended = subprocess.run([ndpmd, "--loopback", "-i"], input="help\nc?\b\nshow port\n",
                           stdout=subprocess.PIPE, timeout=TIMEOUT_S, text=True)
    check("\x1b" not in ended.stdout and PROMPT + "show port\n" in ended.stdout,
          repr(ended.stdout))


def run_file(ndpmd, text, *own):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(text)
        file.flush()
        ended = run(ndpmd, "--loopback", "--cmdline-file=" + file.name, *own)
        ended.errors = ended.errors.replace(file.name, "FILE")
        return ended


def file(ndpmd):
    ended = run_file(ndpmd, "# a night\n\n  set op write,read time 0.1\nstart\nwait\n"
                     "set op send\nstart")
    ended.expect(0)
    ended.expect_silence()
    rows = [line.split()[0] for line in ended.lines if re.match("(write|read|send) +64 ", line)]
    check(rows == ["write", "read", "send"], "%s: %r" % (ended.name, ended.output))
    # The first command that fails sets the exit status. All other commands are executed.
    ended = run_file(ndpmd, "stop\n#\nnonsense\nset op write time 0.1\nstart\nset depth\n")
    ended.expect(1)
    sentences = ended.errors.splitlines()
    expected = ["ndpmd: FILE:1: no run is in progress",
                "ndpmd: FILE:3: Command not found: nonsense",
                "ndpmd: FILE:6: Bad arguments: expected set OPTION VALUE"]
    check(len(sentences) == 3, repr(sentences))
    for sentence, begin in zip(sentences, expected):
        check(sentence.startswith(begin), "%r: no %r" % (sentence, begin))
    check(re.search(r"^write +64 ", ended.output, re.M), repr(ended.output))
    ended = run_file(ndpmd, "show\nstop\n")
    ended.expect(2)
    ended = run_file(ndpmd, "set rate " + 2000 * "1" + "\n")
    ended.expect(2)
    check("FILE:1: Bad arguments: expected a line of 1023 characters" in ended.errors, ended.errors)
    ended = run_file(ndpmd, "clear\0nonsense\n")
    ended.expect(2)
    check("FILE:1: Bad arguments: null characters are not allowed" in ended.errors, ended.errors)
    # If a run fails, ndpmd fails.
    ended = run_file(ndpmd, "listen stop\nstart\nwait\n")
    ended.expect(1)
    check("failure: connection refused" in ended.output, ended.output)
    ended = run_file(ndpmd, "start\nquit\nnonsense\n", "--time=100")
    ended.expect(0)
    ended = run_file(ndpmd, "")
    ended.expect(0)
    for path in ("/no/such/file", "/"):
        ended = run(ndpmd, "--loopback", "--cmdline-file=" + path)
        ended.expect(2)
        ended.expect_sentence(path + " cannot be read")
    ended = run(ndpmd, "--loopback", "--perftest", "-i")
    ended.expect(2)
    ended.expect_sentence("--perftest takes no commands")
    with tempfile.NamedTemporaryFile("w") as commands:
        commands.write("set depth 7\nnonsense\n")
        commands.flush()
        screen = Terminal(ndpmd, "--loopback", "-i", "--cmdline-file=" + commands.name)
        screen.until("Command not found: nonsense")
        screen.until(PROMPT)
        screen.command("show config", "depth: 7")
        screen.type("quit\n")
        screen.end(2)


def main():
    groups = {"terminal": terminal, "endings": endings, "file": file}
    return run_group(__doc__, groups)


if __name__ == "__main__":
    sys.exit(main())
