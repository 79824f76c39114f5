#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test which captures and which of their frames ndreplay reads.

usage: ndreplay_reader.py NDREPLAY FIXTURES

The same frames in another file must give the same report: pcap in either byte order, with micro- or
nanoseconds, pcapng with several interfaces and sections, gzip, standard input, a growing file, each
link type. Selected frames keep their numbers, and excluded frames are counted. For a damaged file,
ndreplay prints an error message, reports the frames before the damage, and exits with status 2.
"""

import gzip
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import ndreplay_check as check
from ndreplay_check import fixture, pcap, records, tunnel, udp
from ndreplay_slice import pcapng_frames

SECTION, INTERFACE, OLD_PACKET, SIMPLE, STATISTICS, PACKET = 0x0A0D0D0A, 1, 2, 3, 5, 6
ETHERNET, RAW, SLL, SLL2, IPV4, IPV6, WIRELESS = 1, 101, 113, 276, 228, 229, 105


def run(*arguments, given=None):
    done = subprocess.run(
        [check.NDREPLAY, *arguments],
        input=given,
        stdin=None if given is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=60,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def block(kind, body, order="<"):
    body += bytes(-len(body) % 4)
    length = struct.pack(order + "I", 12 + len(body))
    return struct.pack(order + "I", kind) + length + body + length


def section(order="<"):
    return block(SECTION, struct.pack(order + "IHHq", 0x1A2B3C4D, 1, 0, -1), order)


def option(code, value, order="<"):
    return struct.pack(order + "HH", code, len(value)) + value + bytes(-len(value) % 4)


def interface(link_type=ETHERNET, snapshot=0, options=b"", order="<"):
    if options:
        options += struct.pack(order + "HH", 0, 0)
    return block(INTERFACE, struct.pack(order + "HHI", link_type, 0, snapshot) + options, order)


def packet(frame, units=0, number=0, order="<", length=None):
    head = struct.pack(
        order + "IIIII", number, units >> 32, units & 0xFFFFFFFF, len(frame), length or len(frame)
    )
    return block(PACKET, head + frame, order)


def cooked(frame):
    return struct.pack(">HHH", 0, 1, 6) + frame[6:12] + bytes(2) + frame[12:]


def cooked2(frame):
    return frame[12:14] + struct.pack(">HIHBB", 0, 3, 1, 0, 6) + frame[6:12] + bytes(2) + frame[14:]


def bare(frame):
    return frame[14:]


class Reader(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as stream:
            stream.write(data)
        return path

    def report(self, *arguments, code=0, given=None):
        status, out, err = run("check", "--json", *arguments, given=given)
        self.assertEqual((status, err), (code, ""), arguments)
        report = json.loads(out)[0]
        del report["file"]
        return report

    def same(self, name, data, *, but=()):
        """The report of a file with the frames of a fixture equals the report of the fixture."""
        expected = check.unmeasured(self.report(fixture(name)))
        report = check.unmeasured(self.report(self.write("file", data)))
        for key in but:
            del expected[key], report[key]
        self.assertEqual(report, expected)

    def refused(self, data, *words, frames=0, code=2):
        """A damaged file: status 2, an error message, and a report of the frames before the
        damage."""
        path = self.write("damaged", data)
        status, out, err = run("check", "--json", path)
        self.assertEqual(status, code, (out, err))
        self.assertRegex(err, r"\Andreplay: [^\n]+\n\Z")
        for word in (*words, "damaged"):
            self.assertIn(word, err)
        self.assertEqual(json.loads(out)[0].get("frames", 0), frames)

    def test_byte_orders_and_fractions(self):
        _, frames = records(fixture("loss-mixed"))
        for order in "<>":
            for magic, scale in ((0xA1B2C3D4, 1), (0xA1B23C4D, 1000)):
                data = struct.pack(order + "IHHiIII", magic, 2, 4, 0, 0, 262144, 1)
                for seconds, micro, frame in frames:
                    count = len(frame)
                    head = struct.pack(order + "IIII", seconds, micro * scale, count, count)
                    data += head + frame
                self.same("loss-mixed", data)

    def test_pcapng_of_many_kinds(self):
        _, frames = records(fixture("loss-mixed"))
        micro = [(seconds * 10**6 + part, frame) for seconds, part, frame in frames]
        for order in "<>":
            data = section(order) + interface(order=order)
            data += b"".join(packet(frame, when, order=order) for when, frame in micro)
            self.same("loss-mixed", data)
        # Test resolutions of nanoseconds, 2^-20 s and picoseconds, and an offset in seconds.
        for value, units in (
            (9, lambda when: when * 1000),
            (0x80 | 20, lambda when: (when << 20) // 10**6),
            (12, lambda when: when * 10**6 % 2**64),
        ):
            data = section() + interface(options=option(9, bytes([value])))
            data += b"".join(packet(frame, units(when)) for when, frame in micro)
            self.same("loss-mixed", data)
        shifted = option(14, struct.pack("<q", micro[0][0] // 10**6))
        data = section() + interface(options=shifted)
        base = micro[0][0] // 10**6 * 10**6
        data += b"".join(packet(frame, when - base) for when, frame in micro)
        self.same("loss-mixed", data)
        # Write a section for each hundred frames, unknown blocks, and the old packet block.
        data = b""
        for index, (when, frame) in enumerate(micro):
            if index % 100 == 0:
                order = "<>"[index // 100 % 2]
                data += section(order) + interface(order=order)
                data += block(STATISTICS, bytes(20), order) + block(0x0BAD, bytes(8), order)
            if index % 3:
                data += packet(frame, when, order=order)
                continue
            fields = (0, 0, when >> 32, when & 0xFFFFFFFF, len(frame), len(frame))
            data += block(OLD_PACKET, struct.pack(order + "HHIIII", *fields) + frame, order)
        self.same("loss-mixed", data)

    def test_copies_are_taken_once(self):
        """Copies arrive at once or three frames later. Duplicates of single frames are not
        copies."""
        for name in ("mixed", "rping-64", "ipv6-mixed"):
            header, frames = records(fixture(name))
            expected = check.unmeasured(self.report(fixture(name)))
            for behind in (0, 3):
                twice = []
                for index, frame in enumerate(frames):
                    twice += [frame, frame] if behind == 0 else [frame]
                    if behind != 0 and index >= behind:
                        when, part, _ = frame
                        twice.append((when, part, frames[index - behind][2]))
                report = check.unmeasured(self.report(self.write("twice", pcap(twice))))
                if behind == 0:
                    self.assertEqual(report["excluded"]["copies"], expected["roce_packets"])
                    for a, b in zip(report["connections"], expected["connections"]):
                        for side in (0, 1):
                            self.assertEqual(a["sides"][side]["packets"],
                                             b["sides"][side]["packets"])
                            self.assertEqual(a["sides"][side]["retransmitted"],
                                             b["sides"][side]["retransmitted"])
        once = [frame for index, frame in enumerate(frames) for _ in range(1 + (index % 5 == 2))]
        self.assertEqual(self.report(self.write("some", pcap(once)))["excluded"]["copies"], 0)
        first = frames[:1] * 2 + frames[1:2] * 2 + frames[2:]
        self.assertEqual(self.report(self.write("first", pcap(first)))["excluded"]["copies"], 0)

    def test_copies_that_differ_or_are_late(self):
        """Copies may differ before the BTH. Late copies are recognized by the IP identification."""
        def routed(frame):
            at = 22 if frame[12] == 8 else 21  # TTL, hop limit
            return bytes(6) + frame[6:at] + bytes([frame[at] - 1]) + frame[at + 1:]

        def marked(frame):
            at = 15 if frame[12] == 8 else 14  # DSCP and ECN (IPv4), traffic class (IPv6)
            return frame[:at] + bytes([frame[at] ^ 0x0B]) + frame[at + 1:]

        def tagged(frame):
            return frame[:12] + bytes.fromhex("81000064") + frame[12:]

        def wrapped(frame):
            return tunnel(17, udp(4789, bytes.fromhex("0800000000002a00") + frame))

        def equal(frame):
            return frame

        # Each row: fixture, the copies, their delay in microseconds, whether they are recognized
        table = [(name, [shape], 20, True) for name in ("mixed", "ipv6-mixed")
                 for shape in (routed, marked, tagged, wrapped)]
        table += [("mixed", [equal], delay, True) for delay in (1200, 5000, 30000, 99000)]
        table += [("mixed", [equal], 101000, False), ("ipv6-mixed", [equal], 5000, False)]
        table += [(name, [equal, tagged], 20, True) for name in ("mixed", "ipv6-mixed")]
        table += [("mixed", [equal, routed, tagged], 5000, True)]
        for name, shapes, delay, known in table:
            _, frames = records(fixture(name))
            roce = [frame for frame in frames if frame[2][12:14] in (b"\x08\x00", b"\x86\xdd")
                    and struct.pack(">H", 4791) in (frame[2][36:38], frame[2][56:58])]
            every = [(second * 10**6 + part, frame) for second, part, frame in frames]
            for copy, shape in enumerate(shapes, 1):
                every += [(second * 10**6 + part + copy * delay, shape(frame))
                          for second, part, frame in roce]
            every.sort(key=lambda timed: timed[0])
            path = self.write("twice", pcap([(when // 10**6, when % 10**6, frame)
                                             for when, frame in every]))
            report = json.loads(run("check", "--json", path)[1])[0]
            case = (name, [shape.__name__ for shape in shapes], delay)
            self.assertEqual(report["violations"] if delay < 100000 else [], [], case)
            self.assertEqual(report["excluded"]["copies"], known * len(shapes) * len(roce), case)

    def test_copies_count_from_the_first_packet_on(self):
        """The network duplicates many packets, but none of the first 300, all within 100 ms."""
        frame = records(fixture("mixed"))[1][20][2]
        every = []
        for number in range(1, 2001):
            numbered = frame[:18] + struct.pack(">H", number) + frame[20:]
            every += [(1, number * 10, numbered)] * (1 if number <= 300 else 2)
        path = self.write("later", pcap(every + [(2, 0, frame)]))
        report = json.loads(run("check", "--json", path)[1])[0]
        self.assertEqual((report["roce_packets"], report["excluded"]["copies"]), (3701, 0))

    def test_frames_that_are_not_roce_have_no_copies(self):
        _, frames = records(fixture("rping-64"))
        for other in (b"", bytes(60), frames[0][2]):
            self.assertNotEqual(other[36:38], struct.pack(">H", 4791))
            path = self.write("other", pcap([(1, when, other) for when in range(67)]))
            self.assertEqual(self.report(path, code=4)["excluded"]["copies"], 0)

    def test_times_that_run_backwards_are_said(self):
        _, frames = records(fixture("rping-64"))
        self.assertEqual(self.report(fixture("rping-64"))["backwards"], 0)
        frames[3], frames[4] = frames[4], frames[3]
        path = self.write("order", pcap(frames))
        report = self.report(path, code=4)
        self.assertEqual((report["backwards"], report["backwards_frame"]), (1, 5))
        self.assertEqual(self.report("--from=6", path)["backwards"], 0)
        # If only times run backwards, ndreplay reports no doubt, but exits with status 4.
        times = [frame[:2] for frame in records(fixture("rping-64"))[1]]
        _, frames = records(fixture("rping-64"))
        turned = [(*time, frame[2]) for time, frame in zip(reversed(times), frames)]
        path = self.write("turned", pcap(turned))
        for options in ((), ("--complete",)):
            report = self.report(*options, path, code=4)
            self.assertEqual((report["violations"], report["doubts"]), ([], []))
            self.assertGreater(report["backwards"], 50)
        path = self.write("order", pcap(frames[:3] + [frames[4], frames[3]] + frames[5:]))
        self.assertIn("\n  times run backwards at 1 frames, first at frame 5: sort the file",
                      run("check", path)[1])

    def test_times_are_those_of_the_file(self):
        """Time stamps with resolutions and offsets, in nanoseconds since 1970, as slice writes
        them."""
        base = 1700000000 * 10**9
        out = os.path.join(self.folder.name, "out")
        _, frames = records(fixture("rping-64"))
        frame = frames[2][2]
        for options, units, expected in (
            (b"", 1700000000 * 10**6 + 5, base + 5000),
            (option(9, b"\x09"), base + 7, base + 7),
            (option(9, b"\x00"), 1700000000, base),
            (option(9, b"\x0c"), 5 * 10**12 + 1999, 5 * 10**9 + 1),
            (option(9, b"\x80"), 1700000000, base),
            (option(9, b"\x9e"), (1700000000 << 30) + (1 << 29), base + 500000000),
            (option(14, struct.pack("<q", 1700000000)), 5, base + 5000),
            (option(14, struct.pack("<q", -10)), 1700000010 * 10**6, base),
        ):
            data = section() + interface(options=options) + packet(frame, units)
            path = self.write("times", data)
            self.assertEqual(run("slice", "--to=9", path, out)[0], 0)
            with open(out, "rb") as stream:
                self.assertEqual(pcapng_frames(stream.read())[1][0][0], expected, options)
        head = struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, 1)
        head += struct.pack("<IIII", 1700000000, 123456789, len(frame), len(frame)) + frame
        self.assertEqual(run("slice", "--to=9", self.write("times", head), out)[0], 0)
        with open(out, "rb") as stream:
            self.assertEqual(pcapng_frames(stream.read())[1][0][0], base + 123456789)

    def test_simple_packets(self):
        _, frames = records(fixture("rping-64"))
        data = section() + interface()
        for _, _, frame in frames:
            data += block(SIMPLE, struct.pack("<I", len(frame)) + frame)
        self.same("rping-64", data)

    def test_interfaces_that_differ(self):
        """libpcap refuses files with several link types, or several snapshot lengths."""
        _, frames = records(fixture("loss-mixed"))
        data = section() + interface() + interface(SLL, 262144) + interface(SLL2) + interface(RAW)
        shapes = (lambda frame: frame, cooked, cooked2, bare)
        number = 0
        for seconds, part, frame in frames:
            # Frames of link type raw IP contain only IP packets.
            number = (number + 1) % (4 if frame[12:14] == b"\x08\x00" else 3)
            data += packet(shapes[number](frame), seconds * 10**6 + part, number)
        self.same("loss-mixed", data)

    def test_link_types(self):
        for name, kinds in (
            ("loss-mixed", ((SLL, cooked), (SLL2, cooked2), (RAW, bare), (IPV4, bare))),
            ("ipv6-rping", ((SLL, cooked), (SLL2, cooked2), (RAW, bare), (IPV6, bare))),
        ):
            _, frames = records(fixture(name))
            for link_type, shape in kinds:
                shaped = [(second, part, shape(frame)) for second, part, frame in frames]
                self.same(name, pcap(shaped, link_type=link_type))
                data = section() + interface(link_type)
                for second, part, frame in shaped:
                    data += packet(frame, second * 10**6 + part)
                self.same(name, data)

    def test_tags_in_cooked_frames(self):
        _, frames = records(fixture("loss-mixed"))
        tags = bytes.fromhex("88a800648100000a")
        shaped = [
            (second, part, cooked(frame[:12] + tags + frame[12:])) for second, part, frame in frames
        ]
        self.same("loss-mixed", pcap(shaped, link_type=SLL))

    def test_cooked_frames_that_are_cut(self):
        _, frames = records(fixture("rping-64"))
        shaped = [(second, part, cooked2(frame)) for second, part, frame in frames]
        for cut in (0, 1, 19, 20, 21, 50):
            path = self.write("cut", pcap(shaped, link_type=SLL2, cut=cut))
            report = self.report(path, code=4)
            self.assertEqual((report["frames"], report["roce_packets"]), (67, 0))

    def test_other_link_types_are_counted(self):
        _, frames = records(fixture("rping-64"))
        data = section() + interface() + interface(WIRELESS)
        for index, (second, part, frame) in enumerate(frames):
            data += packet(frame, second * 10**6 + part, 0)
            if index < 5:
                data += packet(frame, second * 10**6 + part, 1)
        path = self.write("two", data)
        report = self.report(path, code=4)
        self.assertEqual(report["frames"], 72)
        self.assertEqual(report["roce_packets"], 65)
        self.assertEqual(report["excluded"]["link_type"], 5)
        self.assertIn("5 frames of a link type that is not supported, such as IEEE802_11",
                      run("check", path)[1])
        only = section() + interface(WIRELESS) + packet(frames[0][2])
        self.assertIn("nothing was judged", run("check", self.write("only", only))[1])

    def test_gzip(self):
        with open(fixture("loss-mixed"), "rb") as stream:
            data = stream.read()
        self.same("loss-mixed", gzip.compress(data))
        # Concatenated gzip files are valid.
        self.same("loss-mixed", gzip.compress(data[:1000]) + gzip.compress(data[1000:]))
        _, frames = records(fixture("loss-mixed"))
        parts = [packet(frame, second * 10**6 + part) for second, part, frame in frames]
        self.same("loss-mixed", gzip.compress(section() + interface() + b"".join(parts)))

    def test_standard_input(self):
        expected = self.report(fixture("loss-mixed"))
        with open(fixture("loss-mixed"), "rb") as stream:
            data = stream.read()
        self.assertEqual(self.report("-", given=data), expected)
        self.assertEqual(self.report("-", given=gzip.compress(data)), expected)
        status, out, err = run("check", "-", given=b"")
        self.assertEqual((status, out), (2, ""))
        self.assertRegex(err, r"\Andreplay: - cannot be read: [^\n]+\n\Z")

    def test_choice_by_number(self):
        report = self.report("--from=4", "--to", "60", fixture("two-connections"))
        self.assertEqual((report["frames"], report["roce_packets"]), (114, 57))
        self.assertEqual(report["excluded"]["range"], 57)
        for connection in report["connections"]:
            self.assertGreaterEqual(connection["first_frame"], 4)
            self.assertLessEqual(connection["last_frame"], 60)
        text = run("check", "--from=4", "--to=60", fixture("two-connections"))[1]
        self.assertIn("\n  57 frames excluded by --from and --to\n", text)

    def test_choice_by_time(self):
        _, frames = records(fixture("two-connections"))
        times = [second * 10**6 + part for second, part, _ in frames]
        middle = times[50] - times[0]
        since = sum(1 for when in times if when - times[0] >= middle)
        bound = "%d.%06ds" % divmod(middle, 10**6)
        report = self.report("--from", bound, fixture("two-connections"))
        self.assertEqual(report["excluded"]["range"], 114 - since)
        date = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(times[50] // 10**6))
        date += ".%06dZ" % (times[50] % 10**6)
        same = self.report("--from", date, fixture("two-connections"))
        self.assertEqual(same, report)
        report = self.report("--to", date, fixture("two-connections"))
        until = sum(1 for when in times if when <= times[50])
        self.assertEqual(report["excluded"]["range"], 114 - until)

    def test_nothing_chosen_is_not_clean(self):
        for choice in ("--from=1000", "--filter=port 53", "--to=0.0s"):
            status, out, err = run("check", choice, fixture("rping-64"))
            self.assertEqual((status, err), (4, ""))
            self.assertIn("nothing was judged", out)
            self.assertRegex(out, r"\n  6[67] frames excluded by --")

    def test_filter(self):
        path = fixture("rping-64")
        self.assertEqual(self.report("--filter=udp port 4791", path)["excluded"]["filter"], 2)
        report = self.report("--filter", "src host 10.77.0.1", path, code=4)
        self.assertEqual(report["frames"], 67)
        self.assertGreater(report["excluded"]["filter"], 20)
        sides = [side for found in report["connections"] for side in found["sides"]]
        self.assertEqual({side["address"] for side in sides if side["packets"]}, {"10.77.0.1"})

    def test_connection(self):
        path = fixture("two-connections")
        both = self.report(path)
        seen = 0
        for number in (1, 2):
            one = self.report("--connection=%d" % number, path)
            self.assertEqual(one["connections"], [both["connections"][number - 1]])
            seen += one["roce_packets"]
            self.assertEqual(one["excluded"]["connection"], 114 - one["roce_packets"])
        self.assertEqual(seen, both["roce_packets"])
        text = run("check", "--connection=2", path)[1]
        self.assertIn("\n  connection 2: ", text)
        for arguments, word in (
            (("--connection=3", path), "has no connection 3: the file has 2"),
            (("--connection=1", "-"), "standard input"),
            (("--connection=1", "--follow", path), "omit --follow"),
        ):
            status, out, err = run("check", *arguments, given=b"")
            self.assertEqual((status, out), (2, ""))
            self.assertIn(word, err)

    def test_connection_of_halves(self):
        """Queue pairs without CM: a connection is found when packets of both directions were
        seen."""
        path = fixture("perf-write-64-mtu1024")
        whole = self.report(path)
        one = self.report("--connection=1", path)
        self.assertEqual(one["connections"], whole["connections"][:1])

    def test_wrong_choices(self):
        path = fixture("rping-64")
        for wrong, word in (
            ("--filter=no such word", "filter expression"),
            ("--from=0", "number of a frame"),
            ("--from=-1", "number of a frame"),
            ("--to=1.5", "seconds"),
            ("--to=2026-13-01T00:00:00", "time such as"),
            ("--to=", "time such as"),
            ("--connection=0", "above 0"),
            ("--connection=x", "above 0"),
        ):
            status, out, err = run("check", wrong, path)
            self.assertEqual((status, out), (2, ""), wrong)
            self.assertRegex(err, r"\Andreplay check: [^\n]+\n\Z")
            self.assertIn(word, err)

    def follow(self, pieces, path, *options):
        """Return the report after Ctrl-C. Meanwhile, the file has grown by these pieces."""
        with open(path, "wb") as stream:
            stream.write(pieces[0])
        reader = subprocess.Popen(
            [check.NDREPLAY, "check", "--follow", "--lines", *options, path],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        with open(path, "ab") as stream:
            for piece in pieces[1:]:
                time.sleep(0.2)
                stream.write(piece)
                stream.flush()
        time.sleep(1)
        self.assertIsNone(reader.poll())
        reader.send_signal(signal.SIGINT)
        out, err = reader.communicate(timeout=60)
        return reader.returncode, out.decode(), err.decode()

    def test_follow(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        path = os.path.join(self.folder.name, "growing")
        whole = run("check", "--lines", fixture("rping-64"))[1].replace(fixture("rping-64"), path)
        # Split the file inside its header, inside the header of a record, and inside a frame.
        pieces = [data[:10], data[10:31], data[31:80], data[80:3000], data[3000:]]
        self.assertEqual(self.follow(pieces, path), (0, whole, ""))
        # The last record is never complete. This is no error, and the record is not judged.
        status, out, err = self.follow([data[:-7]], path)
        self.assertEqual((status, err), (0, ""))
        self.assertIn(": 66 frames, 64 RoCEv2, ICRC 64 right", out)
        self.assertEqual(self.follow([b"", data], path), (0, whole, ""))

    def changed(self, change, first, second):
        """Return the output for a followed file that changes after its first frames."""
        path = self.write("growing", first)
        # The pipe is unbuffered, because communicate() does not see data that readline() has read.
        reader = subprocess.Popen([check.NDREPLAY, "check", "--follow", "--lines", path],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
        lines = [reader.stdout.readline() for _ in range(67)]
        self.assertTrue(lines[66].startswith(b"67: "), lines[66])
        change(path, second)
        ended = threading.Timer(60, reader.kill)
        ended.start()
        said = reader.stderr.readline().decode()
        if second[:4] == b"\xd4\xc3\xb2\xa1":
            while lines[-1] and not lines[-1].startswith(b"134: "):
                lines.append(reader.stdout.readline())
            reader.send_signal(signal.SIGINT)
        out, err = reader.communicate()
        ended.cancel()
        return reader.returncode, out.decode(), said + err.decode()

    def test_follow_a_file_that_is_replaced_or_truncated(self):
        def replace(path, data):
            os.rename(path, path + ".1")
            self.write("growing.new", data)
            os.rename(path + ".new", path)

        def truncate(path, data):
            with open(path, "wb") as stream:
                stream.write(data[:10])
            time.sleep(0.3)
            with open(path, "ab") as stream:
                stream.write(data[10:])

        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        path = os.path.join(self.folder.name, "growing")
        for change, word in ((replace, "replaced"), (truncate, "truncated")):
            status, out, err = self.changed(change, data, data)
            self.assertEqual(err, "ndreplay: %s was %s after 67 frames: continuing at the start "
                             "of the new file\n" % (path, word))
            self.assertIn(": 134 frames, 130 RoCEv2, ICRC 130 right", out)
            self.assertIn(status, (0, 1, 4))
        # The file ends within a record, and this record is ignored.
        status, out, err = self.changed(replace, data + data[24:50], data)
        self.assertIn(": 134 frames, ", out)
        self.assertEqual(err.count("\n"), 1)
        # The file is no longer a capture. ndreplay prints an error and reports the earlier frames.
        status, out, err = self.changed(replace, data, b"this is no capture at all\n" * 3)
        self.assertEqual(status, 2)
        self.assertIn(": 67 frames, ", out)
        self.assertEqual(err.count("\n"), 2, err)
        self.assertIn("growing cannot be read: unknown file format", err)

    def test_follow_waits_for_a_name_that_is_gone(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()

        def remove(path, content):
            os.rename(path, path + ".1")
            time.sleep(0.3)
            self.write("growing", content)

        status, out, err = self.changed(remove, data, data)
        self.assertIn(" was replaced after 67 frames: ", err)
        self.assertIn(": 134 frames, ", out)

    def test_follow_pcapng_and_gzip(self):
        _, frames = records(fixture("rping-64"))
        path = os.path.join(self.folder.name, "growing")
        whole = run("check", "--lines", fixture("rping-64"))[1].replace(fixture("rping-64"), path)
        data = section() + interface()
        data += b"".join(packet(frame, second * 10**6 + part) for second, part, frame in frames)
        self.assertEqual(
            self.follow([data[:7], data[7:100], data[100:2000], data[2000:]], path), (0, whole, ""))
        packed = gzip.compress(data)
        self.assertEqual(self.follow([packed[:500], packed[500:]], path), (0, whole, ""))
        status, out, err = self.follow([data[:-5]], path)
        self.assertEqual((status, err), (0, ""))
        self.assertIn(": 66 frames, 64 RoCEv2", out)

    def test_end_of_a_pipe_by_signal(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        reader = subprocess.Popen(
            [check.NDREPLAY, "check", "-"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        reader.stdin.write(data)
        reader.stdin.flush()
        time.sleep(1)
        reader.send_signal(signal.SIGINT)
        out = reader.stdout.read().decode()
        self.assertEqual((reader.wait(timeout=60), reader.stderr.read()), (0, b""))
        self.assertIn("-: 67 frames, 65 RoCEv2", out)
        for stream in (reader.stdin, reader.stdout, reader.stderr):
            stream.close()

    def test_end_of_a_busy_pipe(self):
        """The first signal ends the reading of a pipe that always has more data."""
        _, frames = records(fixture("send-many"))
        report = tempfile.TemporaryFile()
        self.addCleanup(report.close)
        reader = subprocess.Popen(
            [check.NDREPLAY, "check", "-"],
            stdin=subprocess.PIPE, stdout=report, stderr=subprocess.PIPE,
        )
        data = pcap(frames * 20)
        reader.stdin.write(data)
        # ndreplay has read more than the pipe holds, so its signal handler is installed.
        reader.send_signal(signal.SIGINT)
        with self.assertRaises(BrokenPipeError):
            for _ in range(2000):
                reader.stdin.write(data[24:])
        reader.wait(timeout=60)
        report.seek(0)
        self.assertTrue(report.read().startswith(b"-: "))
        self.assertEqual(reader.stderr.read(), b"")
        reader.stderr.close()
        try:
            reader.stdin.close()
        except BrokenPipeError:
            pass

    def test_follow_shows_lines_as_they_come(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        path = self.write("growing", data[:3000])
        reader = subprocess.Popen([check.NDREPLAY, "check", "--follow", "--lines", path],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertEqual(reader.stdout.readline(), b"1: not RoCEv2\n")
        reader.send_signal(signal.SIGTERM)
        self.assertIn(b" frames, ", reader.stdout.read())
        self.assertEqual(reader.wait(timeout=60), 0)
        reader.stdout.close()
        status, out, err = run("check", "--follow", path, path)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("takes one file", err)

    def test_damaged_pcap(self):
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        self.refused(data[:23], "cannot be read")
        self.refused(data[:-7], "truncated", "66 frames", frames=66)
        self.refused(data[:24 + 15], "truncated", "0 frames")
        huge = struct.pack("<IIII", 0, 0, 0xFFFFFFF0, 0xFFFFFFF0)
        self.refused(data + huge, "67 frames", frames=67)
        self.refused(data[:20] + struct.pack("<I", WIRELESS) + data[24:], "IEEE802_11")
        self.refused(gzip.compress(data)[:-50], "truncated gzip data", frames=self.some())
        packed = bytearray(gzip.compress(data))
        packed[-8] ^= 1
        self.refused(bytes(packed), "data check", frames=self.some())

    def some(self):
        """Matches any number of frames."""
        class Any(int):
            __hash__ = None

            def __eq__(self, other):
                return isinstance(other, int)
        return Any()

    def test_damaged_pcapng(self):
        _, frames = records(fixture("rping-64"))
        frame = frames[2][2]
        head = section() + interface()
        good = head + packet(frame)
        for data, word, count in (
            (good[:-1], "truncated", 0),
            (good + good[:5], "truncated", 1),
            (good + section()[:10], "truncated", 1),
            (section()[:8], "truncated", 0),
            (section().replace(b"\x4d\x3c\x2b\x1a", bytes(4)), "byte-order magic", 0),
            (section() + packet(frame), "interface 0", 0),
            (good + packet(frame, number=1), "interface 1", 1),
            (good + block(SIMPLE, b""), "packet block", 1),
            (section() + block(SIMPLE, bytes(4)), "before the first interface", 0),
            (good + block(PACKET, bytes(16)), "packet block", 1),
            (head + block(PACKET, struct.pack("<IIIII", 0, 0, 0, 4096, 4096)), "4096 bytes", 0),
            (good + struct.pack("<II", PACKET, 0xFFFFFFF0), "length of 4294967280", 1),
            (good + struct.pack("<II", PACKET, 8), "length of 8", 1),
            (good + struct.pack("<II", 77, 33), "length of 33", 1),
            (good + struct.pack("<II", 77, 1 << 20), "truncated", 1),
            (good[:-4] + struct.pack("<I", 7), "lengths differ", 0),
            (section() + block(INTERFACE, bytes(4)), "interface block", 0),
            (section() + interface(options=struct.pack("<HH", 9, 999)), "option", 0),
        ):
            self.refused(data, word, frames=count)

    def test_too_many_interfaces(self):
        self.refused(section() + interface() * 65537, "more than 65536 interfaces")

    def test_odd_times(self):
        """Test extreme resolutions, and times that exceed 64 bits. Only differences matter, and no
        arithmetic may be undefined."""
        _, frames = records(fixture("rping-64"))
        for value in (0, 19, 28, 29, 127, 0x80, 0x80 | 63, 0xFF):
            data = section() + interface(options=option(9, bytes([value])))
            data += b"".join(packet(frame, 2**64 - len(frames) + index)
                             for index, (_, _, frame) in enumerate(frames))
            self.assertEqual(self.report(self.write("odd", data))["roce_packets"], 65)

    def test_folder_and_permission(self):
        status, out, err = run("check", self.folder.name)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("Is a directory", err)

    def test_progress_on_a_terminal(self):
        """Progress is one line after a second, removed at the end. Only a terminal gets it."""
        _, frames = records(fixture("send-many"))
        data = pcap(frames * 80)
        master, slave = pty.openpty()
        reader = subprocess.Popen([check.NDREPLAY, "check", "-"], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=slave)
        os.close(slave)
        reader.stdin.write(data)
        reader.stdin.flush()
        time.sleep(1.5)
        reader.stdin.write(data[24:])
        reader.stdin.close()
        out = reader.stdout.read().decode()
        reader.stdout.close()
        reader.wait(timeout=60)
        seen = b""
        while True:
            try:
                seen += os.read(master, 65536)
            except OSError:  # raised when the process has closed the other end of the terminal
                break
        os.close(master)
        self.assertIn("-: %d frames" % (160 * len(frames)), out)
        self.assertRegex(seen, rb"-: \d+ frames")
        self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])
        self.assertNotIn(b"\n", seen)
        self.assertEqual(run("check", "-", given=data)[2], "")


if __name__ == "__main__":
    check.NDREPLAY, check.FIXTURES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
