#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Count how many instructions each fast path saves.

usage: without.py FOLDER     copy the source tree to FOLDER, build it once with all fast paths and
                             once without each single one, and print a table
       without.py --check    check that the code still has the lines that are replaced

Each fast path can be left out: other code then handles the same packets, with the same result. A
fast path is worth its code only if it saves at least 3 % of at least one operation. Takes 10
minutes with two processors.
"""

import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import count  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ("lib", "include", "examples", "man", "docs", "tools", "apps", "tests")
BENCHES = ("bench_loop",)

# name, file, the line that enters the fast path, its replacement, rows of count.py
PATHS = (
    ("parser", "wire/parse_usual.c",
     "if (likely(usual(mbuf, view))) {",
     "if (likely(wire_parse_ladder(mbuf, view) == WIRE_OK)) {",
     ("write_64_depth_64", "write_8_depth_1")),
    ("parser, packets of one burst", "wire/parse_usual.c",
     "if (burst->mbuf != NULL && equal(mbuf, view, burst)) {",
     "if (burst->mbuf == mbuf && equal(mbuf, view, burst)) {",
     ("write_64_depth_64", "write_8_depth_1")),
    ("responder", "rc/responder_usual.c",
     "if (unlikely(!usual(qp, mbuf, view)))",
     "if (view != NULL)",
     ("write_64_depth_64", "send_64_depth_64", "read_64_depth_64")),
    ("responder, shared receives", "rc/responder_usual.c",
     "if (qp->srq == NULL || !usual_shared(qp, mbuf, view))",
     "if (view != NULL)",
     ("send_srq_64_depth_64",)),
    ("requester, responses", "rc/response_usual.c",
     "if (!usual(qp, mbuf, view, now_ns))",
     "if (view != NULL)",
     ("read_64_depth_64",)),
    ("requester, bursts", "rc/requester.c",
     "sent = rc_burst_send(\n"
     "			qp, STEPS_PER_CALL - steps, RC_BYTES_PER_CALL - (uint32_t)bytes, now_ns);",
     "sent = 0;",
     ("write_64_depth_64", "read_64_depth_64")),
    ("responder, bursts of responses", "rc/read_response.c",
     "burst = rc_response_burst_send(\n"
     "			qp, RC_READ_BUDGET - sent, RC_BYTES_PER_CALL - (uint32_t)bytes, now_ns);",
     "burst = 0;",
     ("read_64_depth_64", "fetch_add_8_depth_64")),
)


def text_of(root, file):
    with open(os.path.join(root, "lib", file), encoding="utf-8") as stream:
        return stream.read()


def write_text(root, file, text):
    with open(os.path.join(root, "lib", file), "w", encoding="utf-8") as stream:
        stream.write(text)


def missing():
    """Return the names of the fast paths whose line occurs in its file never, or more than once."""
    return [path[0] for path in PATHS if text_of(ROOT, path[1]).count(path[2]) != 1]


def build(folder):
    programs = ["tests/bench/" + name for name in BENCHES]
    subprocess.run(["ninja", "--quiet", "-C", os.path.join(folder, "build"), *programs], check=True)


def counts_of(folder, rows):
    profiles = count.count(os.path.join(folder, "build"), rows)
    return {name: profile.events["Ir"] for name, profile in profiles}


def measure(folder):
    """Copy the source tree, and print a row for each fast path and operation."""
    for name in FOLDERS:
        shutil.copytree(os.path.join(ROOT, name), os.path.join(folder, name))
    for name in ("meson.build", "meson_options.txt", "README.md", "CHANGELOG.md",
                 "CONTRIBUTING.md"):
        shutil.copy(os.path.join(ROOT, name), folder)
    subprocess.run(["meson", "setup", os.path.join(folder, "build"), folder,
                    "--buildtype=release", "-Db_ndebug=true", "-Dapps=false"],
                   check=True, stdout=subprocess.DEVNULL)
    build(folder)
    usual = counts_of(folder, sorted({row for path in PATHS for row in path[4]}))
    print("| fast path | operation | instructions | without it | saved |")
    print("| --- | --- | --- | --- | --- |")
    for name, file, line, replacement, rows in PATHS:
        text = text_of(folder, file)
        write_text(folder, file, text.replace(line, replacement))
        build(folder)
        for row, other in counts_of(folder, rows).items():
            print("| %s | `%s` | %.0f | %.0f | %.1f %% |" % (
                name, row, usual[row], other, 100 * (other - usual[row]) / other), flush=True)
        write_text(folder, file, text)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-") and sys.argv[1] != "--check":
        sys.exit(__doc__.strip())
    lost = missing()
    if lost:
        sys.exit("without.py: not exactly once in the code: the line of " + ", ".join(lost))
    if sys.argv[1] != "--check":
        measure(sys.argv[1])


if __name__ == "__main__":
    main()
