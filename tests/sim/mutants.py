#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Mutation tests of the library: the simulator or a unit test must detect each deliberate mistake.

usage: mutants.py [--runs M] [--jobs J] [--keep DIR] [NAME...]
       mutants.py --check

The table of mutations is mutants.toml in this folder. Each mutation is applied alone to a copy of
the source tree; then ndsim is built and executes up to M runs of all scenarios [96]. If ndsim does
not detect a mutation, the tests listed in the mutation run, then all unit tests of its module. The
results are written to docs/mutations.md. With NAME, only rows whose name contains it are updated.

  --check     only check that each mutation applies, and that the document has these rows
  --runs M    maximum number of runs of ndsim
  --jobs J    processes of ndsim [all processors]
  --keep DIR  make the copy in DIR, or use an existing copy there, and do not remove it

Exit status: 0 all were found, 1 one was not found or the document is out of date, 2 a mutation does
not apply or does not compile.
"""

import argparse
import collections
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(HERE, "mutants.toml")
DOCUMENT = os.path.join(ROOT, "docs", "mutations.md")
NDSIM = "tests/sim/ndsim"
UNIT_TESTS = "tests/unit/meson.build"
SEEDS_MAX = 16  # maximum number of seeds in one call of ndsim
HANG_S = 300  # time limit; a run takes less than a second
NOT_FOUND = "NOT FOUND"
MISTAKES = 2  # exit status
SOURCES = ("lib", os.path.join("apps", "kit"))
# The name of a function is at the start of a line or after the type, and "}" alone ends the body.
FUNCTION = re.compile(
    r"^(?:\w[\w \t*]*)?\b(\w+)\((?:(?!\n\n)[^;{}])*\)\n\{.*?^\}", re.MULTILINE | re.DOTALL
)

# file: the file that defines the function.
Mutant = collections.namedtuple("Mutant", "name function before after harm tests file")
# found_by: seed and run, or a test. property: the violated property.
Row = collections.namedtuple("Row", "name function harm found_by property")

HEADING = """\
# Deliberate mistakes, and what finds them

Written by `tests/sim/mutants.py` from the table in `tests/sim/mutants.toml`. Each row is one
mistake that a programmer could make in the code of requests, responses, recovery, kept packets,
congestion control, keepalive, restart, ends of connections, memory or results. Each mistake is made
alone, in a copy of the tree. First the simulator runs seeds of all scenarios in turn. The fourth
column shows the seed that failed first, and the number of runs until then. If all bytes and results
are right in spite of the mistake, a unit test must detect the mistake.

| mistake | in | what a user would see | found by | what broke |
| --- | --- | --- | --- | --- |
"""


class Mistake(Exception):
    """The table does not match the source tree."""


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    """@return the text without comments, and without lines that have only a comment"""
    text = re.sub(r"(?ms)^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", "", text)
    return re.sub(r"(?s)[ \t]*/\*.*?\*/", "", text)


def text_write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def functions_read(root):
    """@return name, file/name and module/file/name -> [(file, text)] of functions of SOURCES"""
    functions = collections.defaultdict(list)
    for source in SOURCES:
        for folder, _, names in sorted(os.walk(os.path.join(root, source))):
            for name in sorted(name for name in names if name.endswith((".c", ".h"))):
                path = os.path.join(folder, name)
                short = os.path.splitext(name)[0] + "/"
                for match in FUNCTION.finditer(without_comments(text_of(path))):
                    for place in ("", short, os.path.basename(folder) + "/" + short):
                        functions[place + match[1]].append((os.path.relpath(path, root), match[0]))
    return functions


def file_of(entry, functions):
    """@return the file with the function of an entry of the table"""
    counts = {file: text.count(entry["before"]) for file, text in functions[entry["function"]]}
    found = [file for file, count in counts.items() if count > 0]
    if len(found) != 1 or counts[found[0]] != 1:
        raise Mistake(
            "%s: `before` is %d times in functions %s(). Adapt it in %s, and see that the mistake"
            " is still found"
            % (entry["name"], sum(counts.values()), entry["function"], os.path.relpath(TABLE, ROOT))
        )
    return found[0]


def mutants_read():
    """Read the table, and find the file of each function."""
    mutants = []
    functions = functions_read(ROOT)
    for entry in tomllib.loads(text_of(TABLE))["mutant"]:
        for code in ("before", "after"):
            entry[code] = without_comments(entry[code])
        file = file_of(entry, functions)
        mutants.append(Mutant(tests=entry.pop("tests", []), file=file, **entry))
    names = [mutant.name for mutant in mutants]
    for name in names:
        if names.count(name) > 1:
            raise Mistake("%s: the name stands twice" % name)
    for mutant in mutants:
        if "|" in mutant.name + mutant.harm:
            raise Mistake("%s: | separates columns" % mutant.name)
        if mutant.before == mutant.after:
            raise Mistake("%s: `after` is `before`" % mutant.name)
    return mutants


def mutated(mutant, root):
    """Return the text of the file with the mistake."""
    text = without_comments(text_of(os.path.join(root, mutant.file)))
    for match in FUNCTION.finditer(text):
        if match[1] == mutant.function.split("/")[-1] and mutant.before in match[0]:
            body = match[0].replace(mutant.before, mutant.after)
            return text[: match.start()] + body + text[match.end() :]
    raise Mistake("%s: no function %s() in %s" % (mutant.name, mutant.function, mutant.file))


# ---- the document ----


def row_text(row):
    return "| %s | `%s()` | %s | %s | %s |\n" % row


def rows_read():
    """Return name -> Row of the present document."""
    rows = {}
    if os.path.exists(DOCUMENT):
        for line in text_of(DOCUMENT).splitlines():
            cells = line.strip("|").split("|")
            if len(cells) == len(Row._fields) and line.startswith("| "):
                row = Row(*[cell.strip() for cell in cells])
                rows[row.name] = row._replace(function=row.function.strip("`()"))
    return rows


def document_text(mutants, rows):
    return HEADING + "".join(row_text(rows[m.name]) for m in mutants if m.name in rows)


def check(mutants):
    """Check that the document has the rows of all mutations. @return exit status"""
    rows = rows_read()
    document, script = os.path.relpath(DOCUMENT, ROOT), os.path.relpath(sys.argv[0])
    wrong = [
        m.name for m in mutants
        if m.name not in rows or (m.function, m.harm) != (rows[m.name].function, rows[m.name].harm)
    ]
    wrong += [name for name, row in rows.items() if row.found_by == NOT_FOUND]
    for name in wrong:
        print("%s: %s: run %s '%s'" % (document, name, script, name))
    if not wrong and text_of(DOCUMENT) != document_text(mutants, rows):
        print("%s is not as %s writes it: run it with any NAME" % (document, script))
        return 1
    return 1 if wrong else 0


# ---- the copy ----


def ignored(folder, name):
    """Return whether a folder must not be copied: a build folder, or a folder of git or Python."""
    return name in (".git", "__pycache__") or os.path.exists(
        os.path.join(folder, name, "build.ninja"))


class Copy:
    """A copy of the source tree, and its release build, which is updated after each mistake."""

    def __init__(self, folder):
        self.source = os.path.join(folder, "source")
        # The build folder is below the sources, because ccache then finds objects of other builds.
        self.build = os.path.join(self.source, "build")
        self.refresh()
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            environment = dict(os.environ)
            if shutil.which("ccache"):
                environment.setdefault("CC", "ccache gcc")
            subprocess.run(
                ["meson", "setup", self.build, self.source, "--buildtype=release"],
                check=True, stdout=subprocess.DEVNULL, env=environment,
            )

    def file_write(self, path, text):
        text_write(os.path.join(self.source, path), text)

    def refresh(self):
        """Copy the present source tree, without mistakes. Only files that differ are written."""
        for folder, folders, names in os.walk(ROOT):
            folders[:] = [name for name in folders if not ignored(folder, name)]
            copies = os.path.join(self.source, os.path.relpath(folder, ROOT))
            os.makedirs(copies, exist_ok=True)
            for name in names:
                path, copy = os.path.join(folder, name), os.path.join(copies, name)
                if not (os.path.exists(copy) and filecmp.cmp(path, copy, shallow=False)):
                    shutil.copy(path, copy)

    def make(self, targets):
        """@return messages of the compiler if it fails, otherwise nothing"""
        done = subprocess.run(
            ["ninja", "-C", self.build, *targets], capture_output=True, text=True, check=False)
        return done.stdout if done.returncode != 0 else ""

    def program(self, name):
        return os.path.join(self.build, name)

    def unit_tests(self, module):
        """Return the names of the tests whose first dependency in meson.build is the module."""
        text = text_of(os.path.join(self.source, UNIT_TESTS))
        return re.findall(r"^  '(\w+)': \[ %s_\w+" % module, text, re.MULTILINE)

    @staticmethod
    def target_of(test):
        """Return the program of a test that a row lists."""
        return "tests/%s/test_%s" % ("e2e" if test.startswith("e2e_") else "unit", test)


# ---- detection ----


def run(command):
    """@return (exit status, output); status None: timeout"""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        with subprocess.Popen(command, stdout=output, stderr=output) as process:
            try:
                status = process.wait(timeout=HANG_S)
            except subprocess.TimeoutExpired:
                process.kill()
                status = None
        output.seek(0)
        return status, output.read()


def property_of(copy, seed, scenario):
    """Return the violated property, without the time, from a single run."""
    _, output = run([copy.program(NDSIM), "--scenario", scenario, "--seed", seed])
    asserted = re.search(r"Assertion `(.*)' failed", output)
    if asserted:
        return "assertion `%s`" % asserted.group(1).replace("||", "or").replace("|", "bit-or")
    said = re.search(r"^seed \d+: (.*?)(?: \(at [\d.]+ us.*)?$", output, re.MULTILINE)
    return said.group(1) if said else "a run does not end"


def failures_of(copy, seed, runs, jobs):
    """Return the runs that failed: (seed, scenario) of each. None: timeout."""
    status, output = run([
        copy.program(NDSIM), "--seed", str(seed), "--runs", str(runs), "--jobs", str(jobs)])
    failures = re.findall(
        r"^seed (\d+): .*\n  replay: ndsim --scenario (\w+)", output, re.MULTILINE)
    if status == 1 and not failures and jobs > 1:  # two processes wrote at the same time
        return failures_of(copy, seed, runs, 1)
    return failures if failures or status is not None else None


def simulate(copy, runs_max, jobs):
    """Return the first run that failed, or None: (number of the run, its name, property)."""
    _, listed = run([copy.program(NDSIM), "--scenario", "list"])
    scenarios = [line.split()[0] for line in listed.splitlines()]
    done, seeds = 0, 2
    while done < runs_max:
        seed = done // len(scenarios) + 1
        runs = min(seeds * len(scenarios), runs_max - done)
        failures = failures_of(copy, seed, runs, jobs)
        if failures is None:
            return done + 1, "seed %d or later" % seed, "a run does not end"
        if failures:
            # --scenario all: each seed runs in all scenarios
            number, found = min(
                ((int(found[0]) - 1) * len(scenarios) + scenarios.index(found[1]) + 1, found)
                for found in failures)
            return number, "seed %s of %s" % found, property_of(copy, *found)
        done += runs
        seeds = min(2 * seeds, SEEDS_MAX)
    return None


def failed_test_of(output):
    """Return the first test case of Criterion that failed."""
    failed = re.search(r"\[.*?FAIL.*?\] (\w+)::(\w+)", output)
    crashed = re.search(r"\[.*?CRASH.*?\].*?(\w+)::(\w+)|(\w+)::(\w+): CRASH", output)
    found = failed or crashed
    return "::".join(name for name in found.groups() if name) if found else ""


def tests_of(copy, mutant):
    """Return the tests to run: tests that the mutation names, tests with the name of the file, all
    tests of the module."""
    module, name = os.path.splitext(mutant.file)[0].split("/")[-2:]
    tests = copy.unit_tests(module)
    alike = [test for test in tests if name in test]
    return list(dict.fromkeys(mutant.tests + alike + tests))


def test(copy, mutant):
    """Return the first test that failed, or None: (its name, case)."""
    for name in tests_of(copy, mutant):
        target = copy.target_of(name)
        errors = copy.make([target])
        if errors:
            raise Mistake("%s: %s does not build:\n%s" % (mutant.name, target, errors))
        status, output = run([copy.program(target), "-j1"])
        if status != 0:
            return name, failed_test_of(output) or "it does not end"
    return None


def judge(copy, mutant, options):
    """@return Row of a mutation; the copy must contain its mistake"""
    row = Row(mutant.name, mutant.function, mutant.harm, NOT_FOUND, "")
    errors = copy.make([NDSIM])
    if errors:
        raise Mistake("%s: does not compile:\n%s" % (mutant.name, errors))
    found = simulate(copy, options.runs, options.jobs)
    if found:
        runs = "1 run" if found[0] == 1 else "%d runs" % found[0]
        return row._replace(found_by="%s: %s" % (found[1], runs), property=found[2])
    tested = test(copy, mutant)
    if tested:
        return row._replace(found_by="unit test `%s`" % tested[0], property="`%s`" % tested[1])
    return row


def play(copy, mutant, options):
    """@return Row of a mutation"""
    copy.file_write(mutant.file, mutated(mutant, ROOT))
    row = judge(copy, mutant, options)
    # Skip this after an interrupt: a running compiler would store a wrong object in ccache.
    copy.file_write(mutant.file, text_of(os.path.join(ROOT, mutant.file)))
    return row


def innocent(copy, found_by, options):
    """Check that the same runs and tests detect nothing without a mistake."""
    runs, tests = 0, set()
    for text in found_by:
        match = re.fullmatch(r".*: (\d+) runs?|unit test `(.*)`", text)
        if match and match.group(1):
            runs = max(runs, int(match.group(1)))
        elif match:
            tests.add(match.group(2))
    copy.make([NDSIM])
    if simulate(copy, runs, options.jobs):
        raise Mistake("ndsim finds something without a mistake")
    for name in sorted(tests):
        target = copy.target_of(name)
        copy.make([target])
        if run([copy.program(target), "-j1"])[0] != 0:
            raise Mistake("%s fails without a mistake" % target)


def play_all(copy, mutants, options):
    """@return exit status"""
    rows = rows_read()
    found_by = []
    status = 0
    for mutant in mutants:
        if options.names and not any(name in mutant.name for name in options.names):
            continue
        try:
            row = play(copy, mutant, options)
        except Mistake as mistake:
            print(mistake)
            status = MISTAKES
            copy.refresh()
            continue
        rows[mutant.name] = row
        print(row_text(row), end="", flush=True)
        found_by.append(row.found_by)
        status = max(status, int(row.found_by == NOT_FOUND))
        text_write(DOCUMENT, document_text(mutants, rows))
    innocent(copy, found_by, options)
    return status


def main(words):
    """@return exit status"""
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--runs", type=int, default=96)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(words)
    mutants = mutants_read()
    for name in options.names:
        if not any(name in mutant.name for mutant in mutants):
            raise Mistake("no mutation of tests/sim/mutants.toml is named like %s" % name)
    if options.check:
        return check(mutants)
    if options.keep:
        return play_all(Copy(options.keep), mutants, options)
    with tempfile.TemporaryDirectory(prefix="ndpdk-mutants-") as folder:
        return play_all(Copy(folder), mutants, options)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Mistake as mistake:
        print(mistake)
        sys.exit(MISTAKES)
