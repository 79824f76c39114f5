# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""A running process whose output lines are collected: a program on this host, or a command in the
machine."""

import ctypes
import os
import re
import signal
import subprocess
import threading
import time

from framework import Failure

OUTPUT_BYTES_MAX = 64 << 20  # highest number of bytes kept in memory; the log file has all output

LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_PDEATHSIG = 1


def end_with_parent():
    """A preexec_fn for subprocess. The kernel kills the child when the thread that forked it ends.
    So call Popen on the main thread; then the child ends when the runner ends for any reason."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner handles Ctrl-C


class Task:
    """Base class of programs on this host and of commands in the machine. Subclasses call feed()
    and ended() on a separate thread."""

    def __init__(self, name, log_path):
        self.name = name
        self.log_path = log_path
        self.status = None
        self.scanned = 0  # characters of the output that wait_for() has consumed
        self.was_killed = False
        self._log = open(log_path, "wb")
        self._text = []
        self._size = 0
        self._changed = threading.Condition()

    # The thread that reads the output calls feed() and ended().
    def feed(self, data):
        with self._changed:
            self._log.write(data)
            self._log.flush()
            if self._size < OUTPUT_BYTES_MAX:
                self._text.append(data)
                self._size += len(data)
            self._changed.notify_all()

    def ended(self, status):
        with self._changed:
            self._log.write(b"\n[exit status %d]\n" % status)
            self._log.close()
            self.status = status
            self._changed.notify_all()

    @property
    def output(self):
        with self._changed:
            return self._joined()

    @property
    def data(self):
        with self._changed:
            return b"".join(self._text)

    def _joined(self):
        whole = b"".join(self._text)
        self._text = [whole]
        return whole.decode(errors="replace")

    @property
    def lines(self):
        return self.output.splitlines()

    @property
    def running(self):
        return self.status is None

    def last_line(self):
        lines = [line for line in self.lines if line.strip()]
        return lines[-1].strip()[:160] if lines else "no output"

    def counters(self):
        """Return {name: value} of the last line `counter NAME VALUE` for each name."""
        found = re.findall(r"^\s*counter (\S+) (\d+)\s*$", self.output, re.M)
        return {name: int(value) for name, value in found}

    def wait_for(self, pattern, timeout=30):
        """Wait until the output after the previous match matches a regular expression. Return the
        match."""
        deadline = time.monotonic() + timeout
        expression = re.compile(pattern, re.M)
        with self._changed:
            while True:
                match = expression.search(self._joined(), self.scanned)
                if match:
                    self.scanned = match.end()
                    return match
                left = deadline - time.monotonic()
                if self.status is not None or left <= 0:
                    break
                self._changed.wait(min(left, 1))
        if self.status is not None:
            text = "%s ended with %d before /%s/: %s"
            raise Failure(text % (self.name, self.status, pattern, self.last_line()))
        text = "%s: no /%s/ within %g s, last line: %s"
        raise Failure(text % (self.name, pattern, timeout, self.last_line()))

    def wait(self, timeout=60):
        """Wait for the end. Return the exit status. If negative or above 128, a signal ended the
        process."""
        deadline = time.monotonic() + timeout
        with self._changed:
            while self.status is None:
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._changed.wait(min(left, 1))
        if self.status is None:
            text = "%s does not end within %g s, last line: %s"
            raise Failure(text % (self.name, timeout, self.last_line()))
        return self.status

    def expect(self, status=0, timeout=60):
        """Wait for the end, and return all output. Raise Failure if the exit status is not
        status."""
        got = self.wait(timeout)
        if got != status:
            text = "%s: exit status %d instead of %d: %s"
            raise Failure(text % (self.name, got, status, self.last_line()))
        return self.output

    def kill(self):
        """End the process as if it had crashed."""
        self.signal(signal.SIGKILL)
        self.wait(10)

    def finish(self):
        """End the process if it still runs: SIGTERM, and SIGKILL after three seconds."""
        if not self.running:
            return
        self.signal(signal.SIGTERM)
        try:
            self.wait(3)
        except Failure:
            self.kill()


class Program(Task):
    """A process on this host. Standard error is merged into standard output."""

    def __init__(self, name, log_path, argv, env=None, cwd=None):
        super().__init__(name, log_path)
        self._log.write((" ".join(argv) + "\n").encode())
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(env or {})},
                cwd=cwd,
                preexec_fn=end_with_parent,
            )
        except OSError as error:
            self._log.close()
            raise Failure("%s: %s" % (argv[0], error.strerror)) from error
        self.pid = self._process.pid
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            data = os.read(self._process.stdout.fileno(), 65536)
            if not data:
                break
            self.feed(data)
        self._process.stdout.close()
        status = self._process.wait()
        try:
            self._process.stdin.close()
        except OSError:
            pass
        self.ended(status)

    def write(self, data):
        try:
            self._process.stdin.write(data)
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise Failure("%s takes no input: %s" % (self.name, self.last_line())) from None

    def signal(self, number):
        self.was_killed = True
        if self.running:
            self._process.send_signal(number)


def run(argv, timeout=30, check=True):
    """Run a short command on this host, and return its output. Raise Failure if it fails."""
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            preexec_fn=end_with_parent,
        )
    except subprocess.TimeoutExpired:
        raise Failure("%s does not end within %g s" % (argv[0], timeout)) from None
    text = done.stdout.decode(errors="replace")
    if check and done.returncode != 0:
        raise Failure("%s: %s" % (" ".join(argv), text.strip() or done.returncode))
    return text
