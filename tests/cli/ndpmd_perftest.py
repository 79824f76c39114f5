#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Run ndpmd --perftest against ndpmd --perftest: tests both sides of the exchange without perftest.

usage: ndpmd_perftest.py NDPMD GROUP

Groups: usage, loopback, memif, killed. Exits with 0, with 1 after printing what was wrong, or with
77 (skipped) when the machine lacks something that the group needs.
"""

import select
import signal
import sys
import tempfile
import time

import bridge
from ndpmd import check_run, objects
from program import SKIPPED, TIMEOUT_S, MemifServer, Process, check, has_memif, run, run_group

OPS = ["write", "read", "send"]


def interrupt(ndpmd, op):
    """Ctrl-C is no error, even in a Send test, in which the client breaks the connection."""
    process = Process(ndpmd, ["--loopback", "--perftest", "--json", "--op=" + op, "--time=60"])
    process.works(2)
    process.signal(signal.SIGINT)
    ended = process.end()
    ended.expect(0)
    ended.expect_silence()
    check_run(ended, [op], {})


def loopback(ndpmd):
    for op in ("write", "send"):
        interrupt(ndpmd, op)
    base = ["--loopback", "--perftest", "--json"]
    for op in OPS:
        numbers = ["--size=9M", "--iterations=3", "--depth=2"]
        ended = run(ndpmd, *base, "--op=" + op, *numbers)
        check_run(ended, [op], {"size": 9 << 20, "ops": 3, "qps": 1, "depth": 2})
        ended = run(ndpmd, *base, "--op=" + op, "--qps=5", "--iterations=100", "--size=3000")
        check_run(ended, [op], {"size": 3000, "ops": 500, "qps": 5})
        numbers = ["--size=5000", "--iterations=600", "--latency"]
        ended = run(ndpmd, *base, "--op=" + op, *numbers)
        check_run(ended, [op], {"size": 5000, "ops": 600, "qps": 1, "depth": 1})
    for latency in ([], ["--latency"]):
        ended = run(ndpmd, *base, "--op=write", "--time=0.1", "--warmup=0.05", *latency)
        check_run(ended, ["write"], {})

    # Without options, the defaults are those of perftest.
    ended = run(ndpmd, *base, "--op=write")
    check_run(ended, ["write"], {"size": 65536, "ops": 5000, "depth": 128})
    ended = run(ndpmd, *base, "--op=send", "--latency")
    check_run(ended, ["send"], {"size": 2, "ops": 1000, "depth": 1})


def usage(ndpmd):
    table = [
        (["--op=bind"], "--op=send"),
        (["--op=write,read"], "one of"),
        (["--op=write", "--verify"], "--verify"),
        (["--op=write", "--size=0"], "--size=0"),
        (["--op=write", "--latency", "--qps=2"], "--qps"),
        (["--op=write", "--iterations=5", "--time=1"], "--time"),
        (["--op=send", "--iterations=5", "--warmup=1"], "--warmup"),
    ]
    for arguments, word in table:
        ended = run(ndpmd, "--loopback", "--perftest", *arguments)
        ended.expect(2)
        ended.expect_sentence(word)


SERVER = ["--server", "--perftest", "--address=fd09::1/64", "--clients=1", "--json"]
CLIENT = ["--client=fd09::1", "--perftest", "--address=fd09::2/64", "--json"]


def two(ndpmd, client, server):
    """Run a server and a client. @return the ended processes of both"""
    with tempfile.TemporaryDirectory() as folder:
        target = MemifServer(ndpmd, folder, server)
        return target.client(*client).end(), target.process.end()


def pair(ndpmd, op, client, server, ops):
    """Check that both sides succeed and that the server's row has ops operations."""
    words = ["--op=" + op]
    ended, target = two(ndpmd, CLIENT + words + client, SERVER + words + server)
    check_run(ended, [op], {})
    target.expect(0)
    target.expect_silence()
    check(target.lines[:1] == ["waiting for perftest on port 18515"], repr(target.lines[:1]))
    for found in objects(target, 1):
        check(found["op"] == op and found["errors"] == 0, "%s: %r" % (target.name, found))
        check(found["ops"] == ops, "%s: %r operations, not %d" % (target.name, found["ops"], ops))


def refusals(ndpmd):
    """Sides with incompatible options fail soon, each with an error message."""
    for client, server, word in (
        # The client writes beyond the window, because the server's --size is smaller.
        (["--op=write", "--size=8192"], ["--op=write", "--size=4096"], "(the peer refused"),
        (["--op=send"], ["--op=write"], "server"),
        (["--op=write"], ["--op=send"], "write"),
    ):
        numbers = ["--iterations=10"]
        ended, target = two(ndpmd, CLIENT + client + numbers, SERVER + server)
        ended.expect(1)
        ended.expect_sentence(word)
        target.expect(1)
        check(len(target.errors.splitlines()) == 1, "%s: %r" % (target.name, target.errors))


def memif(ndpmd):
    if not has_memif(ndpmd, ["--server", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        sys.exit(SKIPPED)
    numbers = ["--iterations=300"]
    pair(ndpmd, "write", numbers + ["--qps=3"], [], 900)
    pair(ndpmd, "read", numbers + ["--size=9000"], [], 300)
    pair(ndpmd, "send", numbers + ["--qps=2"], [], 600)
    pair(ndpmd, "send", numbers + ["--latency", "--size=3000"], ["--latency"], 300)
    pair(ndpmd, "write", numbers + ["--latency"], ["--latency"], 300)
    # A side cannot count the peer's READs of its memory, so its row has no operations.
    pair(ndpmd, "read", numbers + ["--latency"], ["--latency"], 0)
    refusals(ndpmd)


class Cut(bridge.Bridge):
    """A link that carries nothing from the client, from its second connection request on until
    `is_cut` is set to False. with_second: carry the second request itself."""

    def __init__(self, with_second):
        self.with_second, self.is_cut = with_second, None
        super().__init__()

    def pass_on(self, sender, frame):
        if self.is_cut is None and sender == "client" and bridge.is_roce(frame) and self.requests():
            if bridge.Packet(sender, frame).cm()[0] == bridge.CM_REQ:
                self.is_cut = True
                if self.with_second:
                    super().pass_on(sender, frame)
        if not self.is_cut or sender == "server":
            super().pass_on(sender, frame)


def killed_client(ndpmd, with_second):
    """A client is killed before its queue pair is connected, and another client starts at the same
    address at once. The server must not take the request of the second client for the queue pair of
    the first client, or the request of the queue pair for a client."""
    wire = Cut(with_second)
    words = ["--perftest", "--op=write", "--ack-timeout=16", "--json"]
    server = bridge.ndpmd_on(ndpmd, "server", "--clients=2", *words)
    words.append("--iterations=100")
    first = bridge.ndpmd_on(ndpmd, "client", *words)
    end = time.monotonic() + TIMEOUT_S
    while not wire.is_cut and time.monotonic() < end:
        time.sleep(0.01)
    check(wire.is_cut, "the first client does not connect its queue pair")
    first.kill()
    # Frames that the client has sent before its end must not pass.
    while select.select([wire.sockets["client"]], [], [], 0.1)[0]:
        time.sleep(0.01)
    wire.is_cut = False
    check_run(bridge.ndpmd_on(ndpmd, "client", *words).end(), ["write"], {})
    ended = server.end()
    ended.expect(1)
    ended.expect_sentence("the control connection failed: ND_IO_TIMEOUT")
    check([found["errors"] for found in objects(ended, 2)] == [1, 0], repr(ended.lines))
    wire.close()


def killed(ndpmd):
    bridge.enter()
    killed_client(ndpmd, with_second=False)
    killed_client(ndpmd, with_second=True)


GROUPS = {"loopback": loopback, "usage": usage, "memif": memif, "killed": killed}


if __name__ == "__main__":
    sys.exit(run_group(__doc__, GROUPS))
