#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test the trading example in one process and in two.

usage: ndtick.py NDTICK usage|loopback|memif|stopped|killed
       ndtick.py NDTICK-WITH-TICK_WATCH steady

Exits with 0, with 1 after printing what was wrong, or with 77 (skipped): no two processors, no
memif, or a kernel without PR_SET_SYSCALL_USER_DISPATCH. killed also skips without network
namespaces, which need root.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import EAL, SKIPPED, TIMEOUT_S, check, failures  # noqa: E402

VENUE, TRADER = "198.51.100.1", "198.51.100.2"
LINK = re.compile(
    r"^venue (\d): (\d+) sessions, (\d+) ticks, (\d+) lost, (\d+) orders, (\d+) late$", re.M)
TIMES = re.compile(r"^tick \w+ to order \w+: (\d+), p50 ([\d.]+) us, p99 ([\d.]+) us, "
                   r"p99.9 ([\d.]+) us, max ([\d.]+) us$", re.M)
GONE = re.compile(r"^venue (\d): disconnected: (.*), last message (\d+) ms ago$", re.M)
# Time limits must allow for other programs on the same processors.
PATIENT_MS = 5000


class Run:
    """A run of ndtick with its output in a file."""

    def __init__(self, path, eal, arguments, environment=None, namespace=None):
        """Start ndtick. namespace: network namespace; with a namespace, telemetry is enabled"""
        self.output = tempfile.TemporaryFile(mode="w+")
        self.command = [path, *EAL, *eal, "--", *arguments]
        if namespace is not None:
            self.command.remove("--no-telemetry")
            self.command = ["ip", "netns", "exec", namespace, *self.command]
        self.process = subprocess.Popen(self.command, stdout=self.output,
                                        stderr=subprocess.STDOUT, env=environment)

    def text(self):
        return os.pread(self.output.fileno(), 1 << 20, 0).decode()

    def wait_for(self, pattern):
        end = time.monotonic() + TIMEOUT_S
        while not re.search(pattern, self.text(), re.M):
            if self.process.poll() is not None or time.monotonic() > end:
                check(False, "%s: no %r in %r" % (self.command, pattern, self.text()))
                return
            time.sleep(0.01)

    def end(self, status):
        try:
            self.process.wait(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        found = self.process.returncode
        check(found == status, "%s: exit status %s instead of %s: %s" % (
            self.command, found, status, self.text()))
        return self.text()


def check_times(text, orders):
    found = TIMES.findall(text)
    check(len(found) > 0, "no histogram: %r" % text)
    for count, *times in found:
        check(int(count) == orders, "%s times of %d orders" % (count, orders))
        values = [float(value) for value in times]
        check(values == sorted(values) and values[0] > 0, "times that do not rise: %s" % values)


def check_links(text, venues, ticks, every=1):
    """Check that each tick was written, read and answered. @return number of orders"""
    links = [[int(word) for word in link] for link in LINK.findall(text)]
    check([link[0] for link in links] == list(range(venues)), "links: %r" % text)
    for number, sessions, seen, lost, orders, late in links:
        check(sessions >= 1, "venue %d: no session" % number)
        check(seen + lost <= ticks + 1, "venue %d: %d ticks of %d" % (number, seen, ticks))
        check(orders + late == seen // every, "venue %d: %d orders" % (number, orders))
    return sum(link[4] for link in links)


def loopback(path):
    for venues, ticks, every in ((1, 20000, 1), (3, 5000, 10)):
        run = Run(path, ["-l", "0,1", "--file-prefix=ndtick"], [
            "--loopback", "--venues=%d" % venues, "--ticks=%d" % ticks, "--rate=5000",
            "--order-every=%d" % every, "--dead-ms=%d" % PATIENT_MS])
        text = run.end(0)
        orders = check_links(text, venues, ticks, every)
        check(orders > 0, "no order: %r" % text)
        check_times(text, orders)
        check("venue 0: session ended: the peer disconnected" in text, "no end: %r" % text)


def capture_of(path, frames, step_ns):
    """Write a capture with nanosecond time stamps and a constant interval between frames."""
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for i, frame in enumerate(frames):
            ns = 1700000000 * 10**9 + i * step_ns
            file.write(struct.pack("<IIII", *divmod(ns, 10**9), len(frame), len(frame)) + frame)


def datagram_of(payload):
    ip = struct.pack(">BBHHHBBHII", 0x45, 0, 28 + len(payload), 0, 0, 64, 17, 0, 1, 2)
    udp = struct.pack(">HHHH", 1000, 2000, 8 + len(payload), 0)
    return bytes(12) + b"\x08\x00" + ip + udp + payload


def capture(path):
    """Recorded datagrams are written at their recorded pace. Other frames are ignored."""
    other = bytes(12) + b"\x08\x06" + bytes(46)
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "feed.pcap")
        capture_of(name, [datagram_of(b"one"), other, datagram_of(b"two" * 20)], 10 * 10**6)
        for arguments, least_s in ((["--ticks=41"], 0.4), (["--ticks=2000", "--rate=5000"], 0)):
            start = time.monotonic()
            run = Run(path, ["-l", "0,1", "--file-prefix=ndtick"], [
                "--loopback", "--input=" + name, "--dead-ms=%d" % PATIENT_MS, *arguments])
            text = run.end(0)
            check_links(text, 1, int(arguments[0].split("=")[1]))
            check(time.monotonic() - start >= least_s, "faster than the capture: %r" % text)
        for frames in ([], [other]):
            capture_of(name, frames, 1)
            said = Run(path, [], ["--loopback", "--input=" + name]).end(2)
            check("no UDP over IPv4" in said, said)


def steady(path):
    """Run 10^6 ticks without system calls, allocations or mutexes. Check that the test detects all
    three."""
    arguments = ["--loopback", "--venues=2", "--rate=250000", "--dead-ms=%d" % PATIENT_MS]
    eal = ["-l", "0,1", "--file-prefix=ndtick"]
    run = Run(path, eal, [*arguments, "--ticks=500000"])
    run.process.wait(timeout=TIMEOUT_S)
    if run.process.returncode == SKIPPED:
        print(run.text())
        sys.exit(SKIPPED)
    text = run.end(0)
    said = re.findall(r"^steady: .*$", text, re.M)
    check(said == ["steady: no system call, 0 allocations, 0 mutexes"] * 2, "%s" % said)
    links = [[int(word) for word in link] for link in LINK.findall(text)]
    check(sum(link[1] for link in links) == 2, "sessions: %r" % text)
    seen = sum(link[2] for link in links)
    check(seen > 100000, "only %d ticks" % seen)
    for mistake, found in (("call", "system call [1-9]"), ("malloc", "2 allocations"),
                           ("rte_malloc", "2 allocations"), ("mutex", "1 mutexes")):
        run = Run(path, eal, [*arguments, "--ticks=1000"], {**os.environ, "NDTICK_BREAK": mistake})
        text = run.end(3)
        check(re.search("^steady: .*" + found, text, re.M), "%s: %r" % (mistake, text))


def pair(path, folder, *arguments):
    """Run two processes on two processors, joined by memif."""
    runs = []
    for number, (role, own) in enumerate((
            ("server", "--venue=" + VENUE), ("client", "--trader=%s,%s" % (TRADER, VENUE)))):
        device = "--vdev=net_memif0,role=%s,socket=%s/memif,socket-abstract=no" % (role, folder)
        eal = ["-l", "%d" % number, "--file-prefix=ndtick-" + role, device]
        runs.append(Run(path, eal, [own, *arguments]))
        if number == 0:
            runs[0].wait_for("listening$")
    return runs


def memif(path):
    with tempfile.TemporaryDirectory() as folder:
        quotes = os.path.join(folder, "quotes")
        with open(quotes, "w") as file:
            file.write("".join("7 %d 100\n" % (1000 + i) for i in range(100)))
        venue, trader = pair(path, folder, "--venues=2", "--ticks=20000", "--rate=20000",
                             "--dead-ms=%d" % PATIENT_MS, "--input=" + quotes)
        text = trader.end(0)
        orders = check_links(text, 2, 20000)
        check_times(text, orders)
        text = venue.end(0)
        said = re.search(r"^venues: (\d+) .* written, (\d+) skipped, (\d+) orders$", text, re.M)
        check(said is not None, "venues: %r" % text)
        if said is not None:
            written, skipped, received = (int(word) for word in said.groups())
            # The trader got ticks and TICK_CLOSE of both venues. Every order was received.
            check(written + skipped >= 2 * (20000 + 1), "venues: %r" % text)
            check(received == orders, "%d orders of %d" % (received, orders))
        check_times(text, orders)


def stopped(path):
    """The trader detects a stopped venue within --dead-ms. When the venue continues, there is a new
    session, which runs to its end."""
    dead_ms = 1000
    with tempfile.TemporaryDirectory() as folder:
        venue, trader = pair(path, folder, "--venues=2", "--ticks=20000", "--rate=5000",
                             "--dead-ms=%d" % dead_ms)
        trader.wait_for("^venue 0: session 1$")
        trader.wait_for("^venue 1: session 1$")
        time.sleep(0.3)
        before = len(GONE.findall(trader.text()))
        venue.process.send_signal(signal.SIGSTOP)
        began = time.monotonic()
        while len(GONE.findall(trader.text())) < before + 2 and time.monotonic() - began < 30:
            time.sleep(0.01)
        took_ms = (time.monotonic() - began) * 1e3
        gone = GONE.findall(trader.text())[before:]
        check(sorted({number for number, _, _ in gone}) == ["0", "1"], "gone: %s" % gone)
        # Tolerance, because other programs also use the trader's processor.
        check(took_ms < dead_ms + 1000, "noticed after %.0f ms" % took_ms)
        time.sleep(1)
        sessions = len(re.findall("^venue 0: session", trader.text(), re.M))
        venue.process.send_signal(signal.SIGCONT)
        trader.wait_for("^venue 0: session %d$" % (sessions + 1))
        check_links(trader.end(0), 2, 20000)
        venue.end(0)


@contextlib.contextmanager
def namespaces():
    """Create two network namespaces joined by a veth pair. The kernel sends nothing on veth0."""
    names = ["ndtick%d-%s" % (os.getpid(), role) for role in ("venue", "trader")]

    def ip(*words):
        return subprocess.run(["ip", *words], stderr=subprocess.PIPE, text=True)

    try:
        for name in names:
            made = ip("netns", "add", name)
            if made.returncode != 0:
                print("no network namespaces: " + made.stderr)
                sys.exit(SKIPPED)
        made = ip("-n", names[0], "link", "add", "veth0", "type", "veth", "peer", "name", "veth0",
                  "netns", names[1])
        if made.returncode != 0:
            print("no veth: " + made.stderr)
            sys.exit(SKIPPED)
        for name in names:
            ip("-n", name, "link", "set", "veth0", "addrgenmode", "none", "up")
        yield names
    finally:
        for name in names:
            ip("netns", "del", name)


def windows_bound(prefix):
    """Read data of the adapter by telemetry from the process with this --file-prefix."""
    path = "/var/run/dpdk/%s/dpdk_telemetry.v2" % prefix
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
        connection.settimeout(TIMEOUT_S)
        connection.connect(path)
        size = json.loads(connection.recv(1024))["max_output_len"]
        connection.send(b"/ndpdk/adapter,0")
        return json.loads(connection.recv(size))["/ndpdk/adapter"]["windows_bound"]


def killed(path):
    """The trader detects a killed venue within --dead-ms, reports a reason, and invalidates its
    windows. Another process replaces the venue: there are new sessions and new windows, and they
    run to their end."""
    dead_ms = 500
    prefixes = ["ndtick%d-%s" % (os.getpid(), role) for role in ("venue", "trader")]

    def start(number, names, own):
        eal = ["-l", "%d" % number, "--file-prefix=" + prefixes[number],
               "--vdev=net_af_packet0,iface=veth0"]
        return Run(path, eal, [own, "--venues=2", "--ticks=20000", "--rate=5000",
                               "--dead-ms=%d" % dead_ms], namespace=names[number])

    with namespaces() as names:
        venue = start(0, names, "--venue=" + VENUE)
        venue.wait_for("listening$")
        trader = start(1, names, "--trader=%s,%s" % (TRADER, VENUE))
        for number in range(2):
            trader.wait_for("^venue %d: session 1$" % number)
        check(windows_bound(prefixes[1]) == 2, "windows: %d" % windows_bound(prefixes[1]))
        before = len(GONE.findall(trader.text()))
        venue.process.kill()
        venue.process.wait()
        end = time.monotonic() + TIMEOUT_S
        while len(GONE.findall(trader.text())) < before + 2 and time.monotonic() < end:
            time.sleep(0.01)
        gone = GONE.findall(trader.text())[before:]
        check(sorted({number for number, _, _ in gone}) == ["0", "1"], "gone: %r" % trader.text())
        for number, why, silent_ms in gone:
            # Tolerance, because other programs also use the trader's processor.
            check(int(silent_ms) < dead_ms + 1000, "venue %s: %s ms" % (number, silent_ms))
            check(why == "silent" or "the peer did not a" in why, "venue %s: %r" % (number, why))
        check(windows_bound(prefixes[1]) == 0, "windows of a killed venue are still there")
        sessions = [len(re.findall("^venue %d: session" % number, trader.text(), re.M))
                    for number in range(2)]
        venue = start(0, names, "--venue=" + VENUE)
        for number in range(2):
            trader.wait_for("^venue %d: session %d$" % (number, sessions[number] + 1))
        check_links(trader.end(0), 2, 40000)
        venue.end(0)
    for prefix in prefixes:
        shutil.rmtree("/var/run/dpdk/" + prefix, ignore_errors=True)


def usage(path):
    for arguments in ([], ["--loopback", "extra"], ["--loopback", "--venue=" + VENUE],
                      ["--trader=" + TRADER], ["--nonsense"], ["--venue=1.2.3.4.5.6.7.8.9"]):
        check("usage: ndtick" in Run(path, [], arguments).end(2), "%s: no usage" % arguments)
    for argument in ("--venues=0", "--venues=9", "--ticks=x", "--ticks=1x", "--rate=-1",
                     "--rate=", "--dead-ms=19", "extra"):
        said = Run(path, [], ["--loopback", argument]).end(2)
        check(argument + " is not valid\nusage: ndtick" in said, "%s: %r" % (argument, said))
    with tempfile.NamedTemporaryFile(mode="w") as file:
        file.write("7 1000 100\n7 1001\n")
        file.flush()
        for name, word in (("/no/such", "cannot be read"), (__file__, "in line 1"),
                           ("/dev/null", "in line 1"), (file.name, "in line 2")):
            said = Run(path, [], ["--loopback", "--input=" + name]).end(2)
            check(name in said and word in said, "%s: no %r: %r" % (name, word, said))
    ended = Run(path, [], ["--venue=nonsense"]).end(1)
    check("nonsense is not an IPv4 address" in ended, "address")
    check("no adapter: " in Run(path, [], ["--venue=" + VENUE]).end(1), "no port")
    for arguments in ([], ["--dead-ms=20"], ["--dead-ms=3600000"]):
        said = Run(path, ["-l", "0"], ["--loopback", *arguments]).end(1)
        check("needs two lcores" in said, "%s: %r" % (arguments, said))


def main():
    path, group = sys.argv[1:]
    if group != "usage" and len(os.sched_getaffinity(0)) < 2:
        print("one processor only")
        sys.exit(SKIPPED)
    globals()[group](path)
    sys.exit(1 if failures else 0)


main()
