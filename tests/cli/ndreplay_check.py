#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndreplay check as a user runs it.

usage: ndreplay_check.py NDREPLAY FIXTURES

Tests exit codes, error messages of one sentence, JSON, and unusual files: missing, not a capture,
truncated, other link types, pcapng.
"""

import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

NDREPLAY = ""
FIXTURES = ""


def run(*arguments):
    """Run ndreplay. @return (exit code, standard output, standard error)"""
    done = subprocess.run(
        [NDREPLAY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def peak(*arguments):
    """Return the peak resident memory of a run, in KiB. By default ASan keeps 256 MB of freed
    memory."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
    with subprocess.Popen([NDREPLAY, *arguments], stdout=subprocess.DEVNULL,
                          env={**os.environ, "ASAN_OPTIONS": options}) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss


def fixture(name):
    return os.path.join(FIXTURES, name + ".pcap")


def records(path):
    """Return the header of a little-endian pcap file, and (seconds, microseconds, frame) of each
    record."""
    with open(path, "rb") as stream:
        data = stream.read()
    header, at, frames = data[:24], 24, []
    while at < len(data):
        seconds, fraction, captured, _ = struct.unpack("<IIII", data[at : at + 16])
        frames.append((seconds, fraction, data[at + 16 : at + 16 + captured]))
        at += 16 + captured
    return header, frames


def pcap(frames, link_type=1, cut=None):
    """Return a pcap file. cut: snapshot length in bytes."""
    parts = [struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, link_type)]
    for seconds, fraction, frame in frames:
        kept = frame[:cut]
        parts.append(struct.pack("<IIII", seconds, fraction, len(kept), len(frame)) + kept)
    return b"".join(parts)


def pcapng(frames):
    """Return a pcapng file with one section, one Ethernet interface and microseconds."""

    def block(kind, body):
        body += bytes(-len(body) % 4)
        length = struct.pack("<I", 12 + len(body))
        return struct.pack("<I", kind) + length + body + length

    data = block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    data += block(1, struct.pack("<HHI", 1, 0, 0))
    for seconds, fraction, frame in frames:
        time = seconds * 1000000 + fraction
        head = struct.pack("<IIIII", 0, time >> 32, time & 0xFFFFFFFF, len(frame), len(frame))
        data += block(6, head + frame + bytes(-len(frame) % 4))
    return data


def udp(port, payload):
    return struct.pack(">HHHH", 40000, port, 8 + len(payload), 0) + payload


def tunnel(protocol, payload):
    """Return an Ethernet frame with an outer IPv4 header of this protocol."""
    header = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
    return bytes(12) + b"\x08\x00" + header + bytes((192, 0, 2, 9, 192, 0, 2, 10)) + payload


def icrc_mend(frame):
    """Correct the ICRC of an untagged IPv4 frame after a change in the data after the IP header."""
    pseudo = bytearray(frame[14:-4])
    for variant in (1, 8, 10, 11, 26, 27, 32):
        pseudo[variant] = 0xFF
    crc = zlib.crc32(bytes(pseudo), zlib.crc32(b"\xff" * 8))
    return frame[:-4] + crc.to_bytes(4, "little")


def unmeasured(report):
    """Return a report without the parts that depend on time stamps and on headers before the IP
    header."""
    for connection in report["connections"]:
        for key in ("duration_ns", "stalls", "pauses"):
            del connection[key]
        for side in connection["sides"]:
            for key in ("wire_bytes", "wire_bps", "goodput_bps", "times"):
                del side[key]
    return report


class Ndreplay(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as stream:
            stream.write(data)
        return path

    def assert_sentence(self, text, *words):
        self.assertRegex(text, r"\Andreplay( \w+)?: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, text)

    def test_clean_capture(self):
        code, out, err = run("check", fixture("rping-64"))
        self.assertEqual((code, err), (0, ""))
        self.assertIn("67 frames, 65 RoCEv2, ICRC 65 right 0 wrong", out)
        self.assertIn("10.77.0.1 qp 0x2b - 10.77.0.2 qp 0x34: disconnected, path MTU 4096", out)
        self.assertIn("0 violations", out)

    def test_all_fixtures_but_the_corrupt_one_are_clean(self):
        names = [n for n in os.listdir(FIXTURES) if n.endswith(".pcap") and n != "corrupt.pcap"]
        self.assertEqual(len(names), 97)
        code, out, err = run("check", *[os.path.join(FIXTURES, name) for name in names])
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out.count(", 0 violations\n"), 97)

    def test_wrong_icrc(self):
        code, out, err = run("check", fixture("corrupt"))
        self.assertEqual((code, err), (1, ""))
        self.assertIn("ICRC 52 right 3 wrong", out)
        self.assertEqual(len(re.findall(r"\n  frame \d+: ICRC \S+ qp 0x\w+ > .* PSN \d+ ", out)), 2)
        self.assertIn("\n  frame 40: ICRC 10.77.0.1 > 10.77.0.2: packet with a wrong ICRC; ", out)
        self.assertTrue(out.endswith("\n  ICRC: the ICRC of a packet matches its contents\n"), out)
        report = json.loads(run("check", "--json", fixture("corrupt"))[1])[0]
        frames = [damage["frame"] for damage in report["damages"]]
        with open(os.path.join(FIXTURES, "manifest.json"), encoding="utf-8") as manifest:
            captures = json.load(manifest)["captures"]
        told = next(entry for entry in captures if entry["file"] == "corrupt.pcap")
        self.assertEqual(frames, told["icrc_bad_frames"])
        self.assertEqual({damage["rule"] for damage in report["damages"]}, {"ICRC"})
        self.assertEqual([damage.get("connection") for damage in report["damages"]], [0, 0, None])
        self.assertEqual(report["doubts"], [])

    def test_doubt_names_the_damaged_frame(self):
        """The capture damaged the frame, because the peer acknowledges the packet."""
        for name, at, words in (
            ("send-many", 9, "PSN %d was damaged, but the peer received everything before PSN"),
            ("read-65536-mtu1024", 12, "PSN %d of the RC READ Request in frame"),
        ):
            _, frames = records(fixture(name))
            seconds, fraction, frame = frames[at]
            frames[at] = (seconds, fraction, frame[:-1] + bytes((frame[-1] ^ 1,)))
            path = self.write("damaged.pcap", pcap(frames))
            psn = int.from_bytes(frame[42 + 9 : 42 + 12], "big")
            code, out, _ = run("check", path)
            self.assertEqual(code, 1)
            self.assertRegex(out, r"\n  frame %d: ICRC \S.* with PSN %d has" % (at + 1, psn))
            self.assertIn(words % psn, out)
            self.assertIn("; frame %d with a wrong ICRC has this PSN\n" % (at + 1), out)
            self.assertNotIn("never sent", out)

    def test_damaged_read_request_explains_its_responses(self):
        """A damaged READ request explains all its responses, even those of a repeated request."""
        for name, at, rule in (("read-65536-mtu1024", 6, "RC-070"), ("loss-read", 132, "RC-073")):
            _, frames = records(fixture(name))
            seconds, fraction, frame = frames[at]
            self.assertEqual(frame[42], 0x0C)
            frames[at] = (seconds, fraction, frame[:-1] + bytes((frame[-1] ^ 1,)))
            path = self.write("damaged.pcap", pcap(frames))
            for option in ((), ("--complete",)):
                out = run("check", *option, path)[1]
                self.assertEqual(out.count(" %s " % rule), 1, out)
                self.assertRegex(out, r"%s .*; frame %d with a wrong ICRC has this PSN\n" % (
                    rule, at + 1))
                self.assertNotIn("never requested", out)

    def test_doubt_names_the_damaged_message(self):
        """A damaged REP and a damaged DREQ are named as messages, and explain the doubts."""
        frames = records(fixture("bidir"))[1]
        for at, message, doubts in (
            (3, "REP", ("RTU, but no REP answered the REQ in frame 3",
                        "in frame 3, but no REP answered this REQ")),
            (53, "DREQ", ("DREP without a DREQ",)),
        ):
            seconds, fraction, frame = frames[at]
            damaged = frames[:]
            damaged[at] = (seconds, fraction, frame[:-1] + bytes((frame[-1] ^ 1,)))
            code, out, _ = run("check", self.write("damaged.pcap", pcap(damaged)))
            self.assertEqual(code, 1)
            self.assertRegex(out, r"\n  frame %d: ICRC \S.*: CM %s with PSN " % (at + 1, message))
            for doubt in doubts:
                self.assertIn("%s; frame %d with a wrong ICRC is a %s\n" % (
                    doubt, at + 1, message), out)
            self.assertEqual(out.count("a frame is missing, or "), len(doubts))

    def test_violation(self):
        header, frames = records(fixture("rping-64"))
        seconds, fraction, frame = frames[6]
        self.assertEqual(frame[42], 0x11)
        changed = bytearray(frame)
        changed[42 + 11] ^= 0x10
        frames[6] = (seconds, fraction, icrc_mend(bytes(changed)))
        path = self.write("changed.pcap", pcap(frames))
        code, out, err = run("check", path)
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"\n  frame 7: RC-070 \S.*\n")
        code, out, err = run("check", "--json", path)
        self.assertEqual((code, err), (1, ""))
        violation = json.loads(out)[0]["violations"][0]
        self.assertEqual((violation["frame"], violation["rule"]), (7, "RC-070"))
        self.assertIn("never requested", violation["text"])

    def test_rules_have_their_sentences(self):
        code, out, err = run("rule", "rc-005", "CM-019")
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(out, "RC-005: each request uses the next PSN, and a READ reserves one PSN "
                         "for each response\nCM-019: no data are sent before the REP, which "
                         "carries the queue pair number\n")
        every = dict(line.split(": ", 1) for line in run("rule")[1].splitlines())
        self.assertGreater(len(every), 45)
        self.assertIn("RC-073", every)
        code, out, err = run("rule", "RC-5")
        self.assertEqual((code, out), (2, ""))
        self.assert_sentence(err, "RC-5", "ndreplay rule lists all")
        _, frames = records(fixture("send-many"))
        path = self.write("gap.pcap", pcap(frames[:9] + frames[10:]))
        for option in ((), ("--complete",)):
            text = run("check", *option, path)[1]
            self.assertTrue(text.endswith("\n  RC-005: %s\n" % every["RC-005"]), text)
            report = json.loads(run("check", "--json", *option, path)[1])[0]
            for found in report["doubts"] + report["violations"]:
                self.assertEqual(found["demand"], every[found["rule"]])

    def test_violation_names_side_and_connection(self):
        header, frames = records(fixture("two-connections"))
        seconds, fraction, frame = frames[9]
        changed = bytearray(frame)
        changed[42 + 7] ^= 0x07
        frames[9] = (seconds, fraction, icrc_mend(bytes(changed)))
        path = self.write("changed.pcap", pcap(frames))
        report = json.loads(run("check", "--complete", "--json", path)[1])[0]
        violation = report["violations"][0]
        sides = report["connections"][violation["connection"]]["sides"]
        sender, receiver = sides[violation["side"]], sides[1 - violation["side"]]
        self.assertEqual(violation["frame"], 10)
        self.assertEqual(violation["sender"], sender["address"])
        self.assertEqual(violation["receiver"], receiver["address"])
        # The frame was redirected to the queue pair of the other connection.
        self.assertEqual(receiver["qpn"], int.from_bytes(changed[42 + 5 : 42 + 8], "big"))
        parties = "%s qp 0x%x > %s qp 0x%x" % (
            sender["address"],
            sender["qpn"],
            receiver["address"],
            receiver["qpn"],
        )
        text = run("check", "--complete", path)[1]
        self.assertIn("\n  frame 10: %s %s: " % (violation["rule"], parties), text)

    def test_violation_without_connection_names_addresses(self):
        _, frames = records(fixture("rping-64"))
        seconds, fraction, frame = frames[2]
        changed = bytearray(frame)
        changed[42 + 12 : 42 + 16] = bytes(4)  # clears the Q_Key of a datagram without connection
        changed[42 + 20 + 16 : 42 + 20 + 18] = bytes((0, 0x17))  # SIDR_REQ
        path = self.write("qkey.pcap", pcap([(seconds, fraction, icrc_mend(bytes(changed)))]))
        violation = json.loads(run("check", "--json", path)[1])[0]["violations"][0]
        self.assertEqual((violation["sender"], violation["receiver"]), ("10.77.0.1", "10.77.0.2"))
        self.assertNotIn("connection", violation)
        self.assertIn("frame 1: CM-QKEY 10.77.0.1 > 10.77.0.2: ", run("check", path)[1])

    def test_many_flows_take_little_time(self):
        """80 000 flows of one packet between two hosts, requests and responses: more than the
        limit. No flow has a partner, so no flow is judged. run() limits the time."""
        _, frames = records(fixture("send-many"))
        request = next(frame for _, _, frame in frames if frame[42:43] == b"\x04")
        answer = next(frame for _, _, frame in frames if frame[42:43] == b"\x11")
        flows = []
        for number in range(80000):
            frame = bytearray(answer if number % 2 else request)
            frame[42 + 5 : 42 + 8] = (0x10000 + number).to_bytes(3, "big")
            frame[42 + 9 : 42 + 12] = (number * 7 % (1 << 24)).to_bytes(3, "big")
            flows.append((number // 1000, number % 1000, icrc_mend(bytes(frame))))
        path = self.write("flows.pcap", pcap(flows))
        start = time.monotonic()
        code, out, err = run("check", path)
        self.assertEqual((code, err), (4, ""))
        self.assertIn("80000 frames, 80000 RoCEv2, ICRC 80000 right", out)
        self.assertIn("no request was found with its response", out)
        self.assertIn("14464 packets of queue pairs above the limit", out)
        self.assertLess(time.monotonic() - start, 30)
        # JSON is printed by connection, because one large object needed 4.5 times the memory.
        self.assertLess(peak("check", "--json", path), 2 * peak("check", path))

    def test_json(self):
        files = [fixture("loss-mixed"), fixture("corrupt")]
        code, out, err = run("check", "--json", *files)
        self.assertEqual((code, err), (1, ""))
        mixed, corrupt = json.loads(out)
        self.assertEqual([mixed["file"], corrupt["file"]], files)
        self.assertEqual((mixed["frames"], mixed["roce_packets"]), (287, 285))
        self.assertEqual((corrupt["icrc_ok"], corrupt["icrc_bad"]), (52, 3))
        self.assertEqual(mixed["violations"], [])
        self.assertNotIn("error", mixed)
        self.assertNotIn("lines", mixed)
        connection = mixed["connections"][0]
        self.assertEqual(connection["cm"], "disconnected")
        self.assertEqual(connection["path_mtu"], 1024)
        active, passive = connection["sides"]
        self.assertEqual(active["address"], "10.77.0.1")
        self.assertEqual((active["sends"], active["reads"], active["atomics"]), (12, 12, 12))
        self.assertEqual(active["retransmitted"], 133)
        self.assertEqual(passive["naks_sequence"], 3)

    def test_lines(self):
        code, out, _ = run("check", "--lines", fixture("rping-64"))
        lines = out.split("\n")
        self.assertEqual(code, 0)
        self.assertRegex(lines[0], r"^1: not RoCEv2$")
        self.assertRegex(lines[2], r"^3: .*\bREQ\b")
        self.assertRegex(lines[66], r"^67: .*\bDREP\b")
        self.assertRegex(lines[67], r"rping-64\.pcap: 67 frames")
        code, out, _ = run("check", "--lines", "--json", fixture("corrupt"))
        decoded = json.loads(out)[0]["lines"]
        self.assertEqual(code, 1)
        self.assertEqual([line["frame"] for line in decoded], list(range(1, 58)))
        wrong = [line["frame"] for line in decoded if "icrc" in line["text"].lower()]
        self.assertTrue({38, 40} & set(wrong), wrong)

    def test_missing_file(self):
        code, out, err = run("check", os.path.join(self.folder.name, "none.pcap"))
        self.assertEqual((code, out), (2, ""))
        self.assert_sentence(err, "none.pcap", "No such file")

    def test_no_capture(self):
        for data in (b"", b"x", b"# A text file, not a capture at all.\n" * 10):
            code, out, err = run("check", self.write("text", data))
            self.assertEqual((code, out), (2, ""))
            self.assert_sentence(err, "text")

    def test_last_record_cut(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        path = self.write("cut.pcap", data[:-7])
        code, out, err = run("check", path)
        self.assertEqual(code, 2)
        self.assertIn("66 frames, 64 RoCEv2, ICRC 64 right", out)
        self.assert_sentence(err, "cut.pcap", "truncated", "66 frames")
        code, out, err = run("check", "--json", path)
        self.assertEqual(code, 2)
        self.assertEqual(json.loads(out)[0]["frames"], 66)
        self.assertIn("truncated", json.loads(out)[0]["error"])

    def test_missing_among_others(self):
        missing = os.path.join(self.folder.name, "none.pcap")
        code, out, err = run("check", "--json", missing, fixture("rping-64"))
        self.assertEqual(code, 2)
        self.assert_sentence(err, "none.pcap")
        first, second = json.loads(out)
        self.assertIn("error", first)
        self.assertEqual(second["frames"], 67)

    def test_frames_cut_by_the_capture(self):
        _, frames = records(fixture("rping-64"))
        code, out, err = run("check", self.write("short.pcap", pcap(frames, cut=80)))
        self.assertEqual((code, err), (4, ""))
        self.assertRegex(out, r", \d+ truncated by the capture")
        self.assertIn(" 0 wrong", out)
        self.assertRegex(out, r"\n  \d+ frames look like RoCEv2, but could not be judged\n")

    def test_all_frames_cut(self):
        """All frames are cut after 60 bytes, which still contain the UDP ports, even with IPv6."""
        for name, roce in (("rping-64", 65), ("ipv6-rping", 53)):
            _, frames = records(fixture(name))
            code, out, err = run("check", self.write("cut60.pcap", pcap(frames, cut=60)))
            self.assertEqual((code, err), (4, ""))
            self.assertIn("0 RoCEv2, ICRC 0 right 0 wrong, %d truncated by the capture" % roce, out)
            self.assertIn("\n  %d frames look like RoCEv2, but could not be" % roce, out)

    def test_stacked_tags_are_taken_off(self):
        _, frames = records(fixture("loss-mixed"))
        plain = unmeasured(json.loads(run("check", "--json", fixture("loss-mixed"))[1])[0])
        stacks = ("88a80064", "88a800648100000a", "8100006481000065", "91000001810000028100aaaa")
        for tags in stacks:
            tag = bytes.fromhex(tags)
            tagged = [(when, part, frame[:12] + tag + frame[12:]) for when, part, frame in frames]
            code, out, err = run("check", "--json", self.write("tags.pcap", pcap(tagged)))
            self.assertEqual((code, err), (0, ""))
            report = unmeasured(json.loads(out)[0])
            del report["file"]
            self.assertEqual(report, {key: plain[key] for key in report})

    def test_vxlan_is_taken_off(self):
        _, frames = records(fixture("loss-mixed"))
        plain = unmeasured(json.loads(run("check", "--json", fixture("loss-mixed"))[1])[0])
        vxlan = bytes.fromhex("0800000000002a00")
        inside = [
            (seconds, fraction, tunnel(17, udp(4789, vxlan + frame)))
            for seconds, fraction, frame in frames
        ]
        code, out, err = run("check", "--json", self.write("vxlan.pcap", pcap(inside)))
        self.assertEqual((code, err), (0, ""))
        report = unmeasured(json.loads(out)[0])
        del report["file"]
        self.assertEqual(report, {key: plain[key] for key in report})

    def test_tunnels_of_mirrors_are_taken_off(self):
        _, frames = records(fixture("loss-mixed"))
        plain = unmeasured(json.loads(run("check", "--json", fixture("loss-mixed"))[1])[0])
        for name, wrap in (
            ("gre", lambda frame: tunnel(47, bytes.fromhex("00006558") + frame)),
            ("gre-options", lambda frame: tunnel(
                47, bytes.fromhex("b0006558 00000000 00000007 00000009") + frame)),
            ("erspan-1", lambda frame: tunnel(47, bytes.fromhex("000088be") + frame)),
            ("erspan-2", lambda frame: tunnel(
                47, bytes.fromhex("100088be 00000001 1000000000000000") + frame)),
            ("erspan-3", lambda frame: tunnel(
                47, bytes.fromhex("100022eb 00000001 200000000000000000000000") + frame)),
            ("erspan-3-platform", lambda frame: tunnel(
                47, bytes.fromhex("100022eb 00000001 2000000000000000 00000001") + bytes(8)
                + frame)),
            ("mpls", lambda frame: frame[:12] + bytes.fromhex("8847 00010040 00011140")
             + frame[14:]),
            ("vlan-mpls", lambda frame: frame[:12] + bytes.fromhex("81000064 8847 00011140")
             + frame[14:]),
        ):
            inside = [(seconds, part, wrap(frame)) for seconds, part, frame in frames
                      if frame[12:14] == b"\x08\x00"]
            code, out, err = run("check", "--json", self.write(name + ".pcap", pcap(inside)))
            self.assertEqual((code, err), (0, ""), name)
            report = json.loads(out)[0]
            for key in ("roce_packets", "icrc_ok", "cm_messages", "violations", "doubts"):
                self.assertEqual(report[key], plain[key], (name, key))
            for command in ("respond", "request") if name in ("gre", "mpls") else ():
                code, _, err = run(command, os.path.join(self.folder.name, name + ".pcap"))
                self.assertEqual(code, 2, (name, command))
                self.assertRegex(err, "cannot be replayed: frame [0-9]+ is in a tunnel")
            # The snapshot length ends within the headers of the tunnel.
            for cut in range(14, 80):
                code, _, err = run("check", self.write("cut.pcap", pcap(inside[:3], cut=cut)))
                self.assertEqual((code, err), (4, ""), (name, cut))

    def test_icrc_of_zero(self):
        """Packets of a generator that writes no ICRC are judged only with --ignore-icrc."""
        _, frames = records(fixture("rping-64"))
        zero = [(when, part, frame[:-4] + bytes(4) if frame[12:14] == b"\x08\x00" else frame)
                for when, part, frame in frames]
        path = self.write("zero.pcap", pcap(zero))
        code, out, err = run("check", path)
        self.assertEqual((code, err), (1, ""))
        self.assertIn("no ICRC is right: if the sender writes no ICRC, use --ignore-icrc", out)
        plain = unmeasured(json.loads(run("check", "--json", fixture("rping-64"))[1])[0])
        code, out, err = run("check", "--json", "--ignore-icrc", path)
        self.assertEqual((code, err), (0, ""))
        report = unmeasured(json.loads(out)[0])
        self.assertEqual((report["icrc_ok"], report["icrc_bad"], report["icrc_ignored"]),
                         (0, 0, 65))
        for key in ("connections", "coverage", "cm_messages", "violations"):
            self.assertEqual(report[key], plain[key], key)
        # ICRC and UDP length are wrong. --lines reports both errors.
        # With --ignore-icrc, the wrong length is a violation by the sender.
        code, length = zero[9][2], zero[9][2][:38] + b"\x00\x09" + zero[9][2][40:]
        path = self.write("both.pcap", pcap([(1, 0, length)]))
        out = run("check", "--lines", path)[1]
        self.assertRegex(out, r"\A1: RoCEv2, ICRC WRONG, and refused: \S")
        code, out, _ = run("check", "--ignore-icrc", path)
        self.assertEqual(code, 1)
        self.assertIn("packet that every receiver drops", out)

    def test_roce_v1_is_counted(self):
        _, frames = records(fixture("rping-64"))
        old = [(when, part, frame[:12] + b"\x89\x15" + frame[14:]) for when, part, frame in frames]
        tagged = [(when, part, frame[:12] + b"\x81\x00\x00\x64" + frame[12:])
                  for when, part, frame in old]
        for each in (old, tagged):
            code, out, err = run("check", self.write("v1.pcap", pcap(each)))
            self.assertEqual((code, err), (4, ""))
            self.assertIn("0 RoCEv2, ICRC 0 right 0 wrong, 67 RoCE v1, which is not judged", out)
            self.assertRegex(run("check", "--lines", self.write("v1.pcap", pcap(each)))[1],
                             r"\A1: RoCE v1, not RoCEv2\n")
        # The RoCEv2 frames have no violation. RoCE v1 frames in the capture are not judged.
        both = self.write("both.pcap", pcap(frames + old[2:]))
        for options in ((), ("--complete",)):
            code, out, err = run("check", *options, both)
            self.assertEqual((code, err), (4, ""))
            self.assertIn("65 RoCE v1, which is not judged, 5 CM messages, 0 violations\n", out)

    def test_other_tunnels_are_said_not_to_be_judged(self):
        _, frames = records(fixture("rping-64"))
        geneve = bytes.fromhex("0000655800002a00")
        for name, wrap in (
            ("gre", lambda frame: tunnel(47, bytes.fromhex("00000800") + frame[14:])),
            ("ipip", lambda frame: tunnel(4, frame[14:])),
            ("geneve", lambda frame: tunnel(17, udp(6081, geneve + frame))),
        ):
            inside = [(seconds, fraction, wrap(frame)) for seconds, fraction, frame in frames]
            code, out, err = run("check", self.write(name + ".pcap", pcap(inside)))
            self.assertEqual((code, err), (4, ""), name)
            self.assertIn("0 RoCEv2, ICRC 0 right 0 wrong, 65 in tunnels", out)
            self.assertIn("\n  65 frames look like RoCEv2, but could not be judged\n", out)

    def test_no_roce_is_not_all_well(self):
        _, frames = records(fixture("rping-64"))
        report = json.loads(run("check", "--json", self.write("arp.pcap", pcap(frames[:2])))[1])[0]
        self.assertEqual((report["connections"], report["violations"]), ([], []))
        code, out, err = run("check", self.write("arp.pcap", pcap(frames[:2])))
        self.assertEqual((code, err), (4, ""))
        self.assertIn("nothing was judged", out)

    def test_missing_frame_is_a_doubt(self):
        _, frames = records(fixture("send-many"))
        path = self.write("gap.pcap", pcap(frames[:9] + frames[10:]))
        code, out, err = run("check", path)
        self.assertEqual((code, err), (4, ""))
        self.assertIn(", 0 violations, 1 doubts\n", out)
        self.assertRegex(out, r"\n  frame \d+: a frame is missing, or RC-005 \S+ qp 0x\w+ > ")
        report = json.loads(run("check", "--json", path)[1])[0]
        self.assertEqual((report["violations"], report["doubts_found"]), ([], 1))
        self.assertEqual(report["doubts"][0]["rule"], "RC-005")
        code, out, err = run("check", "--complete", path)
        self.assertEqual((code, err), (1, ""))
        self.assertRegex(out, r"\n  frame \d+: RC-005 ")

    def test_missing_read_response_is_a_doubt(self):
        """With --complete, a response that is missing was never sent, which is a violation."""
        _, frames = records(fixture("read-65536-mtu1024"))
        middle = [at for at, (_, _, frame) in enumerate(frames) if frame[42:43] == b"\x0e"]
        psn = int.from_bytes(frames[middle[9]][2][42 + 9 : 42 + 12], "big")
        path = self.write("gap.pcap", pcap(frames[: middle[9]] + frames[middle[9] + 1 :]))
        for arguments, status, counts in (
            ((path,), 4, ", 0 violations, 1 doubts\n"),
            (("--complete", path), 1, ", 1 violations\n"),
        ):
            code, out, err = run("check", *arguments)
            self.assertEqual((code, err), (status, ""), arguments)
            self.assertIn(counts, out)
            self.assertRegex(out, r"\n  frame \d+: .*RC-073 .* PSN %d of the RC READ "
                             r"Request in frame \d+ was not answered" % psn)

    def test_atomic_whose_request_is_missing_is_a_doubt(self):
        """CM messages and atomics are lost because frames are cut: READs have an unknown length."""
        for name, bth, atomics in (("mixed", 42, 10), ("ipv6-mixed", 62, 8)):
            _, frames = records(fixture(name))
            code, out, err = run("check", self.write("cut.pcap", pcap(frames, cut=bth + 32)))
            self.assertEqual((code, err), (4, ""), name)
            self.assertIn(", 0 violations, %d doubts\n" % atomics, out)
            self.assertEqual(out.count(": RC ATOMIC Acknowledge with PSN "), atomics)
            others = [record for record in frames if record[2][bth : bth + 1] not in b"\x13\x14"]
            code, out, err = run("check", self.write("others.pcap", pcap(others)))
            self.assertEqual((code, err), (4, ""), name)
            self.assertRegex(out, r", 0 violations, \d+ doubts\n")

    def test_worst_file_counts(self):
        _, frames = records(fixture("rping-64"))
        arp = self.write("arp.pcap", pcap(frames[:2]))
        missing = os.path.join(self.folder.name, "none.pcap")
        self.assertEqual(run("check", fixture("rping-64"), arp, fixture("rping-64"))[0], 4)
        self.assertEqual(run("check", fixture("corrupt"), arp)[0], 1)
        self.assertEqual(run("check", missing, fixture("corrupt"), arp)[0], 2)

    def test_other_link_type(self):
        _, frames = records(fixture("rping-64"))
        code, out, err = run("check", self.write("raw.pcap", pcap(frames, link_type=105)))
        self.assertEqual((code, out), (2, ""))
        self.assert_sentence(err, "raw.pcap", "Ethernet")

    def test_pcapng(self):
        for name in ("rping-64", "ipv6-mixed", "loss-read"):
            _, frames = records(fixture(name))
            path = self.write(name + ".pcapng", pcapng(frames))
            code, out, err = run("check", "--json", path)
            self.assertEqual((code, err), (0, ""))
            of_pcapng = json.loads(out)[0]
            of_pcap = json.loads(run("check", "--json", fixture(name))[1])[0]
            del of_pcapng["file"], of_pcap["file"]
            self.assertEqual(of_pcapng, of_pcap)

    def test_usage(self):
        for arguments in (
            (),
            ("check",),
            ("check", "--json"),
            ("check", "--nothing", fixture("rping-64")),
            ("check", "-x", fixture("rping-64")),
            ("replay", fixture("rping-64")),
        ):
            code, out, err = run(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assert_sentence(err, "--help")
        self.assert_sentence(run("check", "--nothing", "x")[2], "--nothing")

    def test_wrong_command_line(self):
        path = fixture("rping-64")
        for arguments, words in (
            (("--json", "check", path), ("before the options", "--json")),
            (("check", "--json=1", path), ("'json' takes no value",)),
            (("check", "-jx", path), ("unknown option '-j'",)),
            (("replay", path), ("unknown command replay",)),
        ):
            code, out, err = run(*arguments)
            self.assertEqual((code, out), (2, ""), arguments)
            self.assert_sentence(err, *words)

    def test_options_stand_anywhere(self):
        path = fixture("rping-64")
        for arguments in (("--json", path), (path, "--json"), (path, "--json", "--complete")):
            code, out, err = run("check", *arguments)
            self.assertEqual((code, err, len(json.loads(out))), (0, "", 1), arguments)
        code, out, err = run("check", "--", "--json")
        self.assertEqual(code, 2)
        self.assert_sentence(err, "--json", "No such file")

    def test_help_and_version(self):
        for option in ("-h", "--help"):
            code, out, err = run(option)
            self.assertEqual((code, err), (0, ""))
            commands = re.findall(r"^  (\S+) +\S", out, re.M)
            self.assertIn("check", commands)
            for word in ("--version", "Exit status"):
                self.assertIn(word, out)
            for command in commands:
                code, out, err = run(command, option)
                self.assertEqual((code, err), (0, ""))
                for word in ("usage: ndreplay " + command, "--help", "Exit status"):
                    self.assertIn(word, out)
        out = run("check", "x", "--help")[1]
        for word in ("--complete", "--json", "--lines"):
            self.assertIn(word, out)
        code, out, err = run("--version")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"\Andreplay \d+\.\d+\.\d+\n\Z")


if __name__ == "__main__":
    NDREPLAY, FIXTURES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
