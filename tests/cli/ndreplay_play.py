#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndreplay respond and request as a user runs them.

usage: ndreplay_play.py NDREPLAY FIXTURES

Tests exit statuses, error messages, JSON, damaged captures and Ctrl-C.
"""

import gzip
import json
import os
import random
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from schema import Schema

NDREPLAY = ""
FIXTURES = ""


def run(*arguments, **more):
    """Run ndreplay. @return (exit status, standard output, standard error)"""
    done = subprocess.run([NDREPLAY, *arguments], stdout=more.get("stdout", subprocess.PIPE),
                          stderr=subprocess.PIPE, timeout=60)
    return done.returncode, (done.stdout or b"").decode(), done.stderr.decode()


def fixture(name):
    return os.path.join(FIXTURES, name + ".pcap")


def records(path):
    """Return the header of a little-endian pcap file, and its records with their headers."""
    with open(path, "rb") as file:
        content = file.read()
    at, found = 24, []
    while at < len(content):
        captured = struct.unpack_from("<I", content, at + 8)[0]
        found.append(content[at:at + 16 + captured])
        at += 16 + captured
    return content[:24], found


class Play(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, head, frames):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(head + b"".join(frames))
        return path

    def test_text_names_what_was_done(self):
        for command, frame, played in (
                ("respond", 4, "10.77.0.2 replayed against 10.77.0.1"),
                ("request", 3, "10.77.0.1 replayed against 10.77.0.2")):
            status, out, err = run(command, fixture("rping-64"))
            self.assertEqual((status, err), (0, ""))
            self.assertIn(played, out)
            self.assertRegex(out, r"rping-64\.pcap: 1 connections, 3[23] frames compared, "
                                  r"0 differences, 0 not judged")
            self.assertIn("explained, cm-setting: each connection manager chooses this value", out)
            self.assertNotIn("  frame ", out)
            out = run(command, "--explained", fixture("send-many"))[1]
            self.assertIn(f"  frame {frame}, connection 1: UDP source port: expected ", out)

    def test_json_has_all_of_it(self):
        status, out, _ = run("respond", "--json", fixture("nak-send-too-long"),
                             fixture("two-connections"))
        first, second = json.loads(out)
        self.assertEqual(status, 0)
        self.assertEqual(first["command"], "respond")
        self.assertEqual(first["differences"], [])
        self.assertEqual(first["connections"][0]["explained"]["nak-code"], 1)
        self.assertEqual(first["connections"][0]["recovery"], "go-back-n")
        self.assertEqual([each["connection"] for each in second["connections"]], [0, 1])
        self.assertEqual(second["strays"], 0)

    def test_json_fits_its_schema(self):
        schema = Schema("replay.schema.json")
        for command in ("respond", "request"):
            _, out, _ = run(command, "--json", "--explained", fixture("loss-mixed"),
                            fixture("corrupt"), fixture("rej-stale"), fixture("rnr-recover"))
            report = json.loads(out)
            self.assertEqual(schema.wrong(report, schema.part("play")), [])
            del report[0]["strays"]
            self.assertEqual(schema.wrong(report, schema.part("play")), ["answer[0] has no strays"])

    def test_a_difference_is_status_1(self):
        head, frames = records(fixture("send-many"))
        frames = [bytearray(frame) for frame in frames]
        frames[24][16 + 22] ^= 1  # the ICRC does not cover the TTL
        status, out, _ = run("respond", self.file("ttl.pcap", head, frames))
        self.assertEqual(status, 1)
        self.assertIn("  frame 25, connection 1: TTL: expected 0x41, seen 0x40 (unexplained)", out)

    def test_copies_are_left_out(self):
        """A copy of each packet with a VLAN tag and another TTL follows after 1 us."""
        head, frames = records(fixture("mixed"))
        twice = []
        for frame in frames:
            seconds, part, captured, length = struct.unpack_from("<IIII", frame)
            data = bytearray(frame[16:])
            if data[12:14] == b"\x08\x00":
                data[22] -= 1
                data[24:26] = bytes(2)
            data[12:12] = bytes.fromhex("81000064")
            copy = struct.pack("<IIII", seconds, part + 1, captured + 4, length + 4) + data
            twice += [frame, copy]
        path = self.file("twice.pcap", head, twice)
        for command in ("respond", "request"):
            status, out, err = run(command, "--json", path)
            self.assertEqual((status, err), (0, ""))
            report = json.loads(out)[0]
            self.assertEqual((report["copies"], sum(report["faults"].values())), (85, 0))
            self.assertIn("more than once: 85 copies were left out\n", run(command, path)[1])

    def test_reserved_bits_of_connectx_are_explained(self):
        """ConnectX sets 0x10 before the destination QP of requests. The ICRC does not cover it."""
        head, frames = records(fixture("mixed"))
        changed = 0
        for i, frame in enumerate(frames):
            data = bytearray(frame)
            if data[16 + 12:16 + 14] == b"\x08\x00" and data[16 + 42] < 0x0D:
                data[16 + 46] |= 0x10
                changed += 1
            frames[i] = bytes(data)
        path = self.file("connectx.pcap", head, frames)
        for command, explained in (("respond", 0), ("request", changed)):
            status, out, err = run(command, "--json", path)
            self.assertEqual((status, err), (0, ""))
            connection = json.loads(out)[0]["connections"][0]
            self.assertEqual(connection["explained"].get("reserved", 0), explained)
        self.assertGreater(changed, 20)

    def test_acknowledges_may_have_a_class_of_their_own(self):
        """Acknowledges have a DSCP other than data. The ICRC does not cover the DSCP."""
        head, frames = records(fixture("bidir"))
        for data_class, ack_class in ((0, 46), (26, 46), (26, 0)):
            marked = []
            for frame in frames:
                data = bytearray(frame)
                if data[28:30] == b"\x08\x00" and data[16 + 36:16 + 38] == b"\x12\xb7":
                    is_ack = data[16 + 42] == 0x11
                    data[16 + 15] = (ack_class if is_ack else data_class) << 2 | data[31] & 3
                    words = struct.unpack(">10H", data[30:40] + b"\0\0" + data[42:50])
                    total = sum(words)
                    total = (total & 0xFFFF) + (total >> 16)
                    struct.pack_into(">H", data, 40, ~(total + (total >> 16)) & 0xFFFF)
                marked.append(bytes(data))
            path = self.file("classes.pcap", head, marked)
            for command in ("respond", "request"):
                status, out, err = run(command, path)
                self.assertEqual((status, err), (0, ""), out)
                self.assertIn(", 0 differences, 0 not judged", out)

    def test_memory_is_bounded(self):
        """Memory is bounded for a capture of 60000 copies of a 4 KB frame (1 MB compressed)."""
        head, frames = records(fixture("write-65536-mtu4096"))
        path = self.file("large.pcap.gz", b"", [])
        with gzip.open(path, "wb") as file:
            file.write(head + b"".join(frames) + max(frames, key=len) * 60000)
        for command in ("respond", "request"):
            status, out, err = run(command, "--memory=20", path)
            self.assertEqual(status, 2)
            self.assertRegex(
                err, r"\Andreplay %s: \S+ is replayed up to frame \d+: later frames need "
                     r"more than 20 MB of memory; cut the file with ndreplay slice, or raise the "
                     r"limit with --memory=MB\n\Z" % command)
            self.assertIn("1 connections, ", out)
        err = run("respond", "--memory=40", "--filter", "less 1000", path)[2]
        # Frames that the filter excludes are stored without their bytes.
        self.assertNotIn("memory", err)
        self.assertEqual(run("respond", "--memory=20", fixture("mixed"))[0], 0)
        self.assertIn("1 to 1048576", run("respond", "--memory=0", path)[2])

    def test_one_connection_of_many(self):
        status, out, _ = run("respond", "--connection", "2", fixture("two-connections"))
        self.assertEqual(status, 0)
        self.assertIn("connection 2, ", out)
        self.assertNotIn("connection 1, ", out)
        status, out, err = run("respond", "--connection", "3", fixture("two-connections"))
        self.assertEqual((status, out), (2, ""))
        self.assertIn("has 2 connections, but no connection 3", err)

    def test_wrong_input_is_status_2(self):
        for arguments, sentence in (
                (["respond"], "no file given"),
                (["request", "--speed", "0", fixture("fadd")], "1 to 1000000 times"),
                (["request", "--speed", "fast", fixture("fadd")], "1 to 1000000 times"),
                (["respond", "--connection", "0", fixture("fadd")], "--connection"),
                (["respond", os.path.join(self.folder, "none.pcap")], "none.pcap"),
                (["respond", __file__], "ndreplay_play.py")):
            status, out, err = run(*arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(sentence, err)
            self.assertEqual(err.count("\n"), 1, err)

    def test_times_that_run_backwards_are_status_4(self):
        head, frames = records(fixture("rping-64"))
        swapped = frames[:20] + [frames[21], frames[20]] + frames[22:]
        twice = self.file("twice.pcap", head, frames + frames)
        for command in ("respond", "request"):
            status, out, _ = run(command, self.file("swapped.pcap", head, swapped))
            self.assertEqual(status, 4, out)
            self.assertIn("\n  times run backwards at 1 frames, first at frame 22: sort", out)
            status, out, _ = run(command, "--json", twice)
            self.assertNotEqual(status, 0)
            report = json.loads(out)[0]
            self.assertEqual((report["backwards"], report["backwards_frame"]),
                             (1, len(frames) + 1))

    def test_nothing_to_play_is_status_4(self):
        head, _ = records(fixture("fadd"))
        status, out, _ = run("respond", self.file("empty.pcap", head, []))
        self.assertEqual(status, 4)
        self.assertIn("0 connections, 0 frames compared", out)

    def test_output_that_cannot_be_written_is_status_3(self):
        with open("/dev/full", "wb") as full:
            status, _, err = run("respond", fixture("fadd"), stdout=full)
        self.assertEqual(status, 3)
        self.assertIn("standard output cannot be written", err)

    def test_half_captures(self):
        head, frames = records(fixture("mixed"))
        b = [frame for frame in frames if frame[16 + 6:16 + 12] == b"\x02\xbb\x00\x00\x00\x02"]
        a = [frame for frame in frames if frame[16 + 6:16 + 12] == b"\x02\xaa\x00\x00\x00\x01"]
        for name, part in (("b", b), ("a", a), ("middle", frames[20:60]), ("begin", frames[:6])):
            for command in ("respond", "request"):
                status, out, err = run(command, self.file(name + ".pcap", head, part))
                self.assertIn(status, (0, 1, 4), f"{command} {name}: {err}")
                self.assertIn("frames compared", out)

    def test_what_depends_on_a_frame_that_the_capture_lacks_is_not_judged(self):
        # The capture lacks requests of either side, or responses with payload.
        for name, lacking in (("mixed", 41), ("mixed", 12), ("bidir", 30), ("bidir", 31),
                              ("ipv6-rping", 12), ("ipv6-rping", 14), ("ipv6-rping", 26)):
            head, frames = records(fixture(name))
            path = self.file("lossy.pcap", head, frames[:lacking - 1] + frames[lacking:])
            for command in ("respond", "request"):
                status, out, err = run(command, path)
                self.assertEqual(status, 4, f"{command} {name}, {lacking}: {out}{err}")
                self.assertRegex(out, r", [1-9][0-9]* frames compared, 0 differences, [1-9]")
                self.assertIn("frames after a request that was not captured", out)
        head, frames = records(fixture("mixed"))
        path = self.file("lossy.pcap", head, frames[:9] + frames[10:])
        self.assertEqual(run("request", path)[0], 4, "a READ response is missing")

    def lacking(self, name, numbers):
        """Write a copy of the capture without these frames."""
        head, frames = records(fixture(name))
        return self.file("%s-%d.pcap" % (name, numbers[0]), head,
                         [f for at, f in enumerate(frames, 1) if at not in numbers])

    def test_a_frame_that_the_capture_lacks_is_no_difference(self):
        """Operations after the missing frame are not posted. Answers to missing requests wait for
        nothing. Neither ends the replayed connection."""
        lost = {
            "respond": [("rping-64", 8), ("rping-64", 9), ("rping-64", 10),
                        ("mtu-mismatch", 57), ("depth-negotiation", 26),
                        ("perf-read-4096-mtu1024", 30), ("psnwrap-read", 29),
                        ("read-odd-sizes", 56), ("nak-badrkey-write", 8),
                        ("nak-qpperm-write", 6), ("nak-send-too-long", 6), ("sendimm", 15),
                        ("mixed", 80), ("mixed", 87), ("bidir", 17)],
            "request": [("bidir", 7), ("bidir", 10), ("bidir", 13), ("ecn-ce", 9),
                        ("send-65536-mtu1024", 17), ("cm-slow-accept", 6), ("inline", 20),
                        ("bidir", 45)],
        }
        for command, captures in lost.items():
            paths = [self.lacking(name, [number]) for name, number in captures]
            status, out, err = run(command, *paths)
            self.assertEqual((status, err), (4, ""), out)
            self.assertEqual(out.count(" compared, 0 differences, "), len(captures), out)

    def test_a_capture_that_begins_in_the_middle_has_no_difference(self):
        for command, name, first in (
                ("respond", "send-many", 8), ("respond", "mixed", 8), ("respond", "mixed", 20),
                ("respond", "two-connections", 10), ("request", "two-connections", 10)):
            status, out, err = run(command, f"--from={first}", fixture(name))
            self.assertEqual((status, err), (4, ""), f"{command} {name} {first}: {out}")
            self.assertIn(" frames compared, 0 differences, ", out)
        path = self.lacking("send-many", range(1, 8))
        self.assertEqual(run("respond", path)[0], 4)

    def test_what_a_cut_file_has_is_played(self):
        head, frames = records(fixture("mixed"))
        path = self.file("cut.pcap", head, frames[:12] + [frames[12][:-5]])
        status, out, err = run("respond", path)
        self.assertEqual(status, 2)
        self.assertIn("cut.pcap cannot be read to its end", err)
        self.assertRegex(out, r"1 connections, [1-9][0-9]* frames compared, 0 differences")

    def test_damaged_captures_end(self):
        chance = random.Random(7)
        paths = []
        for i in range(24):
            head, frames = records(fixture(chance.choice(
                ["mixed", "loss-mixed", "mw2-sendinv", "ucmatose", "read-odd-sizes"])))
            for _ in range(8):
                frame = bytearray(chance.choice(frames))
                frame[chance.randrange(16, len(frame))] ^= 1 << chance.randrange(8)
                at = chance.randrange(len(frames))
                if chance.random() < 0.3:
                    del frames[at]
                else:
                    frames[at] = bytes(frame)
            paths.append(self.file(f"{i}.pcap", head, frames))
        for command in ("respond", "request"):
            status, out, err = run(command, *paths)
            self.assertIn(status, (0, 1, 4), err)
            self.assertEqual(out.count(" frames compared, "), len(paths))

    def test_ctrl_c_ends_it(self):
        # The replay of cm-slow-accept takes 9 s.
        process = subprocess.Popen([NDREPLAY, "respond", "--speed", "1",
                                    fixture("cm-slow-accept")], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        catches_signal(process)
        time.sleep(2)
        self.assertIsNone(process.poll(), "--speed 1 took no time")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 4, err)
        self.assertIn(b"stopped by a signal", err)
        self.assertIn(b"frames after the signal", out)


def catches_signal(process):
    """Wait until the process has installed a handler for SIGINT."""
    end = time.monotonic() + 60
    mask = 1 << (signal.SIGINT - 1)
    while process.poll() is None and time.monotonic() < end:
        with open("/proc/%d/status" % process.pid, encoding="ascii") as file:
            if int(re.search(r"SigCgt:\s*(\w+)", file.read()).group(1), 16) & mask:
                break
        time.sleep(0.01)


if __name__ == "__main__":
    NDREPLAY, FIXTURES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
