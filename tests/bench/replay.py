#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Reading a long capture: compares ndreplay check with capinfos and tshark, in one run.

usage: replay.py BUILD_DIR [--frames=N,...] [--accept DOCUMENT]

Makes a capture with 100 connections for each number of frames, in a temporary folder (116 bytes per
frame), loads it into the page cache, and reads it with each program: `capinfos -c`, which only
counts, ndreplay check, which judges every packet, and tshark, which decodes without output.
Prints wall time, processor time and peak memory of each; --accept writes the table into a file,
between the lines with MARK. Fails if check does not judge every frame, or if its memory grows with
the number of frames. Exit status 77 (skipped) without capinfos or tshark.
"""

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
CONNECTIONS = 100
MARK = "<!-- written by tests/bench/replay.py: %s -->\n"
# With this number of frames, each connection has filled its window of remembered requests (8192,
# every second frame). From this capture to a longer one, memory may not grow by more than this.
WINDOWS_FULL = CONNECTIONS * 8192 * 2
GROWTH_MB = 8
POLL_S = 0.02


def peak_kb(pid):
    """Return the peak memory of a process so far."""
    with open("/proc/%d/status" % pid, encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    return 0


def run(command):
    """Return (wall s, processor s, peak MB, output)."""
    start = time.monotonic()
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=said, stderr=subprocess.DEVNULL)
        # The kernel's value at the end also includes the memory of this process, from which it was
        # forked.
        peak = 0
        while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            peak = max(peak, peak_kb(child.pid))
            time.sleep(POLL_S)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        said.seek(0)
        output = said.read().decode()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit("replay.py: %s: status %d\n%s" % (" ".join(command), child.returncode, output))
    return wall, usage.ru_utime + usage.ru_stime, peak / 1024, output


def measure(build, frames, folder):
    """Return rows of (program, frames, wall s, processor s, peak MB)."""
    path = os.path.join(folder, "long.pcap")
    with open(path, "wb") as stream:
        subprocess.run([os.path.join(build, "tests/bench/capture_make"), str(frames),
                        str(CONNECTIONS)], stdout=stream, check=True)
    with open(path, "rb") as stream:
        while stream.read(1 << 24):
            pass
    ndreplay = os.path.join(build, "apps/ndreplay/ndreplay")
    rows = []
    for name, command in (
        ("capinfos", ["capinfos", "-c", path]),
        ("ndreplay check", [ndreplay, "check", path]),
        ("tshark", ["tshark", "-n", "-r", path, "-Y", "_ws.malformed"]),
    ):
        wall, processor, peak, output = run(command)
        if name == "ndreplay check" and "%d right 0 wrong" % frames not in output:
            sys.exit("replay.py: not every frame was judged:\n" + output[:500])
        rows.append((name, frames, wall, processor, peak))
    os.unlink(path)
    return rows


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as stream:
        for line in stream:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def table(rows):
    lines = ["| frames | program | wall, s | processor, s | per frame, ns | peak memory, MB |\n",
             "| ---: | --- | ---: | ---: | ---: | ---: |\n"]
    for name, frames, wall, used, peak in rows:
        lines.append("| %d | %s | %.2f | %.2f | %.0f | %.0f |\n" % (
            frames, name, wall, used, used * 1e9 / frames, peak))
    with open("/proc/loadavg", encoding="utf-8") as stream:
        load = stream.read().split()[0]
    lines.append("\n%s, %d processors, load average %s at the end; %d connections, capture in the "
                 "page cache.\n" % (processor(), os.cpu_count(), load, CONNECTIONS))
    return "".join(lines)


def accept(document, text):
    with open(document, encoding="utf-8") as stream:
        old = stream.read()
    before, rest = old.split(MARK % "begin", 1)
    after = rest.split(MARK % "end", 1)[1]
    with open(document, "w", encoding="utf-8") as stream:
        stream.write(before + MARK % "begin" + text + MARK % "end" + after)


def main(arguments):
    numbers, document = [1000000], None
    while len(arguments) > 1:
        if arguments[1].startswith("--frames="):
            numbers = [int(number) for number in arguments.pop(1)[9:].split(",")]
        elif arguments[1] == "--accept" and len(arguments) > 2:
            document = arguments[2]
            del arguments[1:3]
        else:
            arguments = []
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for program in ("capinfos", "tshark"):
        if shutil.which(program) is None:
            print("skipped: %s is not installed" % program)
            return SKIPPED
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            rows += measure(arguments[0], number, folder)
    text = table(rows)
    print(text, end="")
    peaks = [peak for name, frames, _, _, peak in rows
             if name == "ndreplay check" and frames >= WINDOWS_FULL]
    if peaks and max(peaks) - min(peaks) > GROWTH_MB:
        print("the memory of ndreplay check grows with the capture")
        return 1
    if document is not None:
        accept(document, text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
