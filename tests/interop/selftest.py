#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""The framework of the interoperability tests must fail where it should. This test needs no
machine.

usage: selftest.py BUILD CAPTURE

BUILD has apps/ndreplay/ndreplay; CAPTURE is a pcap file of RoCEv2 without violations.
"""

import contextlib
import io
import os
import shutil
import signal
import struct
import sys
import tempfile
import time
import unittest

import capture
import framework
import matrix
import run
from capture import Checker
from framework import ACTIVE, IPV6, LOSS, PASSIVE, Failure, scenario
from results import Cell, Results
from scenarios_perftest import kernel_rows
from task import Program

SEND_ONLY, READ_REQUEST = 4, 12
FILE_HEADER = 24
RECORD_HEADER = struct.Struct("<IIII")


def frames_of(data):
    """Return [(offset of the record, bytes of the frame)] of a little-endian pcap file."""
    found = []
    position = FILE_HEADER
    while position < len(data):
        length = RECORD_HEADER.unpack_from(data, position)[2]
        found.append((position, length))
        position += RECORD_HEADER.size + length
    return found


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)


class CaptureCheck(Folder):
    def check(self, data, violations=None, malformed=None, our_address=None):
        path = self.path("capture.pcap")
        with open(path, "wb") as file:
            file.write(data)
        Checker(BUILD).check(path, violations or {}, malformed, our_address)

    def fails(self, data, text, **options):
        with self.assertRaisesRegex(Failure, text):
            self.check(data, **options)

    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
    def test_clean_passes(self):
        self.check(CAPTURE)

    def test_changed_payload_fails(self):
        data = bytearray(CAPTURE)
        offset, length = frames_of(data)[20]
        data[offset + RECORD_HEADER.size + length - 6] ^= 1
        self.fails(bytes(data), "1 packets with a wrong ICRC")

    def test_missing_frames_fail(self):
        records = frames_of(CAPTURE)
        start, end = records[20][0], records[23][0]
        self.fails(CAPTURE[:start] + CAPTURE[end:], "ndreplay: [0-9]+ violations, first frame")

    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
    def test_excused_violations_pass(self):
        records = frames_of(CAPTURE)
        start, end = records[20][0], records[23][0]
        self.check(CAPTURE[:start] + CAPTURE[end:], violations={".": "frames are missing"})

    @unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
    def test_own_violations_are_not_excused(self):
        records = frames_of(CAPTURE)
        # Remove frames, so that one side commits one violation.
        data = CAPTURE[: records[5][0]] + CAPTURE[records[7][0] :]
        failed = []
        for address in ("10.77.0.1", "10.77.0.2"):
            try:
                self.check(data, violations={".": "frames are missing"}, our_address=address)
            except Failure:
                failed.append(address)
        self.assertEqual(len(failed), 1)

    def test_other_violations_are_not_excused(self):
        records = frames_of(CAPTURE)
        start, end = records[20][0], records[23][0]
        excuse = {"^no such text$": "nothing"}
        self.fails(CAPTURE[:start] + CAPTURE[end:], "violations", violations=excuse)

    def test_empty_fails(self):
        self.fails(CAPTURE[:FILE_HEADER], "the capture is empty")

    def test_cut_frames_fail(self):
        data = CAPTURE
        offset, length = frames_of(data)[20]
        header = list(RECORD_HEADER.unpack_from(data, offset))
        header[2] -= 10
        start = offset + RECORD_HEADER.size
        end = start + length
        cut = data[:offset] + RECORD_HEADER.pack(*header) + data[start : end - 10] + data[end:]
        self.fails(cut, "cut by the capture")


@unittest.skipUnless(shutil.which("tshark"), "tshark is not installed")
class Silence(Folder):
    """Test the decision which side must send the next packet, in a capture of rping that was cut
    after a frame."""

    def judge(self, count, requester):
        path = self.path("capture.pcap")
        with open(path, "wb") as file:
            file.write(CAPTURE[: (frames_of(CAPTURE) + [(len(CAPTURE), 0)])[count][0]])
        return Checker(BUILD).silence(path, requester)

    @classmethod
    def setUpClass(cls):
        with tempfile.NamedTemporaryFile(suffix=".pcap") as file:
            file.write(CAPTURE)
            file.flush()
            names = ["frame.number", "ip.src", "infiniband.bth.opcode"]
            cls.rows = Checker(BUILD).fields(file.name, "infiniband.bth.destqp > 1", names)

    def requests(self, opcode):
        return [row[:2] for row in self.rows if int(row[2]) == opcode]

    def test_a_request_without_answer_is_owed(self):
        for opcode in (SEND_ONLY, READ_REQUEST):
            number, requester = self.requests(opcode)[3]
            text, answered = self.judge(int(number), requester)
            self.assertFalse(answered, text)
            self.assertIn("frame %s at" % number, text)

    def test_all_answered(self):
        numbers = [int(self.requests(opcode)[-1][0]) for opcode in (SEND_ONLY, READ_REQUEST)]
        whole = len(frames_of(CAPTURE))
        self.assertGreater(whole, max(numbers))
        for address in {row[1] for row in self.requests(SEND_ONLY)}:
            self.assertTrue(self.judge(whole, address)[1], address)

    def test_nobody_asked(self):
        self.assertEqual(self.judge(20, "192.0.2.1"), ("no request of 192.0.2.1", False))

    def test_answers_of_each_kind(self):
        for opcode, psn, row, answered in (
            (SEND_ONLY, 5, ["9", "0", "5", "17", "31"], True),
            (SEND_ONLY, 5, ["9", "0", "6", "17", "0"], True),
            (SEND_ONLY, 5, ["9", "0", "4", "17", "31"], False),  # acknowledges the previous request
            (SEND_ONLY, 5, ["9", "0", "5", "17", "96"], False),  # NAK
            (SEND_ONLY, 5, ["9", "0", "5", "17", "33"], False),  # RNR NAK
            (SEND_ONLY, 5, ["9", "0", "5", "4", ""], False),  # row of a request of the other side
            (SEND_ONLY, 0xFFFFFF, ["9", "0", "0", "17", "31"], True),
            (SEND_ONLY, 0, ["9", "0", "16777215", "17", "31"], False),
            (READ_REQUEST, 5, ["9", "0", "5", "16", "31"], True),
            (READ_REQUEST, 5, ["9", "0", "8", "15", "31"], True),
            (READ_REQUEST, 5, ["9", "0", "5", "13", "31"], False),  # first response of several
            (READ_REQUEST, 5, ["9", "0", "6", "14", ""], False),
        ):
            self.assertEqual(capture.answers(opcode, psn, row), answered, (opcode, psn, row))


class Repeated(unittest.TestCase):
    """Test that a case is repeated once if the kernel has stopped, and that any other failure is
    final."""

    def play(self, *outcomes):
        left = list(outcomes)

        def role(*_):
            outcome = left.pop(0)
            if outcome is not None:
                raise outcome

        saved, run.run_role = run.run_role, role
        self.addCleanup(setattr, run, "run_role", saved)
        entry = framework.Scenario("x", *[None] * 12)._replace(not_applicable={})
        with contextlib.redirect_stdout(io.StringIO()):
            return run.run_cell(None, entry, ACTIVE), len(left)

    def test_once(self):
        self.assertEqual(self.play(framework.PeerStopped("so"), None), ("pass", 0))

    def test_not_twice(self):
        stopped = framework.PeerStopped("so")
        self.assertEqual(self.play(stopped, stopped, None), ("FAIL: so", 1))

    def test_no_other_failure(self):
        self.assertEqual(self.play(Failure("so"), None), ("FAIL: so", 1))


class Tasks(Folder):
    def start(self, line):
        return Program("program", self.path("log"), ["sh", "-c", line])

    def test_output_is_found_in_order(self):
        task = self.start("echo one; echo two; echo one")
        task.wait_for("one")
        task.wait_for("two")
        task.wait_for("one")
        with self.assertRaisesRegex(Failure, "ended with 0 before /two/"):
            task.wait_for("two")

    def test_wrong_status_fails_with_the_last_line(self):
        with self.assertRaisesRegex(Failure, "exit status 3 instead of 0: the reason"):
            self.start("echo first; echo the reason; exit 3").expect()

    def test_waiting_ends(self):
        task = self.start("echo here; exec sleep 60")
        start = time.monotonic()
        with self.assertRaisesRegex(Failure, "does not end within 0.2 s"):
            task.wait(0.2)
        with self.assertRaisesRegex(Failure, "no /there/ within 0.2 s, last line: here"):
            task.wait_for("there", 0.2)
        self.assertLess(time.monotonic() - start, 30)
        task.kill()
        self.assertEqual(task.status, -signal.SIGKILL)

    def test_counters_are_the_last(self):
        task = self.start("echo counter drops 1; echo ' counter drops 7'; echo counter nine x")
        task.wait()
        self.assertEqual(task.counters(), {"drops": 7})

    def test_rows_of_perftest_may_have_no_times(self):
        self.assertEqual(kernel_rows(self.start("echo ' 2 200 inf -nan'")), [(2, 200)])
        with self.assertRaisesRegex(Failure, "no row at the end of 'nothing"):
            kernel_rows(self.start("echo nothing"))

    def test_a_program_that_does_not_exist_fails(self):
        with self.assertRaisesRegex(Failure, "No such file"):
            Program("nothing", self.path("log"), ["/nonexistent"])


class Registration(unittest.TestCase):
    def test_mistakes_are_refused(self):
        for options in (
            {"not_applicable": {"no such column": "reason"}},
            {"not_applicable": {IPV6: ""}},
            {"not_applicable": {IPV6: "reason"}, "short": (IPV6,)},
            {"attach": "nothing"},
        ):
            with self.assertRaises(ValueError, msg=options):
                scenario("mistake", "title", **options)
        with self.assertRaises(ValueError):
            scenario("Bad name", "title")

    def test_all_scenarios_load(self):
        run.load()
        names = [entry.name for entry in framework.SCENARIOS]
        self.assertTrue(names)
        self.assertEqual(len(names), len(set(names)))
        self.assertTrue([entry for entry in framework.SCENARIOS if entry.short])

    def test_columns_with_both_roles_leave_out_what_is_not_applicable(self):
        both = framework.Scenario("x", *[None] * 12)._replace(not_applicable={})
        one = both._replace(not_applicable={PASSIVE: "reason"})
        self.assertEqual(framework.roles(both, LOSS), [True, False])
        self.assertEqual(framework.roles(one, LOSS), [True])
        self.assertEqual(framework.roles(one, ACTIVE), [True])


class Matrix(Folder):
    def setUp(self):
        super().setUp()
        entry = framework.Scenario("row", "a | b", None, "topic", *[None] * 9)
        entry = entry._replace(not_applicable={}, violations={}, malformed=None)
        matrix.SCENARIOS[:], saved = [entry], list(matrix.SCENARIOS)
        self.addCleanup(matrix.SCENARIOS.__setitem__, slice(None), saved)
        with open(self.path("versions"), "w") as file:
            file.write("kernel 1.2.3\n")

    def written(self, cells):
        """Return the document that matrix.write() makes from these cells and the previous
        document."""
        path = self.path("interop.md")
        matrix.write(path, cells, {"topic": "Head"}, self.folder)
        with open(path) as file:
            return file.read()

    def test_cells_are_written_as_they_are(self):
        played = Results(self.folder)
        played.put("row", ACTIVE, Cell("pass", "1999-01-02 03:04", "abc", 1, 20, 10))
        played.put("row", PASSIVE, Cell("pass", "1999-01-02 03:05", "abc", 1, 20, 10))
        again = Results(self.folder)
        again.put("row", PASSIVE, Cell("FAIL: why", "1999-01-02 03:06", "def", 1, 20, 10))
        again.put("row", IPV6, Cell("n/a: so", "1999-01-02 03:07", "def", 1, 20, 10))
        figures = [["WRITE", "before", "7 s"], ["READ", "after", "2 s"], ["READ", "before", "8 s"]]
        again.put("row", LOSS, Cell("pass", "1999-01-02 03:07", "def", 1, 20, 10, figures))
        again.put("gone", IPV6, Cell("pass", "2000-01-02 03:07", "def", 1, 20, 10))
        cells = Results(self.folder)
        cells.keep_only({("row", column) for column in framework.COLUMNS})
        text = self.written(cells.cells)
        self.assertIn("2 passed, 1 failed, 1 not applicable; 4 captures, 80 frames", text)
        self.assertIn("1999-01-02 03:04 to 1999-01-02 03:07", text)
        self.assertIn("abc (1 cells), def (3 cells)", text)
        self.assertIn("| a \\| b | pass | FAIL: why | n/a: so | pass |\n", text)
        self.assertIn(
            "a | b, with 1 % loss:\n\n| | before | after |\n|---|---|---|\n"
            "| WRITE | 7 s |  |\n| READ | 8 s | 2 s |\n",
            text,
        )
        self.assertIn("kernel 1.2.3", text)

    def test_cells_of_the_document_stay(self):
        figures = [["WRITE", "before", "7 s"], ["READ", "after", "2 s"]]
        self.written(
            {
                ("row", ACTIVE): Cell("pass", "1999-01-02 03:04", "abc", 1, 20, 10),
                ("row", IPV6): Cell("n/a: x | y", "1999-01-02 03:05", "abc", 0, 0, 0),
                ("row", LOSS): Cell("pass", "1999-01-02 03:05", "abc", 1, 20, 10, figures),
            }
        )
        other = {("row", ACTIVE): Cell("FAIL: why", "2000-01-02 03:04", "def", 1, 30, 10)}
        text = self.written(other)
        self.assertEqual(text, self.written(other))
        self.assertIn("FAIL: why | not run | n/a: x \\| y | pass (earlier) |\n", text)
        self.assertIn("| WRITE | 7 s |  |\n| READ |  | 2 s |\n", text)
        self.assertIn("1 passed, 1 failed, 1 not applicable; 1 captures, 30 frames", text)
        self.assertIn("an earlier run (2 cells), def (1 cells)", text)
        self.assertIn("2000-01-02 03:04 to 2000-01-02 03:04", text)

    def test_a_reason_is_known_without_a_run(self):
        matrix.SCENARIOS[0] = matrix.SCENARIOS[0]._replace(not_applicable={IPV6: "so | so"})
        text = self.written({("row", ACTIVE): Cell("pass", "1999-01-02 03:04", "abc", 1, 2, 1)})
        self.assertIn("| pass | not run | n/a: so \\| so | not run |\n", text)


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    with open(sys.argv.pop(1), "rb") as pcap:
        CAPTURE = pcap.read()
    unittest.main()
