# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Captures of a case, and the checks of each capture."""

import functools
import json
import os
import re
import signal
import subprocess

from framework import Failure
from task import Program, end_with_parent


# Opcodes of reliable connections (IBTA 9.2, table 38).
READ_REQUEST = 12
READ_RESPONSES_AT_END = (15, 16)
ACKNOWLEDGE = 17
ATOMIC_ACKNOWLEDGE = 18
ANSWERS = (13, 14) + READ_RESPONSES_AT_END + (ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE)
PSN_HALF = 1 << 23
ACK_BITS = 0xE0  # bits of the AETH syndrome: all 0 in an ACK, not in a NAK or RNR NAK


def answers(opcode, psn, row):
    """Return whether a packet acknowledges that the request with this opcode and PSN was
    executed."""
    if (int(row[2]) - psn) % (2 * PSN_HALF) >= PSN_HALF:
        return False
    if opcode == READ_REQUEST:
        return int(row[3]) in READ_RESPONSES_AT_END
    return int(row[3]) in ANSWERS and (row[4] == "" or int(row[4], 0) & ACK_BITS == 0)


@functools.cache
def tshark_options():
    """Return options that disable tshark's heuristics for protocols above InfiniBand. With them,
    tshark would decode test data as other protocols and report malformed packets."""
    text = subprocess.run(
        ["tshark", "-G", "heuristic-decodes"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=end_with_parent,
    ).stdout.decode()
    options = ["--disable-heuristic", "eth_over_ib"]
    for name in sorted(set(re.findall(r"^infiniband\.\S+\t(\S+)\tT$", text, re.M)) - {"ethertype"}):
        options += ["--disable-protocol", name]
    return options


class Capture:
    """A capture of all frames on an interface of this namespace. It runs from construction to
    stop()."""

    def __init__(self, path, interface):
        self.path = path
        if is_user_namespace():
            # Use dumpcap in a user namespace: tcpdump sets supplementary groups, which requires
            # real root.
            argv = ["dumpcap", "-q", "-P", "-B", "64", "-s", "9216"]
            ready = "^File:"
        else:
            # -s is the size of a slot of the buffer. Without -s, the buffer would have only 256
            # slots.
            argv = "tcpdump -U --immediate-mode -B 65536 -s 9216 -Z root".split()
            ready = "listening on"
        log = os.path.splitext(path)[0] + ".log"
        self._task = Program(argv[0], log, argv + ["-i", interface, "-w", path])
        self._task.wait_for(ready, 20)

    @property
    def running(self):
        return self._task.running

    def kill(self):
        self._task.signal(signal.SIGKILL)

    def stop(self):
        """Stop the capture. Raises Failure if frames are missing."""
        if not self.running:
            if not self._task.was_killed:
                raise Failure("%s ended by itself: %s" % (self._task.name, self._task.last_line()))
            return
        self._task.signal(signal.SIGINT)
        self._task.wait(20)
        dropped = re.search(
            r"(\d+) packets? dropped by kernel|dropped on interface [^:]*: \d+/(\d+)",
            self._task.output,
        )
        lost = int(dropped.group(1) or dropped.group(2)) if dropped else 0
        if lost > 0:
            raise Failure("the capture lacks %d frames that %s lost" % (lost, self._task.name))


def is_user_namespace():
    with open("/proc/self/uid_map") as file:
        return file.read().split() != ["0", "0", "4294967295"]


class Checker:
    """Runs ndreplay and tshark on captures, and adds up the results for the report."""

    def __init__(self, build):
        self.ndreplay = os.path.join(build, "apps", "ndreplay", "ndreplay")
        self.captures = 0
        self.frames = 0
        self.roce = 0
        self.excused = 0

    def check(self, path, violations, malformed, our_address=None):
        """Raise Failure if a rule is violated or a frame is malformed, except for excused cases.

        violations: {regular expression: reason}, for packets from addresses other than our_address;
        malformed: reason or None."""
        report = self._ndreplay(path)
        self.captures += 1
        self.frames += report["frames"]
        self.roce += report["roce_packets"]
        if report["frames"] == 0:
            raise Failure("the capture is empty")
        if report["icrc_bad"]:
            raise Failure("%d packets with a wrong ICRC" % report["icrc_bad"])
        if report["truncated"]:
            raise Failure("%d packets cut by the capture" % report["truncated"])
        if report["malformed"] and not malformed:
            raise Failure("%d malformed packets (ndreplay)" % report["malformed"])
        self._excuse(path, report, violations, our_address)
        self._tshark(path, malformed)

    def _ndreplay(self, path):
        done = subprocess.run(
            [self.ndreplay, "check", "--complete", "--json", path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=300,
            preexec_fn=end_with_parent,
        )
        with open(os.path.splitext(path)[0] + ".ndreplay.json", "wb") as output:
            output.write(done.stdout)
        if done.returncode not in (0, 1, 4):
            raise Failure("ndreplay: " + done.stderr.decode(errors="replace").strip())
        return json.loads(done.stdout)[0]

    def _excuse(self, path, report, violations, our_address):
        texts = [(entry["frame"], "%(rule)s %(text)s" % entry) for entry in report["violations"]]
        excused = [item for item in texts if any(re.search(one, item[1]) for one in violations)]
        ours = self._frames_from(path, {frame for frame, _ in excused}, our_address)
        excused = {item for item in excused if item[0] not in ours}
        left = ["frame %s: %s" % item for item in texts if item not in excused]
        self.excused += len(texts) - len(left)
        beyond = report["violations_found"] - len(report["violations"])
        if left or (beyond > 0 and not violations):
            count = len(left) + beyond
            first = left[0] if left else "not listed"
            raise Failure("ndreplay: %d violations, first %s" % (count, first))

    def _frames_from(self, path, frames, address):
        """Return the numbers of those frames whose sender has the address."""
        if not frames or address is None:
            return set()
        display_filter = "frame.number in {%s}" % ",".join(map(str, sorted(frames)))
        rows = self.fields(path, display_filter, ["frame.number", "ip.src", "ipv6.src"])
        return {int(row[0]) for row in rows if address in row[1:]}

    def silence(self, path, requester):
        """Find the last request packet of this address. @return a description, and whether the
        packet was answered. If so, nothing on the wire explains why the requester has stopped."""
        names = ["frame.number", "frame.time_relative", "infiniband.bth.psn"]
        names += ["infiniband.bth.opcode", "infiniband.aeth.syndrome", "ip.src", "ipv6.src"]
        rows = self.fields(path, "infiniband.bth.destqp > 1", names)
        asked = [row for row in rows if requester in row[5:] and int(row[3]) not in ANSWERS]
        if not asked:
            return "no request of %s" % requester, False
        number, moment, psn, opcode = asked[-1][:4]
        answered = any(
            requester not in row[5:]
            and int(row[0]) > int(number)
            and answers(int(opcode), int(psn), row)
            for row in rows
        )
        text = "frame %s at %.1f s is the last request packet of %s (opcode %s, PSN %s), %s; %s" % (
            number,
            float(moment),
            requester,
            opcode,
            psn,
            "answered" if answered else "not answered",
            "the last packet is frame %s at %.1f s" % (rows[-1][0], float(rows[-1][1])),
        )
        return text, answered

    def _tshark(self, path, malformed):
        if malformed:
            return
        rows = self.fields(path, "_ws.malformed", ["frame.number", "frame.protocols"])
        if rows:
            text = "tshark: %d malformed frames, first %s"
            raise Failure(text % (len(rows), " ".join(rows[0])))

    def fields(self, path, display_filter, names):
        """Return fields of the frames that match tshark's filter, as rows."""
        argv = ["tshark", "-r", path, "-Y", display_filter, "-T", "fields"] + tshark_options()
        for name in names:
            argv += ["-e", name]
        done = subprocess.run(
            argv,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=600,
            preexec_fn=end_with_parent,
        )
        if done.returncode != 0:
            raise Failure("tshark: " + done.stderr.decode(errors="replace").strip()[-200:])
        return [line.split("\t") for line in done.stdout.decode().splitlines()]
