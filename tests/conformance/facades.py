#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Make deliberate mistakes in lib/facade and apps/kit, one at a time. A test must detect each
mistake.

usage: facades.py [--named] [--keep DIR] [NAME...]
       facades.py --check

The mistakes are listed in facades.toml in the same folder. As in tests/sim/mutants.py, a copy of
the source tree gets one mistake at a time. The test programs that the row lists run first, then all
test programs of the interface. For apps/kit, only the listed programs run. The results are written
to docs/facade/mutations.md. With NAME, only the rows whose name contains NAME are run.

  --check     only check that each mutation applies, and that the document has these rows
  --named     run only the programs that the rows list
  --keep DIR  make the copy in DIR, or use an existing copy there, and do not remove it

Exit status: 0 all were found, 1 one was not found or the document is out of date, 2 a mutation does
not apply or does not compile.
"""

import argparse
import glob
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "tests", "sim"))

import mutants as base  # noqa: E402

base.TABLE = os.path.join(HERE, "facades.toml")
base.DOCUMENT = os.path.join(ROOT, "docs", "facade", "mutations.md")
# Time limit in s. The programs take seconds, so a program that hangs has found the mistake.
base.HANG_S = 60
base.HEADING = """\
# Deliberate mistakes in the interfaces of Network Direct, and the tests that find them

Written by `tests/conformance/facades.py` from the table in `tests/conformance/facades.toml`. Each
row is one mistake that a programmer could make in `lib/facade`, or in `apps/kit`, which the
applications share. Each mistake is made alone, in a copy of the tree. The last two columns name the
test that failed first.

| mistake | in | what a user would see | found by | what broke |
| --- | --- | --- | --- | --- |
"""
# Maps each module to the folders with its tests. The tests of the SPI test the module win, too.
# For the module kit, each row of the table names all tests.
FOLDERS = {
    "spi": ("tests/facade/spi", "tests/facade/spi/v1"),
    "ndk": ("tests/facade/ndk",),
    "win": ("tests/facade/win", "tests/facade/spi"),
    "kit": (),
}


def targets_of(mutant, named):
    """@return test programs to run: those of the row, then all of the interface unless named"""
    module = mutant.file.split("/")[-2]
    targets = ["tests/" + name for name in mutant.tests]
    for folder in () if named else FOLDERS[module]:
        for path in sorted(glob.glob(os.path.join(ROOT, folder, "test_*.c"))):
            targets.append(os.path.relpath(path, ROOT)[:-len(".c")])
    return list(dict.fromkeys(targets))


def failed_in(copy, target):
    """@return the first test case that failed, "" if none failed"""
    status, output = base.run([copy.program(target), "-j1"])
    return (base.failed_test_of(output) or "it does not end") if status != 0 else ""


def judge(copy, mutant, named):
    """Run the tests of a mutant, whose mistake the copy contains. @return its Row"""
    row = base.Row(mutant.name, mutant.function, mutant.harm, base.NOT_FOUND, "")
    for target in targets_of(mutant, named):
        errors = copy.make([target])
        if errors:
            raise base.Mistake("%s: %s does not build:\n%s" % (mutant.name, target, errors))
        failed = failed_in(copy, target)
        if failed:
            return row._replace(found_by="`%s`" % target, property="`%s`" % failed)
    return row


def innocent(copy, targets):
    """Check that these test programs pass without a mistake."""
    for target in targets:
        copy.make([target])
        failed = failed_in(copy, target)
        if failed:
            raise base.Mistake("%s fails without a mistake: %s" % (target, failed))


def play_all(copy, mutants, options):
    """@return exit status"""
    rows, found_by, status, failed = base.rows_read(), set(), 0, 0
    for mutant in mutants:
        if options.names and not any(name in mutant.name for name in options.names):
            continue
        copy.file_write(mutant.file, base.mutated(mutant, ROOT))
        try:
            row = judge(copy, mutant, options.named)
        except base.Mistake as mistake:
            print(mistake)
            failed = base.MISTAKES
            continue
        finally:
            copy.file_write(mutant.file, base.text_of(os.path.join(ROOT, mutant.file)))
        rows[mutant.name] = row
        print(base.row_text(row), end="", flush=True)
        if row.found_by == base.NOT_FOUND:
            status = 1
        else:
            found_by.add(row.found_by.strip("`"))
        base.text_write(base.DOCUMENT, base.document_text(mutants, rows))
    innocent(copy, sorted(found_by))
    return failed or status


def main(words):
    """@return exit status"""
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--named", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(words)
    mutants = base.mutants_read()
    for name in options.names:
        if not any(name in mutant.name for mutant in mutants):
            raise base.Mistake("no mutation of facades.toml is named like %s" % name)
    if options.check:
        return base.check(mutants)
    if options.keep:
        return play_all(base.Copy(options.keep), mutants, options)
    with tempfile.TemporaryDirectory(prefix="ndpdk-facades-") as folder:
        return play_all(base.Copy(folder), mutants, options)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except base.Mistake as mistake:
        print(mistake)
        sys.exit(base.MISTAKES)
