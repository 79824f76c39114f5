#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Execute the terminal sessions in documents and compare their output.

usage: walks.py [--accept] SOURCE_ROOT DOCUMENT... -- PROGRAM...

In a block marked `console`, lines that begin with "$ " are commands. Commands may continue after a
backslash, and the lines below them are their output. The commands of a block run one after another
in one shell, in a separate folder that contains the captures of the sources. The commands must
succeed, and their output must be as in the document, except for numbers and the width of columns.
--accept writes the output into the documents, including numbers, so use an idle machine. Exits with
0, with 1 after printing what is wrong, or with 77 (skipped) if processors 0 and 1 are not both
available.
"""

import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77
TIMEOUT_S = 300
FOLDERS = ("pcap_fixtures",)
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"0x[0-9a-fA-F]+|\d+(?:\.\d+)*(?:e[-+]?\d+)?")
# Output and status of each command go to separate files. $? has the same value as in a terminal.
STEP = """{
%s
} >"$WALK/%d.out" 2>&1
status=$?
echo $status >"$WALK/%d.status"
(exit $status)
"""


def commands_of(block):
    """Split a block into commands, each with its output: [command, output]."""
    steps, continued = [], False
    for line in block.splitlines():
        if continued:
            steps[-1][0] += "\n" + line
        elif line.startswith("$ "):
            steps.append([line[2:], ""])
        elif steps:
            steps[-1][1] += line + "\n"
        else:
            raise ValueError("a block begins with %r and not with a command" % line)
        continued = (continued or line.startswith("$ ")) and line.endswith("\\")
    return steps


def shape_of(text):
    """Return the words of each line without numbers. These words must be equal in all runs."""
    return [NUMBER.sub("N", line).split() for line in text.splitlines()]


def run_block(steps, root, environment):
    """Run the commands of a block. @return (output, status) of each command that has run"""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as results:
        for name in FOLDERS:
            os.symlink(os.path.join(root, name), os.path.join(folder, name))
        script = "".join(STEP % (step[0], i, i) for i, step in enumerate(steps))
        subprocess.run(["bash", "-c", script], cwd=folder, env=dict(environment, WALK=results),
                       timeout=TIMEOUT_S, stdin=subprocess.DEVNULL)
        ended = []
        for i in range(len(steps)):
            found = []
            for kind in ("out", "status"):
                path = os.path.join(results, "%d.%s" % (i, kind))
                with open(path, encoding="utf-8") as file:
                    found.append(file.read())
            ended.append((found[0], found[1].strip()))
        return ended


def wrong_steps(steps, ended):
    """Yield errors of a block."""
    for (command, expected), (output, status) in zip(steps, ended):
        if status != "0":
            yield "$ %s\nexit status %s\n%s" % (command, status, output)
        elif shape_of(expected) != shape_of(output):
            yield "$ %s\nprints\n%swhere the document has\n%s" % (command, output, expected)


def written(steps, ended):
    """Return the text of a block with its actual output."""
    text = ""
    for (command, _), (output, _) in zip(steps, ended):
        text += "$ %s\n%s" % (command, output)
    return "```console\n%s```" % text


def walk(path, root, environment, accept):
    """Yield (first command of the block, errors) for each block of a document."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    whole = text
    for match in BLOCK.finditer(text):
        steps = commands_of(match.group(1))
        ended = run_block(steps, root, environment)
        failures = list(wrong_steps(steps, ended))
        if accept and all(status == "0" for _, status in ended):
            whole = whole.replace(match.group(0), written(steps, ended))
            failures = []
        yield failures
    if whole != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(whole)


def main():
    arguments = sys.argv[1:]
    accept = arguments[:1] == ["--accept"]
    arguments = arguments[accept:]
    if len(arguments) < 4 or "--" not in arguments:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    if not {0, 1} <= os.sched_getaffinity(0):
        print("there are not both processors 0 and 1")
        return SKIPPED
    divide = arguments.index("--")
    root = os.path.abspath(arguments[0])
    environment = dict(os.environ, LC_ALL="C")
    for program in arguments[divide + 1 :]:
        folder = os.path.dirname(os.path.abspath(program))
        environment["PATH"] = folder + ":" + environment["PATH"]
    blocks, wrong = 0, 0
    for path in arguments[1:divide]:
        found = list(walk(path, root, environment, accept))
        if not found:
            found = [["there is no block"]]
        for failures in found:
            blocks += 1
            wrong += len(failures)
            for failure in failures:
                print("FAILED: %s: %s" % (os.path.basename(path), failure))
    print("%d blocks, %d failures" % (blocks, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
