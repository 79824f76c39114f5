# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""perftest 4.5 over RDMA CM (-R), ndpmd --perftest on our side"""

import json
import re
import time

from framework import ACTIVE, IPV6, LOSS, PASSIVE, Failure, NotApplicable, scenario

NDPMD = "apps/ndpmd/ndpmd"

# Maps each tool to its operation, and to whether it measures latency.
TOOLS = {
    "ib_write_bw": ("write", False),
    "ib_read_bw": ("read", False),
    "ib_send_bw": ("send", False),
    "ib_write_lat": ("write", True),
    "ib_read_lat": ("read", True),
    "ib_send_lat": ("send", True),
}

IPV4_ONLY = "perftest 4.5 resolves only IPv4 addresses for -R"
CONNECTION_ORDER = (
    "perftest announces keys in the order of the connection requests, which a loss changes; a"
    " window is valid for one connection"
)

# Excused violations, which occur only if the acknowledgement of a message was lost.
VIOLATIONS = {
    r"RC-101 RC SEND Only with PSN \d+ was sent in frame \d+ with different": (
        "perftest uses one buffer for sent and received items: a retransmitted item can contain"
        " the peer's next item"
    ),
}


def our_options(case, tool):
    op, latency = TOOLS[tool]
    words = ["--perftest", "--op=" + op, "--address=" + case.our_prefix, "--json"]
    words.append("--listen-port=%d" % case.port)
    return words + (["--latency"] if latency else [])


def kernel_words(case, tool, *options):
    return [tool, "-R", "-F", "-p", str(case.port)] + list(options)


def refuses_ipv6(case, tool):
    """Check that perftest refuses IPv6. This is the reason that the cell gives for "not
    applicable"."""
    if case.kernel_active:
        kernel = case.guest(kernel_words(case, tool, case.our_address))
        if kernel.wait() == 0 or "Problem in resolving" not in kernel.output:
            raise Failure("%s takes an IPv6 address: %s" % (tool, kernel.last_line()))
    raise NotApplicable(IPV4_ONLY)


def wait_for_listener(case, kernel):
    """Wait until perftest listens. It does not flush its message about this, so read the kernel's
    list of listeners."""
    for _ in range(100):
        if not kernel.running:
            raise Failure("%s: %s" % (kernel.name, kernel.last_line()))
        if re.search(r"state LISTEN.*:%d\b" % case.port, case.run_guest("rdma res show cm_id")):
            return
        time.sleep(0.1)
    raise Failure("%s does not listen" % kernel.name)


def our_rows(ours):
    ours.expect()
    rows = [json.loads(line) for line in ours.lines if line.startswith("{")]
    for row in rows:
        if row["errors"] != 0:
            raise Failure("ndpmd: %d errors in %s" % (row["errors"], row["op"]))
    return rows


def kernel_rows(kernel):
    """Return bytes and iterations of perftest's table. The times are no numbers ("inf", "-nan") if
    perftest could not measure the frequency of the TSC, as on a busy machine."""
    output = kernel.expect()
    rows = [
        (int(match[1]), int(match[2])) for match in re.finditer(r"^ (\d+) +(\d+) +\S", output, re.M)
    ]
    if not rows:
        raise Failure("%s: no row at the end of %r" % (kernel.name, output[-500:]))
    return rows


def expect_rows(name, found, expected):
    if found != expected:
        raise Failure("%s: rows %r instead of %r" % (name, found, expected))


def kernel_is_client(case, tool, options, server_options, expected, limit=110):
    """Run perftest as the client. expected: rows of perftest's table. Our table must be equal,
    unless our server cannot see the traffic."""
    words = our_options(case, tool) + ["--server", "--clients=1"] + server_options
    ours = case.program(NDPMD, *words)
    ours.wait_for("waiting for perftest")
    kernel = case.guest(kernel_words(case, tool, *options, case.our_address))
    kernel.wait(limit)
    if expected is not None:
        expect_rows(tool, kernel_rows(kernel), expected)
    else:
        kernel.expect()
    rows = [(row["size"], row["ops"]) for row in our_rows(ours)]
    if TOOLS[tool] == ("read", True):
        return
    # The client sends the bandwidth of Writes and Reads only once, after the last size.
    told_once = TOOLS[tool][0] != "send"
    if expected is not None:
        expect_rows("ndpmd", rows, expected[-1:] if told_once else expected)
    elif not rows or rows[-1][1] == 0:
        raise Failure("ndpmd: nothing has come: %r" % rows)


def kernel_is_server(case, tool, options, client_options, expected):
    kernel = case.guest(kernel_words(case, tool, *options))
    wait_for_listener(case, kernel)
    words = our_options(case, tool) + ["--client=" + case.kernel_address] + client_options
    ours = case.program(NDPMD, *words)
    ours.wait(110)
    rows = [(row["size"], row["ops"]) for row in our_rows(ours)]
    if expected is not None:
        expect_rows("ndpmd", rows, expected)
        # ib_read_lat as a server prints no table.
        if TOOLS[tool] != ("read", True):
            expect_rows(tool, kernel_rows(kernel), expected)
    elif not rows or rows[-1][1] == 0:
        raise Failure("ndpmd: nothing is done: %r" % rows)
    kernel.expect()


def both(case, tool, size, iterations, qps=1):
    numbers = ["-s", str(size), "-n", str(iterations)] + (["-q", str(qps)] if qps > 1 else [])
    ours = ["--size=%d" % size]
    expected = [(size, iterations * qps)]
    if case.kernel_active:
        kernel_is_client(case, tool, numbers, ours, expected)
    else:
        ours += ["--iterations=%d" % iterations, "--qps=%d" % qps]
        if case.loss and not TOOLS[tool][1]:
            # The depth is small, because each loss causes retransmission of all later packets.
            ours.append("--depth=16")
        kernel_is_server(case, tool, numbers, ours, expected)


def register_tools():
    for tool, (op, latency) in TOOLS.items():
        # The message has more than one packet. For latency, use perftest's default.
        size = 2 if latency else 20000

        @scenario(
            "perftest-" + tool.replace("_", "-"),
            "`%s -R`, messages of %d B" % (tool, size),
            violations=VIOLATIONS,
            short=(ACTIVE, PASSIVE) if tool in ("ib_write_bw", "ib_send_lat") else (),
            timeout=120,
        )
        def run(case, tool=tool, size=size):
            if case.family == 6:
                refuses_ipv6(case, tool)
            both(case, tool, size, 50 if case.loss else 200)


register_tools()


@scenario(
    "perftest-queue-pairs",
    "`ib_write_bw -R -q 4`, `ib_read_bw -R -q 4`, `ib_send_bw -R -q 4`",
    not_applicable={IPV6: IPV4_ONLY, LOSS: CONNECTION_ORDER},
    timeout=120,
)
def queue_pairs(case):
    for tool in ("ib_write_bw", "ib_read_bw", "ib_send_bw"):
        both(case, tool, 4096, 100, qps=4)


@scenario(
    "perftest-duration",
    "`-D 2`, a duration instead of a number of messages, all six tools",
    not_applicable={IPV6: IPV4_ONLY, LOSS: "the number of messages to wait for is not known"},
    timeout=180,
)
def duration(case):
    for tool, (op, latency) in TOOLS.items():
        size = 64 if latency else 4096
        options = ["-D", "2", "-s", str(size)]
        if case.kernel_active:
            kernel_is_client(case, tool, options, ["--size=%d" % size], None)
        else:
            # Our time limit must be shorter, because perftest's server receives nothing after its
            # own time is over.
            ours = ["--size=%d" % size, "--time=1", "--warmup=0"]
            kernel_is_server(case, tool, options, ours, None)


@scenario(
    "perftest-all-sizes",
    "`ib_write_bw -R -a`, `ib_read_bw -R -a`, `ib_send_bw -R -a`: 2 B to 8 MiB",
    not_applicable={
        PASSIVE: "ndpmd measures one size per run",
        IPV6: IPV4_ONLY,
        LOSS: "tests no more than the rows above, in many minutes",
    },
    timeout=900,
)
def all_sizes(case):
    sizes = [1 << exponent for exponent in range(1, 24)]
    for tool in ("ib_write_bw", "ib_read_bw", "ib_send_bw"):
        rows = [(size, 5) for size in sizes]
        kernel_is_client(case, tool, ["-a", "-n", "5"], [], rows, limit=300)


@scenario(
    "perftest-window-bounds",
    "`ib_write_bw -R -s 8192` against a window of 4096 B: refused, neither side hangs",
    not_applicable={
        PASSIVE: "we cannot limit perftest's memory",
        IPV6: IPV4_ONLY,
        LOSS: "a refusal ends the test at once",
    },
    timeout=60,
)
def window_bounds(case):
    words = our_options(case, "ib_write_bw") + ["--server", "--clients=1", "--size=4096"]
    ours = case.program(NDPMD, *words, "--counters")
    ours.wait_for("waiting for perftest")
    words = kernel_words(case, "ib_write_bw", "-s", "8192", "-n", "5", case.our_address)
    kernel = case.guest(words)
    # Status 10 is IBV_WC_REM_ACCESS_ERR.
    if kernel.wait() == 0 or "Failed status 10" not in kernel.output:
        raise Failure("ib_write_bw: %s" % kernel.last_line())
    ours.expect(1)
    if not re.search(r"^server refused_range [1-9]", ours.output, re.M):
        raise Failure("ndpmd has not counted refused_range")
