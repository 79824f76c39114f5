# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Write docs/interop.md from results. All figures in the document come from runs."""

import collections
import os
import platform
import re
import subprocess

from framework import COLUMNS, SCENARIOS
from results import Cell

# Cell.source of cells that were read from the document. The document marks these cells.
EARLIER = "an earlier run"
MARK = " (earlier)"


def version_of(argv):
    try:
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return done.stdout.decode(errors="replace").splitlines()[0].strip()
    except (OSError, IndexError):
        return "unknown"


def escaped(text):
    return text.replace("|", "\\|")


def totals(cells):
    kinds = collections.Counter(cell.text.split(":")[0] for cell in cells)
    sums = [sum(getattr(cell, name) for cell in cells) for name in ("captures", "frames", "roce")]
    return "%d passed, %d failed, %d not applicable; %d captures, %d frames, %d RoCEv2" % (
        kinds["pass"],
        kinds["FAIL"],
        kinds["n/a"],
        *sums,
    )


def versions(image):
    with open(os.path.join(image, "versions")) as file:
        guest = [line.strip() for line in file]
    dpdk = version_of(["pkg-config", "--modversion", "libdpdk"])
    qemu = version_of(["qemu-system-x86_64", "--version"])
    tshark = version_of(["tshark", "--version"])
    return guest + ["DPDK " + dpdk, qemu, tshark, "host " + platform.release()]


def sources(cells):
    """Return a sentence: the number of cells that were measured with each state of the sources."""
    counted = collections.Counter(cell.source for cell in cells)
    return ", ".join("%s (%d cells)" % (name, counted[name]) for name in sorted(counted))


def table(rows):
    if not rows:
        return []
    head = "| scenario | %s |" % " | ".join(COLUMNS)
    return [head, "|---" * (len(COLUMNS) + 1) + "|"] + rows + [""]


def cell_text(entry, column, cell):
    if column in entry.not_applicable:
        return escaped("n/a: " + entry.not_applicable[column])
    if cell is None:
        return "not run"
    marked = cell.source == EARLIER and not cell.text.startswith("n/a")
    return escaped(cell.text) + (MARK if marked else "")


def split_row(line):
    """Return the cells of a table row, or [] for any other line."""
    words = re.split(r"(?<!\\)\|", line.strip())
    return [word.strip().replace("\\|", "|") for word in words[1:-1]]


def document_figures(lines, heading):
    """Return [[row, column, text]] of the table below this heading."""
    if heading not in lines:
        return []
    start = lines.index(heading) + 2
    table_rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        table_rows.append(split_row(line))
    columns = table_rows[0][1:] if table_rows else []
    return [
        [row[0], column, text]
        for row in table_rows[2:]
        for column, text in zip(columns, row[1:])
        if text
    ]


def earlier(path, cells):
    """Return those cells of the existing document that have no newer result in cells."""
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        lines = file.read().splitlines()
    rows = {words[0]: words[1:] for words in map(split_row, lines) if words}
    found = {}
    for entry in SCENARIOS:
        for column, text in zip(COLUMNS, rows.get(entry.title, ())):
            if (entry.name, column) not in cells and text != "not run":
                figures = document_figures(lines, "%s, %s:" % (entry.title, column))
                text = text.removesuffix(MARK)
                found[entry.name, column] = Cell(text, "", EARLIER, 0, 0, 0, figures)
    return found


def topic_rows(cells, topic):
    rows = []
    for entry in SCENARIOS:
        found = [cells.get((entry.name, column)) for column in COLUMNS]
        if entry.topic == topic and any(found):
            words = [cell_text(entry, *pair) for pair in zip(COLUMNS, found)]
            rows.append("| %s | %s |" % (escaped(entry.title), " | ".join(words)))
    return rows


def grid(figures):
    """Return [[row, column, text]] as a table. Rows and columns are in the order of their first
    figure."""
    rows = list(dict.fromkeys(row for row, _, _ in figures))
    columns = list(dict.fromkeys(column for _, column, _ in figures))
    known = {(row, column): text for row, column, text in figures}
    lines = ["| | %s |" % " | ".join(columns), "|---" * (len(columns) + 1) + "|"]
    for row in rows:
        words = [known.get((row, column), "") for column in columns]
        lines.append("| %s | %s |" % (row, " | ".join(words)))
    return lines


def topic_figures(cells, topic):
    """Return the tables with the figures that the cases of a topic have measured."""
    text = []
    for entry in SCENARIOS:
        for column in COLUMNS:
            cell = cells.get((entry.name, column))
            if entry.topic == topic and cell and cell.figures:
                text += ["%s, %s:" % (entry.title, column), ""] + grid(cell.figures) + [""]
    return text


def excuses():
    text = []
    for entry in SCENARIOS:
        for reason in list(entry.violations.values()) + [entry.malformed]:
            if reason:
                text.append("* %s: %s" % (entry.title, reason))
    return ["## Expected rule violations", ""] + text + [""] if text else []


def write(path, cells, topics, image):
    """Write the document. cells: {(name of scenario, column): results.Cell}."""
    cells = {**cells, **earlier(path, cells)}
    moments = sorted(cell.time for cell in cells.values() if cell.time) or ["never"]
    text = [
        "# Interoperability with Linux",
        "",
        "Generated by `tools/interop`; do not edit. Each row is a scenario of",
        "`tests/interop/scenarios_*.py`, run against the Linux kernel's Soft-RoCE driver and",
        "rdma-core in a virtual machine. `kernel active`: Linux connects. `kernel passive`:",
        "Linux listens. The other two columns run both roles. In `with 1 % loss` netem drops",
        "1 % of the packets of each side. A cell contains `pass`, or the exact reason why the",
        "case did not pass. A case passes only if its capture passes `ndreplay check`, tshark",
        "calls no frame of it malformed, and the kernel has as many RDMA resources after the",
        "case as before. `(earlier)` marks a cell from an earlier version of this document.",
        "Dates, sources and frame counts below exclude these cells.",
        "",
        "* Run: %s to %s" % (moments[0], moments[-1]),
        "* Sources, by `git rev-parse HEAD:lib`: " + sources(cells.values()),
        "* Machine: " + "; ".join(versions(image)),
        "* Result: " + totals(cells.values()),
        "",
    ]
    for topic, heading in topics.items():
        rows = table(topic_rows(cells, topic))
        text += ["## " + heading, ""] + rows if rows else []
        text += topic_figures(cells, topic)
    text += excuses()
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w") as file:
        file.write("\n".join(text))
