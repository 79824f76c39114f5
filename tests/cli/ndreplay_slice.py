#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""ndreplay slice copies frames of a capture into a new capture.

usage: ndreplay_slice.py NDREPLAY FIXTURES

Every connection of every recorded capture is copied, and check reports the same for the copy.
Comments in the file tell the user what was done, and tshark and capinfos read the file without
errors. After wrong usage or a write error, ndreplay prints an error message and leaves no
incomplete file.
"""

import json
import os
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import ndreplay_check as check
from ndreplay_check import fixture, icrc_mend, pcap, records, run
from schema import Schema


def pcapng_frames(data):
    """Parse the output of slice. @return (comment of the section, [(nanoseconds, frame,
    comment)])"""
    at, section, frames = 0, None, []

    def comment(options):
        while len(options) >= 4:
            code, length = struct.unpack("<HH", options[:4])
            if code == 1:
                return options[4 : 4 + length].decode()
            options = options[4 + (length + 3) // 4 * 4 :]
        return None

    while at < len(data):
        kind, length = struct.unpack("<II", data[at : at + 8])
        assert length % 4 == 0
        assert data[at + length - 4 : at + length] == data[at + 4 : at + 8]
        body = data[at + 8 : at + length - 4]
        if kind == 0x0A0D0D0A:
            section = comment(body[16:])
        if kind == 6:
            _, high, low, captured, _ = struct.unpack("<IIIII", body[:20])
            options = body[20 + (captured + 3) // 4 * 4 :]
            frames.append((high << 32 | low, body[20 : 20 + captured], comment(options)))
        at += length
    return section, frames


class Slice(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = os.path.join(self.folder.name, "out.pcapng")

    def cut(self, *arguments, code=0):
        """Run slice. @return (comment of the section, frames)"""
        status, out, err = run("slice", *arguments, self.out)
        self.assertEqual((status, err), (code, ""), arguments)
        with open(self.out, "rb") as stream:
            section, frames = pcapng_frames(stream.read())
        commented = sum(1 for _, _, comment in frames if comment)
        self.assertRegex(
            out, r"\A\S+out\.pcapng: %d of \d+ frames, %d with a comment\n\Z"
            % (len(frames), commented))
        return section, frames

    def report(self, path, *options, codes=(0,)):
        status, out, err = run("check", "--json", *options, path)
        self.assertEqual(err, "")
        self.assertIn(status, codes)
        return json.loads(out)[0]

    def test_every_connection_of_every_fixture(self):
        number = 0
        for name in sorted(os.listdir(check.FIXTURES)):
            if not name.endswith(".pcap"):
                continue
            path = os.path.join(check.FIXTURES, name)
            whole = self.report(path, codes=(0, 1))
            for index, connection in enumerate(whole["connections"]):
                number += 1
                self.cut("--connection=%d" % (index + 1), path)
                part = self.report(self.out, codes=(0, 1))
                self.assertEqual(len(part["connections"]), 1, name)
                for found in (connection, part["connections"][0]):
                    del found["first_frame"], found["last_frame"]
                    del found["stalls"]["longest_frame"], found["pauses"]["longest_frame"]
                self.assertEqual(part["connections"][0], connection, name)
                self.assertEqual((part["violations"], part["doubts"]), ([], []))
                self.assertLessEqual(part["icrc_bad"], whole["icrc_bad"])
        self.assertGreater(number, 98)

    def test_frames_and_times(self):
        _, frames = records(fixture("two-connections"))
        section, kept = self.cut("--from=4", "--to=20", fixture("two-connections"))
        expected = [((second * 10**6 + part) * 1000, frame) for second, part, frame in frames[3:20]]
        self.assertEqual([(when, frame) for when, frame, _ in kept], expected)
        self.assertEqual(
            section, "cut from two-connections.pcap by ndreplay slice, a range of its frames")
        section, kept = self.cut("--filter=arp", fixture("two-connections"))
        self.assertEqual([frame for _, frame, _ in kept],
                         [frame for _, _, frame in frames if frame[12:14] == b"\x08\x06"])
        self.assertIn("filter: arp", section)

    def test_time_grows_with_the_connections_and_not_with_their_square(self):
        """With 4 times as many connections of one packet, slice takes less than 8 times as long."""
        request = next(frame for _, _, frame in records(fixture("send-many"))[1]
                       if frame[42:43] == b"\x04")
        taken = []
        for count in (8000, 32000):
            frames = []
            for number in range(count):
                frame = bytearray(request)
                frame[42 + 5:42 + 8] = (0x10000 + number).to_bytes(3, "big")
                frames.append((number // 1000, number % 1000, icrc_mend(bytes(frame))))
            path = os.path.join(self.folder.name, "many.pcap")
            with open(path, "wb") as stream:
                stream.write(pcap(frames))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = subprocess.run([check.NDREPLAY, "slice", "--from=1", path, self.out],
                                  capture_output=True, timeout=60)
            taken.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            self.assertIn(b": %d of %d frames" % (count, count), done.stdout)
        self.assertLess(taken[1], 8 * taken[0], taken)

    def test_comments(self):
        _, kept = self.cut("--connection=1", fixture("loss-mixed"))
        report = self.report(fixture("loss-mixed"))["connections"][0]
        text = [comment or "" for _, _, comment in kept]
        self.assertEqual(
            text[0],
            "first frame of connection 1, 10.77.0.1 qp 0xab - 10.77.0.2 qp 0xb3; "
            "frame 3 of the whole capture")
        self.assertTrue(text[-1].startswith("last frame of connection 1; "))
        self.assertEqual(sum("NAK: PSN sequence error" in line for line in text),
                         report["sides"][1]["naks_sequence"])
        self.assertEqual(sum("retransmission" in line for line in text),
                         report["sides"][0]["retransmitted"])
        _, kept = self.cut("--connection=1", fixture("rnr-recover"))
        self.assertTrue(any("RNR NAK, timer code" in (comment or "") for _, _, comment in kept))
        _, kept = self.cut("--connection=1", fixture("nak-oob-write"))
        self.assertTrue(any("NAK: remote access error" in (line or "") for _, _, line in kept))
        _, kept = self.cut("--connection=1", fixture("corrupt"))
        # One of these three frames has damaged headers and belongs to no connection.
        self.assertEqual(sum("wrong ICRC" in (comment or "") for _, _, comment in kept), 2)

    def test_violation_and_doubt(self):
        _, frames = records(fixture("rping-64"))
        second, part, frame = frames[6]
        changed = bytearray(frame)
        changed[42 + 11] ^= 0x10
        frames[6] = (second, part, icrc_mend(bytes(changed)))
        path = os.path.join(self.folder.name, "changed.pcap")
        with open(path, "wb") as stream:
            stream.write(pcap(frames))
        _, kept = self.cut("--connection=1", path)
        blamed = [line for _, _, line in kept if line and "breaks RC-070" in line]
        self.assertEqual(len(blamed), 1)
        self.assertIn("frame 7 of the whole capture", blamed[0])
        violation = self.report(self.out, codes=(1,))["violations"][0]
        self.assertEqual(violation["rule"], "RC-070")
        self.assertIn(violation["text"], blamed[0])
        _, frames = records(fixture("send-many"))
        with open(path, "wb") as stream:
            stream.write(pcap(frames[:9] + frames[10:]))
        _, kept = self.cut("--connection=1", path)
        self.assertTrue(any("a frame is missing, or this breaks RC-005" in (line or "")
                            for _, _, line in kept))
        _, kept = self.cut("--connection=1", "--complete", path)
        self.assertTrue(any((line or "").startswith("breaks RC-005") for _, _, line in kept))

    def test_others_read_it(self):
        self.cut("--connection=1", fixture("loss-mixed"))
        tools = 0
        if shutil.which("capinfos"):
            tools += 1
            done = subprocess.run(["capinfos", self.out], capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn(b"cut from loss-mixed.pcap by ndreplay slice", done.stdout)
        if shutil.which("tshark"):
            tools += 1
            done = subprocess.run(
                ["tshark", "-r", self.out, "-Y", "frame.comment", "-T", "fields", "-e",
                 "frame.number", "-e", "frame.comment"], capture_output=True, timeout=60)
            self.assertEqual(done.returncode, 0)
            lines = done.stdout.decode().splitlines()
            self.assertIn("1\tfirst frame of connection 1", lines[0])
            self.assertGreater(len(lines), 100)
            done = subprocess.run(["tshark", "-r", self.out, "-Y", "_ws.malformed"],
                                  capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (0, b""))
        if tools < 2:
            print("skipped in part: tshark or capinfos is not installed")

    def test_standard_output(self):
        done = subprocess.run([check.NDREPLAY, "slice", "--to=5", fixture("rping-64"), "-"],
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(pcapng_frames(done.stdout)[1]), 5)
        self.assertRegex(done.stderr.decode(), r"\A-: 5 of 67 frames, \d with a comment\n\Z")

    def test_nothing_chosen(self):
        _, kept = self.cut("--from=100", fixture("rping-64"), code=4)
        self.assertEqual(kept, [])

    def refused(self, *arguments, word):
        status, out, err = run("slice", *arguments)
        self.assertEqual((status, out), (2, ""), arguments)
        self.assertRegex(err, r"\Andreplay slice: [^\n]+\n\Z")
        self.assertIn(word, err)

    def test_dev_stdout_is_standard_output(self):
        """The report goes to standard error, not into the capture."""
        done = [subprocess.run([check.NDREPLAY, "slice", "--to=5", fixture("rping-64"), out],
                               capture_output=True, timeout=60) for out in ("-", "/dev/stdout")]
        self.assertEqual(done[0].stdout, done[1].stdout)
        self.assertEqual([each.returncode for each in done], [0, 0])

    def test_a_pipe_cannot_be_read_twice(self):
        with open(fixture("rping-64"), "rb") as file:
            done = subprocess.run([check.NDREPLAY, "check", "--connection=1", "/dev/stdin"],
                                  input=file.read(), capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"/dev/stdin is a pipe, which cannot be read twice", done.stderr)

    def test_wrong_use(self):
        path = fixture("rping-64")
        copy = os.path.join(self.folder.name, "copy.pcap")
        shutil.copy(path, copy)
        self.refused(word="two files")
        self.refused(path, word="two files")
        self.refused(path, self.out, "third", "--to=5", word="unexpected argument 'third'")
        self.refused(path, self.out, word="no frames are chosen")
        self.refused("--connection=9", path, self.out, word="has no connection 9: the file has 1")
        self.refused("--to=5", "-", self.out, word="standard input cannot be read twice")
        self.refused("--to=5", copy, copy, word="another name is needed")
        link = os.path.join(self.folder.name, "link")
        os.symlink(copy, link)
        self.refused("--to=5", copy, link, word="another name is needed")
        self.refused("--to=5", path, os.path.join(self.folder.name, "no", "such"),
                     word="cannot be written: No such file")
        self.refused("--to=5", path, self.folder.name, word="cannot be written: Is a directory")
        self.assertEqual(os.listdir(self.folder.name).count("out.pcapng"), 0)
        with open(copy, "rb") as kept, open(path, "rb") as original:
            self.assertEqual(kept.read(), original.read())

    def json(self, *arguments, code=0):
        """Return the output of --json, which must match the schema."""
        schema = Schema("ndreplay.schema.json")
        status, out, err = run("slice", "--json", *arguments, self.out)
        self.assertEqual((status, err), (code, ""), arguments)
        answer = json.loads(out)
        self.assertEqual(schema.wrong(answer, schema.part("slice")), [])
        self.assertEqual(answer["frames"],
                         answer["frames_written"] + sum(answer["excluded"].values()))
        with open(self.out, "rb") as stream:
            frames = pcapng_frames(stream.read())[1]
        self.assertEqual(answer["frames_written"], len(frames))
        self.assertEqual(answer["comments"], sum(1 for _, _, comment in frames if comment))
        return answer

    def test_json(self):
        path = fixture("loss-mixed")
        sides = self.report(path)["connections"][0]["sides"]
        answer = self.json("--connection=1", path)
        self.assertEqual((answer["file"], answer["output"]), (path, self.out))
        self.assertEqual(answer["retransmissions"], sides[0]["retransmitted"])
        self.assertEqual(answer["naks"], sides[1]["naks_sequence"])
        self.assertEqual((answer["rnr_naks"], answer["icrc_bad"], answer["findings"]), (0, 0, 0))
        self.assertEqual(answer["excluded"]["connection"], 2)
        self.assertGreater(self.json("--connection=1", fixture("rnr-recover-fast"))["rnr_naks"], 0)
        self.assertEqual(self.json("--from=1", fixture("corrupt"))["icrc_bad"], 3)
        answer = self.json("--connection=2", fixture("two-connections"))
        self.assertEqual((answer["connections"], answer["connections_written"]), (2, 1))
        answer = self.json("--from=4", fixture("two-connections"))
        self.assertEqual(answer["connections_written"], 2)
        answer = self.json("--filter=arp", "--to=100", fixture("two-connections"))
        self.assertEqual(answer["connections_written"], 0)
        self.assertGreater(answer["excluded"]["filter"], 50)
        self.assertGreater(answer["excluded"]["range"], 5)
        self.assertEqual(self.json("--from=10000", path, code=4)["frames_written"], 0)

    def test_json_counts_findings(self):
        _, frames = records(fixture("rping-64"))
        lacking = os.path.join(self.folder.name, "lacking.pcap")
        with open(lacking, "wb") as stream:
            stream.write(pcap(frames[:5] + frames[8:]))
        doubts = self.report(lacking, codes=(4,))["doubts"]
        self.assertTrue(doubts)
        self.assertEqual(self.json("--from=1", lacking)["findings"], len(doubts))
        self.assertEqual(self.json("--from=%d" % (doubts[-1]["frame"] + 1), lacking)["findings"], 0)

    def test_json_when_it_goes_wrong(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        cut = os.path.join(self.folder.name, "cut.pcap")
        with open(cut, "wb") as stream:
            stream.write(data[:-7])
        status, out, err = run("slice", "--json", "--from=60", cut, self.out)
        answer = json.loads(out)
        self.assertEqual((status, answer["frames_written"]), (2, 7))
        self.assertEqual(err, "ndreplay slice: %s\n" % answer["error"])
        status, out, err = run("slice", "--json", "--from=1", fixture("rping-64"), "/dev/full")
        self.assertEqual((status, out), (2, ""))
        done = subprocess.run([check.NDREPLAY, "slice", "--json", "--to=5", fixture("rping-64"),
                               "-"], capture_output=True, timeout=60)
        self.assertEqual(json.loads(done.stderr)["frames_written"], 5)
        self.assertEqual(len(pcapng_frames(done.stdout)[1]), 5)

    def test_full_disk(self):
        self.refused("--connection=1", fixture("loss-mixed"), "/dev/full", word="No space left")
        with open("/dev/full", "wb") as full:
            done = subprocess.run([check.NDREPLAY, "slice", "--to=5", fixture("rping-64"), "-"],
                                  stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertIn(done.returncode, (2, 3))
        self.assertIn(b"No space left", done.stderr)

    def test_damaged_input(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        path = os.path.join(self.folder.name, "cut.pcap")
        with open(path, "wb") as stream:
            stream.write(data[:-7])
        self.refused("--from=60", path, self.out, word="truncated")
        with open(self.out, "rb") as stream:
            self.assertEqual(len(pcapng_frames(stream.read())[1]), 7)


if __name__ == "__main__":
    check.NDREPLAY, check.FIXTURES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
