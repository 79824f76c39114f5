#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Show which files of a module or application call which other files, and detect circles.

usage: callgraph.py SOURCE_ROOT ARCHIVE...          one line a module; exit 1 when a circle is new
       callgraph.py --dot SOURCE_ROOT ARCHIVE...    the graph, for graphviz

The graph comes from the compiled objects: file a points to file b if the object of a has an
undefined symbol that the object of b defines. Therefore the graph includes both calls and addresses
of functions. In each module and application, the arrows must form no circle, so that a reader can
read the files one after another, from the bottom. Intended circles are listed in CIRCLES, and
lib/ARCHITECTURE.md has a sentence with the reason.
"""

import collections
import os
import re
import subprocess
import sys

# Maps the files of each intended circle to words of its sentence in lib/ARCHITECTURE.md.
CIRCLES = {
    frozenset({"cm/admission.c", "cm/fsm.c", "cm/source.c"}): "the admission of requests",
    frozenset({"trace/answer.c", "trace/answer_read.c"}): "two files about responses",
}

DOCUMENT = "lib/ARCHITECTURE.md"
DEFINED = set("TDBRVWGSC")

Graph = collections.namedtuple("Graph", "files arrows")


def symbols_of(archive):
    """Yield (file, kind, symbol) for each symbol in an archive of a module."""
    listing = subprocess.run(
        ["nm", "--print-file-name", archive], check=True, capture_output=True, text=True
    ).stdout
    for line in listing.splitlines():
        place, _, entry = line.rpartition(":")
        match = re.fullmatch(r"[0-9a-f]*\s*([A-Za-z]) (\S+)", entry.strip())
        if match:
            yield file_of(module_of(archive), place), match.group(1), match.group(2)


def file_of(module, place):
    """Return the name of the source file, for example qp.c for libnd_rc.a:.../rc_qp.c.o."""
    member = re.sub(r"\.o$", "", os.path.basename(place.split(":")[-1]))
    member = member.removeprefix(".._lib_")
    return member[len(module) + 1 :] if member.startswith(module + "_") else member


def graph_of(symbols):
    """Return the arrows between files, each with the symbols that cause the arrow."""
    owner = {}
    users = []
    files = set()
    for file, kind, symbol in symbols:
        files.add(file)
        if kind in DEFINED:
            owner[symbol] = file
        elif kind == "U":
            users.append((file, symbol))
    arrows = {}
    for file, symbol in users:
        target = owner.get(symbol)
        if target is not None and target != file:
            arrows.setdefault((file, target), set()).add(symbol)
    return Graph(files, arrows)


def reachable(graph, start):
    found = set()
    waiting = [start]
    while waiting:
        file = waiting.pop()
        for source, target in graph.arrows:
            if source == file and target not in found:
                found.add(target)
                waiting.append(target)
    return found


def circles_of(graph):
    """Return the circles: sets of files in which each file reaches all others."""
    reach = {file: reachable(graph, file) for file in graph.files}
    circles = set()
    for file in graph.files:
        if file in reach[file]:
            circles.add(frozenset(f for f in reach[file] if file in reach[f]))
    return circles


def arrows_within(graph, circle):
    """Return lines that list the calls within a circle."""
    for (source, target), symbols in sorted(graph.arrows.items()):
        if source in circle and target in circle:
            yield "    %s -> %s: %s" % (source, target, ", ".join(sorted(symbols)))


def module_of(archive):
    return re.sub(r"^lib(nd_)?|\.a$", "", os.path.basename(archive))


def offences(graphs, document, meant):
    """Yield lines about circles that are not intended, not explained, or no longer exist."""
    words = " ".join(document.split())
    seen = set()
    for module, graph in graphs.items():
        for circle in sorted(circles_of(graph), key=sorted):
            name = frozenset("%s/%s" % (module, file) for file in circle)
            seen.add(name)
            if name not in meant:
                yield "%s: circle of %s" % (module, ", ".join(sorted(circle)))
                yield from arrows_within(graph, circle)
            elif meant[name] not in words:
                yield "%s has no sentence with: %s" % (DOCUMENT, meant[name])
    for name in set(meant) - seen:
        yield "the circle of %s is gone: take it out of CIRCLES" % ", ".join(sorted(name))


def print_dot(graphs):
    print("digraph calls {")
    for module, graph in graphs.items():
        for source, target in sorted(graph.arrows):
            print('  "%s/%s" -> "%s/%s";' % (module, source, module, target))
    print("}")


def main():
    arguments = sys.argv[1:]
    dot = arguments[:1] == ["--dot"]
    arguments = arguments[1:] if dot else arguments
    if len(arguments) < 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    graphs = {module_of(archive): graph_of(symbols_of(archive)) for archive in arguments[1:]}
    if dot:
        print_dot(graphs)
        return 0
    with open(os.path.join(arguments[0], DOCUMENT), encoding="utf-8") as stream:
        lines = list(offences(graphs, stream.read(), CIRCLES))
    for line in lines:
        print(line)
    for module, graph in graphs.items():
        print("%s: %d files, %d arrows" % (module, len(graph.files), len(graph.arrows)))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
