#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Statistics of ndreplay check: rates, gaps and latencies, their pictures, and their JSON.

usage: ndreplay_stats.py NDREPLAY FIXTURES

Exits with 0, or with 1 after printing what is wrong.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import ndreplay_check as check
from ndreplay_check import fixture, pcap, records
from schema import Schema

SCHEMA = Schema("ndreplay.schema.json")


def run(*arguments, environment=None):
    """Run ndreplay. @return (exit code, standard output, standard error)"""
    done = subprocess.run(
        [check.NDREPLAY, "check", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        timeout=60,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as stream:
            stream.write(data)
        return self.path(name)

    def report(self, *arguments, code=0):
        got, out, err = run("--json", *arguments)
        self.assertEqual((got, err), (code, ""), arguments)
        return json.loads(out)[0]

    def assert_refused(self, *arguments, words=()):
        code, out, err = run(*arguments)
        self.assertEqual((code, out), (2, ""), arguments)
        self.assertRegex(err, r"\Andreplay[^\n]+\n\Z")
        for word in words:
            self.assertIn(word, err)


class Json(Case):
    def assert_valid(self, *arguments):
        _, out, _ = run("--json", *arguments)
        answer = json.loads(out)
        self.assertEqual(SCHEMA.wrong(answer, SCHEMA.part("check")), [])
        return answer

    def test_all_fixtures_fit_the_schema(self):
        names = sorted(n for n in os.listdir(check.FIXTURES) if n.endswith(".pcap"))
        self.assertGreater(len(names), 90)
        paths = [os.path.join(check.FIXTURES, name) for name in names]
        files = self.assert_valid("--top=3", *paths)
        kinds = {kind for file in files for connection in file["connections"]
                 for side in connection["sides"] for kind in side["times"]}
        self.assertEqual(kinds, set(SCHEMA.part("side")["properties"]["times"]["properties"]))

    def test_lines_violations_doubts_and_errors_fit_the_schema(self):
        _, frames = records(fixture("rping-64"))
        seconds, fraction, frame = frames[6]
        changed = bytearray(frame)
        changed[42 + 11] ^= 0x10
        wrong = frames[:6] + [(seconds, fraction, check.icrc_mend(bytes(changed)))] + frames[7:]
        self.assertTrue(self.assert_valid(self.write("a", pcap(wrong)))[0]["violations"])
        lacking = pcap(wrong[:5] + wrong[8:])
        self.assertTrue(self.assert_valid(self.write("b", lacking))[0]["doubts"])
        self.assertTrue(self.assert_valid("--lines", fixture("corrupt"))[0]["lines"])
        with open(fixture("rping-64"), "rb") as stream:
            data = stream.read()
        self.assertIn("error", self.assert_valid(self.write("c", data[:-7]))[0])
        self.assertEqual(set(self.assert_valid(self.path("none"))[0]), {"file", "error"})

    def test_schema_finds_what_does_not_fit(self):
        """Test that the schema tests above can fail."""
        answer = self.assert_valid(fixture("rping-64"))
        answer[0]["connections"][0]["sides"][0]["packets"] = -1
        answer[0]["coverage"]["more"] = 1
        del answer[0]["connections"][0]["stalls"]
        self.assertEqual(len(SCHEMA.wrong(answer, SCHEMA.part("check"))), 3)

    def test_schema_is_json_schema(self):
        """Validate the schema with the package jsonschema, if it is installed."""
        try:
            import jsonschema
        except ImportError:
            self.skipTest("there is no Python package jsonschema")
        whole = dict(SCHEMA.whole, **{"$ref": "#/$defs/check"})
        validator = jsonschema.Draft202012Validator(whole)
        validator.check_schema(whole)
        answer = self.assert_valid(fixture("loss-mixed"), fixture("corrupt"))
        validator.validate(answer)
        del answer[0]["file"]
        self.assertFalse(validator.is_valid(answer))


class Statistics(Case):
    def test_figures_are_those_of_the_capture(self):
        _, frames = records(fixture("send-many"))
        sides = self.report(fixture("send-many"))["connections"][0]["sides"]
        wire = {"10.77.0.1": 0, "10.77.0.2": 0}
        times = []
        for seconds, fraction, frame in frames:
            if frame[12:14] != b"\x08\x00" or frame[42] >> 5 != 0:
                continue
            wire[".".join(str(byte) for byte in frame[26:30])] += len(frame)
            times.append(seconds * 1000000 + fraction)
        for side in sides:
            self.assertEqual(side["wire_bytes"], wire[side["address"]])
        duration = self.report(fixture("send-many"))["connections"][0]["duration_ns"]
        self.assertEqual(duration, (max(times) - min(times)) * 1000)
        for side in sides:
            self.assertAlmostEqual(side["wire_bps"], side["wire_bytes"] * 8e9 / duration, delta=1)
            self.assertAlmostEqual(side["goodput_bps"], side["bytes"] * 8e9 / duration, delta=1)
            self.assertEqual(side["delivered_bytes"], side["bytes"])
        sent = sides[0]["times"]["send"]
        self.assertEqual(sent["count"], sides[0]["sends"])
        order = ["min_ns", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"]
        self.assertEqual([sent[key] for key in order], sorted(sent[key] for key in order))

    def test_usual_text_is_short_and_stats_has_all(self):
        _, short, _ = run(fixture("loss-mixed"))
        _, long, _ = run("--stats", fixture("loss-mixed"))
        self.assertEqual(len(short.splitlines()), 5)
        self.assertRegex(short, r"\n    27\.6 ms; 10\.77\.0\.1: goodput [\d.]+ Mbit/s\n")
        self.assertEqual([line for line in long.splitlines() if line in short.splitlines()],
                         short.splitlines())
        for kind in ("between", "send", "write", "read", "atomic", "repeat"):
            self.assertRegex(long, r"\n      %s +\d+( +[\d.]+ [mun]?s){6}\n" % kind)
        self.assertIn("% of the requests retransmitted", long)
        self.assertIn("judged: fully", long)

    def test_fatal_naks_have_their_code(self):
        for name, key, words in (
            ("nak-send-too-long", "naks_operation", "0x63 (remote operational error)"),
            ("nak-qpperm-write", "naks_invalid", "0x61 (invalid request)"),
            ("nak-oob-write", "naks_access", "0x62 (remote access error)"),
        ):
            side = self.report(fixture(name))["connections"][0]["sides"][1]
            self.assertEqual((side["naks_fatal"], side[key]), (1, 1), name)
            self.assertIn(", 1 fatal NAK %s\n" % words, run(fixture(name))[1])

    def test_goodput_is_what_was_acknowledged(self):
        """A message that was refused with a NAK or never answered is sent but not delivered."""
        for name, sent, delivered in (
            ("nak-oob-write", 300, 100),
            ("nak-send-too-long", 400, 0),
            ("retry-exceeded", 200, 0),
            ("rnr-exceeded", 128, 0),
            ("mixed", 9000, 9000),
        ):
            connection = self.report(fixture(name))["connections"][0]
            side = connection["sides"][0]
            self.assertEqual((side["bytes"], side["delivered_bytes"]), (sent, delivered), name)
            rate = delivered * 8e9 / connection["duration_ns"]
            self.assertAlmostEqual(side["goodput_bps"], rate, delta=1)

    def test_requester_of_a_lost_read_response_waits(self):
        report = self.report(fixture("loss-read"))["connections"][0]
        self.assertEqual((report["stalls"]["count"], report["pauses"]["count"]), (2, 0))
        self.assertEqual(report["stalls"]["longest_frame"], 266)

    def test_stalls(self):
        report = self.report("--stall=1ms", fixture("loss-mixed"))["connections"][0]
        fewer = self.report("--stall=0.0011", fixture("loss-mixed"))["connections"][0]
        none = self.report(fixture("loss-mixed"))["connections"][0]
        self.assertGreater(report["stalls"]["count"], 0)
        self.assertGreater(report["stalls"]["longest_ns"], 1000000)
        self.assertLessEqual(fewer["stalls"]["count"], report["stalls"]["count"])
        self.assertEqual(none["stalls"]["count"], 0)
        text = run("--stall=1000us", fixture("loss-mixed"))[1]
        self.assertRegex(text, r"; %d stalls?, longest [\d.]+ ms until frame %d;" % (
            report["stalls"]["count"], report["stalls"]["longest_frame"]))
        for value in ("", "0", "10 ms", "-1ms", "5m", "ms", "1e99", "nan"):
            own = ("--stall=" + value, fixture("loss-mixed"))
            self.assert_refused(*own, words=["--stall", "10ms"])

    def test_top(self):
        report = self.report("--top=3", fixture("two-connections"))
        sent = [talker["wire_bytes"] for talker in report["top"]]
        every = [side["wire_bytes"] for connection in report["connections"]
                 for side in connection["sides"]]
        self.assertEqual(sent, sorted(every, reverse=True)[:3])
        first = report["top"][0]
        side = report["connections"][first["connection"]]["sides"][first["side"]]
        self.assertEqual(side["wire_bytes"], sent[0])
        text = run("--top=1", fixture("two-connections"))[1]
        self.assertIn("\n  top 1: %s of connection %d, " % (side["address"],
                                                            first["connection"] + 1), text)
        self.assertNotIn("top 2", text)
        self.assertNotIn("top", self.report(fixture("two-connections")))
        for value in ("0", "-1", "x"):
            self.assert_refused("--top=" + value, fixture("rping-64"), words=["--top"])


class Coverage(Case):
    def test_capture_that_begins_in_the_middle(self):
        """The capture begins after the CM exchange: roles are found, but not earlier packets."""
        _, frames = records(fixture("send-many"))
        cut = self.write("cut.pcap", pcap(frames[9:]))
        code, out, err = run(cut)
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"\n  not judged in full: \d+ requests captured while .*"
                              r"1 connections without CM messages\n")
        report = self.report(cut)
        self.assertEqual(report["connections"][0]["sides"][0]["judged"], "partly")
        self.assertGreater(report["coverage"]["early"], 0)

    def test_one_direction_is_not_clean(self):
        _, frames = records(fixture("send-many"))
        answers = [part for part in frames if part[2][42:43] == b"\x11"]
        code, out, err = run(self.write("answers.pcap", pcap(answers)))
        self.assertEqual((code, err), (4, ""))
        self.assertIn("\n  no request was found with its response: each packet was judged by "
                      "itself\n", out)
        self.assertRegex(out, r"%d responses and CNPs without" % len(answers))
        self.assertIn("1 connections with packets in one direction only", out)

    def test_everything_judged_says_nothing(self):
        self.assertNotIn("not judged", run(fixture("send-many"))[1])


class Plot(Case):
    def svg(self, name, *own):
        path = self.path(name + ".svg")
        code, _, err = run("--plot=" + path, *own, fixture(name))
        self.assertEqual((code, err), (0, ""))
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        xml.etree.ElementTree.fromstring(text)
        self.assertLess(len(text), 400000)
        return text

    def setUp(self):
        super().setUp()
        if shutil.which("gnuplot") is None:
            self.skipTest("there is no gnuplot")

    def marks(self, text, kind):
        """Return the points of this type, without the point in the legend."""
        return len(re.findall(r"xlink:href=['\"]#gpPt%d['\"]" % kind, text)) - 1

    def test_marks_of_retransmissions_and_naks(self):
        """Point types of gnuplot count from 0: 1 is a cross, 8 a triangle, 10 an inverted
        triangle."""
        text = self.svg("loss-mixed")
        for word in ("PSN of requests", "Rate", "Time from a request to its response",
                     "retransmitted", "RNR NAK", "1: 10.77.0.1", "1: 10.77.0.1 atomic"):
            self.assertIn(word, text)
        self.assertEqual(self.marks(text, 8), 3)
        self.assertGreater(self.marks(text, 1), 50)
        self.assertEqual(self.marks(text, 10), 0)
        clean = self.svg("send-many")
        self.assertEqual([self.marks(clean, kind) for kind in (1, 8, 10)], [0, 0, 0])
        self.assertGreater(self.marks(self.svg("rnr-recover"), 10), 0)

    def test_long_capture_stays_small_and_keeps_its_marks(self):
        """Of 40 000 frames, one in the middle is retransmitted. The plot must have its mark."""
        _, frames = records(fixture("send-many"))
        data = [part for part in frames if part[2][42:43] in (b"\x04", b"\x11")]
        request = next(part for part in data if part[2][42:43] == b"\x04")
        long = []
        for number in range(40000):
            psn = number if number != 20000 else 19999
            frame = bytearray(request[2])
            frame[42 + 9 : 42 + 12] = (psn % (1 << 24)).to_bytes(3, "big")
            long.append((number // 100, number % 100 * 10000, check.icrc_mend(bytes(frame))))
        path = self.path("long.svg")
        code, _, err = run("--plot=" + path, self.write("long.pcap", pcap(long)))
        self.assertEqual(err, "")
        with open(path, encoding="utf-8") as stream:
            text = stream.read()
        self.assertLess(len(text), 150000)
        self.assertEqual(self.marks(text, 1), 1)

    def test_png(self):
        path = self.path("a.png")
        self.assertEqual(run("--plot=" + path, fixture("two-connections"))[0], 0)
        with open(path, "rb") as stream:
            data = stream.read()
        self.assertTrue(data.startswith(b"\x89PNG") and b"IEND" in data[-12:])

    def test_every_fixture_can_be_drawn(self):
        """gnuplot complains on standard error of data that it cannot draw."""
        for name in ("retry-exceeded", "rnr-exceeded", "rej-stale", "corrupt", "sendimm",
                     "perf-write-64-mtu256", "nak-oob-read", "server-disconnects"):
            path = self.path(name + ".svg")
            code, _, err = run("--plot=" + path, fixture(name))
            if code == 2:
                self.assertIn("no packet of a connection was found", err)
                self.assertFalse(os.path.exists(path))
            else:
                self.assertEqual(err, "", name)

    def test_refused(self):
        own = fixture("rping-64")
        self.assert_refused("--plot=a.pdf", own, words=["--plot", ".svg or .png"])
        self.assert_refused("--plot=.svg", own, words=[".svg or .png"])
        self.assert_refused("--plot=/no/such/folder/a.svg", own, words=["cannot be written"])
        self.assert_refused("--plot=" + self.path("a.svg"), own, own, words=["one FILE"])
        os.symlink("/dev/full", self.path("full.svg"))
        code, _, err = run("--plot=" + self.path("full.svg"), own)
        self.assertEqual(code, 2)
        self.assertIn("could not be drawn completely", err)

    def test_without_gnuplot(self):
        environment = dict(os.environ, PATH=self.folder.name)
        code, out, err = run("--plot=" + self.path("a.svg"), fixture("rping-64"),
                             environment=environment)
        self.assertEqual((code, out), (2, ""))
        self.assertRegex(err, r"\Andreplay check: --plot needs the program gnuplot[^\n]+\n\Z")
        self.assertFalse(os.path.exists(self.path("a.svg")))


if __name__ == "__main__":
    check.NDREPLAY, check.FIXTURES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
