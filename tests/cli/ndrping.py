#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndrping against ndrping, and its error messages.

usage: ndrping.py NDRPING GROUP

Groups: usage, memif. Exits with 0, with 1 after printing what was wrong, or with 77 (skipped) when
the machine lacks something that the group needs.
"""

import re
import signal
import sys
import tempfile

from program import EAL, SKIPPED, MemifServer, Process, check, has_memif, run, run_group

V4 = ("10.9.0.1", "10.9.0.2", "24")
V6 = ("fd09::1", "fd09::2", "64")


def usage(ndrping):
    null = EAL + ["--vdev=net_null0", "--"]
    server = ["-s", "--address=10.9.0.1/24"]
    client = ["-c", "-a", "10.9.0.1", "--address=10.9.0.2/24"]
    # test_rping_options tests the options themselves.
    table = [
        # Each row: arguments, exit status, word in the error message
        ([], 2, "-s (server) or -c (client)"),
        (["-s"], 2, "--address"),
        (client + ["-q"], 2, "-q"),
        (client + ["-S", "65536"], 2, "-S 65536 is not valid: expected 23 to 65535"),
        (client + ["--bogus"], 2, "--bogus"),
        (["-c", "-a", "10.9.0.2", "--address=10.9.0.2"], 2, "own address"),
        (client, 2, "port 0 does not exist"),
        (null + server + ["--port=7"], 2, "port 7 does not exist"),
        (null + ["-s", "--address=224.0.0.1"], 2, "unicast"),
        (null + client, 1, "--neighbour"),
    ]
    for arguments, status, word in table:
        ended = run(ndrping, *arguments)
        ended.expect(status)
        ended.expect_sentence(word)
        check(ended.output == "", "%s: prints %r" % (ended.name, ended.output))

    # EAL prints its own error message first.
    ended = run(ndrping, "--no-such-argument", "--", *server)
    ended.expect(2)
    last = ended.errors.splitlines()[-1]
    check(last.startswith("ndrping: EAL did not start"), "last line: " + last)

    ended = run(ndrping, "--help")
    ended.expect(0)
    ended.expect_silence()
    for option in ("-s", "-c", "-a IP", "-C N", "-S BYTES", "-P", "-V", "--address",
                   "--keepalive=MS", "--counters"):
        check(option in ended.output, "--help does not mention " + option)
    ended = run(ndrping, "--version")
    ended.expect(0)
    check(len(ended.lines) == 1 and ended.output.startswith("ndrping "), repr(ended.output))

    # A signal ends a server that waits for a client.
    process = Process(ndrping, null + server + ["-P"])
    process.works(1)
    process.signal(signal.SIGTERM)
    ended = process.end()
    ended.expect(0)
    ended.expect_silence()


def ping_text(number, size):
    """Return the text of ping number N as in rping: its name, and letters whose first letter
    changes."""
    text = "rdma-ping-%d: " % number
    letters = "".join(chr(code) for code in range(ord("A"), ord("z") + 1))
    while len(text) < size - 1:
        text += letters[(number + len(text) - len("rdma-ping-%d: " % number)) % len(letters)]
    return text


def server_arguments(addresses, own):
    return ["-s", "--address=%s/%s" % (addresses[0], addresses[2])] + own


def client_arguments(addresses, own):
    return ["-c", "-a", addresses[0], "--address=%s/%s" % (addresses[1], addresses[2])] + own


def counter(ended, name):
    found = re.search(r"^counter %s (\d+)$" % name, ended.output, re.M)
    return int(found.group(1)) if found else 0


def memif_run(ndrping, addresses, count, size, slow=False):
    with tempfile.TemporaryDirectory() as folder:
        own = server_arguments(addresses, ["-V", "-v"])
        server = MemifServer(ndrping, folder, own, slow=slow)
        own = ["-C", str(count), "-S", str(size), "-V", "-v", "--counters"]
        client = server.client(*client_arguments(addresses, own)).end()
        server = server.process.end()
    for ended in (client, server):
        ended.expect(0)
        ended.expect_silence()
    pings = [ping_text(number, size) for number in range(count)]
    check(server.lines == ["server ping data: " + ping for ping in pings], "server: other data")
    check(client.lines[:count] == ["ping data: " + ping for ping in pings], "client: other data")
    for name in ("refused_key", "refused_range", "refused_rights"):
        check(counter(client, name) == 0, "%s: %s is not 0" % (client.name, name))


def memif_interrupt(ndrping, who):
    """Ctrl-C at one side of an endless run: this side exits successfully, and the other side
    detects the end."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndrping, folder, server_arguments(V4, ["-V"]))
        client = server.client(*client_arguments(V4, ["-V", "-v"]))
        server.works(client, 1.5)
        (client if who == "client" else server.process).signal(signal.SIGINT)
        client = client.end()
        server = server.process.end()
    server.expect(0)
    server.expect_silence()
    check(len(client.lines) > 10, "%s: %d pings" % (client.name, len(client.lines)))
    if who == "client":
        client.expect(0)
        client.expect_silence()
    else:
        client.expect(1)
        client.expect_sentence("the server ended the connection in round")


def memif_too_large(ndrping):
    """Both sides must fail if the ping is larger than the server's buffer."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndrping, folder, server_arguments(V4, ["-S", "100"]))
        client = server.client(*client_arguments(V4, ["-S", "101", "-C", "1"])).end()
        server = server.process.end()
    server.expect(1)
    server.expect_sentence("10.9.0.2: the client's ping has 101 bytes, -S allows 1 to 100")
    client.expect(1)
    client.expect_sentence("10.9.0.1: the server ended the connection in round 0")


def memif_refusal(ndrping, server_own, client_own, sentence):
    """The server refuses the client. The test then kills the server, because DPDK's memif driver
    may crash if a server polls while its client leaves: see MemifServer."""
    with tempfile.TemporaryDirectory() as folder:
        server = MemifServer(ndrping, folder, server_arguments(V4, server_own))
        refused = server.client(*client_arguments(V4, client_own)).end()
        refused.expect(1)
        refused.expect_sentence(sentence)
        server.process.kill()


def memif(ndrping):
    if not has_memif(ndrping, ["-s", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        sys.exit(SKIPPED)
    memif_run(ndrping, V4, 300, 64)
    memif_run(ndrping, V4, 20, 23, slow=True)
    memif_run(ndrping, V6, 100, 3000)
    memif_run(ndrping, V6, 20, 65535)
    memif_too_large(ndrping)
    memif_refusal(ndrping, [], ["-p", "1"], "connection refused: no server listens on that port")
    memif_refusal(ndrping, ["--path-mtu=512"], ["--path-mtu=1024"],
                  "the sides use different path MTUs (1024, 512): give --path-mtu=512 here")
    memif_interrupt(ndrping, "client")
    memif_interrupt(ndrping, "server")


GROUPS = {"usage": usage, "memif": memif}


if __name__ == "__main__":
    sys.exit(run_group(__doc__, GROUPS))
