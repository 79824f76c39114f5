#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Pictures of ndreplay respond, request, live and serve: the input of gnuplot, and failures.

usage: ndreplay_plot.py NDREPLAY FIXTURES GROUP

Groups: play, live. Exits with 0, with 1 after printing what is wrong, or with 77 (skipped) when the
machine lacks something that the group needs.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

import ndreplay_live as live
import program
from ndreplay_check import pcap, records

NDREPLAY = FIXTURES = ""
CONTENTS = ("fresh", "again", "nak", "rnr")
# Shell script that replaces gnuplot: it saves the input of gnuplot.
RECORDER = """#!/bin/sh
[ "$1" = -e ] && exit 0
/bin/cat >"$PLOT_SCRIPT"
echo '</svg>'
"""


def fixture(name):
    return os.path.join(FIXTURES, name + ".pcap")


def run(*arguments, environment=None):
    """Run ndreplay. @return (exit status, standard output, standard error)"""
    done = subprocess.run([NDREPLAY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=environment, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Data:
    """Input of gnuplot: points by the title of their curve."""

    def __init__(self, text):
        self.text = text
        blocks = {name: [tuple(float(word) for word in line.split()) for line in body.splitlines()]
                  for name, body in re.findall(r"^\$(\w+) << EOD\n(.*?)^EOD$", text, re.M | re.S)}
        titles = re.findall(r'\$(\w+) using 1:2 with (?:lines|points) [^,\n]*?title "([^"]*)"',
                            text)
        self.psns, self.rates, self.times, self.marks = {}, {}, {}, {}
        for name, title in titles:
            kind = re.match(r"[a-z]+", name).group(0)
            place = {"psn": self.psns, "rate": self.rates, "times": self.times,
                     "differences": self.marks}[kind]
            place[title] = blocks[name]
        # Marks have no title. So self.points uses the title of their side's curve.
        self.points = {}
        for name, title in titles:
            number = re.match(r"psn(\d+)_0", name)
            for content in range(1, 4) if number else ():
                points = blocks["psn%s_%d" % (number.group(1), content)]
                self.points[title, CONTENTS[content]] = points

    def count(self, side, content):
        return len(self.points[side, content])


class Case(unittest.TestCase):
    def need_gnuplot(self):
        if shutil.which("gnuplot") is None:
            self.skipTest("there is no gnuplot")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        path = self.path("gnuplot")
        with open(path, "w", encoding="utf-8") as file:
            file.write(RECORDER)
        os.chmod(path, 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)
        return self.path(name)

    def data(self, command, *arguments, status=0):
        script = self.path("script")
        environment = dict(os.environ, PATH=self.folder, PLOT_SCRIPT=script)
        got, _, err = run(command, "--plot=" + self.path("out.svg"), *arguments,
                          environment=environment)
        self.assertEqual((got, err), (status, ""))
        with open(script, encoding="utf-8") as file:
            return Data(file.read())

    def assert_refused(self, command, *arguments, words=()):
        status, out, err = run(command, *arguments)
        self.assertEqual((status, out), (2, ""), arguments)
        self.assertRegex(err, r"\Andreplay %s: [^\n]+\n\Z" % command)
        for word in words:
            self.assertIn(word, err)


class Play(Case):
    def test_played_beside_recorded(self):
        """The requests of a capture without losses are replayed as recorded."""
        for command in ("respond", "request"):
            data = self.data(command, fixture("send-many"))
            recorded = data.psns["recorded 1: 10.77.0.1"]
            played = data.psns["replayed 1: 10.77.0.1"]
            self.assertEqual(max(psn for _, psn in recorded), 59)
            self.assertEqual(max(psn for _, psn in played), 59)
            self.assertNotIn("recorded 1: 10.77.0.2", data.psns)
            self.assertEqual(set(data.rates), {
                "%s 1: 10.77.0.%d" % (word, side) for word in ("recorded", "replayed")
                for side in (1, 2)})
            self.assertEqual(set(data.times), {"recorded 1: 10.77.0.1 SEND",
                                               "replayed 1: 10.77.0.1 SEND"})
            for points in data.times.values():
                self.assertEqual(len(points), 60)
                self.assertTrue(all(micro > 0 for _, micro in points))
                self.assertEqual([micro for _, micro in points],
                                 sorted(micro for _, micro in points))
            self.assertEqual(data.marks, {})
            self.assertIn('title "ndreplay %s, 1 of 1 connections"' % command, data.text)

    def test_recorded_points_are_those_of_the_capture(self):
        _, frames = records(fixture("loss-mixed"))
        side = [(at, part, frame) for at, part, frame in frames
                if frame[26:30] == b"\x0a\x4d\x00\x01" and frame[36:38] == b"\x12\xb7"
                and frame[42] < 0x18]
        first = int.from_bytes(side[0][2][51:54], "big")
        seen, again = set(), 0
        for _, _, frame in side:
            psn = int.from_bytes(frame[51:54], "big")
            again += psn in seen
            seen.add(psn)
        self.assertGreater(again, 100)
        data = self.data("respond", fixture("loss-mixed"))
        highest = max(psn for _, psn in data.psns["recorded 1: 10.77.0.1"])
        self.assertEqual(highest, max(seen) - first)
        # One point may represent several frames of the same time interval.
        self.assertGreater(data.count("recorded 1: 10.77.0.1", "again"), again // 3)
        self.assertLessEqual(data.count("recorded 1: 10.77.0.1", "again"), again)
        naks = sum(frame[42:43] == b"\x11" and frame[54] == 0x60 for _, _, frame in frames
                   if frame[12:14] == b"\x08\x00")
        self.assertEqual(data.count("recorded 1: 10.77.0.1", "nak"), naks)
        seconds = [at + part / 1e6 for at, part, _ in side]
        width = (seconds[-1] - seconds[0]) / 200
        drawn = data.psns["recorded 1: 10.77.0.1"]
        self.assertAlmostEqual(drawn[0][0], 0, delta=width)
        self.assertLess(max(at for at, _ in drawn), seconds[-1] - seconds[0] + width)

    def test_refusals_are_marked_on_both(self):
        data = self.data("respond", fixture("rnr-recover"))
        for word in ("recorded", "replayed"):
            self.assertGreater(data.count(word + " 1: 10.77.0.1", "rnr"), 0, word)
        data = self.data("respond", fixture("loss-mixed"))
        self.assertGreater(data.count("replayed 1: 10.77.0.1", "nak"), 0)
        self.assertGreater(data.count("replayed 1: 10.77.0.1", "again"), 30)

    def test_differences_are_marked_at_their_frame(self):
        _, frames = records(fixture("send-many"))
        changed = [number for number, (_, _, frame) in enumerate(frames)
                   if frame[42:43] == b"\x11"][3:5]
        for number in changed:
            at, part, frame = frames[number]
            frames[number] = (at, part, frame[:22] + bytes([frame[22] ^ 1]) + frame[23:])
        data = self.data("respond", self.write("ttl.pcap", pcap(frames)), status=1)
        marks = data.marks["difference"]
        self.assertEqual(len(marks), 2)
        first = next(frame for _, _, frame in frames if frame[42:43] == b"\x04")
        begin = min(at + part / 1e6 for at, part, frame in frames if frame[42:43] == b"\x04")
        for (seconds, psn), number in zip(marks, changed):
            at, part, frame = frames[number]
            self.assertAlmostEqual(seconds, at + part / 1e6 - begin, delta=2e-6)
            self.assertEqual(psn, (int.from_bytes(frame[51:54], "big") -
                                   int.from_bytes(first[51:54], "big")) % (1 << 24))
        self.assertNotIn("explained", data.marks)

    def test_frames_that_only_the_engine_sent_are_marked(self):
        """The capture lacks a READ response, and the engine sends it."""
        _, frames = records(fixture("read-odd-sizes"))
        lost = next(number for number, (_, _, frame) in enumerate(frames)
                    if frame[42:43] == b"\x10")
        psn = int.from_bytes(frames[lost][2][51:54], "big")
        first = next(frame for _, _, frame in frames if frame[42:43] == b"\x0c")
        path = self.write("lack.pcap", pcap(frames[:lost] + frames[lost + 1:]))
        script = self.path("script")
        environment = dict(os.environ, PATH=self.folder, PLOT_SCRIPT=script)
        status, out, err = run("respond", "--explained", "--plot=" + self.path("out.svg"), path,
                               environment=environment)
        self.assertIn(status, (0, 1, 4))
        self.assertEqual(err, "")
        self.assertIn("no frame, connection 1: READ response", out)
        with open(script, encoding="utf-8") as file:
            data = Data(file.read())
        place = (psn - int.from_bytes(first[51:54], "big")) % (1 << 24)
        self.assertIn(place, [mark for marks in data.marks.values() for _, mark in marks])

    def test_explained_differences_have_marks_of_their_own(self):
        self.assertNotIn("explained", self.data("respond", fixture("loss-mixed")).marks)
        data = self.data("respond", "--explained", fixture("loss-mixed"))
        self.assertGreater(len(data.marks["explained"]), 3)
        self.assertNotIn("difference", data.marks)

    def test_one_connection_of_many(self):
        both = self.data("request", fixture("two-connections"))
        self.assertEqual({title[-12:-10] for title in both.psns}, {"1:", "2:"})
        one = self.data("request", "--connection=2", fixture("two-connections"))
        self.assertEqual({title[-12:-10] for title in one.psns}, {"2:"})
        self.assertEqual(one.psns["replayed 2: 10.77.0.1"][0][1], 0)
        # The recorded curve keeps its position on the time axis if a connection is selected.
        self.assertEqual(one.psns["recorded 2: 10.77.0.1"], both.psns["recorded 2: 10.77.0.1"])

    def test_every_kind_of_capture_can_be_drawn(self):
        """gnuplot complains on standard error of data that it cannot draw."""
        self.need_gnuplot()
        for name in ("rping-64", "loss-mixed", "rnr-exceeded", "nak-oob-read", "corrupt",
                     "perf-write-64-mtu256"):
            for command in ("respond", "request"):
                path = self.path("real.svg")
                status, _, err = run(command, "--explained", "--plot=" + path, fixture(name))
                self.assertIn(status, (0, 1, 4), (name, err))
                self.assertEqual(err, "", name)
                text = xml.etree.ElementTree.parse(path)
                words = "".join(text.getroot().itertext())
                self.assertIn("replayed 1: ", words, name)
                self.assertIn("Rate", words)
        path = self.path("real.png")
        self.assertEqual(run("respond", "--plot=" + path, fixture("rping-64"))[0], 0)
        with open(path, "rb") as file:
            data = file.read()
        self.assertTrue(data.startswith(b"\x89PNG") and b"IEND" in data[-12:])

    def test_refused(self):
        self.need_gnuplot()
        own = fixture("rping-64")
        for command in ("respond", "request"):
            self.assert_refused(command, "--plot=a.pdf", own, words=["--plot", ".svg or .png"])
            self.assert_refused(command, "--plot=/no/such/folder/a.svg", own,
                                words=["cannot be written"])
            self.assert_refused(command, "--plot=" + self.path("a.svg"), own, own,
                                words=["one FILE"])
            self.assertFalse(os.path.exists(self.path("a.svg")))
            self.assert_refused(command, "--plot=" + self.path("a.svg"), self.path("none"),
                                words=["none cannot be read"])
            self.assertFalse(os.path.exists(self.path("a.svg")))
            self.assert_refused(command, "--plot=" + self.path("a.svg"), "--connection=2", own,
                                words=["but no connection 2"])
            self.assertFalse(os.path.exists(self.path("a.svg")))

    def test_nothing_to_draw(self):
        self.need_gnuplot()
        path = self.write("empty.pcap", pcap([]))
        status, _, err = run("respond", "--plot=" + self.path("a.svg"), path)
        self.assertEqual(status, 2)
        self.assertIn("a.svg is not drawn: no packet of a connection was found", err)
        self.assertFalse(os.path.exists(self.path("a.svg")))

    def test_disk_full(self):
        self.need_gnuplot()
        os.symlink("/dev/full", self.path("full.svg"))
        status, out, err = run("request", "--plot=" + self.path("full.svg"), fixture("rping-64"))
        self.assertEqual(status, 2)
        self.assertIn("could not be drawn completely", err)
        self.assertIn("0 differences", out)

    def test_without_gnuplot(self):
        empty = self.path("empty")
        os.mkdir(empty)
        for command in ("respond", "request"):
            status, out, err = run(command, "--plot=" + self.path("a.svg"), fixture("rping-64"),
                                   environment=dict(os.environ, PATH=empty))
            self.assertEqual((status, out), (2, ""))
            self.assertRegex(err, r"\Andreplay %s: --plot needs the program gnuplot[^\n]+\n\Z" %
                             command)
            self.assertFalse(os.path.exists(self.path("a.svg")))


class Live(Case):
    def setUp(self):
        super().setUp()
        os.environ["PATH"] = self.folder + ":" + ORIGINAL_PATH

    def pair(self, server, client, server_own=(), client_own=()):
        """Run both sides. @return (the ended processes, the contents of their pictures)"""
        files = [self.path("server.svg"), self.path("client.svg")]
        scripts = [self.path("server.script"), self.path("client.script")]
        os.environ["PLOT_SCRIPT"] = scripts[0]
        words = live.server_words(fixture(server), "--plot=" + files[0], *server_own)
        mate = live.client_words(fixture(client), "--plot=" + files[1], *client_own)
        # The client is started later, with a different environment.
        held = program.Process.__init__

        def begin(process, binary, arguments, *more):
            os.environ["PLOT_SCRIPT"] = scripts["live" in arguments[:1]]
            held(process, binary, arguments, *more)

        program.Process.__init__ = begin
        try:
            both = live.Pair(self.folder, (NDREPLAY, "serve", words), (NDREPLAY, "live", mate))
        finally:
            program.Process.__init__ = held
        client_ended, server_ended = both.end()
        found = []
        for script in scripts:
            with open(script, encoding="utf-8") as file:
                found.append(Data(file.read()))
        return (server_ended, client_ended), found

    def test_both_sides_show_the_same_conversation(self):
        ended, found = self.pair("send-many", "send-many", ["--speed=max"], ["--speed=max"])
        for side, data in zip(ended, found):
            self.assertEqual(side.status, 0, side.errors)
            self.assertEqual(max(psn for _, psn in data.psns["recorded 1: 10.77.0.1"]), 59)
            self.assertEqual(max(psn for _, psn in data.psns["replayed 1: 10.9.0.2"]), 59)
            self.assertEqual(data.psns["replayed 1: 10.9.0.2"][0][1], 0)
            self.assertIn("replayed 1: 10.9.0.1", data.rates)
            self.assertTrue(any(rate > 0 for _, rate in data.rates["replayed 1: 10.9.0.1"]))
            self.assertEqual(set(data.times), {"recorded 1: 10.77.0.1 SEND",
                                               "replayed 1: 10.9.0.2 SEND"})
            self.assertTrue(all(micro > 0 for _, micro in data.times["replayed 1: 10.9.0.2 SEND"]))
            self.assertEqual(data.marks, {})
            self.assertIn("1 and 1 connections", data.text)

    def test_differences_are_marked(self):
        ended, found = self.pair("solicit", "send-many", ["--speed=max", "--timeout=3"],
                                 ["--speed=max", "--timeout=3"])
        self.assertEqual([side.status for side in ended], [1, 0])
        self.assertNotIn("difference", found[1].marks)
        marks = found[0].marks["difference"]
        highest = max(psn for _, psn in found[0].psns["replayed 1: 10.9.0.2"])
        last = max(at for at, _ in found[0].psns["replayed 1: 10.9.0.2"])
        self.assertGreater(len(marks), 1)
        for seconds, psn in marks:
            self.assertTrue(0 <= psn <= highest and 0 <= seconds <= last + 5, marks)

    def test_copies_and_loops(self):
        own = ["--speed=max", "--connections=2", "--loop=2"]
        _, found = self.pair("two-connections", "two-connections", own, own)
        for data in found:
            self.assertIn("2 and 8 connections", data.text)
            replayed = [title for title in data.rates if title.startswith("replayed")]
            self.assertEqual(len(replayed), 8)

    def test_peer_that_does_not_answer(self):
        """If the peer does not answer, the recorded curves are drawn, without marks."""
        script = self.path("script")
        os.environ["PLOT_SCRIPT"] = script
        own = live.client_words(
            fixture("rping-64"), "--plot=" + self.path("a.svg"), "--connect-retransmit=50",
            "--neighbour=10.9.0.1,02:00:00:00:00:01", "--connect-retries=2")
        ended = program.run(NDREPLAY, *live.words_of("live", ["--vdev=net_null0"], own))
        self.assertEqual(ended.status, 4, ended.errors)
        with open(script, encoding="utf-8") as file:
            data = Data(file.read())
        self.assertIn("recorded 1: 10.77.0.1", data.psns)
        self.assertFalse([title for title in data.psns if title.startswith("replayed")])

    def test_interrupted(self):
        """After Ctrl-C, the part that was replayed is drawn."""
        script = self.path("script")
        os.environ["PLOT_SCRIPT"] = script
        waiting = program.Process(NDREPLAY, live.words_of(
            "serve", live.memif("server", self.folder),
            live.server_words(fixture("send-many"), "--plot=" + self.path("a.svg"))))
        end = time.monotonic() + 60
        while not waiting.says(live.LISTENING % 7471) and time.monotonic() < end:
            time.sleep(0.01)
        waiting.signal(signal.SIGINT)
        self.assertEqual(waiting.end().status, 0)
        with open(script, encoding="utf-8") as file:
            self.assertIn("recorded 1: 10.77.0.1", Data(file.read()).psns)

    def test_refused(self):
        null = ["--vdev=net_null0"]
        own = live.client_words(fixture("rping-64"))
        for plot, word in (("a.pdf", ".svg or .png"),
                           ("/no/such/folder/a.svg", "cannot be written")):
            ended = program.run(NDREPLAY, *live.words_of("live", null, own + ["--plot=" + plot]))
            self.assertEqual((ended.status, ended.output), (2, ""))
            self.assertIn(word, ended.errors)
            self.assertEqual(ended.errors.count("\n"), 1, ended.errors)
        for words in (live.client_words(fixture("rping-64") + ".no"),
                      live.client_words(fixture("rping-64"), "--connection=7")):
            ended = program.run(NDREPLAY, *live.words_of(
                "live", null, words + ["--plot=" + self.path("a.svg")]))
            self.assertEqual(ended.status, 2)
            self.assertEqual(ended.errors.count("\n"), 1, ended.errors)
            self.assertFalse(os.path.exists(self.path("a.svg")))
        os.environ["PATH"] = self.path("nothing")
        ended = program.run(NDREPLAY, *live.words_of(
            "live", null, own + ["--plot=" + self.path("a.svg")]))
        self.assertEqual(ended.status, 2)
        self.assertIn("--plot needs the program gnuplot", ended.errors)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in ("play", "live"):
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    NDREPLAY, FIXTURES, GROUP = sys.argv[1:]
    ORIGINAL_PATH = os.environ.get("PATH", "")
    if GROUP == "live":
        with tempfile.TemporaryDirectory() as work:
            if not live.has_memif(NDREPLAY, work):
                print("DPDK has no memif driver")
                sys.exit(program.SKIPPED)
    unittest.main(argv=sys.argv[:1], defaultTest="Play" if GROUP == "play" else "Live")
