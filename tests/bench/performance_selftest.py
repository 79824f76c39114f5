#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Tests the parts of tools/bench with outputs of programs, and with results that must be refused.

usage: performance_selftest.py
"""

import copy
import os
import sys
import tempfile
import xml.etree.ElementTree

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import chart  # noqa: E402
import document  # noqa: E402
import guest  # noqa: E402
import measure  # noqa: E402
import memif  # noqa: E402
import peers  # noqa: E402
import performance  # noqa: E402

BENCH = """\
{"name":"frames_64","unit":"ns/op","median":80.000,"p99":90.000,"floor":"frames_64","ratio":1.000}
{"name":"write_64","unit":"ns/op","median":240.000,"p99":300.000,"floor":"frames_64","ratio":3.100}
{"name":"bytes","unit":"bytes","median":64.000,"p99":64.000}
"""
UCX = """\
|     Test     | # iterations | 50.0%ile | average | overall |  average |  overall |
+--------------+--------------+----------+---------+---------+----------+----------+
                       20000      0.680     6.115     6.115        9.98       9.98      163538
"""
FABRIC = """\
bytes   #sent   #ack     total       time     MB/sec    usec/xfer   Mxfers/sec
4k      500     =500     3.9m        0.00s   1356.74       3.02       0.33
"""
# Output of perftest in tests/bench/guest.sh.
READ_LATENCY = " 64      1000          80.48          1436.95      111.31  145.29\nframes 2000\n"
WRITE_RATE = " 64         5000             0.95               0.54  0.008\nframes 10078\n"
NDPMD = """\
op          size  depth
{"op":"read","seconds":2,"ops":20000,"errors":%u,"latency_ns":{"p50":90000}}
"""
NAME = "{http://www.w3.org/2000/svg}"
SOURCES = [("rc", "static void\nrc_post(int a)\n{\n}\n"), ("rc", "void\npost(void)\n"),
           ("nd", "void\npost(void)\n"), ("wire", "static inline int\nwire_begin(void)\n")]
FUNCTIONS = {"rc_post": 10.0, "post": 5.0, "wire_begin": 3.0, "rte_free": 2.0, "__memcpy": 1.0,
             "(librte_ring)": 4.0, "(others)": 7.0, "loop_run": 6.0}
MODULES = {"`rc`": 10.0, "functions whose name several modules have": 5.0, "`wire`": 3.0,
           "DPDK": 6.0, "C library": 1.0, "small functions together": 7.0,
           "the bench and what it inlines": 6.0}


def refused(call, *arguments):
    """Return whether a call is refused with a sentence."""
    try:
        call(*arguments)
    except (measure.Failure, document.Refused, ValueError) as failure:
        return bool(str(failure))
    return False


def reading_fails():
    rows = measure.parse(BENCH, "b")
    if list(rows) != ["b/frames_64", "b/write_64", "b/bytes"]:
        yield "parsed: %s" % list(rows)
    if rows["b/write_64"] != {
            "unit": "ns/op", "value": 240.0, "floor": "b/frames_64", "ratio": 3.1}:
        yield "parsed: %s" % rows["b/write_64"]
    if rows["b/bytes"]["floor"] is not None:
        yield "bytes have a floor"
    if not refused(measure.parse, "core 1, assertions off\n", "b"):
        yield "a bench without rows passes"
    if peers.ucx_latency(UCX) != 680 or not refused(peers.ucx_latency, "nothing"):
        yield "ucx_perftest: %s" % peers.ucx_latency(UCX)
    if peers.fabric_latency(FABRIC) != 3020 or not refused(peers.fabric_latency, "nothing"):
        yield "fi_pingpong: %s" % peers.fabric_latency(FABRIC)


def guest_fails():
    """Times of both stacks. Frames that bypassed the cable, errors and empty output are refused."""
    latency, rate = guest.CASES["read_64_depth_1"], guest.CASES["write_64_depth_64"]
    for case, output, call, expected in (
            (latency, READ_LATENCY, guest.perftest_ns, 111310),
            (rate, WRITE_RATE, guest.perftest_ns, 125000),
            (latency, NDPMD % 0, guest.ndpmd_ns, 90000), (rate, NDPMD % 0, guest.ndpmd_ns, 1e5)):
        if abs(call(case, output) - expected) > 1e-6:
            yield "%s: %s" % (output, call(case, output))
    for output in ("frames 5000\n", READ_LATENCY.replace("2000", "999"), "Unable to connect\n"):
        if not refused(guest.perftest_ns, latency, output):
            yield "perftest's %r passes" % output
    if not refused(guest.ndpmd_ns, rate, NDPMD % 1):
        yield "ndpmd passes with errors"


def median_fails():
    for numbers, expected in (([3], 3), ([5, 1, 3], 3), ([4, 1, 2, 30], 3)):
        if measure.median(numbers) != expected:
            yield "median of %s is %s" % (numbers, measure.median(numbers))
    if not refused(measure.median, []):
        yield "nothing has a median"


def rounds_fail():
    """Rounds are stored in order, a ratio has values of one round, and every second round is
    reversed."""
    order, rows = [], {}
    for values in ((80, 240), (100, 200), (60, 300)):
        measure.add_round(rows, {"f": measure.row_of(values[0], "f"),
                                 "w": measure.row_of(values[1], "f")})
    if rows["w"]["values"] != [240, 200, 300] or rows["w"]["ratios"] != [3, 2, 5]:
        yield "three rounds: %s" % rows["w"]
    if document.Results({"rows": rows}).ratio("w") != 3:
        yield "the ratio is not the median of the rounds' ratios"
    if not refused(measure.add_round, {}, {"w": measure.row_of(1, "f")}):
        yield "a row whose floor was not measured passes"

    def step(name):
        return lambda: order.append(name) or {name: measure.row_of(1, name)}

    say, measure.say = measure.say, lambda words: None
    measure.rounds_run([("a", step("a")), ("b", step("b"))], 3)
    measure.say = say
    if order != list("abbaab"):
        yield "order of the rounds: %s" % order


def running_fails():
    """A row has the part of the time in which the process ran. Failures and hanging processes are
    refused."""
    core = min(os.sched_getaffinity(0))
    table = "print('head'); print('row'); print('row'); print('{}')"
    output, shares, resident = measure.watched([sys.executable, "-c", table], core)
    if measure.objects(output) != [{}] or len(shares) != 2:
        yield "a program with two rows: %r, %s" % (output, shares)
    if resident < 0 or measure.resident_most(os.getpid()) < 1 << 20:
        yield "memory of a process: %u" % measure.resident_most(os.getpid())
    if not all(0 <= share <= 1 for share in shares):
        yield "parts of the time: %s" % shares
    status = [sys.executable, "-c", "raise SystemExit(3)"]
    if not refused(measure.watched, status, core) or not refused(measure.execute, status):
        yield "a program with status 3 passes"
    limit, measure.TIMEOUT_S = measure.TIMEOUT_S, 0.3
    for_ever = [sys.executable, "-c", "import time; time.sleep(1000)"]
    if not refused(measure.watched, for_ever, core) or not refused(measure.execute, for_ever):
        yield "a program that does not end passes"
    measure.TIMEOUT_S = limit


def drawn_fail():
    series = [chart.Series("a <&> b", [(0, 3.0), (64, 5.5), (1 << 20, 7e5)], False),
              chart.Series("floor", [(0, 1.0), (64, 2.0), (1 << 20, 3e5)], True)]
    picture = chart.lines('title "<&>"', "bytes", "ns", series)
    yield from svg_fails("lines", picture, ["bytes", "ns", "a <&> b", "floor", "0", "1 Mi", "10 k"])
    groups = [chart.Group("post", (300.0, 40.0)), chart.Group("rest", (0.0, -1.0))]
    picture = chart.bars("cycles <", "cycles of the TSC", ("WRITE", "floor"), groups)
    yield from svg_fails("bars", picture, ["post", "rest", "cycles of the TSC", "300", "floor"])
    for call, arguments in (
            (chart.lines, ("", "", "", [])),
            (chart.lines, ("", "", "", [chart.Series("a", [], False)])),
            (chart.lines, ("", "", "", series[:1] * (chart.SERIES_MAX + 1))),
            (chart.lines, ("", "", "", [chart.Series("a", [(0, 1.0)], False)])),
            (chart.bars, ("", "", ("a", "floor"), [chart.Group("g", (1.0,))])),
            (chart.bars, ("", "", ("a", "floor"), []))):
        if not refused(call, *arguments):
            yield "drawn: %s" % (arguments,)
    axis = chart.LogAxis([0, 10, 1000], 0, 100)
    if not (axis.place(0) == 0 < axis.place(10) < axis.place(1000) == 100):
        yield "places on an axis: %s" % [axis.place(n) for n in (0, 10, 1000)]
    for number, expected in ((64, "64"), (4096, "4096"), (16384, "16 Ki"), (1 << 20, "1 Mi"),
                             (10000, "10 k"), (1000000, "1 M"), (0.5, "0.5"), (1000, "1000")):
        if chart.short(number) != expected:
            yield "%s is shown as %s" % (number, chart.short(number))


def svg_fails(what, picture, texts):
    """Drawings are well-formed, have all texts and a colour for each class in light and dark, and
    nothing is outside the box."""
    try:
        root = xml.etree.ElementTree.fromstring(picture)
    except xml.etree.ElementTree.ParseError as error:
        yield "%s: %s" % (what, error)
        return
    found = [element.text for element in root.iter(NAME + "text")]
    yield from ("%s: no %r" % (what, text) for text in texts if text not in found)
    style = root.find(NAME + "style").text
    light, _, dark = style.partition("prefers-color-scheme:dark")
    for element in root.iter():
        for name in (element.get("class") or "").split():
            if name in ("line", "dashed", "title"):
                continue
            if "." + name + "{" not in light or "." + name + "{" not in dark:
                yield "%s: class %s has no colour" % (what, name)
    width, height = float(root.get("width")), float(root.get("height"))
    for element in root.iter(NAME + "text"):
        if not (0 <= float(element.get("x")) <= width and 0 <= float(element.get("y")) <= height):
            yield "%s: %s is outside" % (what, element.text)


def marks_fail():
    text = "# a\n" + document.BEGIN % "one" + "old\n" + document.END + "by hand\n"
    text += document.BEGIN % "two" + document.END
    now = document.written(text, {"one": "new\n", "two": "more\n"})
    if now != text.replace("old\n", "new\n").replace(
            document.BEGIN % "two", document.BEGIN % "two" + "more\n"):
        yield "written: %s" % now
    if document.written(now, {"one": "new\n", "two": "more\n"}) != now:
        yield "written twice it is another text"
    for broken, parts in (
            (text, {"one": "new\n"}),
            (text, {"one": "", "two": "", "three": ""}),
            (text.replace(document.END, "", 1), {"one": "", "two": ""}),
            (text + document.END, {"one": "", "two": ""}),
            (text + document.BEGIN % "one" + document.END, {"one": "", "two": ""})):
        if not refused(document.written, broken, parts):
            yield "written with %s: %s" % (parts, broken)


def part_fails():
    """One part is replaced and all others are unchanged. A part without a place is refused."""
    one, two = document.BEGIN % "one", document.BEGIN % "two"
    text = "a\n" + one + "1\n" + document.END + two + "2\n" + document.END
    if document.replaced(text, "two", "new\n") != text.replace("2\n", "new\n"):
        yield "a part put in: %s" % document.replaced(text, "two", "new\n")
    if not refused(document.replaced, text, "three", "new\n"):
        yield "a part without a place is put in"


def loss_fails():
    """Goodput of messages of 64 KiB, compared with goodput without loss in the same round."""
    results = document.Results(result_made())
    for name, values in (("go_back_n_0", [5000.0, 8000.0]), ("go_back_n_1000", [50000.0, 16000.0]),
                         ("selective_1000", [6553.6, 6553.6])):
        results.rows["bench_loss/" + name]["values"] = values
    results.rows["bench_loss/selective_0"]["values"] = [3276.8, 6553.6]
    results.rows["bench_loss/selective_1000"]["ratios"] = [0.25, 0.25]
    row = "| 0.1 % | 15.9 (30.0 %) | 80.0 (75.0 %) | 4.00 |"
    if row not in document.loss(results):
        yield "goodput under loss: %s" % document.loss(results)
    del results.rows["bench_loss/go_back_n_50000"]
    if not refused(document.loss, results):
        yield "goodput under loss without one of its rows passes"


def lcores_fails():
    """Throughput of all engines, as a multiple of one engine, and compared with processes; missing
    kinds of pages."""
    results = document.Results(result_made())
    for name, value in (("engines_bind", 1600.0), ("scaling_bind", 1.5), ("beside_bind", 0.75)):
        results.rows["lcores_small_2/" + name]["values"] = [value]
    text, drawings = document.lcores(results)
    if "| 2 | 1.25 (1.50) |" not in text or "| 2 | 0.75 |" not in text:
        yield "several lcores: %s" % text
    if sorted(drawings) != ["lcores_huge.svg", "lcores_small.svg"]:
        yield "drawings of several lcores: %s" % sorted(drawings)
    for name in [name for name in results.rows if name.startswith("lcores_huge_")]:
        del results.rows[name]
    text, drawings = document.lcores(results)
    if "Hugepages: not measured" not in text or list(drawings) != ["lcores_small.svg"]:
        yield "several lcores without hugepages: %s" % text
    del results.rows["lcores_small_2/scaling_send"]
    if not refused(document.lcores, results):
        yield "several lcores without one of the rows passes"
    counts = measure.lcore_counts()
    most = min(len(os.sched_getaffinity(0)), measure.LCORES_MAX)
    if counts[0] != 1 or counts[-1] != most or counts != sorted(set(counts)):
        yield "numbers of lcores: %s" % counts


def pages_fail():
    """Hugepages are reserved only while they are needed. Afterwards their number is as before."""
    kept = measure.PAGES_RESERVED, measure.PAGES_FREE
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pages")
        measure.PAGES_RESERVED = measure.PAGES_FREE = path
        for before, megabytes, expected in ((3, 20, 10), (10, 20, 10), (11, 20, 11)):
            measure.pages_reserve(before)
            with measure.hugepages(megabytes) as enough:
                during = measure.number_of(path)
            if (enough, during, measure.number_of(path)) != (True, expected, before):
                yield "%u pages, %u MB: %s, %u" % (before, megabytes, enough, during)
        measure.PAGES_RESERVED = folder
        with measure.hugepages(200) as enough:
            if enough:
                yield "pages that cannot be reserved are there"
    measure.PAGES_RESERVED, measure.PAGES_FREE = kept


def result_made():
    """A result with every row that the document needs. All numbers are positive and different."""
    rows = {}

    def add(name, floor):
        value = 100.0 + len(rows)
        rows[name] = {"unit": "ns/op", "floor": floor, "values": [value, value],
                      "floors": [50.0, 50.0], "ratios": [2.0, 2.0]}

    for depth in measure.DEPTHS:
        for size in measure.SIZES:
            floor = "bench_size/frames_%u_depth_%u" % (size, depth)
            for program in ("bench_size", "ndpmd"):
                for operation in measure.OPERATIONS:
                    add("%s/%s_%u_depth_%u" % (program, operation, size, depth), floor)
            add(floor, floor)
            add(floor.replace("frames", "frames_icrc"), floor)
    for size in (8, 64, 4096):
        for stage, _ in document.STAGES + (("whole", ""), ("sum", "")):
            add("bench_stages/%s_%u" % (stage, size), "bench_stages/floor_%s_%u" % (stage, size))
    for name, floor in (
            ("bench_stages/idle", "x"), ("bench_stages/reading", None), (measure.MHZ, None),
            ("ndpmd/write_depth_1", "x"), ("ndpmd/read_latency", "x"),
            ("ndpmd/write_latency", "x"),
            ("peers/shared memory, 64 bytes", "peers/shared memory, 64 bytes"),
            ("peers/another, 64 bytes", "peers/shared memory, 64 bytes"),
            ("bench_many/bytes_per_endpoint_depth_1", None),
            ("bench_mem_size/bytes_per_key_slot_resident", None),
            ("bench_mem_size/bytes_per_bound_window_1000000_resident", None),
            ("bench_mem_size/bytes_per_bound_window_655360_resident", None)):
        add(name, floor)
    for operation in ("write", "read"):
        add("bench_loop/%s_64_depth_16" % operation, "bench_loop/frames_64_depth_16")
    for ppm in document.LOSSES_PPM:
        for recovery in ("selective", "go_back_n"):
            add("bench_loss/%s_%u" % (recovery, ppm), "bench_loss/go_back_n_%u" % ppm)
    for count_ in (1, 2, 16):
        for pages, _ in document.PAGES:
            for way in ("one", "engines", "processes", "scaling", "beside"):
                name = "lcores_%s_%u/%s_" % (pages, count_, way)
                for operation, _ in document.LCORES:
                    add(name + operation, name + "frames")
    for operation in memif.OPERATIONS:
        for size in memif.SIZES:
            add("memif/%s_%u" % (operation, size), memif.floor_of(operation, size))
    for name in guest.CASES:
        add("guest/" + name, "guest/rxe_" + name)
    for endpoints in (1, 64, 10000):
        for what in ("write", "batch"):
            add("bench_many/%s_64_endpoints_%u" % (what, endpoints),
                "bench_many/frames_64_endpoints_%u" % endpoints)
        add("ndpmd/write_qps_%u" % endpoints, "bench_many/frames_64_answered")
        add("ndpmd/resident_qps_%u" % endpoints, None)
    for windows in (1000, 1000000):
        for name in ("bench_mem_access/mem_check_remote_cold", "ndpmd/bind_windows",
                     "bench_mem_access/mem_check_remote_warm",
                     "bench_mem_endpoint/nd_bind_invalidate_one",
                     "bench_mem_endpoint/nd_bind_invalidate_random"):
            add("%s_%u" % (name, windows), "x")
    return {
        "machine": [["processor", "one"]], "quick": True, "rounds": 2,
        "sizes": list(measure.SIZES), "missing": ["a peer: it is not installed"], "rows": rows,
        "instructions": {"write": ["frames", 2000.0, 450.0]},
        "application": [["write", 64, 190.0, 1450.0], ["write", 1, 500.0, 4000.0]],
        "functions": {"write": FUNCTIONS},
    }


def whole_fails():
    """The committed document has a place for each part, and each drawing is well-formed."""
    made = document.Document(result_made(), SOURCES)
    with open(performance.DOCUMENT, encoding="utf-8") as file:
        text = document.written(file.read(), made.parts)
    for name, picture in made.drawings.items():
        yield from svg_fails(name, picture, [])
        if "(%s/%s)" % (document.FOLDER, name) not in text:
            yield "%s is drawn and not shown" % name
    for words in ("not measured: a peer", "a short run", "another, 64 bytes", "write | 2000",
                  "WRITE | 64 | 1450 | 190 | 13 %", "READ, 4096 bytes |"):
        if words not in text.replace("`", ""):
            yield "the document does not say %r" % words
    folder = os.path.join(os.path.dirname(performance.DOCUMENT), document.FOLDER)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            yield from svg_fails(name, file.read(), [])
    made.results.rows["bench_loop/write_64_depth_16"]["values"] = [80.0, 100.0]
    made.results.rows["bench_loop/read_64_depth_16"]["values"] = [160.0, 220.0]
    if "READ | 190 | 50.0 | 2.00 | 2.10 |" not in made.reads():
        yield "a READ in WRITEs of its round: %s" % made.reads()
    del made.results.rows["bench_loop/write_64_depth_16"]
    if made.reads() != "Not measured in this run.\n":
        yield "a READ without its WRITE: %s" % made.reads()
    if document.by_module(FUNCTIONS, SOURCES) != MODULES:
        yield "by module: %s" % document.by_module(FUNCTIONS, SOURCES)


def floors_fail():
    """A time without its floor is refused. Missing rows are refused and not omitted."""
    result = result_made()
    for name, row in result["rows"].items():
        if row["floor"] in (None, name) or name.startswith(
                ("bench_size/frames_icrc", "bench_stages/sum_8", "bench_stages/whole_8")):
            continue
        for floor, floors in ((None, row["floors"]), (name, row["floors"]), (row["floor"], [])):
            broken = copy.deepcopy(result)
            broken["rows"][name].update(floor=floor, floors=floors)
            if not refused(document.Results(broken).ratio, name):
                yield "%s has floor %s and passes" % (name, floor)
    for name in ("ndpmd/read_64_depth_1", "bench_stages/post_64",
                 "lcores_huge_16/beside_bind",
                 "bench_many/write_64_endpoints_64", "ndpmd/bind_windows_1000"):
        broken = copy.deepcopy(result)
        broken["rows"][name].update(floor=None, floors=[], ratios=[])
        if not refused(document.Document, broken, SOURCES):
            yield "the document is written though %s has no floor" % name
    for name in ("bench_size/send_64_depth_64", measure.MHZ, "bench_stages/idle"):
        broken = copy.deepcopy(result)
        del broken["rows"][name]
        if not refused(document.Document, broken, SOURCES):
            yield "the document is written without %s" % name
    broken = copy.deepcopy(result)
    broken["instructions"] = {"write": ["frames", 2000.0, 0]}
    if not refused(document.Document, broken, SOURCES):
        yield "instructions without a floor pass"
    if not refused(document.table, ["a", "b"], [["1"]]) or not refused(
            document.table, ["a"], []) or not refused(document.table, ["a"], [[""]]):
        yield "an incomplete table passes"


def main():
    failures = []
    for check in (
        reading_fails, guest_fails, median_fails,
        rounds_fail, running_fails, drawn_fail, marks_fail,
        part_fails, loss_fails, lcores_fails, pages_fail, whole_fails, floors_fail,
    ):
        failures += check()
    print("\n".join(failures) or "all found")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
