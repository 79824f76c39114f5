# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Tables and drawings of docs/performance.md from the result of a run (measure.py).

Generated parts are between two marks, and the first mark contains the name of the part. The rest of
the document is not changed. A time without a floor of the same run is refused.
"""

import collections
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import chart  # noqa: E402
import guest  # noqa: E402
import measure  # noqa: E402
import memif  # noqa: E402

BEGIN = "<!-- figures %s: written by tools/bench -->\n"
END = "<!-- end of figures -->\n"
PART = re.compile(
    re.escape(BEGIN).replace("%s", r"([a-z-]+)") + r"(.*?)" + re.escape(END), re.S)
FOLDER = "performance"  # of the drawings, next to the document

STAGES = (
    ("post", "`nd_endpoint_write()` until the frame is handed to the driver"),
    ("post_rest", "the driver's transmission; the call returns"),
    ("poll", "responder's turn: until the port has given the request"),
    ("respond", "checked, placed, until the acknowledgement is handed to the driver"),
    ("respond_rest", "the driver's transmission; the turn ends"),
    ("await", "requester's turn: until the port has given the acknowledgement"),
    ("complete", "the request is completed; the turn ends"),
    ("results", "`nd_cq_get_results()`"),
)
STAGE_SIZES = (64, 4096)
# Operations of bench_lcores, with their names in the tables; operations in the drawing; kinds of
# pages.
LCORES = (
    ("bind", "bind, tell, WRITE, invalidate"),
    ("bind_only", "bind, invalidate"),
    ("write", "WRITE"),
    ("send", "SEND"),
    ("read", "READ"),
    ("frames", "floor"),
)
LCORES_DRAWN = ("bind", "write")
PAGES = (("small", "Small pages"), ("huge", "Hugepages"))
# Frames per million that bench_loss drops, and its message size in bytes.
LOSSES_PPM = (0, 100, 1000, 10000, 50000)
LOSS_BYTES = 65536
# Facts about the run, printed next to a part that may have been measured separately.
APART_FACTS = ("commit", "date", "load before the run")
DEFINITION = re.compile(r"^(\w+)\(", re.M)


class Refused(Exception):
    """The document cannot be made from the results. The text is the reason."""


class Results:
    """Values of a run by row name."""

    def __init__(self, result):
        self.result = result
        self.rows = result["rows"]

    def has(self, name):
        return name in self.rows

    def row(self, name):
        if name not in self.rows:
            raise Refused("%s was not measured" % name)
        return self.rows[name]

    def value(self, name):
        return measure.median(self.row(name)["values"])

    def floor(self, name):
        row = self.row(name)
        if row["floor"] in (None, name) or not row["floors"]:
            raise Refused("%s has no floor of the same run" % name)
        return measure.median(row["floors"])

    def ratio(self, name):
        self.floor(name)
        return measure.median(self.row(name)["ratios"])


def number(value):
    """Return a number with three digits."""
    if value >= 99.5:
        return "%.0f" % value
    return "%.1f" % value if value >= 9.95 else "%.2f" % value


def beside(results, name):
    """Return a value, and its ratio to the floor."""
    return "%s (%s)" % (number(results.value(name)), number(results.ratio(name)))


def table(head, rows):
    """Return a table. Each row must have one cell per column, and no empty cell."""
    if not rows or any(len(row) != len(head) or "" in row for row in rows):
        raise Refused("a table is incomplete: %s" % ", ".join(head))
    lines = [head, ["---"] * len(head)] + [list(row) for row in rows]
    return "".join("| %s |\n" % " | ".join(line) for line in lines)


def timed(results, what, rows, unit="ns"):
    """Return a table of times with their floors. rows: (name for the reader, name of the row)."""
    return table([what, unit, "floor", "ratio"], [
        [words, number(results.value(name)), number(results.floor(name)),
         number(results.ratio(name))]
        for words, name in rows
    ])


def drawing(name, title):
    return "![%s](%s/%s.svg)\n" % (title, FOLDER, name)


def multiple(results, name, other):
    """Return the ratio of a row to another row, as the median over the rounds."""
    pairs = zip(results.row(name)["values"], results.row(other)["values"])
    return measure.median([a / b for a, b in pairs])


def measured(results):
    """Return facts about a part that may have been measured separately."""
    facts = dict(results.result["machine"])
    known = ["%s: %s" % (name, facts[name]) for name in APART_FACTS if name in facts]
    return "\nMeasured: %s.\n" % "; ".join(known)


def loss(results):
    """Goodput with loss, also as a part of the goodput without loss in the same run."""
    if not any(results.has("bench_loss/selective_%u" % ppm) for ppm in LOSSES_PPM):
        return "Not measured in this run.\n"
    rows = []
    for ppm in LOSSES_PPM:
        row = ["%g %%" % (ppm / 1e4)]
        for name in ("bench_loss/go_back_n_", "bench_loss/selective_"):
            part = multiple(results, name + "0", name + "%u" % ppm)
            gbits = 8 * LOSS_BYTES / results.value(name + "%u" % ppm)
            row.append("%s (%s %%)" % (number(gbits), number(100 * part)))
        rows.append(row + [number(1 / results.ratio("bench_loss/selective_%u" % ppm))])
    return table(["frames lost", "go-back-N, Gbit/s", "selective, Gbit/s",
                  "selective in go-back-N"], rows) + measured(results)


class Lcores:
    """Engines of one adapter on several lcores, with one kind of pages."""

    def __init__(self, results, pages, words):
        self.results = results
        self.pages = pages
        self.words = words
        prefix = "lcores_%s_" % pages
        self.counts = sorted({int(name[len(prefix):].partition("/")[0])
                              for name in results.rows if name.startswith(prefix)})

    def value(self, count_, way, operation):
        """Return the value of a row that must have a floor. The row of the floor is its own
        floor."""
        name = "lcores_%s_%u/%s_%s" % (self.pages, count_, way, operation)
        if operation != "frames":
            self.results.floor(name)
        return self.results.value(name)

    def throughput(self, count_, operation):
        """Return the sum over all engines, in millions per second, and as a multiple of one
        engine."""
        return "%s (%.2f)" % (number(count_ * 1e3 / self.value(count_, "engines", operation)),
                              self.value(count_, "scaling", operation))

    def tables(self):
        head = ["lcores"] + [words for _, words in LCORES]
        engines = [[str(count_)] + [self.throughput(count_, operation) for operation, _ in LCORES]
                   for count_ in self.counts]
        processes = [[str(count_)] + ["%.2f" % self.value(count_, "beside", operation)
                                      for operation, _ in LCORES] for count_ in self.counts]
        return ("%s: million operations per second of all engines; in brackets, multiples "
                "of one engine:\n\n%s\n%s: throughput of the engines, as a multiple of as many "
                "processes:\n\n%s" % (
                    self.words, table(head, engines), self.words, table(head, processes)))

    def picture(self, title):
        series = []
        for operation in LCORES_DRAWN:
            engines = [(n, self.value(n, "scaling", operation)) for n in self.counts]
            processes = [(n, scaling / self.value(n, "beside", operation))
                         for n, scaling in engines]
            series.append(chart.Series(operation, engines, False))
            series.append(chart.Series(operation + ", processes", processes, False))
        floor = [(n, self.value(n, "scaling", "frames")) for n in self.counts]
        series.append(chart.Series("floor", floor, True))
        return chart.lines(title, "lcores (logarithmic)", "throughput, one engine = 1", series)


def lcores(results):
    """Return (the part about several lcores, its drawings by file name)."""
    kinds = [Lcores(results, pages, words) for pages, words in PAGES]
    if not kinds[0].counts:
        return "Not measured in this run.\n", {}
    parts, drawings = [], {}
    for kind in kinds:
        if not kind.counts:
            parts.append("%s: not measured, because the machine could not reserve them.\n"
                         % kind.words)
            continue
        title = "Throughput of several lcores, %s" % kind.words.lower()
        name = "lcores_" + kind.pages
        drawings[name + ".svg"] = kind.picture(title)
        parts.append(kind.tables() + "\n" + drawing(name, title))
    return "\n".join(parts) + measured(results), drawings


class Document:
    """The parts by name, and the drawings by file name."""

    def __init__(self, result, sources):
        self.results = Results(result)
        self.sources = sources
        self.drawings = {}
        self.parts = {
            "machine": self.machine(),
            "size": self.size(),
            "reads": self.reads(),
            "loss": loss(self.results),
            "stages": self.stages(),
            "instructions": self.instructions(),
            "application": self.application(),
            "lcores": self.lcores(),
            "endpoints": self.endpoints(),
            "windows": self.windows(),
            "memif": self.memif(),
            "peers": self.peers(),
            "guest": self.guest(),
            "memory": self.memory(),
        }

    def draw(self, name, title, picture):
        self.drawings[name + ".svg"] = picture
        return drawing(name, title)

    def machine(self):
        result = self.results.result
        rows = [[what, value] for what, value in result["machine"]]
        kind = "a short run, not to be quoted" if result["quick"] else "a whole run"
        rows.append(["rounds", "%u, %s" % (result["rounds"], kind)])
        missing = "".join("* not measured: %s\n" % words for words in result["missing"])
        return table(["what", "in this run"], rows) + ("\n" + missing if missing else "")

    def size(self):
        text = ""
        for depth in measure.DEPTHS:
            title = "Time for a message, depth %u" % depth
            picture = self.size_drawing(depth, title)
            text += "Depth %u, ns for a message, and in brackets how many floors:\n\n" % depth
            text += self.size_table(depth) + "\n"
            text += self.draw("size_depth_%u" % depth, title, picture) + "\n"
        title = "Payload through one core, both ends on it, depth 64"
        return text + self.draw("throughput", title, self.throughput_drawing(title))

    def places(self, depth):
        return [(size, "%u_depth_%u" % (size, depth)) for size in self.results.result["sizes"]]

    def size_table(self, depth):
        results, rows = self.results, []
        for size, place in self.places(depth):
            row = [chart.short(size), number(results.value("bench_size/frames_" + place)),
                   number(results.value("bench_size/frames_icrc_" + place))]
            for program in ("bench_size", "ndpmd"):
                row += [beside(results, "%s/%s_%s" % (program, operation, place))
                        for operation in measure.OPERATIONS]
            rows.append(row)
        names = [operation.upper() for operation in measure.OPERATIONS]
        return table(["bytes", "floor", "floor, own CRC"] + names
                     + ["`ndpmd` " + name for name in names], rows)

    def reads(self):
        """Compare READ with WRITE, at the maximum number of outstanding READs of an endpoint."""
        results, place = self.results, "64_depth_16"
        names = ["bench_loop/%s_%s" % (operation, place) for operation in ("write", "read")]
        if not all(results.has(name) for name in names):
            return "Not measured in this run.\n"
        rows = [
            [operation, number(results.value(name)), number(results.floor(name)),
             number(results.ratio(name)), "%.2f" % multiple(results, name, names[0])]
            for operation, name in zip(("WRITE", "READ"), names)
        ]
        return table(["64 bytes, depth 16", "ns", "floor", "ratio", "in WRITEs"], rows)

    def size_series(self, depth, scaled=lambda size, value: value, sizes=lambda size: True):
        """Return a line for each operation and a line for the floor."""
        series = []
        for operation in measure.OPERATIONS + ("frames",):
            is_floor = operation == "frames"
            points = [
                (size, scaled(size, self.results.value("bench_size/%s_%s" % (operation, place))))
                for size, place in self.places(depth) if sizes(size)
            ]
            name = "floor" if is_floor else operation.upper()
            series.append(chart.Series(name, points, is_floor))
        return series

    def size_drawing(self, depth, title):
        return chart.lines(title, "bytes of a message (logarithmic; 0 at the left end)",
                           "ns for a message", self.size_series(depth))

    def throughput_drawing(self, title):
        series = self.size_series(64, lambda size, value: size * 8 / value, lambda size: size > 0)
        return chart.lines(title, "bytes of a message (logarithmic)", "Gbit/s", series)

    def stages(self):
        results, rows = self.results, []
        for stage, words in STAGES + (("whole", "round trip without probes"),):
            cells = ["`%s`" % stage, words]
            for size in STAGE_SIZES:
                name = "bench_stages/%s_%u" % (stage, size)
                cells += [number(results.value(name)), number(results.floor(name))]
            rows.append(cells)
        cells = ["`idle`", "a turn in which nothing happens"]
        cells += [number(results.value("bench_stages/idle")),
                  number(results.floor("bench_stages/idle"))]
        rows.append(cells + ["-"] * 2)
        head = ["stage", "what"]
        for size in STAGE_SIZES:
            head += ["%u bytes" % size, "floor"]
        title = "Cycles of a round trip, %u bytes, depth 1" % STAGE_SIZES[0]
        groups = [
            chart.Group(stage, (results.value("bench_stages/%s_%u" % (stage, STAGE_SIZES[0])),
                                results.floor("bench_stages/%s_%u" % (stage, STAGE_SIZES[0]))))
            for stage, _ in STAGES
        ]
        picture = chart.bars(title, "cycles of the TSC", ("WRITE", "floor"), groups)
        return (table(head, rows) + "\n" + self.draw("stages", title, picture) + "\n"
                + self.agreement())

    def agreement(self):
        """Compare stages, round trip and ndpmd, which should agree."""
        results = self.results
        mhz = results.value(measure.MHZ)
        whole = results.value("bench_stages/whole_64") * 1e3 / mhz
        rows = [
            ["stages, %u bytes, to the round trip without probes" % size,
             number(results.ratio("bench_stages/sum_%u" % size))] for size in (8, 64, 4096)
        ]
        rows.append(["one reading of the TSC, cycles of %.0f MHz" % mhz,
                     number(results.value("bench_stages/reading"))])
        rows.append(["round trip of 64 bytes, ns, and in floors", "%s (%s)" % (
            number(whole), number(results.ratio("bench_stages/whole_64")))])
        for words, name in (
                ("`ndpmd --op=write --depth=1`, median, ns, and in floors", "write_depth_1"),
                ("`ndpmd --op=read --latency`", "read_latency"),
                ("`ndpmd --op=write --latency`: a write there and one back", "write_latency")):
            rows.append([words, beside(results, "ndpmd/" + name)])
        return table(["what agrees with what", "figure"], rows)

    def instructions(self):
        counted = self.results.result["instructions"]
        if not counted:
            return "Not counted: valgrind is not there.\n"
        rows = []
        for name, (floor, total, of_floor) in counted.items():
            if not of_floor:
                raise Refused("%s has no floor of the same run" % name)
            rows.append(["`%s`" % name, number(total), number(of_floor), "`%s`" % floor,
                         number(total / of_floor)])
        head = ["operation", "instructions", "floor", "which", "ratio"]
        return table(head, rows) + "\n" + self.module_table()

    def application(self):
        """Instructions that ndpmd itself adds to those of the library."""
        counted = self.results.result["application"]
        if not counted:
            return "Not counted: valgrind is not there.\n"
        head = ["`ndpmd`, 64 bytes", "depth", "instructions", "of them in `ndpmd` itself", "part"]
        return table(head, [
            [operation.upper(), str(depth), number(total), number(own),
             "%.0f %%" % (100 * own / total)] for operation, depth, own, total in counted
        ])

    def module_table(self):
        """Instructions of two operations, by the folder of lib/ to which the functions belong."""
        functions = self.results.result["functions"]
        names = list(functions)
        sums = [by_module(functions[name], self.sources) for name in names]
        modules = sorted(set().union(*sums), key=lambda module: (-sums[0].get(module, 0), module))
        rows = [[module] + [number(one.get(module, 0)) for one in sums] for module in modules]
        rows.append(["all"] + [number(sum(one.values())) for one in sums])
        return table(["instructions in"] + ["`%s`" % name for name in names], rows)

    def lcores(self):
        text, drawings = lcores(self.results)
        self.drawings.update(drawings)
        return text

    def endpoints(self):
        results = self.results
        bench = self.numbered("bench_many/write_64_endpoints_")
        ndpmd = self.numbered("ndpmd/write_qps_")
        few = "bench_many/write_64_endpoints_64"
        rows = []
        for count_, name in bench:
            batch = name.replace("write", "batch")
            rows.append([str(count_), number(results.value(name)), number(results.floor(name)),
                         number(results.ratio(name)), number(multiple(self.results, name, few)),
                         number(results.value(batch)),
                         number(multiple(self.results, batch, few.replace("write", "batch"))),
                         number(results.floor(name) / results.floor(few))])
        text = table(["endpoints", "ns for a WRITE", "floor", "ratio", "to 64 endpoints",
                      "in batches, ns", "to 64 endpoints", "floor, to 64 endpoints"], rows)
        text += "\n" + timed(results, "`ndpmd --depth=1`, queue pairs",
                             [(str(count_), name) for count_, name in ndpmd])
        title = "Time for a WRITE of 64 bytes, one request for each endpoint"
        series = [
            chart.Series("bench", [(n, results.value(name)) for n, name in bench], False),
            chart.Series("ndpmd", [(n, results.value(name)) for n, name in ndpmd], False),
            chart.Series("floor", [(n, results.floor(name)) for n, name in bench], True),
        ]
        return text + "\n" + self.draw("endpoints", title, chart.lines(
            title, "endpoints (logarithmic)", "ns for a WRITE", series))

    def numbered(self, prefix):
        """Return (number, name) of the rows whose names have this prefix."""
        found = [(int(name[len(prefix):]), name) for name in self.results.rows
                 if name.startswith(prefix)]
        if not found:
            raise Refused("%s... was not measured" % prefix)
        return sorted(found)

    def windows(self):
        results, rows = self.results, []
        lines = (
            ("access check, all windows in random order", "check",
             "bench_mem_access/mem_check_remote_cold_"),
            ("access check, the same 16 windows", None, "bench_mem_access/mem_check_remote_warm_"),
            ("bind and invalidate through an endpoint, the same window", "bind, same window",
             "bench_mem_endpoint/nd_bind_invalidate_one_"),
            ("bind and invalidate, all windows in random order", "bind, random",
             "bench_mem_endpoint/nd_bind_invalidate_random_"),
            ("`ndpmd --op=bind`: bind, tell, write, invalidate", "ndpmd bind",
             "ndpmd/bind_windows_"),
        )
        series = []
        for words, label, prefix in lines:
            found = self.numbered(prefix)
            rows += [("%s; %s" % (words, chart.short(n)), name) for n, name in found]
            if label:
                points = [(n, results.value(name)) for n, name in found]
                series.append(chart.Series(label, points, False))
        floors = self.numbered("bench_mem_access/mem_check_remote_cold_")
        series.append(chart.Series("floor of the check", [
            (n, results.floor(name)) for n, name in floors], True))
        title = "Time beside many live windows"
        return (timed(results, "what; live windows", rows) + "\n" + self.draw(
            "windows", title,
            chart.lines(title, "live windows (logarithmic)", "ns", series)))

    def memif(self):
        rows = [("%s, %u bytes" % (operation.upper(), size), "memif/%s_%u" % (operation, size))
                for size in memif.SIZES for operation in memif.OPERATIONS]
        if not self.results.has(rows[0][1]):
            return "Not measured: DPDK has no memif driver here, or there is one processor.\n"
        return timed(self.results, "round trip of two processes over memif", rows)

    def peers(self):
        peers = self.numbered_peers()
        if not peers:
            return "Not measured in this run: `tools/bench --peers` does.\n"
        return timed(self.results, "round trip of two processes", peers)

    def numbered_peers(self):
        """Return (words, row) for each measurement between two processes except the floor, by
        size."""
        found = [
            (name[len("peers/"):], name)
            for name, row in self.results.rows.items()
            if name.startswith("peers/") and row["floor"] != name
        ]
        return sorted(found, key=lambda peer: int(re.search(r"(\d+) bytes$", peer[0]).group(1)))

    def guest(self):
        """Ratios only, because times of an emulated processor have no meaning."""
        if not self.results.has("guest/" + next(iter(guest.CASES))):
            return "Not measured in this run: `tools/bench --peers` does, or says why it cannot.\n"
        return table(["inside one virtual machine", "time of `ndpmd`, of Soft-RoCE 1"], [
            [case.words, number(self.results.ratio("guest/" + name))]
            for name, case in guest.CASES.items()
        ])

    def memory(self):
        results = self.results
        rows = [[str(n), "%.0f" % results.value(name)]
                for n, name in self.numbered("bench_many/bytes_per_endpoint_depth_")]
        text = table(["depth of both queues", "bytes of an endpoint and its connector"], rows)
        rows = [
            ["key, of so many as there are slots", "%.0f" % results.value(
                "bench_mem_size/bytes_per_key_slot_resident")]
        ] + [
            ["bound window, everything included, of %u" % windows, "%.0f" % results.value(
                "bench_mem_size/bytes_per_bound_window_%u_resident" % windows)]
            for windows in (1000000, 655360)
        ]
        text += "\n" + table(["beside it", "bytes, resident"], rows)
        rows = [[str(n), "%.0f" % (results.value(name) / 1e6)]
                for n, name in self.numbered("ndpmd/resident_qps_")]
        return text + "\n" + table(
            ["`ndpmd --depth=1`, both ends in one process, queue pairs", "MB, resident"], rows)


def modules_of(sources):
    """Return function name -> folders of lib/ that define a function with this name."""
    found = collections.defaultdict(set)
    for module, text in sources:
        for name in DEFINITION.findall(text):
            found[name].add(module)
    return found


def by_module(functions, sources):
    """Return the instructions per module. Functions outside the library are grouped by their
    origin."""
    modules = modules_of(sources)
    sums = collections.Counter()
    for name, cost in functions.items():
        folders = modules.get(name, ())
        if len(folders) == 1:
            sums["`%s`" % next(iter(folders))] += cost
        elif folders:
            sums["functions whose name several modules have"] += cost
        elif name.startswith(("rte_", "(librte")):
            sums["DPDK"] += cost
        elif name.startswith("__"):
            sums["C library"] += cost
        elif name.startswith("("):
            sums["small functions together" if name == "(others)" else name] += cost
        else:
            sums["the bench and what it inlines"] += cost
    return dict(sums)


def written(text, parts):
    """Return the document with all generated parts. Places and parts must correspond one to one."""
    names = [match.group(1) for match in PART.finditer(text)]
    begun = len(re.findall(re.escape(BEGIN).replace("%s", "[^\n]*"), text))
    if len(names) != begun or text.count(END) != begun:
        raise Refused("the marks round the generated parts do not pair")
    if sorted(names) != sorted(parts):
        raise Refused("the document has places for %s, and there are %s" % (
            ", ".join(sorted(names)), ", ".join(sorted(parts))))
    return PART.sub(lambda match: BEGIN % match.group(1) + parts[match.group(1)] + END, text)


def replaced(text, name, part):
    """Return the document with one generated part replaced."""
    parts = {match.group(1): match.group(2) for match in PART.finditer(text)}
    if name not in parts:
        raise Refused("the document has no place for %s" % name)
    return written(text, {**parts, name: part})
