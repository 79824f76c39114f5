# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""What became of each cell of the matrix, kept beside the captures.

A run of a part replaces the cells it has run and leaves the others, so that a row can be played
again without the rest. Each cell knows when it was played, and which state of the sources.
"""

import collections
import json
import os
import subprocess

# figures: [[row, column, text]] of the table that the case has made, see matrix.py.
Cell = collections.namedtuple(
    "Cell", "text time source captures frames roce figures", defaults=[()]
)


def source_state():
    """git's hash of lib/, with a mark when files there or in apps/ differ from what is committed;
    "unknown" without git. The hash of a commit would be another one after a rebase."""
    folder = os.path.dirname(os.path.abspath(__file__))
    root = os.path.join(folder, "..", "..")
    try:
        tree = output(root, "rev-parse", "--short", "HEAD:lib")
        changed = output(root, "status", "--porcelain", "--", "lib", "apps")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return "lib/ %s%s" % (tree, "-dirty" if changed else "")


def output(folder, *command):
    done = subprocess.run(["git", "-C", folder, *command], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    return done.stdout.decode().strip()


class Results:
    """{(name of scenario, column): Cell} of a folder of captures."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "results.json")
        self.cells = {}
        if os.path.exists(self.path):
            with open(self.path) as file:
                for name, column, *cell in json.load(file):
                    self.cells[name, column] = Cell(*cell)

    def put(self, name, column, cell):
        """Kept at once: a run that is broken off loses nothing."""
        self.cells[name, column] = cell
        rows = [list(key) + list(cell) for key, cell in self.cells.items()]
        with open(self.path + ".new", "w") as file:
            json.dump(rows, file, indent=0)
        os.replace(self.path + ".new", self.path)

    def keep_only(self, keys):
        """Forgets cells that no scenario has any more."""
        self.cells = {key: cell for key, cell in self.cells.items() if key in keys}
