#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Measures, and writes the tables and drawings of docs/performance.md.

usage: performance.py --build DIR [--quick] [--peers] [--rounds N] [--from FILE]
       performance.py --build DIR --loss [--rounds N]
       performance.py --build DIR --lcores [--rounds N] [--accept]

--quick        one round of everything, at most three minutes: to test that it works
--peers        also measure other programs that transfer messages between two processes
--rounds N     number of repetitions, 1 or more [5, with --quick 1]; medians are over rounds
--from FILE    measure nothing: write the document from the stored results of an earlier run
--loss         measure only goodput under loss, and write only that table, with its own date
--lcores       measure several lcores only, and print those tables
--accept       with --lcores: write them and their drawings into the document, with their own date

DIR is a release build without assertions. The results are stored there in performance.json.
tools/bench makes the build and calls this script.
"""

import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
import document  # noqa: E402
import guard  # noqa: E402
import measure  # noqa: E402
import memif  # noqa: E402
import peers  # noqa: E402

DOCUMENT = os.path.join(ROOT, "docs", "performance.md")
KEPT = "performance.json"
# Operations whose instructions are listed by module.
BY_MODULE = ("write_64_depth_64", "write_8_depth_1")


def arguments_of(words):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        usage=argparse.SUPPRESS)
    parser.add_argument("--build", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="kept", help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, help=argparse.SUPPRESS)
    for name in ("--quick", "--peers", "--loss", "--lcores", "--accept"):
        parser.add_argument(name, action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args(words)
    if arguments.rounds is not None and arguments.rounds < 1:
        parser.error("--rounds: 1 or more")
    others = arguments.kept or arguments.peers or arguments.quick
    if arguments.loss and (others or arguments.lcores):
        parser.error("--loss: only --rounds goes with it")
    if arguments.lcores and others:
        parser.error("--lcores: only --rounds and --accept go with it")
    if arguments.accept and not arguments.lcores:
        parser.error("--accept: only with --lcores")
    return arguments


def measured(arguments):
    """Measure everything. @return result for JSON"""
    scale = measure.Scale(arguments.quick, arguments.rounds)
    programs = measure.Programs(arguments.build)
    facts = measure.machine(arguments.build, ROOT)
    steps = measure.steps_of(programs, scale)
    missing = []  # grows while the steps run
    if scale.queue_pairs != measure.QUEUE_PAIRS:
        missing.append("%u queue pairs: a short run, or less than %u MB of memory" % (
            measure.QUEUE_PAIRS_MANY, measure.MANY_MEGABYTES))
    if memif.available(programs):
        steps.append(("memif", lambda: memif.step(programs, scale)))
    else:
        missing.append("`ndpmd` over memif: DPDK has no memif driver, or there is one processor")
    if arguments.peers:
        steps += peers.steps_of(programs, scale, missing)
    rows = measure.rounds_run(steps, scale.rounds)
    measure.add_round(rows, programs.bench("bench_mem_size"))
    table = guard.table_of_file()
    return {
        "machine": facts,
        "quick": arguments.quick,
        "rounds": scale.rounds,
        "sizes": list(scale.sizes),
        "missing": missing,
        "rows": rows,
        "instructions": measure.instructions(arguments.build, table, rows),
        "application": measure.instructions_of_ndpmd(programs, scale),
        "functions": {name: table.rows[name].functions for name in BY_MODULE},
    }


def sources_of(root):
    """Return (module, text) of the library's files."""
    for folder, _, names in os.walk(os.path.join(root, "lib")):
        for name in names:
            if name.endswith((".c", ".h")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield os.path.relpath(folder, os.path.join(root, "lib")), file.read()


def put(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def drawings_put(path, drawings, is_ours):
    """Write drawings next to a document, and remove drawings that no longer exist."""
    folder = os.path.join(os.path.dirname(path), document.FOLDER)
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        if name.endswith(".svg") and is_ours(name) and name not in drawings:
            os.remove(os.path.join(folder, name))
    for name, picture in drawings.items():
        put(os.path.join(folder, name), picture)


def write(result, path, root):
    """Write document and drawings. If anything is refused, nothing is written."""
    made = document.Document(result, list(sources_of(root)))
    with open(path, encoding="utf-8") as file:
        text = document.written(file.read(), made.parts)
    drawings_put(path, made.drawings, lambda name: True)
    put(path, text)


def part_measured(arguments, step_of):
    """Return the results of one step that is measured separately."""
    scale = measure.Scale(False, arguments.rounds)
    programs = measure.Programs(arguments.build)
    result = {"machine": measure.machine(arguments.build, ROOT)}
    result["rows"] = measure.rounds_run([step_of(programs, scale)], scale.rounds)
    return document.Results(result)


def part_put(name, part):
    with open(DOCUMENT, encoding="utf-8") as file:
        text = document.replaced(file.read(), name, part)
    put(DOCUMENT, text)


def write_lcores(arguments):
    """Write a part of the document that is measured separately. Without --accept, print the
    part."""
    part, drawings = document.lcores(part_measured(arguments, measure.step_of_lcores))
    if not arguments.accept:
        print(part, end="")
        return
    part_put("lcores", part)
    drawings_put(DOCUMENT, drawings, lambda name: name.startswith("lcores"))


def main(words):
    arguments = arguments_of(words)
    if arguments.loss:
        guard.require_release(arguments.build)
        part_put("loss", document.loss(part_measured(arguments, measure.step_of_loss)))
        return 0
    if arguments.lcores:
        guard.require_release(arguments.build)
        write_lcores(arguments)
        return 0
    if arguments.kept:
        with open(arguments.kept, encoding="utf-8") as file:
            result = json.load(file)
    else:
        guard.require_release(arguments.build)
        result = measured(arguments)
        put(os.path.join(arguments.build, KEPT), json.dumps(result, indent=1) + "\n")
    write(result, DOCUMENT, ROOT)
    for words_ in result["missing"]:
        measure.say("not measured: " + words_)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (measure.Failure, document.Refused) as failure:
        sys.exit(str(failure))
