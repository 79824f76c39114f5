#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Check that the man pages agree with the programs.

usage: pages.py [--accept] FOLDER PROGRAM...
       pages.py --installed FOLDER

FOLDER has a page for each program. The section of options must equal --help of the program and of
each of its commands. mandoc must print no warnings, and the first example must run. --accept writes
the section of options into the page. --installed uses installed pages and the programs in PATH, and
runs only the first examples. Exits with 0, or with 1 after printing what is wrong.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

MARK = '.\\" Written by tests/packages/pages.py from --help: %s\n'
BEGIN, END = MARK % "begin", MARK % "end"
TIMEOUT_S = 240
failures = []


def fail(text):
    failures.append(text)
    print("FAILED: " + text)


def options_of(text):
    """Yield (option, description) from the output of --help."""
    option, column = None, 0
    for line in text.splitlines():
        match = re.match(r"  (-\S+(?: [A-Z]+)?)(?:  +|$)", line)
        if match:
            if option is not None:
                yield option, words
            option, column, words = match.group(1), match.end(), line[match.end():].strip()
        elif option is not None and line.startswith(" " * column) and line.strip():
            words += " " + line.strip()
        elif option is not None:
            yield option, words
            option = None
    if option is not None:
        yield option, words


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def section(text):
    """Return the options in the language of man pages. Capitals after an option are a
    placeholder."""
    lines = []
    for option, words in options_of(text):
        name, rest = re.match(r"(-{1,2}[a-z-]+|-[A-Za-z])(.*)", option).groups()
        rest = re.sub(r"[A-Z]+", lambda match: "\\fI%s\\fR" % match.group(0), escaped(rest))
        # The description begins with a capital letter in a man page.
        sentence = words[:1].upper() + words[1:]
        lines += [".TP", "\\fB%s\\fR%s" % (escaped(name), rest), escaped(sentence) + "."]
    return "".join(line + "\n" for line in lines)


def help_of(program, *command):
    result = subprocess.run(
        [program, *command, "--help"], stdout=subprocess.PIPE, text=True, check=True)
    return result.stdout


def commands_of(text):
    """Return (command, description) from the output of --help of a program with commands."""
    listed = re.search(r"Commands:\n\n((?:  \S+ +.*\n)+)", text)
    return re.findall(r"  (\S+) +(.*)\n", listed.group(1)) if listed else []


def rules(program):
    """Return a part of a page with the rules that a program prints, each with its sentence."""
    lines = subprocess.run(
        [program, "rule"], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    parts = [line.split(": ", 1) for line in lines]
    return ".PP\nThe rules:\n" + "".join(
        ".TP\n\\fB%s\\fR\n%s.\n" % (escaped(rule), escaped(words[:1].upper() + words[1:]))
        for rule, words in parts)


def sections(program):
    text = help_of(program)
    parts = [section(text)]
    for command, summary in commands_of(text):
        # mandoc requires text before the first option.
        parts.append(".SS %s\nTo %s:\n" % (escaped(command), escaped(summary)))
        parts.append(section(help_of(program, command)))
        if command == "rule":
            parts.append(rules(program))
    return "".join(parts)


def check_options(page, program, accept):
    with open(page, encoding="utf-8") as file:
        text = file.read()
    expected = sections(program)
    if expected.count(".TP") < 3:
        fail("%s --help has no options" % program)
        return
    before, found, after = re.match(
        "(.*%s)(.*)(%s.*)" % (re.escape(BEGIN), re.escape(END)), text, re.S).groups()
    if found == expected:
        return
    if accept:
        with open(page, "w", encoding="utf-8") as file:
            file.write(before + expected + after)
        return
    fail("%s is not what --help says: tests/packages/pages.py --accept writes it" % page)


def check_form(page):
    for command in (["mandoc", "-T", "lint", "-W", "warning", page],
                    ["groff", "-man", "-ww", "-Tutf8", "-z", page]):
        if shutil.which(command[0]) is None:
            continue
        result = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0 or result.stdout:
            fail("%s: %s" % (" ".join(command), result.stdout))


def first_example(page):
    with open(page, encoding="utf-8") as file:
        match = re.search(r"^\.SH EXAMPLES\n.*?^\.EX\n(.*?)^\.EE\n", file.read(), re.M | re.S)
    return match.group(1).replace("\\-", "-").replace("\\e", "\\") if match else ""


def run_example(page, environment):
    script = first_example(page)
    name = os.path.basename(page).split(".")[0]
    if name + " " not in script:
        fail("%s: no example that begins the section" % page)
        return
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run(
            ["bash", "-e", "-c", script], cwd=folder, env=environment, timeout=TIMEOUT_S,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        fail("%s\nexit status %d\n%s" % (script, result.returncode, result.stdout[-2000:]))
    elif len(result.stdout) < 10:
        fail("%s\nprints nothing" % script)


def main():
    arguments = sys.argv[1:]
    accept = arguments[:1] == ["--accept"]
    installed = arguments[:1] == ["--installed"]
    if accept or installed:
        del arguments[0]
    if not arguments or (len(arguments) == 1) != installed:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    folder, programs = arguments[0], [os.path.abspath(path) for path in arguments[1:]]
    pages = sorted(glob.glob(os.path.join(folder, "*.1")))
    names = [os.path.basename(page)[:-2] for page in pages]
    environment = dict(os.environ)
    if not installed:
        if sorted(map(os.path.basename, programs)) != names:
            fail("pages are %s, programs %s" % (names, programs))
        for program in programs:
            check_options(os.path.join(folder, os.path.basename(program) + ".1"), program, accept)
            environment["PATH"] = os.path.dirname(program) + ":" + environment["PATH"]
        for page in pages:
            check_form(page)
    if not accept:
        for page in pages:
            run_example(page, environment)
    print("%d pages, %d failures" % (len(pages), len(failures)))
    return 1 if failures or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
