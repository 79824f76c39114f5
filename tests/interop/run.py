#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Runs the scenarios of scenarios_*.py against the Linux kernel in a virtual machine.

usage: run.py --build DIR [--short] [--only REGEX] [--column TEXT] [--list] [--keep] [--apt]
              [--kernel NAME] [--output DIR] [--write FILE] [--seed TEXT] [--repeat N]

  --build DIR    where the programs are
  --short        only what scenarios say belongs to the short form
  --only REGEX   scenarios whose name has a match
  --column TEXT  one column: active, passive, ipv6 or loss
  --keep         leave the machine running at the end until Enter or Ctrl-C, and say how to use it
  --apt          download the kernel's package if the cache has none
  --kernel NAME  stable: the kernel of this Debian release; backports: that of its backports
                 [stable]
  --output DIR   captures and logs [DIR/interop-output, DIR/interop-output-backports]
  --write FILE   write the matrix there, of this run's cells and of those kept in the output folder
  --repeat N     everything N times

Exit status: 0 all passed, 1 something failed, 2 usage, 77 the machine cannot run here: the reason
is printed. Needed: root or user namespaces, /dev/net/tun, packages as guest/build --packages says.
"""

import argparse
import datetime
import fcntl
import glob
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback

import framework
import lab as laboratory
import matrix
from framework import COLUMNS, Failure, NotApplicable, PeerStopped
from results import Cell, Results, source_state

SKIPPED = 77
# Scenarios of the short form that run only with the kernel "stable", because they take long and
# mainly test ndpdk.
SHORT_ONCE = ("power-cut", "tail-loss", "atomics", "immediate", "messages-mtu1024", "refuse-end",
              "reject")
KERNELS = ("stable", "backports")  # kernel names for guest/build --kernel
HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = ("qemu-system-x86_64", "ip", "tcpdump", "tshark")


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--build", required=True, type=os.path.abspath)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default=re.compile(""), type=re.compile)
    parser.add_argument("--column", default="")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--apt", action="store_true")
    parser.add_argument("--kernel", choices=KERNELS, default=KERNELS[0])
    parser.add_argument("--output", type=os.path.abspath)
    parser.add_argument("--write")
    parser.add_argument("--seed", default=str(int(time.time())))
    parser.add_argument("--repeat", type=int, default=1)
    return parser.parse_args()


def load():
    """Import all scenarios_*.py, in the order of their names. Return {module: heading in the
    document}."""
    topics = {}
    for path in sorted(glob.glob(os.path.join(HERE, "scenarios_*.py"))):
        name = os.path.basename(path)[:-3]
        module = importlib.import_module(name)
        topics[name] = (module.__doc__ or name).strip().splitlines()[0]
    return topics


def is_short(options, entry, column):
    once = entry.name in SHORT_ONCE
    return column in entry.short and (not once or options.kernel == KERNELS[0])


def selected(options):
    """Return [(scenario, column)]: the cells that this run executes."""
    chosen = []
    for entry in framework.SCENARIOS:
        if not options.only.search(entry.name):
            continue
        for column in COLUMNS:
            if options.column and laboratory.SLUGS[column] != options.column:
                continue
            if options.short and not is_short(options, entry, column):
                continue
            chosen.append((entry, column))
    return chosen


def skip(reason):
    print("skipped: interoperability with Linux is not tested here: " + reason, flush=True)
    sys.exit(SKIPPED)


def prepare_image(options):
    """Return the folder with the kernel and the image of the virtual machine. Exits if there is
    none."""
    for program in PROGRAMS:
        if shutil.which(program) is None:
            skip("%s is not installed" % program)
    if not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        skip("/dev/net/tun is missing or not ours to use")
    argv = [os.path.join(HERE, "guest", "build"), "--kernel", options.kernel]
    argv += [] if options.apt else ["--no-apt"]
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    errors = done.stderr.decode(errors="replace")
    if done.returncode == SKIPPED:
        skip(errors.strip().splitlines()[-1])
    if done.returncode != 0:
        print(errors + "the image of the machine cannot be made", file=sys.stderr)
        sys.exit(1)
    return done.stdout.decode().split()[-1]


def output_folder(options):
    """Return the folder for captures and logs, and a lock that keeps other runs out of the
    folder."""
    suffix = "" if options.kernel == KERNELS[0] else "-" + options.kernel
    folder = options.output or os.path.join(options.build, "interop-output" + suffix)
    while True:
        os.makedirs(folder, exist_ok=True)
        lock = os.open(os.path.join(folder, "lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return folder, lock
        except OSError:
            os.close(lock)
            folder = "%s.%d" % (folder, os.getpid())


def alarm(entry):
    def ring(number, frame):
        while frame is not None and "scenarios_" not in frame.f_code.co_filename:
            frame = frame.f_back
        where = " (line %d)" % frame.f_lineno if frame is not None else ""
        raise Failure("no end within %d s%s" % (entry.timeout, where))

    return ring


def run_role(lab, entry, column, kernel_active):
    """Run one case. Returns if the case passed; otherwise raises Failure or NotApplicable."""
    case = laboratory.Case(lab, entry, column, kernel_active)
    signal.signal(signal.SIGALRM, alarm(entry))
    try:
        try:
            case.prepare()
            signal.setitimer(signal.ITIMER_REAL, entry.timeout)
            entry.function(case)
        except Exception as error:
            signal.setitimer(signal.ITIMER_REAL, 0)
            case.log(traceback.format_exc())
            try:
                case.finish()
            except Failure as further:
                case.log("and at the end: %s" % further)
            if isinstance(error, Failure):
                raise case.judged(error) from error
            if isinstance(error, NotApplicable):
                raise
            raise Failure("%s: %s" % (type(error).__name__, error)) from error
        signal.setitimer(signal.ITIMER_REAL, 0)
        case.finish()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        case.close()


def run_cell(lab, entry, column):
    """Run a scenario in one column. Return the text of the cell: `pass`, `n/a: reason` or `FAIL:
    reason`."""
    if column in entry.not_applicable:
        return "n/a: " + entry.not_applicable[column]
    reasons = []
    passed = 0
    for kernel_active in framework.roles(entry, column):
        role = "" if column in (framework.ACTIVE, framework.PASSIVE) else (
            "kernel active: " if kernel_active else "kernel passive: "
        )
        try:
            try:
                run_role(lab, entry, column, kernel_active)
            except PeerStopped as stopped:
                text = "the kernel stopped, played again: %s: %s" % (entry.name, stopped)
                print(text, flush=True)
                run_role(lab, entry, column, kernel_active)
            passed += 1
        except NotApplicable as reason:
            reasons.append(role + str(reason))
        except Failure as failure:
            return "FAIL: %s%s" % (role, " ".join(str(failure).split()))
    return "pass" if passed else "n/a: " + "; ".join(reasons)


def counts(checker):
    return checker.captures, checker.frames, checker.roce


def run_all(lab, chosen, repeat, results):
    """Return {(name of scenario, column): Cell} of this run. Also stores the cells in results."""
    cells = {}
    source = source_state()
    for _ in range(repeat):
        for entry, column in chosen:
            key = entry.name, column
            if key in cells and cells[key].text.startswith("FAIL"):
                continue  # do not repeat, because this would replace the captures of the failure
            start = time.monotonic()
            moment = datetime.datetime.now().strftime("%Y-%m-%d %H:%M")
            before = counts(lab.checker)
            text = run_cell(lab, entry, column)
            figures, lab.figures = lab.figures, []
            checked = [now - then for now, then in zip(counts(lab.checker), before)]
            cells[key] = Cell(text, moment, source, *checked, figures)
            results.put(*key, cells[key])
            seconds = time.monotonic() - start
            print("%-28s %-14s %6.1f s  %s" % (entry.name, column, seconds, text), flush=True)
            for line in matrix.grid(figures) if figures else []:
                print("  " + line, flush=True)
    return cells


def check_end(lab):
    """Return a sentence about resources that the kernel has not freed since boot; "" if it freed
    all, or if a failed case has stopped the machine."""
    if lab._machine is None or not lab._machine.running:
        return ""
    now = lab._machine.resources()
    more = {name: now[name] - lab.baseline.get(name, 0) for name in now}
    left = ["%d %s" % (count, name) for name, count in sorted(more.items()) if count > 0]
    return "the kernel keeps " + ", ".join(left) if left else ""


def keep(lab):
    print("the machine is up: nsenter -t %d -n for its network" % os.getpid())
    command = os.path.join(HERE, "machine.py")
    print("%s %s COMMAND... runs one there" % (command, lab.machine.folder))
    print("Enter or Ctrl-C ends it", flush=True)
    try:
        sys.stdin.readline()
    except KeyboardInterrupt:
        pass


def end(number, frame):
    raise SystemExit("ended by signal %d" % number)


def main():
    options = arguments()
    sys.path.insert(0, HERE)
    topics = load()
    chosen = selected(options)
    if options.list:
        for entry in framework.SCENARIOS:
            print("%-28s %s" % (entry.name, entry.title))
        return 0
    if not chosen:
        print("no scenario is called so", file=sys.stderr)
        return 2
    image = prepare_image(options)
    try:
        laboratory.isolate()
    except OSError as error:
        skip("no network namespace: %s (root or user namespaces are needed)" % error)
    output, lock = output_folder(options)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGHUP, end)
    with open(os.path.join(image, "versions")) as file:
        print(file.readline().strip(), flush=True)
    print("captures and logs: %s, seed %s" % (output, options.seed), flush=True)
    results = Results(output)
    lab = None
    try:
        lab = laboratory.Lab(options.build, image, output, options.seed)
        cells = run_all(lab, chosen, options.repeat, results)
        left = check_end(lab)
        if options.keep:
            keep(lab)
    finally:
        if lab is not None:
            lab.close()
        os.close(lock)
    print(matrix.totals(cells.values()))
    if left:
        print("FAIL at the end of the run: " + left)
    if options.write:
        results.keep_only({(entry.name, c) for entry in framework.SCENARIOS for c in COLUMNS})
        matrix.write(options.write, results.cells, topics, image)
    failed = left or any(cell.text.startswith("FAIL") for cell in cells.values())
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
