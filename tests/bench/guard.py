#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Fails if the number of instructions of an operation has increased.

usage: guard.py BUILD_DIR [ROW...]             compare with the table, counts.txt next to this file
       guard.py BUILD_DIR --accept [ROW...]    write the counts into the table

BUILD_DIR is a release build without assertions; the required benches are built. Without ROW: all
rows of GUARDED. A row fails if its count has increased by more than 2 %; then the functions with
higher counts are printed. Counts depend on the compiler and on the libraries. If these differ from
those of the table, counts cannot be compared, and the exit status is 77.
"""

import collections
import json
import os
import platform
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import count  # noqa: E402

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counts.txt")
GROWTH_MAX = 0.02
# Functions with a smaller part of a row are combined in one line.
FUNCTION_SHARE_MIN = 0.01
OTHERS = "(others)"
# If a row has grown, functions with at least this part of the growth are printed.
GROWTH_SHARE_MIN = 0.05
CANNOT_JUDGE = 77

# Operations of the data path, each once, at the depth at which most of it is repeated; also memory
# index and windows alone.
GUARDED = (
    "write_64_depth_64",
    "write_8_depth_1",
    "write_4096_depth_64",
    "send_64_depth_64",
    "send_imm_64_depth_64",
    "send_srq_64_depth_64",
    "read_64_depth_64",
    "fetch_add_8_depth_64",
    "receive_post",
    "turn_idle",
    "mem_check_remote_warm_1000",
    "nd_bind_invalidate_one_1000",
    "nd_bind_invalidate_batch_1000",
    "engine_1_write_64_depth_64",
    "engine_1_bind_invalidate_depth_64",
    "native_write_singly_64",
    "spi_write_64",
    "native_send_singly_64",
    "spi_send_64",
)
# Options of meson without which the speed of a build has no meaning.
OPTIONS = {"buildtype": "release", "b_ndebug": "true", "machine": "x86-64-v3", "b_lto": False}

# with_: things on which the counts depend, name -> version. rows: name -> Entry.
Table = collections.namedtuple("Table", "with_ rows")
# Instructions per operation: the total, and those of the functions.
Entry = collections.namedtuple("Entry", "total functions")

HEADER = """\
# Instructions per operation, and the functions they are in. Written by
#     tests/bench/guard.py BUILD_DIR --accept
# A change of this file is a change of speed: its commit says why.
"""


def entry_of(profile):
    """Return the total of callgrind, and the functions with enough instructions for a line."""
    total = profile.events["Ir"]
    functions = {}
    for name, cost in sorted(profile.functions.items(), key=lambda item: (-item[1], item[0])):
        if cost >= total * FUNCTION_SHARE_MIN:
            functions[name] = cost
    others = sum(profile.functions.values()) - sum(functions.values())
    if others > 0:
        functions[OTHERS] = others
    return Entry(total, functions)


def table_write(table):
    lines = ["with %s %s" % item for item in table.with_.items()]
    for name, entry in table.rows.items():
        lines += ["", "%s %.2f" % (name, entry.total)]
        lines += ["    %s %.2f" % item for item in entry.functions.items()]
    return HEADER + "\n".join(lines) + "\n"


def table_read(text):
    table = Table({}, {})
    for line in text.splitlines():
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "with":
            table.with_[words[1]] = words[2]
        elif line[0].isspace():
            entry.functions[words[0]] = float(words[1])
        else:
            entry = table.rows[words[0]] = Entry(float(words[1]), {})
    return table


def grown_functions(entry, profile):
    """Return (name, before, now) of the functions that increased the count of a row, largest
    increase first."""
    changes = []
    named = 0
    for name, now in profile.functions.items():
        if name in entry.functions:
            named += now
            changes.append((name, entry.functions[name], now))
        elif now >= entry.total * FUNCTION_SHARE_MIN:
            named += now
            changes.append((name, 0.0, now))
    others = sum(profile.functions.values()) - named
    changes.append((OTHERS, entry.functions.get(OTHERS, 0.0), others))
    growth = profile.events["Ir"] - entry.total
    changes = [change for change in changes if change[2] - change[1] >= growth * GROWTH_SHARE_MIN]
    return sorted(changes, key=lambda change: change[1] - change[2])


def verdict(name, entry, profile):
    """Return (whether the row passes, lines to print)."""
    if entry is None:
        return False, ["%s: not in the table" % name]
    now = profile.events["Ir"]
    growth = round(now / entry.total - 1, 6)
    lines = ["%-32s %9.2f -> %9.2f  %+.2f %%" % (name, entry.total, now, 100 * growth)]
    if growth <= GROWTH_MAX:
        if growth < -GROWTH_MAX:
            lines.append("    less than in the table: accept it, so that it stays so")
        return True, lines
    lines[0] += "  GREW"
    lines += ["    %-40s %9.2f -> %9.2f" % change for change in grown_functions(entry, profile)]
    return False, lines


def obstacles(recorded, present):
    """Return the reason why counts of this machine cannot be compared with those of the table."""
    return [
        "%s is %s here, and %s in the table" % (name, present.get(name, "absent"), version)
        for name, version in recorded.items()
        if present.get(name) != version
    ]


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def compilers_in(comments):
    """Return names and versions in the comment section of an ELF file."""
    found = re.findall(r"\b(GCC|clang)\b.*?(\d[\d.]*)$", comments, re.MULTILINE)
    return "+".join(sorted({"%s-%s" % (name.lower(), version) for name, version in found}))


def versions(program):
    """Return everything on which counts depend: compiler, counted libraries, processor."""
    return {
        "processor": platform.machine(),
        "compiler": compilers_in(output_of("readelf", "--string-dump=.comment", program)),
        "libc": os.confstr("CS_GNU_LIBC_VERSION").split()[1],
        "dpdk": ".".join(output_of("pkg-config", "--modversion", "libdpdk").split(".")[:2]),
        "isa-l": output_of("pkg-config", "--modversion", "libisal"),
        "valgrind": output_of("valgrind", "--version").split("-")[1],
    }


def require_release(build):
    found = json.loads(output_of("meson", "introspect", "--buildoptions", build))
    options = {option["name"]: option["value"] for option in found}
    for name, value in OPTIONS.items():
        if options[name] != value:
            sys.exit("%s: %s is %s, not %s" % (build, name, options[name], value))


def compare(table, names, profiles):
    """Print the verdict on each row. @return whether all rows pass"""
    grown = []
    for name in names:
        good, lines = verdict(name, table.rows.get(name), profiles[name])
        print("\n".join(lines))
        if not good:
            grown.append(name)
    if grown:
        print(
            "\nMore instructions than accepted: %s.\nIf that is meant, accept it with"
            "\n    tests/bench/guard.py BUILD_DIR --accept %s\nand say in the commit's message"
            " what it is for." % (", ".join(grown), " ".join(grown))
        )
    return not grown


def judge(table, present, names, count_rows):
    """Return the exit status. Rows are counted only if the counts can be compared."""
    why_not = obstacles(table.with_, present)
    if why_not:
        print("cannot judge: " + "; ".join(why_not))
        return CANNOT_JUDGE
    return 0 if compare(table, names, count_rows(names)) else 1


def accept(table, present, names, profiles):
    """Return the table with new counts. Omits rows that are no longer guarded."""
    counted = {name: entry_of(profiles[name]) for name in names}
    rows = {name: counted.get(name) or table.rows.get(name) for name in GUARDED}
    return Table(present, {name: entry for name, entry in rows.items() if entry})


def table_of_file():
    if not os.path.exists(TABLE):
        return Table({}, {})
    with open(TABLE, encoding="utf-8") as file:
        return table_read(file.read())


def arguments_of(words):
    """Return (BUILD_DIR, rows, whether to accept). Exits after wrong usage."""
    arguments = [word for word in words if word != "--accept"]
    if not arguments or arguments[0].startswith("-"):
        sys.exit(__doc__)
    for name in arguments[1:]:
        if name not in GUARDED:
            sys.exit("%s: not one of %s" % (name, ", ".join(GUARDED)))
    return arguments[0], arguments[1:] or list(GUARDED), len(arguments) < len(words)


def benches_build(build, names):
    """Build the programs that contain the rows. @return path of one of them"""
    require_release(build)
    benches = sorted({"tests/bench/" + count.ROWS[name].bench for name in names})
    subprocess.run(["ninja", "--quiet", "-C", build, *benches], check=True)
    return os.path.join(build, benches[0])


def main(words):
    build, names, accepting = arguments_of(words)
    table = table_of_file()
    try:
        present = versions(benches_build(build, names))
    except FileNotFoundError as error:
        print("cannot judge: %s is not installed" % error.filename)
        return CANNOT_JUDGE
    if not accepting:
        return judge(table, present, names, lambda rows: dict(count.count(build, rows)))
    if table.with_ != present and set(names) != set(GUARDED):
        sys.exit("compiler or libraries have changed: all rows have to be accepted together")
    profiles = dict(count.count(build, names))
    with open(TABLE, "w", encoding="utf-8") as file:
        file.write(table_write(accept(table, present, names, profiles)))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (count.Failure, subprocess.CalledProcessError) as failure:
        sys.exit(str(failure))
