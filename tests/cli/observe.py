#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Observe a running ndpmd with DPDK's tools and with the exporter for Prometheus.

usage: observe.py GROUP NDPMD NDREPLAY SOURCE_ROOT

GROUP is telemetry, exporter, dashboard, capture, log or trace. capture needs root and free
hugepages; with NDPDK_TEST_HUGEPAGES=reserve it reserves hugepages and releases them at the end.
Exit status: 0; 1: a check failed; 2: wrong command line; 77, with the reason: a DPDK tool is not
installed, or there are no hugepages.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

from program import EAL, SKIPPED, TIMEOUT_S, Process, check, failures, run

PREFIX = "ndpdk-observe-%d" % os.getpid()
TELEMETRY_EAL = [a for a in EAL if a != "--no-telemetry"]
SAMPLE = re.compile(r'^(ndpdk_\w+)\{((?:\w+="(?:[^"\\\n]|\\.)*",?)*)\} (-?[0-9.e+-]+)$')
RESERVED = "/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages"
FREE = "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages"
STREAM_HEADER = 48 + 8  # bytes of DPDK's trace header: lengths, lcore and thread name
BYTES = 100000  # minimum size of a capture, in bytes
# Address of the shared memory. EAL's default address is not free under AddressSanitizer.
# In 1 % of the runs, an address chosen by the kernel collides with a library of dpdk-dumpcap.
ADDRESS = "0x200000000000"
PAGES = 200  # number of hugepages for a loopback and for dpdk-dumpcap
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def runtime_folder(prefix):
    base = "/var/run" if os.getuid() == 0 else os.environ.get("XDG_RUNTIME_DIR", "/tmp")
    return os.path.join(base, "dpdk", prefix)


class Ndpmd:
    """A loopback run that continues until the test ends it."""

    def __init__(self, program, *own, eal=TELEMETRY_EAL, qps=1):
        self.qps = qps
        self.process = Process(
            program, eal + ["--file-prefix=" + PREFIX, "--", "--loopback", "--time=600",
                                  "--qps=%d" % qps, *own])
        end = time.monotonic() + TIMEOUT_S
        while not self.has_adapters() and time.monotonic() < end:
            check(self.process.popen.poll() is None, "ndpmd has ended")
            time.sleep(0.05)

    def ask(self, *commands):
        """Return replies of the telemetry socket, which the test reads itself."""
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
            connection.settimeout(TIMEOUT_S)
            connection.connect(os.path.join(runtime_folder(PREFIX), "dpdk_telemetry.v2"))
            size = json.loads(connection.recv(1024))["max_output_len"]
            answers = []
            for command in commands:
                connection.send(command.encode())
                answers.append(next(iter(json.loads(connection.recv(size)).values())))
            return answers

    def has_adapters(self):
        """Return whether both adapters have all queue pairs and regions, and have begun to work."""
        try:
            numbers, *adapters = self.ask(
                "/ndpdk/adapter/list", "/ndpdk/adapter,0", "/ndpdk/adapter,1")
        except (OSError, ValueError):
            return False
        return numbers == [0, 1] and all(
            adapter["qps"] >= self.qps and adapter["regions"] >= self.qps
            and adapter["counters"]["rx_packets"] > 1000 for adapter in adapters)

    def end(self):
        self.process.signal(signal.SIGINT)
        ended = self.process.end()
        shutil.rmtree(runtime_folder(PREFIX), ignore_errors=True)
        return ended


def telemetry(program, _ndreplay, _root):
    """Test DPDK's telemetry client."""
    tool = shutil.which("dpdk-telemetry.py")
    if tool is None:
        print("there is no dpdk-telemetry.py: the package dpdk-dev has it")
        return SKIPPED
    ndpmd = Ndpmd(program, qps=600)
    try:
        qpn = ndpmd.ask("/ndpdk/qp/list,1")[0]["qps"][17]
        commands = ["/ndpdk/adapter/list", "/ndpdk/adapter,0", "/ndpdk/engine,0,0",
                    "/ndpdk/drops,1", "/ndpdk/qp/list,0", "/ndpdk/qp,1,%d" % qpn, "/ndpdk/mr,0",
                    "/ndpdk/counters", "/help,/ndpdk/qp", "/ndpdk/qp,nonsense"]
        result = subprocess.run([tool, "-f", PREFIX], input="\n".join(commands) + "\nquit\n",
                                capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        check(result.returncode == 0 and result.stderr == "", "it says " + result.stderr)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        check(len(answers) == len(commands), "%d answers" % len(answers))
        values = [next(iter(answer.values())) for answer in answers]
        check(values[0] == [0, 1], "adapters %r" % values[0])
        check(values[1]["qps"] >= 600, "%r queue pairs" % values[1]["qps"])
        check(values[1]["port"].startswith("net_ring"), "port %r" % values[1]["port"])
        check(values[2]["polled"] == 1 and values[2]["counters"]["rx_packets"] > 0, "the engine")
        check("drop_icrc" in values[3] and "port_rx_missed" in values[3], "%r" % values[3])
        check(len(values[4]["qps"]) == 512, "%d in a list" % len(values[4]["qps"]))
        check(values[5]["qpn"] == qpn and values[5]["state"] == "RTS", "%r" % values[5])
        check(values[6]["regions"] >= 600, "%r" % values[6])
        names = set(values[7]["counters"]) | set(values[7]["now"])
        check(names == set(values[1]["counters"]), "texts and counters differ")
        check("QPN" in values[8]["/ndpdk/qp"], "%r" % values[8])
        check("error" in values[9], "%r" % values[9])
        lists(ndpmd)
    finally:
        ndpmd.end().expect(0)
    return 0


def lists(ndpmd):
    """Get all queue pairs and regions, in replies of 512 entries."""
    for kind, members in ("qp", "qps"), ("mr", "regions"):
        seen, step = [], {"next": 0}
        while "next" in step:
            step = ndpmd.ask("/ndpdk/%s/list,0,%d" % (kind, step["next"]))[0]
            seen += step[members]
        there = ndpmd.ask("/ndpdk/adapter,0")[0][members]
        check(len(seen) == len(set(seen)) == there >= 600,
              "%d of %d %s" % (len(seen), there, members))


def parse(text):
    """Check the text format, and return {(metric, labels): value}."""
    samples, helped, types = {}, set(), {}
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name = line.split(" ", 3)[2]
            check(name not in helped, "%s: HELP twice" % name)
            check(len(line.split(" ", 3)) == 4, "no text: " + line)
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line.split(" ")[2:]
            check(kind in ("counter", "gauge"), line)
            types[name] = kind
        else:
            match = SAMPLE.match(line)
            check(match is not None, "no sample: %r" % line)
            name, labels, value = match.groups()
            check(name in helped and name in types, "%s: no HELP and TYPE before" % name)
            check((types.get(name) == "counter") == name.endswith("_total"), line)
            key = (name, tuple(sorted(LABEL.findall(labels))))
            check(key not in samples, "twice: " + line)
            samples[key] = float(value)
    check(text.endswith("\n"), "the last line has no end")
    return samples


def run_once(root, *arguments):
    return subprocess.run([sys.executable, os.path.join(root, "tools", "ndpdk-exporter"), "--once",
                           *arguments], capture_output=True, text=True, timeout=TIMEOUT_S,
                          check=False)


def sums(samples):
    """Return the sum of each counter over all labels except adapter."""
    result = {}
    for (name, labels), value in samples.items():
        key = (name, dict(labels).get("adapter"))
        result[key] = result.get(key, 0) + value
    return result


def exporter(program, _ndreplay, root):
    nothing = run_once(root, "--prefix=" + PREFIX)
    check(nothing.returncode == 1, "status %d without a process" % nothing.returncode)
    check(len(nothing.stderr.splitlines()) == 1, "says %r" % nothing.stderr)
    check(list(parse(nothing.stdout).values()) == [0], "ndpdk_up of what is not there")
    ndpmd = Ndpmd(program, qps=3)
    try:
        before = ndpmd.ask("/ndpdk/adapter,0", "/ndpdk/adapter,1")
        once = run_once(root, "--prefix=" + PREFIX)
        after = ndpmd.ask("/ndpdk/adapter,0", "/ndpdk/adapter,1")
        check(once.returncode == 0 and once.stderr == "", "%r" % once)
        samples = parse(once.stdout)
        total = sums(samples)
        check(samples[("ndpdk_up", (("process", PREFIX),))] == 1, "it is up")
        now = ndpmd.ask("/ndpdk/counters")[0]["now"]
        for adapter in range(2):
            for name, low in before[adapter]["counters"].items():
                metric = "ndpdk_" + name + ("" if name in now else "_total")
                value = total.get((metric, str(adapter)))
                high = after[adapter]["counters"][name]
                check(value is not None and (name in now or low <= value <= high),
                      "%s: %r, not %r to %r" % (metric, value, low, high))
        everything = run_once(root)
        check('process="%s"' % PREFIX in everything.stdout, "it is found without its prefix")
        by_path = run_once(root, "--socket=%s/dpdk_telemetry.v2" % runtime_folder(PREFIX))
        check(by_path.returncode == 0, "found by its socket")
        served(root)
    finally:
        ndpmd.end().expect(0)
    return 0


def get(url):
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, "", ""


def served(root):
    """Test the exporter over HTTP."""
    command = [sys.executable, os.path.join(root, "tools", "ndpdk-exporter"),
               "--listen=127.0.0.1:0", "--prefix=" + PREFIX]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as server:
        url = server.stdout.readline().split(" ")[1].strip()
        status, kind, text = get(url)
        check(status == 200 and kind.startswith("text/plain; version=0.0.4"), "%r" % kind)
        check(len(parse(text)) > 100, "few samples")
        check(get(url.replace("/metrics", "/"))[0] == 404, "only /metrics is there")
        results = []
        # Send several requests at the same time.
        threads = [threading.Thread(target=lambda: results.append(get(url)[0])) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check(results == [200] * 12, "%r" % results)
        # A client that sends nothing does not block other clients.
        host, port = url.split("/")[2].split(":")
        with socket.create_connection((host, int(port))):
            check(get(url)[0] == 200, "behind a silent client")
        again = subprocess.run(command[:2] + ["--listen=%s:%s" % (host, port)],
                               capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        check(again.returncode == 1 and "cannot listen" in again.stderr, "%r" % again)
        # If a socket cannot be read, the exporter reports this once and continues.
        folder = runtime_folder(PREFIX)
        os.rename(folder, folder + "-away")
        check([dict(parse(get(url)[2]))[("ndpdk_up", (("process", PREFIX),))] for _ in range(2)]
              == [0, 0], "it is away")
        os.rename(folder + "-away", folder)
        check(len(parse(get(url)[2])) > 100, "it is back")
        server.send_signal(signal.SIGTERM)
        check(server.wait(TIMEOUT_S) == 0, "its end: %r" % server.returncode)
        told = server.stderr.read()
        check(len(told.splitlines()) == 1 and PREFIX in told, "it says %r" % told)


def dashboard(program, _ndreplay, root):
    """Each metric in a panel of the dashboard exists in the exporter."""
    with open(os.path.join(root, "tools", "ndpdk-grafana.json"), encoding="utf-8") as file:
        board = json.load(file)
    ndpmd = Ndpmd(program)
    try:
        given = {name for name, _ in parse(run_once(root, "--prefix=" + PREFIX).stdout)}
    finally:
        ndpmd.end().expect(0)
    expressions = [t["expr"] for panel in board["panels"] for t in panel["targets"]]
    expressions += [v["query"]["query"] for v in board["templating"]["list"] if "refresh" in v]
    check(len(expressions) > 20, "%d expressions" % len(expressions))
    for text in expressions:
        patterns = re.findall(r'__name__=~"([^"]+)"', text)
        names = re.findall(r"\bndpdk_\w+", re.sub(r'__name__=~"[^"]+"', "", text))
        check(patterns or names, "no metric in " + text)
        for name in names:
            check(name in given, "the exporter has no " + name)
        for pattern in patterns:
            check(any(re.fullmatch(pattern, name) for name in given), "nothing is " + pattern)
    return 0


@contextlib.contextmanager
def hugepages():
    """@return folder of a hugetlbfs; None: too few hugepages, or not root"""
    if os.getuid() != 0:
        yield None
        return
    with open(RESERVED, encoding="ascii") as file:
        before = int(file.read())
    reserve = os.environ.get("NDPDK_TEST_HUGEPAGES") == "reserve"
    try:
        if reserve:
            write_number(RESERVED, before + PAGES)
        with open(FREE, encoding="ascii") as file:
            free = int(file.read())
        if free < PAGES:
            yield None
            return
        with tempfile.TemporaryDirectory() as folder:
            mount = ["mount", "-t", "hugetlbfs", "-o", "pagesize=2M", "none", folder]
            if subprocess.run(mount, check=False).returncode != 0:
                yield None
                return
            try:
                yield folder
            finally:
                subprocess.run(["umount", folder], check=True)
    finally:
        if reserve:
            write_number(RESERVED, before)


def write_number(path, number):
    try:
        with open(path, "w", encoding="ascii") as file:
            file.write("%d\n" % number)
    except OSError as error:
        print("%s: %s" % (path, error))


def capture(program, ndreplay, _root):
    """Capture a running process with dpdk-dumpcap."""
    tool = shutil.which("dpdk-dumpcap")
    if tool is None:
        print("there is no dpdk-dumpcap: the package dpdk-dev has it")
        return SKIPPED
    with hugepages() as folder, tempfile.TemporaryDirectory() as out:
        if folder is None:
            print("not root, or fewer than %d hugepages of 2 MB are free" % PAGES)
            return SKIPPED
        eal = ["--no-pci", "-m", "256", "--huge-dir=" + folder, "--log-level=error",
               "--base-virtaddr=" + ADDRESS]
        ndpmd = Ndpmd(program, "--verify", eal=eal)
        file = os.path.join(out, "capture.pcap")
        arguments = ["--file-prefix=" + PREFIX, "-i", "0", "-P", "-q", "-w", file]
        dumpcap = Process(tool, arguments)
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end and dumpcap.popen.poll() is None and bytes_of(file) < BYTES:
            time.sleep(0.05)
        check(ndpmd.ask("/ndpdk/engine,0,0")[0]["polled"] == 1, "it goes on")
        # End the process first. Then dpdk-dumpcap exits.
        # If dpdk-dumpcap ends first, DPDK before 25.11 may crash the process (docs/observe.md).
        ended = ndpmd.end()
        captured = dumpcap.end()
        for name in os.listdir(folder):
            os.unlink(os.path.join(folder, name))
        ended.expect(0)
        check("Capturing on" in captured.output + captured.errors, captured.errors)
        check(bytes_of(file) >= BYTES, "few frames: %s" % captured.errors)
        judge_capture(ndreplay, file)
    return 0


def bytes_of(file):
    return os.path.getsize(file) if os.path.exists(file) else 0


def judge_capture(ndreplay, file):
    """Check that all captured frames are correct. The capture may lack frames."""
    result = subprocess.run([ndreplay, "check", file], capture_output=True, text=True,
                            timeout=TIMEOUT_S, check=False)
    match = re.search(r"(\d+) frames, (\d+) RoCEv2, ICRC (\d+) right 0 wrong", result.stdout)
    check(match is not None, "ndreplay: %s%s" % (result.stdout, result.stderr))
    if match is not None:
        frames, roce, right = map(int, match.groups())
        check(frames == roce == right > BYTES // 1000, result.stdout)


def log(program, _ndreplay, root):
    """The option --log-level sets the library's log types before the first message."""
    written, elsewhere = set(), set()
    for folder, _, names in os.walk(os.path.join(root, "lib")):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found = set(re.findall(r"\bRTE_LOG_REGISTER\w*\(\w+, ([\w.]+), ", file.read()))
            # The program is not linked with the library of the SPI.
            if os.path.basename(folder) == "spi":
                elsewhere |= found
            else:
                written |= found
    quiet = [argument for argument in EAL if not argument.startswith("--log-level")]
    ended = run(program, *quiet, "--log-level=help", "--", "--loopback")
    known = ended.output + ended.errors
    listed = set(re.findall(r"^\t(\S*ndpdk\S*|nd\.\S*)$", known, re.M))
    check(listed == written and len(listed) >= 10, "%r and %r" % (listed, written))
    check(all(name.startswith("lib.ndpdk.") for name in listed), "%r" % listed)
    with open(os.path.join(root, "docs", "observe.md"), encoding="utf-8") as file:
        section = file.read().split("\n## Log\n")[1].split("\n## ")[0]
    explained = set(re.findall(r"`(lib\.ndpdk\.[\w.]+)`", section))
    check(explained == written | elsewhere, "docs/observe.md has %r" % explained)
    device = "--vdev=net_null0"
    for level, begins in {"lib.ndpdk.*:info": True, "lib.ndpdk.port:info": True,
                          "lib.ndpdk.*:notice": False, "lib.ndpdk.link:debug": False}.items():
        ended = run(program, *quiet, "--log-level=" + level, device, "--", "--client=192.0.2.2",
                    "--address=192.0.2.1/24", "--time=1")
        check(("port 0 queue 0: " in ended.errors) == begins, "%s: %s" % (level, ended.errors))
    return 0


def trace_points(folder):
    """Return the events of a trace, [(point, {member: value})], in the order of each thread. DPDK's
    trace is in a simple form of CTF: an event is aligned to 8 bytes and has a header of 64 bits and
    members of fixed sizes."""
    points, events = {}, []
    with open(os.path.join(folder, "metadata"), encoding="ascii") as file:
        text = file.read()
    for block in re.findall(r"^event \{\n(.*?)^\};", text, re.M | re.S):
        members = re.findall(r"^\s+(\w+) (\w+)(?:\[32\])?;", block.split("struct")[1], re.M)
        number = int(re.search(r"id = (\d+);", block).group(1))
        points[number] = re.search(r'name = "([\w.]+)";', block).group(1), members
    for name in sorted(os.listdir(folder)):
        if not name.startswith("channel"):
            continue
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        at = STREAM_HEADER
        while at + 8 <= len(data):
            name, members = points[int.from_bytes(data[at + 6:at + 8], "little")]
            at += 8
            values = {}
            for kind, member in members:
                size = 32 if kind == "string_bounded_t" else int(re.search(r"\d+", kind)[0]) // 8
                raw = data[at:at + size]
                values[member] = (raw.split(b"\0")[0].decode() if size == 32
                                  else int.from_bytes(raw, "little"))
                at += size
            events.append((name, values))
            at += -at % 8
    return events


def trace(program, _ndreplay, _root):
    """The trace of DPDK must contain all stages of connections."""
    with tempfile.TemporaryDirectory() as folder:
        eal = EAL + ["--trace=lib.ndpdk.*", "--trace-dir=" + folder]
        run(program, *eal, "--", "--loopback", "--qps=3", "--time=0.1").expect(0)
        folders = [place for place, _, names in os.walk(folder) if "metadata" in names]
        check(len(folders) == 1, "%r" % folders)
        events = trace_points(folders[0])
    ports = {values["port"] for _, values in events}
    check(len(ports) == 2 and all(port.startswith("net_ring") for port in ports), "%r" % ports)
    states = [(v["qpn"], v["peer_qpn"], v["state"], v["error"])
              for name, v in events if name == "lib.ndpdk.qp.state"]
    qpns = {state[0] for state in states}
    check(qpns == {state[1] for state in states} and len(qpns) >= 6, "%r" % states)
    for qpn in qpns:
        own = [state[2:] for state in states if state[0] == qpn]
        check(own == [("RTS", "RC_OK"), ("ERROR", "RC_FLUSHED")], "%r" % own)
        steps = [(v["from"], v["to"]) for name, v in events
                 if name == "lib.ndpdk.connection" and v["qpn"] == qpn]
        check(("ANSWERED", "CONNECTED") in steps or ("ACCEPTING", "CONNECTED") in steps,
              "%r" % steps)
        check(steps[-1][1] in ("DEAD", "BROKEN"), "%r" % steps)
        check(all(a[1] == b[0] for a, b in zip(steps, steps[1:])), "%r" % steps)


GROUPS = {
    "trace": trace,
    "telemetry": telemetry,
    "exporter": exporter,
    "dashboard": dashboard,
    "capture": capture,
    "log": log,
}


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in GROUPS:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    status = GROUPS[sys.argv[1]](*sys.argv[2:])
    print("%d failures" % len(failures))
    return 1 if failures else status


if __name__ == "__main__":
    sys.exit(main())
