#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndreplay live and serve against each other and against ndrping, and their error messages.

usage: ndreplay_live.py NDREPLAY NDRPING FOLDER GROUP

FOLDER has the captures. Groups: usage, captures, rping, differences, endings. Exits with 0, with 1
after printing what was wrong, or with 77 (skipped) when the machine lacks something that the group
needs.
"""

import json
import os
import signal
import struct
import sys
import tempfile
import time

import program
from program import EAL, SKIPPED, Process, check, run
from schema import Schema

SCHEMA = Schema("ndreplay.schema.json")

SERVER, CLIENT = "10.9.0.1", "10.9.0.2"
LISTENING = "ndreplay serve: listening on port %d\n"

# Both sides must replay these captures without differences.
CAPTURES = (
    "rping-64", "rping-3000-mtu1024", "mixed", "bidir", "pingpong", "inline", "solicit",
    "send-zero", "send-odd-sizes", "send-many", "sendimm", "write-zero", "write-65536-mtu4096",
    "writeimm", "writeimm-zero", "read-odd-sizes", "read-depth1", "fadd", "cswap", "ucmatose",
    "two-connections", "perf-send-lat-cm", "mw2-sendinv", "mw2-localinv", "mw1-rebind",
    "mw2-readonly", "nak-oob-write", "nak-send-too-long", "rej-user", "server-disconnects",
    "loss-mixed",
)


def words_of(command, port, own):
    """Return a command line. port: argument of --vdev, or None for a command line without a port"""
    return [command] + EAL + port + ["--"] + own


def memif(role, folder):
    return ["--vdev=net_memif0,role=%s,socket=%s/memif,socket-abstract=no" % (role, folder),
            "--file-prefix=ndreplay-" + role]


def has_memif(binary, folder):
    ended = run(binary, *words_of("live", memif("client", folder), []))
    return "EAL did not start" not in ended.errors


class Pair:
    """A server and a client, joined by memif. Each of them is a program with arguments."""

    def __init__(self, folder, server, client_of):
        self.folder = folder
        binary, command, own = server
        telling = [word for word in EAL if word not in (program.QUIET, "--no-telemetry")]
        words = telling + program.TELLING + memif("server", folder) + ["--"] + own
        self.server = Process(binary, ([command] if command else []) + words)
        end = time.monotonic() + 60
        while not self.server.says("port 0 is started\n") and time.monotonic() < end:
            if self.server.popen.poll() is not None:
                break
            time.sleep(0.002)
        binary, command, own = client_of
        words = EAL + memif("client", folder) + ["--"] + own
        self.client = Process(binary, ([command] if command else []) + words)

    def end(self):
        client = self.client.end()
        return client, self.server.end()


def server_words(file, *own):
    return [file, "--address=%s/24" % SERVER, "--timeout=20"] + list(own)


def client_words(file, *own):
    return [file, "--to=" + SERVER, "--address=%s/24" % CLIENT, "--timeout=20"] + list(own)


def report_of(ended):
    """Return the JSON of a side, which must match the schema."""
    try:
        report = json.loads(ended.output)
        wrong = SCHEMA.wrong(report, SCHEMA.part("live"))
        check(not wrong, "%s: %r" % (ended.name, wrong[:3]))
        return report
    except ValueError:
        check(False, "%s: not JSON: %r %r" % (ended.name, ended.output[-300:], ended.errors))
        return {"differences_found": -1, "connections": [], "differences": []}


def captures(binaries, folder, work):
    """Replay the active side of a capture against its passive side: no differences on both
    sides."""
    for name in CAPTURES:
        file = os.path.join(folder, name + ".pcap")
        pair = Pair(
            work,
            (binaries[0], "serve", server_words(file, "--json", "--speed=max")),
            (binaries[0], "live", client_words(file, "--json", "--speed=max")),
        )
        for ended in pair.end():
            ended.expect(0)
            report = report_of(ended)
            text = "%s of %s: %r" % (ended.name, name, report["differences"][:3])
            check(report["differences_found"] == 0, text)
            check(len(report["connections"]) > 0, "no connection: " + text)
            for line in report["connections"]:
                if name.startswith(("mw", "nak", "rej")):
                    continue
                for what in ("operations", "messages"):
                    check(line[what] == line[what + "_recorded"], "%s of %s: %r" % (
                        what, name, line))
                check(line["operations_not_played"] == 0, "%s: %r" % (name, line))


def ping_lines(prefix, count):
    letters = "".join(chr(code) for code in range(ord("A"), ord("z") + 1))
    lines = []
    for number in range(count):
        text = "rdma-ping-%d: " % number
        text += (letters[number:] + letters[:number])[: 63 - len(text)]
        lines.append(prefix + text)
    return lines


def rping(binaries, folder, work):
    """Run ndrping against ndreplay. ndrping verifies and prints the data, as with a real peer."""
    file = os.path.join(folder, "rping-64.pcap")
    own = ["-s", "-v", "-V", "--address=%s/24" % SERVER]
    # Replay without the recorded pauses. Then requests are posted only after received messages.
    pair = Pair(work, (binaries[1], None, own),
                (binaries[0], "live", client_words(file, "--speed=max")))
    client, server = pair.end()
    client.expect(0)
    server.expect(0)
    check(server.lines == ping_lines("server ping data: ", 5), "other pings: %r" % server.lines)
    check("own key 0x34ad is announced in operation 1 at byte 8, its address at byte 0" in
          client.output, "announcements: " + client.output)
    check("10 of 10 operations, 10 of 10 messages, 0 differences" in client.output, client.output)
    own = ["-c", "-a", SERVER, "--address=%s/24" % CLIENT, "-C", "5", "-v", "-V"]
    pair = Pair(work, (binaries[0], "serve", server_words(file)), (binaries[1], None, own))
    client, server = pair.end()
    client.expect(0)
    server.expect(0)
    check(client.lines == ping_lines("ping data: ", 5), "other pings: %r" % client.lines)
    check("20 of 20 operations, 10 of 10 messages, 0 differences" in server.output, server.output)
    # The client executes more operations than the capture has. Each difference is reported.
    own[own.index("5")] = "7"
    pair = Pair(work, (binaries[0], "serve", server_words(file, "--timeout=1", "--json")),
                (binaries[1], None, own))
    client, server = pair.end()
    client.expect(1)
    server.expect(1)
    found = report_of(server)["differences"]
    check(found and found[0]["field"] == "messages of the peer", "%r" % found)
    # The client's pings are shorter. So their announced length and their READ window differ.
    pair = Pair(work, (binaries[0], "serve", server_words(file, "--json")),
                (binaries[1], None, own + ["-S", "40"]))
    client, server = pair.end()
    client.expect(1)
    server.expect(1)
    found = report_of(server)["differences"]
    check([line["field"] for line in found] == ["payload", "status", "conversation"], "%r" % found)
    check(found and found[0]["expected"] == "0x40 at byte 15", "%r" % found)
    # The client executes fewer operations than the capture has.
    own[own.index("7")] = "3"
    pair = Pair(work, (binaries[0], "serve", server_words(file, "--json")),
                (binaries[1], None, own))
    client, server = pair.end()
    client.expect(0)
    server.expect(1)
    found = report_of(server)["differences"]
    check(len(found) == 1 and found[0]["expected"] == "message 6 of 10", "%r" % found)


def copies(binaries, folder, work):
    """Run several replays at the same time, and repeat each replay."""
    file = os.path.join(folder, "two-connections.pcap")
    own = ["--connections=3", "--loop=2", "--json", "--speed=max"]
    pair = Pair(work, (binaries[0], "serve", server_words(file, *own)),
                (binaries[0], "live", client_words(file, *own)))
    for ended in pair.end():
        ended.expect(0)
        report = report_of(ended)
        check(report["connections_played"] == 12, "%d connections" % report["connections_played"])
        check(report["connections_without_difference"] == 12, "differences")
    file = os.path.join(folder, "send-odd-sizes.pcap")
    own = ["--connection=3", "--json"]
    pair = Pair(work, (binaries[0], "serve", server_words(file, *own)),
                (binaries[0], "live", client_words(file, *own)))
    for ended in pair.end():
        ended.expect(0)
        recorded = [line["recorded_connection"] for line in report_of(ended)["connections"]]
        check(recorded == [3], "connections %r" % recorded)


def backwards(binaries, folder, work):
    """If times run backwards, both sides report it and exit with status 4."""
    file = os.path.join(work, "backwards.pcap")
    with open(os.path.join(folder, "rping-64.pcap"), "rb") as file_in:
        data = bytearray(file_in.read())
    struct.pack_into("<I", data, 24, struct.unpack_from("<I", data, 24)[0] + 1)
    with open(file, "wb") as file_out:
        file_out.write(data)
    pair = Pair(work, (binaries[0], "serve", server_words(file, "--json")),
                (binaries[0], "live", client_words(file, "--json")))
    for ended in pair.end():
        ended.expect(4)
        check("times run backwards at 1 frames, first at frame 2: sort" in ended.errors,
              ended.errors)
        report = report_of(ended)
        check((report["backwards"], report["backwards_frame"]) == (1, 2), ended.output)


def wait_for_line(process, text):
    """Wait until the process has printed this text."""
    end = time.monotonic() + 60
    while time.monotonic() < end and process.popen.poll() is None:
        if text in os.pread(process.files[0].fileno(), 1 << 20, 0).decode():
            return
        time.sleep(0.01)
    check(False, "it has not printed %r" % text)


def endings(binaries, folder, work):
    copies(binaries, folder, work)
    backwards(binaries, folder, work)
    file = os.path.join(folder, "send-many.pcap")
    # Test Ctrl-C before a client connects, and at both sides of an endless run.
    for number in (signal.SIGINT, signal.SIGTERM):
        words = words_of("serve", memif("server", work), server_words(file))
        waiting = Process(binaries[0], words)
        end = time.monotonic() + 60
        while not waiting.says(LISTENING % 7471) and time.monotonic() < end:
            time.sleep(0.01)
        waiting.signal(number)
        ended = waiting.end()
        ended.expect(0)
    for who in ("client", "server"):
        own = ["--loop=0", "--speed=max", "--timeout=2"]
        pair = Pair(work, (binaries[0], "serve", server_words(file, *own)),
                    (binaries[0], "live", client_words(file, *own)))
        wait_for_line(pair.client, "connection 1 (recorded 1) with ")
        first = pair.client if who == "client" else pair.server
        other = pair.server if who == "client" else pair.client
        first.signal(signal.SIGINT)
        ended = first.end()
        ended.expect(0)
        check(", stopped by the user\n" in ended.output or "0 differences" in ended.lines[-1],
              "%s: %s" % (who, ended.output[-300:]))
        other.signal(signal.SIGINT)
        other.end()
    # Only one of two clients connects.
    own = ["--loop=2", "--client-timeout=1", "--json"]
    pair = Pair(work, (binaries[0], "serve", server_words(file, *own)),
                (binaries[0], "live", client_words(file)))
    client, server = pair.end()
    client.expect(0)
    server.expect(4)
    check("ndreplay serve: nothing more was compared: 1 clients connected" in server.errors,
          server.errors)
    check(report_of(server)["connections_unanswered"] == 1, server.output)
    # The peer is killed during a run. An error message must appear within a limited time.
    file = os.path.join(folder, "rping-64.pcap")
    pair = Pair(work, (binaries[0], "serve", server_words(file, "--timeout=2")),
                (binaries[1], None, ["-c", "-a", SERVER, "--address=%s/24" % CLIENT]))
    wait_for_line(pair.server, "connection 0: message 10: messages of the peer")
    pair.client.kill()
    pair.client.end()
    ended = pair.server.end()
    ended.expect(1)
    check("10 of 10 messages" not in ended.output and ": expected " in ended.output, ended.output)


def usage(binaries, folder, work):
    file = os.path.join(folder, "rping-64.pcap")
    null = ["--vdev=net_null0"]
    psn = os.path.join(folder, "psnwrap-send.pcap")
    large = os.path.join(work, "large.pcap")
    with open(os.path.join(folder, "perf-read-65536-mtu4096.pcap"), "rb") as file_in:
        data = file_in.read()
    with open(large, "wb") as file_out:
        file_out.write(data)
        at = 24
        while at < len(data):  # a minute later, because later frames are not copies
            seconds, part, captured, length = struct.unpack_from("<IIII", data, at)
            file_out.write(struct.pack("<IIII", seconds + 60, part, captured, length))
            file_out.write(data[at + 16:at + 16 + captured])
            at += 16 + captured
    bound = ("need more than 1 MB of memory; cut the file with ndreplay slice, or raise "
             "the limit with --memory=MB")
    table = [
        # Each row: command, --vdev, arguments, exit status, words in the error message
        ("live", [], [], 2, "no file given"),
        ("live", null, [file], 2, "the peer's address is missing: specify --to=IP"),
        ("live", null, [file, "--to=10.9.0.1"], 2, "address is missing: specify --address"),
        ("serve", null, [file], 2, "address is missing: specify --address"),
        ("serve", null, [file, "--to=10.9.0.1"], 2, "--to"),
        ("live", null, client_words(file, "--from=3"), 2, "--from"),
        ("live", null, client_words(file, "--speed=0"), 2, "--speed=0 is not valid: expected 1 to"),
        ("live", null, client_words(file, "--connection=2"), 2, "the capture has no connection 2"),
        ("live", null, client_words(file + ".no"), 2, "cannot be read"),
        ("live", null, client_words(psn), 2, "specify the service port with --service=N"),
        ("live", null, client_words(file) + [file], 2, "unexpected argument"),
        ("live", [], client_words(file), 2, "port 0 does not exist"),
        ("live", null, [file, "--to=fd00::1", "--address=10.9.0.2"], 2, "different IP versions"),
        ("live", null, client_words(file, "--loop=-1"), 2, "--loop"),
        ("live", null, client_words(large, "--memory=1"), 2, bound),
        ("serve", null, server_words(large, "--memory=1"), 2, bound),
    ]
    for command, port, own, status, words in table:
        ended = run(binaries[0], *words_of(command, port, own))
        ended.expect(status)
        lines = ended.errors.splitlines()
        check(len(lines) == 1 and words in ended.errors, "%s: no %r in %r" % (
            ended.name, words, ended.errors))
        check(ended.output == "", "%s prints %r" % (ended.name, ended.output))
    # No reply, or no client: the run ends in time, without difference, with status 4 and the
    # reason.
    known = "--neighbour=10.9.0.1,02:00:00:00:00:01"
    quick = ["--connect-retransmit=50", "--connect-retries=2"]
    for command, own, words in (
        ("live", client_words(file, known, *quick), "the server does not answer\n"),
        ("live", client_words(file, *quick), "the server's MAC address cannot be resolved"),
        ("live", client_words(file, known, "--timeout=0.2"),
         "the server did not answer within 0.2 s\n"),
        ("live", client_words(os.path.join(folder, "rej-user.pcap"), known, *quick),
         "the server does not answer\n"),
        ("serve", server_words(file, "--client-timeout=0.2"),
         "0 clients connected, and no further client within 0.2 s\n"),
    ):
        ended = run(binaries[0], *words_of(command, null, own + ["--json"]))
        ended.expect(4)
        last = ended.errors.splitlines(True)[-1:]
        check(last and last[0].startswith("ndreplay %s: nothing was compared: %s" % (
            command, words)), "%s: %r" % (ended.name, ended.errors))
        report = report_of(ended)
        check((report["differences_found"], report["connections_unanswered"]) == (0, 1),
              "%s: %s" % (ended.name, ended.output))
    ended = run(binaries[0], "live", "--help")
    ended.expect(0)
    for option in ("EAL-ARGUMENTS", "--to=IP", "--speed=N|max", "--loop=N", "--connections=N"):
        check(option in ended.output, "--help does not mention " + option)


# Different captures for the active and the passive side, and the differences that each side must
# report.
DIFFERENT = (
    ("send-many", "solicit", set(), {"length", "messages of the peer"}),
    ("solicit", "send-many", set(), {"length", "conversation"}),
    ("sendimm", "send-many", set(), {"length", "immediate data", "conversation"}),
    ("mw2-sendinv", "mw2-readonly", {"status", "conversation"}, set()),
    ("writeimm", "send-many", {"status", "conversation"}, {"conversation"}),
    ("rej-user", "solicit", {"answer"}, {"conversation"}),
    ("solicit", "rej-user", {"set-up"}, set()),
)


def differences(binaries, folder, work):
    """Each difference in the peer's behaviour is reported, and no other difference."""
    for active, passive, of_client, of_server in DIFFERENT:
        own = ["--json", "--speed=max", "--timeout=3"]
        files = [os.path.join(folder, name + ".pcap") for name in (active, passive)]
        pair = Pair(work, (binaries[0], "serve", server_words(files[1], *own)),
                    (binaries[0], "live", client_words(files[0], *own)))
        for ended, fields in zip(pair.end(), (of_client, of_server)):
            found = {line["field"] for line in report_of(ended)["differences"]}
            ended.expect(1 if fields else 0)
            check(found == fields, "%s, %s against %s: %r instead of %r" % (
                ended.name[:14], active, passive, found, fields))
    # The second message of rping waits for the first message of its server, which is never sent.
    own = ["--json", "--speed=max", "--timeout=2", "--service=7000"]
    files = [os.path.join(folder, name + ".pcap") for name in ("rping-64", "send-many")]
    pair = Pair(work, (binaries[0], "serve", server_words(files[1], *own)),
                (binaries[0], "live", client_words(files[0], *own)))
    client, server = pair.end()
    client.expect(1)
    server.expect(1)
    for ended, what in ((client, "operations"), (server, "messages")):
        counts = [line[what] for line in report_of(ended)["connections"]]
        check(counts == [1], "%s: %s %r" % (ended.name[:14], what, counts))


GROUPS = {
    "usage": usage,
    "captures": captures,
    "rping": rping,
    "differences": differences,
    "endings": endings,
}


def main():
    if len(sys.argv) != 5 or sys.argv[4] not in GROUPS:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as work:
        if sys.argv[4] != "usage" and not has_memif(sys.argv[1], work):
            print("DPDK has no memif driver")
            return SKIPPED
        GROUPS[sys.argv[4]](sys.argv[1:3], sys.argv[3], work)
    print("%d failures" % len(program.failures))
    return 1 if program.failures else 0


if __name__ == "__main__":
    sys.exit(main())
