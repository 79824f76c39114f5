#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test the output, the files and the exit status of ndpmd.

usage: ndpmd.py NDPMD GROUP

Groups: usage, loopback, many, latency, signal, memif, lcores. Exits with 0, with 1 after printing
what was wrong, or with 77 (skipped) when the machine lacks something that the group needs.
"""

import json
import os
import re
import signal
import sys
import tempfile
import time

from program import (EAL, SKIPPED, MemifServer, Process, check, has_memif, lcores_argument,
                     memif_arguments, run, run_group)

EAL_LITTLE = EAL[: EAL.index("-m")] + EAL[EAL.index("-m") + 2 :]  # without the option -m
OPS = ["send", "write", "read", "bind", "send-imm", "write-imm"]
ATOMICS = ["fetch-add", "compare-swap"]  # always 8 bytes, independent of --size
KEYS = ["op", "size", "depth", "qps", "windows", "seconds", "ops", "mops", "gbps", "errors"]
LOSSES = ["retransmitted", "probes", "naks", "rnrs", "drops"]
KEYS += LOSSES + ["latency_ns", "posted", "outstanding"]
LATENCIES = ["p50", "p90", "p99", "p999", "max"]


def objects(ended, count):
    """Return the last lines as JSON objects."""
    try:
        return [json.loads(line) for line in ended.lines[len(ended.lines) - count :]]
    except ValueError:
        check(False, "%s: no JSON: %r" % (ended.name, ended.lines[-count:]))
        return []


def check_object(name, found, expected):
    """Check a result: it has all keys and the expected values, and its numbers are consistent."""
    check(list(found) == KEYS, "%s: keys %r" % (name, list(found)))
    for key, value in expected.items():
        check(found[key] == value, "%s: %s is %r, not %r" % (name, key, found[key], value))
    latency = found["latency_ns"]
    check(list(latency) == LATENCIES, "%s: latency %r" % (name, latency))
    values = [latency[key] for key in LATENCIES]
    check(values == sorted(values), "%s: percentiles fall: %r" % (name, values))
    check(values[0] > 0, "%s: nothing takes no time: %r" % (name, values))
    check(found["seconds"] > 0, "%s: no time passed" % name)
    check(found["posted"] == found["ops"] + found["outstanding"], "%s: posted %r" % (name, found))
    mops = found["ops"] / found["seconds"] / 1e6
    check(abs(found["mops"] - mops) <= 0.01 * mops, "%s: Mop/s %r" % (name, found))
    gbps = mops * found["size"] * 8 / 1e3
    check(abs(found["gbps"] - gbps) <= 0.01 * gbps, "%s: Gbit/s %r" % (name, found))


def check_run(ended, ops, expected):
    """Check a successful run: its table has one row per operation, and there is one object per
    operation."""
    ended.expect(0)
    ended.expect_silence()
    check(len(ended.lines) == 1 + 2 * len(ops), "%s: %r" % (ended.name, ended.lines))
    if len(ended.lines) != 1 + 2 * len(ops):
        return
    check(ended.lines[0].split()[:3] == ["op", "size", "depth"], "header: " + ended.lines[0])
    for row, op in zip(ended.lines[1:], ops):
        check(row.split()[0] == op, "%s: row %r" % (ended.name, row))
        check(len(row.split()) == 13 + len(LOSSES), "%s: row %r" % (ended.name, row))
    for row, found, op in zip(ended.lines[1:], objects(ended, len(ops)), ops):
        check_object(ended.name + ": " + op, found, dict(expected, op=op, errors=0))
        for text, key in zip(row.split()[5:7], ("mops", "gbps")):
            near = abs(float(text) - found[key]) <= 0.01 * found[key]
            check(near, "%s: %s is %s in the table, %r in JSON" % (op, key, text, found[key]))


def usage(ndpmd):
    null = EAL + ["--vdev=net_null0", "--"]
    table = [
        # arguments, exit status, word in the error message
        ([], 2, "--loopback"),
        (["--bogus"], 2, "--bogus"),
        (["stray"], 2, "stray"),
        (["--loopback", "--server"], 2, "--loopback"),
        (["--loopback", "--size=huge"], 2, "--size=huge"),
        (["--loopback", "--size"], 2, "--size"),
        (["--loopback", "--op=send,fetch"], 2, "--op=send,fetch"),
        (["--loopback", "--depth=0"], 2, "--depth=0"),
        (["--loopback", "--qps=0"], 2, "--qps=0"),
        (["--loopback", "--time=never"], 2, "--time=never"),
        (["--loopback", "--latency", "--depth=8"], 2, "--depth"),
        (["--loopback", "--windows=9"], 2, "--op=bind"),
        (["--loopback", "--srq=0"], 2, "--srq=0"),
        (["--loopback", "--srq=64K"], 2, "--srq=64K"),
        (["--client=192.0.2.1", "--address=192.0.2.2", "--srq=4"], 2, "--server and --loopback"),
        (["--server", "--address=192.0.2.1", "--perftest", "--srq=4"], 2, "--srq"),
        (["--loopback", "--congestion=none", "--ecn"], 2, "--ecn"),
        (["--loopback", "--keepalive=86400001"], 2, "0 to 86400000"),
        (["--loopback", "--op=bind", "--windows=3M", "--qps=2"], 2, "--qps=2"),
        (["--loopback", "--json=/no/such/folder/file"], 2, "/no/such/folder/file"),
        (["--loopback", "--port=0"], 2, "two ports"),
        (["--loopback", "--port=0,1"], 2, "port 0 does not exist"),
        (["--loopback", "--op=bind", "--depth=16384"], 1, "depth"),
        (["--loopback", "--lcores=0,1"], 2, "--qps must be 2"),
        (["--loopback", "--lcores=0,0"], 2, "--lcores=0,0"),
        (["--loopback", "--lcores=0,127", "--qps=2"], 2, "processor 127 is not available"),
        (["--server"], 2, "--address"),
        (["--client=10.9.0.2"], 2, "--address"),
        (["--client=10.9.0.2", "--address=10.9.0.2/24"], 2, "--client and --address are the same"),
        (["--client=nobody", "--address=10.9.0.1/24"], 2, "--client=nobody"),
        (["--server", "--address=10.9.0.1/24"], 2, "port 0 does not exist"),
        (null + ["--server", "--address=10.9.0.1/24", "--port=7"], 2, "port 7 does not exist"),
        (null + ["--server", "--address=10.9.0.1/24", "--port=net_none"], 2,
         "port net_none does not exist: EAL has found net_null0 (0)"),
        (null + ["--loopback", "--port=0,0"], 2, "queue 0"),
        (null + ["--server", "--address=10.9.0.1/24", "--lcores=99"], 2, "lcore 99"),
        (null + ["--client=10.9.0.2", "--address=10.9.0.1/24", "--lcores=0,1"], 2, "--qps"),
        (null + ["--client=10.8.0.2", "--address=10.9.0.1/24"], 1, "--gateway"),
        (null + ["--client=10.9.0.2", "--address=10.9.0.1/24"], 1, "--neighbour"),
        (null + ["--server", "--address=224.0.0.1"], 2, "unicast"),
    ]
    for arguments, status, word in table:
        ended = run(ndpmd, *arguments)
        ended.expect(status)
        ended.expect_sentence(word)

    # EAL prints its own error message first.
    ended = run(ndpmd, "--no-such-argument", "--", "--loopback")
    ended.expect(2)
    last = ended.errors.splitlines()[-1]
    check(last.startswith("ndpmd: EAL did not start"), "last line: " + last)

    ended = run(ndpmd, "--help")
    ended.expect(0)
    ended.expect_silence()
    for option in ("--loopback", "--server", "--client", "--op", "--verify", "--json", "--windows"):
        check(option in ended.output, "--help does not mention " + option)
    ended = run(ndpmd, "--version")
    ended.expect(0)
    check(len(ended.lines) == 1 and ended.output.startswith("ndpmd "), repr(ended.output))


def loopback(ndpmd):
    ops = "--op=" + ",".join(OPS)
    for size in (0, 1, 48, 64, 4096, 65536):
        ended = run(
            ndpmd,
            "--loopback",
            ops,
            "--size=%d" % size,
            "--depth=16",
            "--iterations=200",
            "--verify",
            "--json",
        )
        check_run(ended, OPS, {"size": size, "depth": 16, "qps": 1, "ops": 200})

    ended = run(ndpmd, "--loopback", ops, "--qps=4", "--iterations=500", "--verify", "--json")
    check_run(ended, OPS, {"size": 64, "depth": 64, "qps": 4, "ops": 2000})

    # Use messages of two packets, a depth that is not a power of two, and a larger path MTU.
    ended = run(
        ndpmd,
        "--loopback",
        ops,
        "--size=5000",
        "--depth=13",
        "--qps=2",
        "--iterations=1K",
        "--path-mtu=4096",
        "--verify",
        "--json",
    )
    check_run(ended, OPS, {"size": 5000, "depth": 13, "qps": 2, "ops": 2048})

    ended = run(
        ndpmd,
        "--loopback",
        "--op=bind",
        "--remote-invalidate",
        "--iterations=500",
        "--verify",
        "--json",
    )
    check_run(ended, ["bind"], {"ops": 500})

    standing_windows(ndpmd)
    shared_receives(ndpmd)
    atomics(ndpmd)

    # Run for a limited time after a warm-up, without verification. Then run with long messages.
    ended = run(ndpmd, "--loopback", ops, "--time=0.2", "--warmup=0.05", "--json")
    check_run(ended, OPS, {"size": 64, "depth": 64})
    for found in objects(ended, len(OPS)):
        check(0.2 <= found["seconds"] < 5, "%s took %r s" % (found["op"], found["seconds"]))
    one = ["--op=write", "--size=256M", "--depth=1", "--iterations=1", "--json"]
    ended = run(ndpmd, "--loopback", *one)
    check_run(ended, ["write"], {"size": 256 << 20, "ops": 1})
    ended = run(ndpmd, "--loopback", ops, "--size=8M", "--depth=2", "--iterations=3", "--json")
    check_run(ended, OPS, {"size": 8 << 20, "ops": 3})

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        ended = run(ndpmd, "--loopback", "--op=send,read", "--iterations=10", "--json=" + path)
        ended.expect(0)
        check(len(ended.lines) == 3, "JSON is in the file and on standard output: " + ended.output)
        with open(path) as stream:
            found = [json.loads(line) for line in stream]
        check([row["op"] for row in found] == ["send", "read"], "the file has %r" % found)


def shared_receives(ndpmd):
    """All queue pairs share few receives. Messages must wait, and no message may be lost or
    wrong."""
    ops = ["send", "send-imm", "write-imm", "bind"]
    both = ["--loopback", "--op=" + ",".join(ops), "--qps=3", "--depth=4", "--iterations=50"]
    for receives in (2, 64):
        ended = run(ndpmd, *both, "--srq=%d" % receives, "--verify", "--json")
        check_run(ended, ops, {"depth": 4, "qps": 3, "ops": 150})
        rnrs = sum(row["rnrs"] for row in objects(ended, len(ops)))
        check((rnrs > 0) == (receives == 2), "%s: %d RNRs" % (ended.name, rnrs))


def standing_windows(ndpmd):
    """Memory windows stay bound during a run: first 7 windows, then 200K windows."""
    few = ["--windows=7", "--qps=3", "--depth=2", "--remote-invalidate"]
    for own, windows in ((few, 7), (["--windows=200K"], 200 << 10)):
        ops = ["bind", "send"]
        both = ["--loopback", "--op=" + ",".join(ops), "--iterations=300", "--verify", "--json"]
        ended = run(ndpmd, *both, *own)
        ended.expect(0)
        ended.expect_silence()
        for found, op in zip(objects(ended, len(ops)), ops):
            expected = {"op": op, "errors": 0, "windows": windows if op == "bind" else 0}
            check_object(ended.name + ": " + op, found, expected)


def atomics(ndpmd):
    """Atomics on 8 bytes, together with operations on other sizes, also deeper than the adapter's
    read limit."""
    ops = "--op=" + ",".join(ATOMICS)
    for depth in (1, 7, 300):
        ended = run(
            ndpmd,
            "--loopback",
            ops,
            "--size=4096",
            "--depth=%d" % depth,
            "--qps=3",
            "--iterations=1000",
            "--verify",
            "--json",
        )
        check_run(ended, ATOMICS, {"size": 8, "depth": depth, "qps": 3, "ops": 3000})
    both = "--op=write,fetch-add"
    ended = run(ndpmd, "--loopback", both, "--size=100", "--iterations=9", "--json")
    ended.expect(0)
    check([row["size"] for row in objects(ended, 2)] == [100, 8], "sizes: " + ended.output)


def many(ndpmd):
    """Set up thousands of queue pairs in one adapter, one after another, and run several
    operations.
    If the machine's memory or EAL's memory is too small, an error message must say what to do."""
    qps = 3000
    ops = ["write", "send", "read"]
    own = ["--op=" + ",".join(ops), "--qps=%d" % qps, "--depth=1", "--iterations=3"]
    ended = run(ndpmd, "--loopback", "--verify", "--json", *own)
    check_run(ended, ops, {"depth": 1, "qps": qps, "ops": 3 * qps})

    ended = run(ndpmd, "--loopback", "--qps=100K", "--depth=16384")
    ended.expect(2)
    ended.expect_sentence("smaller --depth or --qps")

    # First, the memory is too small for the tables. Then it is too small for all queues.
    # The amount of memory that the error message names must be sufficient.
    for megabytes, status in ((100, 2), (110, 1)):
        ended = run(ndpmd, *EAL_LITTLE, "-m", str(megabytes), "--", "--loopback", *own)
        ended.expect(status)
        enough = re.search("give EAL.* -m ([0-9]+)", ended.errors)
        check(enough is not None, ended.name + ": no figure: " + ended.errors)
        # Each of the two sides may report the error once.
        check(len(ended.errors.splitlines()) <= 2, ended.name + ": " + ended.errors)
    if enough is not None:
        run(ndpmd, *EAL_LITTLE, "-m", enough[1], "--", "--loopback", *own).expect(0)


def latency(ndpmd):
    ops = "--op=" + ",".join(OPS)
    for size in (0, 1, 64, 4096, 65536):
        ended = run(
            ndpmd,
            "--loopback",
            ops,
            "--latency",
            "--size=%d" % size,
            "--iterations=300",
            "--verify",
            "--json",
        )
        check_run(ended, OPS, {"size": size, "depth": 1, "qps": 1, "ops": 300})
    ended = run(ndpmd, "--loopback", ops, "--latency", "--qps=3", "--iterations=100", "--json")
    check_run(ended, OPS, {"depth": 1, "qps": 3, "ops": 300})
    ops = "--op=" + ",".join(ATOMICS)
    ended = run(ndpmd, "--loopback", ops, "--latency", "--iterations=300", "--verify", "--json")
    check_run(ended, ATOMICS, {"size": 8, "depth": 1, "ops": 300})


def interrupt(ndpmd, name, own):
    """Ctrl-C during an operation: the results so far are printed, and the exit status is 0."""
    process = Process(ndpmd, own + ["--op=" + name + ",send", "--time=60", "--verify", "--json"])
    process.works(4)  # uses two lcores if the machine has two processors
    process.signal(signal.SIGINT)
    began = time.monotonic()
    ended = process.end()
    check(time.monotonic() - began < 10, ended.name + ": slow to end")
    ended.expect(0)
    ended.expect_silence()
    check(len(ended.lines) == 3, "%s: %r" % (ended.name, ended.lines))
    for found in objects(ended, 1):
        check_object(ended.name, found, {"op": name, "errors": 0})
        check(found["ops"] > 0, ended.name + ": nothing was done")


def signals(ndpmd):
    for op in OPS + ATOMICS[:1]:
        interrupt(ndpmd, op, ["--loopback"])
    arguments = EAL + ["--vdev=net_null0", "--", "--server", "--address=10.9.0.1/24"]
    process = Process(ndpmd, arguments)
    process.works(2)
    process.signal(signal.SIGTERM)
    ended = process.end()
    ended.expect(0)
    ended.expect_silence()


SERVER = ["--server", "--address=10.9.0.1/24", "--clients=1"]
CLIENT = ["--client=10.9.0.1", "--address=10.9.0.2/24"]


def memif_run(ndpmd, own, ops, expected):
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER)
        client = server.client(*CLIENT, "--op=" + ",".join(ops), "--verify", "--json", *own)
        check_run(client.end(), ops, expected)
        ended = server.process.end()
    ended.expect(0)
    ended.expect_silence()
    # The server's table has the same operations, because the clients send them to the server.
    check(ended.lines[0] == "waiting for clients on port 18515", "%s: %r" % (
        ended.name, ended.lines[0]))
    rows = [line.split()[0] for line in ended.lines[2:]]
    check(rows == ops, "%s: rows %r" % (ended.name, rows))


def memif_interrupt(ndpmd, who):
    """Ctrl-C at one side: this side exits successfully, and the other side detects the end."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER)
        client = server.client(*CLIENT, "--op=write,send", "--time=60", "--verify", "--json")
        server.works(client, 2)
        (client if who == "client" else server.process).signal(signal.SIGINT)
        client_ended = client.end()
        server_ended = server.process.end()
    server_ended.expect(0)
    server_ended.expect_silence()
    for found in objects(client_ended, 1):
        check(found["ops"] > 0, client_ended.name + ": nothing was done")
    if who == "client":
        client_ended.expect(0)
        client_ended.expect_silence()
    else:
        client_ended.expect(1)
        client_ended.expect_sentence("the server ended the connection")


def memif_keepalive(ndpmd):
    """A client stops running and sends no disconnect. A server that only receives must detect this
    with keepalive requests."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER + ["--qps=1", "--keepalive=200"])
        client = server.client(*CLIENT, "--op=write", "--time=100")
        server.works(client, 2)
        client.signal(signal.SIGSTOP)
        ended = server.process.end()
        client.kill()
    ended.expect(1)
    ended.expect_sentence("(the peer did not answer a keepalive)")
    rows = [line.split() for line in ended.lines if line.startswith("write ")]
    check(len(rows) == 1 and rows[0][7] == "1", "%s: errors: %r" % (ended.name, rows))


def memif_refusal(ndpmd, server_own, client_own, sentence):
    """The server refuses the client. The test then kills the server, because DPDK's memif driver
    may crash if a server polls while its client leaves: see MemifServer."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER + server_own)
        refused = server.client(*CLIENT, *client_own).end()
        refused.expect(1)
        refused.expect_sentence(sentence)
        server.process.kill()


def memif_socket(ndpmd):
    """If another server uses the socket, or a killed server has left it, the error names file and
    remedy."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER)
        second = memif_arguments(ndpmd, "server", server.socket, SERVER)
        for obstacle in ("which another process uses: choose another socket",
                         "which a killed process left behind: remove this file"):
            ended = run(ndpmd, *second)
            ended.expect(2)
            sentence = "socket %s, %s" % (server.socket, obstacle)
            check(sentence in ended.errors, "%s: %s" % (ended.name, ended.errors))
            server.process.kill()


def memif(ndpmd):
    if not has_memif(ndpmd, ["--server", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        sys.exit(SKIPPED)
    memif_run(ndpmd, ["--iterations=2000"], OPS + ATOMICS, {"ops": 2000, "qps": 1})
    large = ["--size=20000", "--depth=8", "--qps=3", "--iterations=200"]
    memif_run(ndpmd, large, OPS, {"ops": 600, "size": 20000})
    memif_run(ndpmd, ["--latency", "--iterations=500"], OPS, {"ops": 500})
    memif_refusal(ndpmd, [], ["--listen-port=1"],
                  "connection refused: no ndpmd server listens on that port")
    memif_refusal(ndpmd, ["--path-mtu=512"], ["--path-mtu=1024"],
                  "the sides use different path MTUs (1024, 512): give --path-mtu=512 here")
    memif_socket(ndpmd)
    memif_keepalive(ndpmd)
    memif_interrupt(ndpmd, "client")
    memif_interrupt(ndpmd, "server")


def check_lcores(ended, ops, expected):
    """Check a run with --counters. All frames must arrive at the engine that owns their queue
    pair."""
    check("handed_over" not in ended.output, "%s: frames came to another engine:\n%s" % (
        ended.name, ended.output))
    sides = ("client ", "server ")
    ended.lines = [line for line in ended.lines if not line.startswith(sides)]
    check_run(ended, ops, expected)


def lcores_loopback(ndpmd):
    """Both adapters use the same lcores. A thread that waits for another engine must poll its own
    two engines meanwhile. Ctrl-C ends all threads."""
    ops = OPS + ATOMICS
    for count, qps in ((3, 3), (2, 35), (2, 2)):
        own = EAL_LITTLE + ["-m", "1024", lcores_argument(count), "--", "--loopback"]
        own += ["--lcores=" + ",".join(str(i) for i in range(count)), "--qps=%d" % qps]
        ended = run(ndpmd, *own, "--op=" + ",".join(ops), "--depth=16", "--iterations=100",
                    "--verify", "--json", "--counters")
        check_lcores(ended, ops, {"qps": qps, "depth": 16, "ops": 100 * qps})
    for op in ("write", "bind"):
        interrupt(ndpmd, op, own)


def lcores(ndpmd):
    """Two lcores at each side, three queue pairs. All frames must arrive at the engine that owns
    their queue pair, because the server selects the same engine for a queue pair as the client."""
    lcores_loopback(ndpmd)
    if not has_memif(ndpmd, ["--server", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        sys.exit(SKIPPED)
    own = ["--lcores=0,1", "--counters"]
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndpmd, folder, SERVER + own, lcores=2)
        client = server.client(*CLIENT, *own, "--op=" + ",".join(OPS + ATOMICS), "--verify",
                               "--json", "--qps=3", "--iterations=200").end()
        served = server.process.end()
    check_lcores(client, OPS + ATOMICS, {"ops": 600, "qps": 3})
    check("handed_over" not in served.output, "%s: frames came to another engine:\n%s" % (
        served.name, served.output))
    served.expect(0)
    served.expect_silence()
    rows = [line.split()[0] for line in served.lines[2:2 + len(OPS + ATOMICS)]]
    check(rows == OPS + ATOMICS, "%s: rows %r" % (served.name, rows))


GROUPS = {
    "usage": usage,
    "loopback": loopback,
    "many": many,
    "latency": latency,
    "signal": signals,
    "memif": memif,
    "lcores": lcores,
}


if __name__ == "__main__":
    sys.exit(run_group(__doc__, GROUPS))
