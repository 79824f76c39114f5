#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Checks that guard.py fails for increased counts and passes for unchanged counts.

usage: guard_selftest.py
"""

import contextlib
import io
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import count  # noqa: E402
import guard  # noqa: E402

# Output of callgrind for one run: inner is called twice, once from a copy of outer that gcc made.
# The line after calls= has the cost of the callee, which does not belong to the function's own
# cost.
DUMP = """\
# callgrind format
desc: Trigger: --dump-after=bench_row_run

events: Ir Dr
summary: 1064 40

ob=/usr/bin/bench
fn=outer
0 400 20
cob=/usr/lib/libother.so.2.0.30
cfn=0x000000000002d8e0
calls=1 0
0 64
cfn=inner
calls=1 0
0 300 10
fn=outer.constprop.0
0 100
cfn=inner.part.0
calls=1 0
0 200 10
fn=inner.part.0
0 500 20

ob=/usr/lib/libother.so.2.0.30
fn=0x000000000002d8e0
0 64
totals: 1064 40
"""
OWN = {"outer": 500, "inner": 500, "(libother)": 64}
LIBRARIES = {"bench": 1000, "libother": 64}

COMMENTS = """\
String dump of section '.comment':
  [     0]  GCC: (Debian 12.2.0-14+deb12u1) 12.2.0
  [    27]  Debian clang version 14.0.6
"""

ROW = "write_64_depth_64"
WITH = {"compiler": "gcc-12.2.0", "libc": "2.36"}
BEFORE = {"post": 400.0, "copy": 590.0, "poll": 6.0, "free": 4.0}
# name: (functions now, exit status, names that must be printed, names that must not be printed)
CASES = {
    "the same": (BEFORE, 0, [], ["GREW", "copy"]),
    "two percent": ({**BEFORE, "copy": 610.0}, 0, [], ["GREW", "copy"]),
    "more than that": ({**BEFORE, "copy": 610.2}, 1, ["GREW", "copy", "--accept"], ["post"]),
    "one more, another less": (
        {**BEFORE, "copy": 650.0, "post": 390.0}, 1, ["GREW", "copy"], ["post", guard.OTHERS]),
    "moved": ({**BEFORE, "copy": 690.0, "post": 300.0}, 0, [], ["GREW", "copy"]),
    "two grew": ({**BEFORE, "copy": 610.0, "post": 420.0}, 1, ["copy", "post"], []),
    "a new function": ({**BEFORE, "check": 30.0}, 1, ["check"], ["copy", "post"]),
    "many small ones": (
        {**BEFORE, **{"s%u" % i: 3.0 for i in range(9)}}, 1, [guard.OTHERS], ["copy"]),
    "less": ({**BEFORE, "copy": 500.0}, 0, ["accept"], ["GREW"]),
}


def profile_of(functions):
    return count.Profile({"Ir": sum(functions.values())}, functions)


def judged(table, present, functions):
    """Return (exit status, output)."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        status = guard.judge(table, present, [ROW], lambda names: {ROW: profile_of(functions)})
    return status, output.getvalue()


def table_of(functions):
    """Return the table after it was written and read."""
    table = guard.Table(dict(WITH), {ROW: guard.entry_of(profile_of(functions))})
    return guard.table_read(guard.table_write(table))


def cases_fail():
    for name, (functions, expected, wanted, unwanted) in CASES.items():
        status, text = judged(table_of(BEFORE), WITH, functions)
        if status != expected:
            yield "%s: status %d, not %d" % (name, status, expected)
        yield from ("%s: %s is not named" % (name, word) for word in wanted if word not in text)
        yield from ("%s: %s is named" % (name, word) for word in unwanted if word in text)


def other_tools_fail():
    """If the compiler differs or a library is missing, a higher count has no meaning."""
    worse = {**BEFORE, "copy": 1000.0}
    for present in ({**WITH, "compiler": "gcc-13.1.0"}, {"compiler": "gcc-12.2.0"}):
        status, text = judged(table_of(BEFORE), present, worse)
        if status != guard.CANNOT_JUDGE or "in the table" not in text:
            yield "%s: status %d, %s" % (present, status, text)
    if judged(guard.Table(dict(WITH), {}), WITH, BEFORE)[0] != 1:
        yield "a row that is not in the table passes"


def versions_fail():
    found = guard.compilers_in(COMMENTS)
    if found != "clang-14.0.6+gcc-12.2.0":
        yield "compilers: %s" % found


def dump_fails():
    dump = count.Dump(DUMP)
    if not dump.is_run or dump.own != OWN or sum(dump.own.values()) != dump.totals[0]:
        yield "own costs: %s of %s" % (dict(dump.own), dump.totals)
    if dump.libraries != LIBRARIES:
        yield "by library: %s" % dict(dump.libraries)
    inner = dump.profile("inner", 10)
    if inner.events != {"Ir": 50.0, "Dr": 2.0} or inner.functions != {"inner": 50.0}:
        yield "with what it calls: %s" % (inner,)
    try:
        yield "a function that was not called has %s" % (dump.profile("absent", 1),)
    except count.Failure:
        pass


def accepting_fails():
    """Accepting one row does not change the other rows, and removes rows that are no longer
    guarded."""
    table = guard.Table(dict(WITH), {"gone": guard.Entry(1, {}), "turn_idle": guard.Entry(2, {})})
    table = guard.accept(table, WITH, [ROW], {ROW: profile_of(BEFORE)})
    if set(table.rows) != {ROW, "turn_idle"} or table.rows[ROW].total != 1000:
        yield "accepted: %s" % (table,)


def committed_table_fails():
    table = guard.table_of_file()
    if list(table.rows) != list(guard.GUARDED):
        yield "counts.txt has the rows %s" % ", ".join(table.rows)
    for name, entry in table.rows.items():
        if abs(sum(entry.functions.values()) - entry.total) > 1:
            yield "counts.txt: the functions of %s are not its total" % name


def main():
    failures = []
    for check in (
        cases_fail, other_tools_fail, versions_fail, dump_fails, accepting_fails,
        committed_table_fails,
    ):
        failures += check()
    print("\n".join(failures) or "all found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
