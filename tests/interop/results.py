# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Results of the cells of the matrix. The file with the results is beside the captures.

A run of some cells replaces only the results of these cells, so that a row can be repeated alone.
Each result includes its time and the state of the sources.
"""

import collections
import json
import os
import subprocess

# The result of a cell. The case has added figures: [[row, column, text]], see matrix.py.
Cell = collections.namedtuple(
    "Cell", "text time source captures frames roce figures", defaults=[()]
)


def source_state():
    """Return git's hash of lib/, with a mark if files in lib/ or apps/ have uncommitted changes;
    "unknown" without git. A commit hash is not used, because a rebase would change it."""
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
    """The results in a folder of captures. cells: {(name of scenario, column): Cell}."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "results.json")
        self.cells = {}
        if os.path.exists(self.path):
            with open(self.path) as file:
                for name, column, *cell in json.load(file):
                    self.cells[name, column] = Cell(*cell)

    def put(self, name, column, cell):
        """Store a result, and write the file at once, so that an aborted run loses no result."""
        self.cells[name, column] = cell
        rows = [list(key) + list(cell) for key, cell in self.cells.items()]
        with open(self.path + ".new", "w") as file:
            json.dump(rows, file, indent=0)
        os.replace(self.path + ".new", self.path)

    def keep_only(self, keys):
        """Remove cells of scenarios that no longer exist."""
        self.cells = {key: cell for key, cell in self.cells.items() if key in keys}
