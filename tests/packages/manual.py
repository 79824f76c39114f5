#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check the manual: the names of its counters, its links and its commands.

usage: manual.py DOCS COUNTER_NAMES [PROGRAM...]

COUNTER_NAMES prints the names of all counters. With programs, each block of commands that is marked
`sh` runs in a separate folder. Exits with 0, or with 1 after printing what is wrong.
"""

import os
import re
import subprocess
import sys
import tempfile

EAL = "--no-huge --no-shconf --no-pci -m 128 --no-telemetry --log-level=error --vdev=net_null0"
TIMEOUT_S = 240
failures = []


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED: " + text)


def check_counters(text, program):
    result = subprocess.run([program, *EAL.split()], stdout=subprocess.PIPE, text=True, check=True)
    names = result.stdout.split()
    check(len(names) > 100, "only %d counters" % len(names))
    section = text.split("\n## Counters\n")[1].split("\n## ")[0]
    rows = [line.split(" | ")[0] for line in section.splitlines() if line.startswith("| `")]
    told = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    check(sorted(set(names) - set(told)) == [], "no row for %s" % sorted(set(names) - set(told)))
    check(sorted(set(told) - set(names)) == [], "no counter %s" % sorted(set(told) - set(names)))
    check(len(told) == len(set(told)), "a counter has two rows")
    for line in section.splitlines():
        if line.startswith("| `"):
            check(all(cell.strip() for cell in line.strip("|").split(" | ")), "empty: " + line)


def anchors_of(path):
    """Return the anchors of the headings in a document."""
    with open(path, encoding="utf-8") as file:
        headings = re.findall(r"^#+ (.*)$", file.read(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(text, folder, own):
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    check(len(links) > 10, "only %d links" % len(links))
    for link in links:
        path, _, anchor = link.partition("#")
        target = os.path.join(folder, path) if path else own
        check(os.path.exists(target), "%s leads nowhere" % link)
        if anchor and os.path.exists(target):
            check(anchor in anchors_of(target), "%s has no heading %s" % (target, anchor))


def run_blocks(text, programs):
    environment = dict(os.environ)
    for program in programs:
        folder = os.path.dirname(os.path.abspath(program))
        environment["PATH"] = folder + ":" + environment["PATH"]
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    check(len(blocks) >= 4, "only %d blocks of commands" % len(blocks))
    for block in blocks:
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run(
                ["bash", "-e", "-c", block], cwd=folder, env=environment, timeout=TIMEOUT_S,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        check(result.returncode == 0, "%s\nexit status %d\n%s" % (
            block, result.returncode, result.stdout[-2000:]))


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder = sys.argv[1]
    own = os.path.join(folder, "manual.md")
    with open(own, encoding="utf-8") as file:
        text = file.read()
    check_counters(text, sys.argv[2])
    check_links(text, folder, own)
    if len(sys.argv) > 3:
        run_blocks(text, sys.argv[3:])
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
