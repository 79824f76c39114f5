#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Test ndpmd's control socket: replies, misbehaving clients, and the file of the socket.

usage: ndpmd_control.py NDPMD GROUP

Groups: answers, clients, socket, lcores, memif. Exits with 0, with 1 after printing what was wrong,
or with 77 (skipped) when the machine lacks something that the group needs.
"""

import json
import os
import re
import signal
import socket as sockets
import stat
import struct
import sys
import tempfile
import time

from program import (EAL, SKIPPED, TIMEOUT_S, MemifServer, Process, check, has_memif,
                     lcores_argument, run, run_group)
from schema import DOCS, Schema

SCHEMA = Schema("control.schema.json")


class Client:
    """A client of the control socket."""

    def __init__(self, path):
        self.socket = sockets.socket(sockets.AF_UNIX)
        self.socket.settimeout(TIMEOUT_S)
        self.socket.connect(path)
        self.received = b""
        self.number = 0

    def send(self, data):
        self.socket.sendall(data)

    def line(self):
        """Return the next reply, or None if the connection is closed."""
        while b"\n" not in self.received:
            data = self.socket.recv(65536)
            if not data:
                return None
            self.received += data
        line, _, self.received = self.received.partition(b"\n")
        answer = json.loads(line)
        for sentence in SCHEMA.wrong(answer, SCHEMA.part("answer")):
            check(False, "%r: %s" % (line, sentence))
        check(("result" in answer) == answer["ok"] == ("error" not in answer), repr(line))
        return answer

    def request(self, request):
        for sentence in SCHEMA.wrong(request, SCHEMA.part("request")):
            check(False, "%r: %s" % (request, sentence))
        self.send(json.dumps(request).encode() + b"\n")

    def ask(self, command, name=None, **more):
        """Send a command. @return its result, which must match the schema. @param name name in the
        schema"""
        self.number += 1
        self.request(dict(more, id=self.number, command=command))
        answer = self.line()
        if answer is None or not answer["ok"]:
            check(False, "%s: %r" % (command, answer))
            return {}
        check(answer["id"] == self.number, "%s: %r" % (command, answer))
        for sentence in SCHEMA.wrong(answer["result"], SCHEMA.whole["results"][name or command]):
            check(False, "%s: %s" % (command, sentence))
        return answer["result"]

    def refused(self, data, word):
        """Check that this line is rejected with an error message that contains the word."""
        self.send(data if isinstance(data, bytes) else json.dumps(data).encode() + b"\n")
        answer = self.line()
        check(answer is not None and not answer["ok"] and word in answer["error"],
              "%r: no %r in %r" % (data[:200] if isinstance(data, bytes) else data, word, answer))
        return answer

    def until_measuring(self, ops=0):
        """Wait until the run has executed more than ops operations. @return number of operations"""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            found = self.ask("show stats")
            if found.get("state") == "measuring" and found["run"] and found["run"]["ops"] > ops:
                return found["run"]["ops"]
        check(False, "the run does not go on")
        return ops

    def close(self):
        self.socket.close()


def wait_for_socket(process, path):
    end = time.monotonic() + TIMEOUT_S
    while process.popen.poll() is None and time.monotonic() < end:
        try:
            return Client(path)
        except OSError:
            time.sleep(0.002)
    check(False, "%r: no socket" % process.arguments)
    sys.exit(1)


class Ndpmd:
    """ndpmd in loopback with a control socket."""

    def __init__(self, ndpmd, folder, *own, eal=()):
        self.path = os.path.join(folder, "control")
        self.process = Process(
            ndpmd, list(eal) + ["--loopback", "--control=" + self.path] + list(own))
        self.client = wait_for_socket(self.process, self.path)

    def quit(self, client=None, status=0):
        (client or self.client).ask("quit")
        ended = self.process.end()
        ended.expect(status)
        check(not os.path.exists(self.path), ended.name + ": the socket is still there")
        return ended


def pcapng_frames(path):
    """Count the frames of a pcapng file. @return number received, number sent, their queues"""
    with open(path, "rb") as file:
        data = file.read()
    ways, queues, at = [0, 0], set(), 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 6:  # enhanced packet block
            captured = struct.unpack_from("<I", data, at + 20)[0]
            option = at + 28 + (captured + 3) // 4 * 4
            while True:
                code, size = struct.unpack_from("<HH", data, option)
                if code == 0 or option >= at + length - 4:
                    break
                if code == 2:
                    ways[(struct.unpack_from("<I", data, option + 4)[0] & 3) - 1] += 1
                if code == 6:
                    queues.add(struct.unpack_from("<I", data, option + 4)[0])
                option += 4 + (size + 3) // 4 * 4
        at += length
    return ways[0], ways[1], queues


def capture(client, path, ask):
    """Check that the file has the traffic of a run in both directions, and as many frames as
    reported."""
    ask("capture start", arguments=[path])
    client.until_measuring(client.until_measuring())
    found = ask("capture stop")
    came, went, queues = pcapng_frames(path)
    check(came + went == found["frames"] and came > 0 and went > 0, "%r, %d, %d" % (
        found, came, went))
    return queues


def idle_answers(client):
    asked = set()

    def ask(command, name=None, **more):
        asked.add(name or command)
        return client.ask(command, name, **more)

    ask("help")
    ask("help", arguments=["show", "qp"])
    config = ask("show config")
    check(config.get("mode") == "loopback", repr(config))
    stats = ask("show stats")
    check(stats.get("state") == "idle" and stats.get("rows") == [], repr(stats))
    check([adapter["role"] for adapter in stats["adapters"]] == ["client", "server"], repr(stats))
    ask("set", settings={"rocev2_verb": "write_with_immediate", "message_size": "2K", "qps": 2,
                         "depth": 8, "verify": True, "rate": "10k", "time": 100, "warmup": 0})
    found = ask("show config")["next_start"]
    expected = {"op": ["write-imm"], "size": [2048], "qps": 2, "depth": 8, "verify": True,
                "rate": "10000", "time": 100, "warmup": 0}
    check({key: found[key] for key in expected} == expected, repr(found))
    ask("set rate", "set", arguments=[20000])
    ask("set", settings={"verify": False, "rate": None})
    # A set command with one invalid setting changes no setting.
    client.refused({"command": "set", "settings": {"depth": 9, "size": "huge"}}, "size=huge")
    check(ask("show config")["next_start"]["depth"] == 8, "half of the settings were taken")
    ask("start")
    client.until_measuring()
    for command in ("show port", "show engine", "show cq", "show mw", "show neighbours",
                    "show counters"):
        ask(command)
    qpn = ask("show qp")["adapters"][0]["qps"][0]
    check(ask("show qp", "show qp QPN", arguments=[qpn])["qpn"] == qpn, "another queue pair")
    region = ask("show mr")["adapters"][0]["regions"][0]
    ask("show mr", "show mr REGION", arguments=[region])
    ask("connect")
    ask("bind")
    ask("invalidate")
    ask("disconnect")
    ask("listen stop", "listen")
    check(ask("listen") == {"state": "listening", "listen_port": 18515}, "listen")
    with tempfile.TemporaryDirectory() as folder:
        capture(client, os.path.join(folder, "with a space.pcapng"), ask)
    ask("clear")
    ask("stop")
    rows = ask("wait", arguments=[60])["rows"]
    check(len(rows) == 1 and rows[0]["op"] == "write-imm" and rows[0]["size"] == 2048, repr(rows))
    check(rows[0]["errors"] == 0, repr(rows))
    return asked


def loads(ndpmd):
    """Test both directions, and a mix of operations that other settings must not change."""
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--bidirectional", "--rate=2k", "--ramp=0.1")
        client = process.client
        client.ask("set", settings={"op": "send:3,write:1", "time": 0.3})
        client.refused({"command": "set latency on"}, "--op without weights")
        client.refused({"command": "set inject dup:1%"}, "started with --inject")
        client.refused({"command": "set dcqcn rpg_gd:7"}, "--congestion=dcqcn only")
        client.ask("set size 128", "set")
        settings = client.ask("show config")["next_start"]
        check(settings["op"] == ["send:3", "write:1"], repr(settings))
        client.ask("start")
        client.until_measuring()
        rows = client.ask("wait", arguments=[60])["rows"]
        check([row["posted_by"] for row in rows] == ["client", "server"], repr(rows))
        check([row["op"] for row in rows] == ["mix", "mix"], repr(rows))
        # A stop before the run begins ends this run without rows, but not the next run.
        for command in "start", "stop", "wait", "start", "wait":
            client.send(json.dumps({"command": command}).encode() + b"\n")
        states = [client.line()["result"] for _ in range(5)]
        check(states[2]["rows"] == [] and len(states[4]["rows"]) == 2, repr(states))
        client.ask("set op read", "set")
        check(client.ask("show config")["next_start"]["op"] == ["read"], "the mix stays")
        process.quit()
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--inject=drop:0", "--iterations=300", "--verify")
        injections(process)
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--bidirectional", "--rate=1", "--iterations=400",
                        "--warmup=0", "--time=3600", "--qps=2")
        rates_of_both(process.client)
        process.quit()


def ended_early(ndpmd):
    """If the user ends the run, operations that were not yet posted do not cause a message about a
    missed rate."""
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--rate=1G", "--bidirectional", "--time=3600")
        process.client.ask("start")
        process.client.until_measuring()
        check("--rate" not in process.quit().errors, "the user ended the run")


INJECTIONS = (
    # Each row: value to set, value in the reply, pattern of the reported faults with the seed.
    (None, None, "drop 0 dup 0 reorder 0 .* seed 1"),
    ("dup:20%,seed:9", "dup:0.2,seed:9", "drop 0 dup [1-9][0-9]* reorder 0 .* seed 9"),
    ("default", None, "drop 0 dup 0 reorder 0 .* seed 1"),
    ("reorder:0.1,delay:1us", "reorder:0.1,delay:1000ns,seed:1",
     "drop 0 dup 0 reorder [1-9][0-9]* .* seed 1"),
)


def injections(process):
    """Injected faults change between runs. Each row reports the faults of its own setting."""
    client = process.client
    for value, told, _ in INJECTIONS:
        if value is not None:
            answer = client.ask("set", settings={"inject": value})
            check(answer["at_once"] == {"inject": told}, repr(answer))
        client.ask("start")
        row = client.ask("wait", arguments=[60])["rows"][0]
        check(row["errors"] == 0, repr(row))
    client.refused({"command": "set inject lose:1%"}, "--inject: ")
    lines = [line for line in process.quit().lines if line.startswith("injected, ")]
    check(len(lines) == len(INJECTIONS), repr(lines))
    for line, (_, _, faults) in zip(lines, INJECTIONS):
        check(re.search("sent [1-9][0-9]*: " + faults + "$", line), "%r: no %s" % (line, faults))


def parameters_of_dcqcn(ndpmd):
    """The command set dcqcn takes effect at once. The library checks the parameters' ranges."""
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--congestion=dcqcn", "--ecn", "--dcqcn=g_1024:9",
                        "--time=3600")
        client = process.client
        check(client.ask("show config")["next_start"]["dcqcn"] == "g_1024:9", "as started")
        client.ask("start")
        client.until_measuring()
        answer = client.ask("set", settings={"dcqcn": "rpg_gd:7,alpha_timer_us:10"})
        check(answer == {"at_once": {"dcqcn": "alpha_timer_us:10,rpg_gd:7"}}, repr(answer))
        check(client.ask("show config")["now"]["dcqcn"] == "alpha_timer_us:10,rpg_gd:7", "at once")
        client.refused({"command": "set dcqcn rpg_gd:16"}, "must be 1 to 15")
        client.refused({"command": "set dcqcn rpg_gx:1"}, "rpg_gd:11")
        client.refused({"command": "set dcqcn rpg_gd:1,g_1024:2,rpg_gd:2"}, "gives rpg_gd twice")
        check(client.ask("show config")["next_start"]["dcqcn"] == "alpha_timer_us:10,rpg_gd:7",
              "a refused value is not kept")
        answer = client.ask("set dcqcn default", "set")
        check(answer == {"at_once": {"dcqcn": None}}, repr(answer))
        process.quit()


def rates_of_both(client):
    """A rate change applies to both directions, and operations posted before the change count: at
    one message per second, no run would reach its iterations. Rate changes that are faster than the
    server can apply them are not an error."""
    client.ask("start")
    client.until_measuring()
    for rate in ["2k", "3k"] * 20 + ["default", "1", "20k"]:
        client.ask("set", settings={"rate": rate})
    answer = client.ask("wait", arguments=[60])
    rows = answer["rows"]
    check(answer["failure"] is None, repr(answer))
    check([row["posted_by"] for row in rows] == ["client", "server"], repr(rows))
    for row in rows:
        check(row["ops"] == 800 and row["errors"] == 0, repr(row))


NO_NUMBERS = (b"NaN", b"Infinity", b"-Infinity", b"1.", b"1.e3", b"18446744073709551616",
              b"12345678901234567890123", b"-9223372036854775809")
# The reply has the ID of the request.
IDS = ({"a": [1]}, 18446744073709551615, -9223372036854775808, [0, -1, 0.5, 1e-3, -0.0, 1.5e+300],
       "NaN, 01, \\\", Infinity")


def refusals(client):
    too_long = b"{\"command\":\"" + 2000 * b"a" + b"\"}\n"
    too_many = b"{\"command\":\"help\",\"arguments\":[" + 99 * b"1," + b"1]}\n"
    for line, word in (
            (b"nonsense\n", "one JSON object"),
            (b"\xff\xfe\n", "one JSON object"),
            (b"[]\n", "the value is not an object"),
            (b"7\n", "not an object, or is incomplete"),
            (b"null\n", "not an object, or is incomplete"),
            (b"\"start\"\n", "the value is not an object"),
            (b"{\"command\":\"help\"\n", "not an object, or is incomplete"),
            (b"{\"command\":\"help\"} {}\n", "one JSON object"),
            (b"{'command':'help'}\n", "one JSON object"),
            (b"[" * 100 + b"\n", "one JSON object"),
            (b"{\"id\":1,\"command\":7}\n", "command (a string)"),
            (b"{\"id\":1}\n", "the key command"),
            *((b"{\"id\":[{\"a\":%s}],\"command\":\"no\"}\n" % number, "%s is not a JSON number" % (
                number.decode())) for number in NO_NUMBERS),
            (b"{\"command\":\"set\",\"settings\":{\"depth\":18446744073709551617}}\n",
             "18446744073709551617 is not a JSON number"),
            (b"{\"command\":\"\"}\n", "expected a command"),
            (b"{\"command\":\" \"}\n", "expected a command"),
            (b"{\"command\":\"help\",\"extra\":1}\n", "extra is not valid"),
            (b"{\"command\":\"set\",\"settings\":[]}\n", "settings is not valid"),
            (b"{\"command\":\"set\",\"settings\":{\"depth\":{}}}\n", "depth is not valid"),
            (b"{\"command\":\"set\",\"settings\":{\"depth\":\"\"}}\n", "depth is not valid"),
            (b"{\"command\":\"set\",\"settings\":{\"depth\":\"\\u0000\"}}\n", "null characters"),
            (b"{\"command\":\"clear\\u0000nonsense\"}\n", "null characters"),
            (b"{\"command\":\"clear\",\"id\\u0000\":1}\n", "null characters"),
            (b"{\"command\":\"clear\"}\0\n", "null characters"),
            (b"{\"command\":\"\\\\u0000\"}\n", "Command not found: \\u0000"),
            (b"{\"command\":\"nonsense\"}\n", "Command not found: nonsense"),
            (b"{\"command\":\"show\",\"arguments\":[[]]}\n", "arguments is not valid"),
            (too_long, "1023 characters"),
            (too_many, "64 words"),
            (b"{\"command\":\"set\",\"settings\":{}}\n", "expected set OPTION VALUE")):
        client.refused(line, word)
    for number in IDS:
        answer = client.refused({"id": number, "command": "no"}, "not found")
        check(answer["id"] == number, repr(answer))
    for line in b"\n", b"\r\n", b"  \n":
        client.refused(line, "the line is empty")


def answers(ndpmd):
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder)
        asked = idle_answers(process.client)
        refusals(process.client)
        process.quit()
    missing = set(SCHEMA.whole["results"]) - asked - {"quit"}
    check(not missing, "the test does not ask for %r" % missing)
    loads(ndpmd)
    ended_early(ndpmd)
    parameters_of_dcqcn(ndpmd)
    # Send the requests that the document shows.
    with open(os.path.join(DOCS, "prompt.md"), encoding="utf-8") as file:
        lines = re.findall(r'^    (\{"id".*)\n    (\{"id".*)$', file.read(), re.M)
    check(len(lines) == 3, "the document has %d examples" % len(lines))
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--time=100")
        for request, answer in lines:
            process.client.send(request.encode() + b"\n")
            found = process.client.line()
            check(found == json.loads(answer), "%s: %r" % (request, found))
        process.quit()


def bad_clients(process):
    """Clients misbehave while traffic is running. Afterwards, another client finds everything
    unchanged."""
    path, ops = process.path, 0

    def go_on(what):
        nonlocal ops
        before = ops
        ops = process.client.until_measuring(before)
        check(ops > before, what + ": the run stands still")

    garbage = Client(path)
    garbage.send(bytes(range(256)) * 40)  # contains line feeds
    garbage.send(b"\n")
    for _ in range(41):
        check(garbage.line()["ok"] is False, "garbage is answered")
    garbage.close()
    go_on("garbage")
    half = Client(path)
    half.send(b"{\"command\":")
    go_on("half a line")
    half.close()
    half = Client(path)
    half.send(b"{\"command\":\"clear\",\"id\":6}")
    half.socket.shutdown(sockets.SHUT_WR)
    check(half.line()["id"] == 6, "the last line has no line feed")
    half.close()
    half = Client(path)
    half.send(b"{\"command\":")
    go_on("half a line")
    half.send(b"\"show port\",\"id\":5}\n")
    check(half.line()["id"] == 5, "half a line, and the other half")
    half.close()
    endless = Client(path)
    for _ in range(16):
        endless.send(65536 * b"x")
    go_on("a line without end")
    answer = endless.line()
    check(answer["ok"] is False and "65535 bytes" in answer["error"], repr(answer))
    endless.send(b"x\n{\"command\":\"show config\"}\n")
    check(endless.line()["ok"] is True, "behind a line that was too long")
    endless.close()
    go_on("a long line")
    for command in ("wait", "show stats", "connect"):
        vanishing = Client(path)
        vanishing.request({"command": command})
        vanishing.close()
    go_on("a client that vanishes")
    process.client.request({"command": "disconnect"})  # closes this client's connection
    process.client.line()


def slow_client(process):
    """A client that sends requests but reads no replies is disconnected, and does not affect
    others."""
    slow = Client(process.path)
    slow.socket.settimeout(0.2)
    request = b"{\"command\":\"help\"}\n" * 1000
    left = False
    for _ in range(200):
        try:
            slow.send(request)
        except sockets.timeout:
            continue
        except OSError:
            left = True
            break
        process.client.ask("show config")
    check(left, "a client that reads nothing is not left")
    slow.close()


def many_clients(process):
    others = [Client(process.path) for _ in range(15)]
    for other in others:
        other.ask("show config")
    beyond = Client(process.path)
    answer = beyond.line()
    check(answer["ok"] is False and "16 clients" in answer["error"], repr(answer))
    check(beyond.line() is None, "the 17th client stays")
    beyond.close()
    # All clients send requests at the same time. Each write contains several requests.
    for number, other in enumerate(others):
        other.send(b"".join(json.dumps({"id": [number, i], "command": "show config"}).encode()
                            + b"\n" for i in range(40)))
    for number, other in enumerate(others):
        for i in range(40):
            answer = other.line()
            check(answer["ok"] and answer["id"] == [number, i], repr(answer)[:200])
    # After the last request, the client shuts down its sending side. The reply must still arrive.
    others[0].request({"id": "last", "command": "show port"})
    others[0].socket.shutdown(sockets.SHUT_WR)
    check(others[0].line()["id"] == "last", "the last request")
    check(others[0].line() is None, "the connection stays")
    for other in others:
        other.close()


def clients(ndpmd):
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--time=1000", "--verify", "--qps=2", "--op=send")
        process.client.ask("start")
        bad_clients(process)
        many_clients(process)
        slow_client(process)
        waiting = Client(process.path)
        waiting.request({"id": 1, "command": "wait"})
        process.client.ask("stop")
        answer = waiting.line()
        check(answer["ok"] and answer["result"]["rows"][0]["errors"] == 0, repr(answer))
        # A client that waits is notified when ndpmd ends.
        process.client.ask("start")
        waiting.request({"id": 2, "command": "wait"})
        process.client.until_measuring()
        ended = process.quit()
        answer = waiting.line()
        check(answer is not None and answer["id"] == 2 and not answer["ok"], repr(answer))
        ended.expect_silence()


def socket(ndpmd):
    """Test when the file of the control socket is created, replaced and removed."""
    with tempfile.TemporaryDirectory() as folder:
        os.umask(0)
        process = Ndpmd(ndpmd, folder)
        mode = os.stat(process.path).st_mode
        check(stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o600, "mode %o" % mode)
        own = ["--loopback", "--control=" + process.path]
        ended = run(ndpmd, *own)
        ended.expect(2)
        ended.expect_sentence("another process listens on this socket")
        check(process.client.ask("show config") != {}, "the first one's socket is gone")
        # After SIGKILL, the socket file remains. The next process replaces the file.
        process.process.kill()
        process.process.end()
        check(os.path.exists(process.path), "a killed process has removed its socket")
        process = Ndpmd(ndpmd, folder)
        process.process.signal(signal.SIGTERM)
        process.process.end().expect(0)
        check(not os.path.exists(process.path), "SIGTERM leaves the socket")
        # ndpmd does not remove a file that it did not create.
        process = Ndpmd(ndpmd, folder)
        os.unlink(process.path)
        with open(process.path, "w", encoding="utf-8") as file:
            file.write("mine")
        process.client.ask("quit")
        process.process.end().expect(0)
        with open(process.path, encoding="utf-8") as file:
            check(file.read() == "mine", "another file was removed")
        ended = run(ndpmd, *own)
        ended.expect(2)
        ended.expect_sentence("is not a socket")
        for path, word in (("/no/such/folder/socket", "No such file"), (folder, "is not a socket"),
                           (200 * "x", "107 characters"), ("", "107 characters")):
            ended = run(ndpmd, "--loopback", "--control=" + path)
            ended.expect(2)
            ended.expect_sentence(word)


def lcores(ndpmd):
    """Test settings that take effect at once, and queries to engines, with one thread per
    engine."""
    eal = EAL[: EAL.index("-m")] + ["-m", "1024"] + EAL[EAL.index("-m") + 2:]
    with tempfile.TemporaryDirectory() as folder:
        process = Ndpmd(ndpmd, folder, "--lcores=0,1", "--qps=4", "--time=1000", "--rate=2k",
                        eal=eal + [lcores_argument(2), "--"])
        client = process.client
        client.ask("start")
        ops = client.until_measuring()
        for i in range(50):
            client.ask("set rate %dk" % (1 + i % 7), "set")
        client.ask("set rate default", "set")
        for _ in range(3):
            ops = client.until_measuring(ops)
            check(len(client.ask("show engine")["engines"]) == 4, "engines")
            qps = client.ask("show qp")["adapters"]
            check([len(adapter["qps"]) for adapter in qps] == [4, 4], repr(qps))
            for qpn in qps[0]["qps"] + qps[1]["qps"]:
                check(client.ask("show qp", "show qp QPN", arguments=[qpn])["state"] == "RTS", "qp")
            client.ask("show cq")
        # On a busy machine, an lcore may be descheduled for as long as the capture takes.
        queues = set()
        for i in range(50):
            queues |= capture(client, os.path.join(folder, "capture%d" % i), client.ask)
            if len(queues) > 1:
                break
        check(queues == {0, 1}, "frames of the queues %r were captured" % queues)
        client.ask("connect")
        client.ask("bind")
        client.ask("stop")
        row = client.ask("wait", arguments=[60])["rows"][0]
        check(row["qps"] == 4 and row["errors"] == 0 and "rate" not in row, repr(row))
        check(row["posted"] == row["ops"] + row["outstanding"], repr(row))
        client.ask("set", settings={"rate": "1k", "time": 0.3})
        client.ask("start")
        row = client.ask("wait", arguments=[60])["rows"][0]
        check(row["rate"] == 1000 and row["ops"] <= 400, repr(row))
        process.quit().expect_silence()


def memif(ndpmd):
    """Run a server and a client, both with control sockets."""
    if not has_memif(ndpmd, ["--server", "--address=224.0.0.1"]):
        print("DPDK has no memif driver")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("server.control", "client.control")]
        server = MemifServer(ndpmd, folder, ["--server", "--address=10.9.0.1/24",
                                             "--control=" + paths[0]])
        served = wait_for_socket(server.process, paths[0])
        client = server.client("--client=10.9.0.1", "--address=10.9.0.2/24", "--time=1000",
                               "--control=" + paths[1])
        used = wait_for_socket(client, paths[1])
        check(served.ask("show config")["mode"] == "server", "mode")
        served.refused({"command": "start"}, "this process is a server")
        served.refused({"command": "connect"}, "expected connect IP")
        used.refused({"command": "listen"}, "this process is a client")
        used.ask("connect")
        used.ask("bind")
        check(len(served.ask("show qp")["adapters"][0]["qps"]) == 1, "queue pairs of the server")
        used.ask("disconnect")
        used.ask("start")
        ops = used.until_measuring()
        stats = served.ask("show stats")["adapters"]
        check([adapter["role"] for adapter in stats] == ["server"], repr(stats))
        used.until_measuring(ops)
        # The server may not have run yet, so repeat the query.
        check(any(served.ask("show stats")["adapters"][0]["rx_bytes"] > stats[0]["rx_bytes"]
                  for _ in range(1000)), "stands")
        used.ask("connect")  # ends with the process
        used.ask("stop")
        check(used.ask("wait")["rows"][0]["errors"] == 0, "errors")
        served.refused({"command": "connect 10.9.0.2"}, "refused")
        # End the server first, because memif requires this order, see MemifServer.
        served.ask("quit")
        used.ask("quit")
        for process in (client, server.process):
            ended = process.end()
            ended.expect(0)
            ended.expect_silence()


def main():
    groups = {"answers": answers, "clients": clients, "socket": socket, "lcores": lcores,
              "memif": memif}
    return run_group(__doc__, groups)


if __name__ == "__main__":
    sys.exit(main())
