#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""ndreplay anonymize: a capture that can be shared.

usage: ndreplay_anonymize.py NDREPLAY FIXTURES

For every recorded capture, check reports the same before and after, and the output contains no data
that must be replaced. Equal values get equal replacements, within a file, and with a key also
across files.
"""

import ipaddress
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import ndreplay_check as check
from ndreplay_check import fixture, icrc_mend, pcap, records, run, tunnel, udp
from ndreplay_slice import pcapng_frames
from schema import Schema

RETH = {0x06, 0x0A, 0x0B, 0x0C}
ATOMIC = {0x13, 0x14}
AETH = {0x0D, 0x0F, 0x10, 0x11, 0x12}
IMMEDIATE = {0x03, 0x05, 0x09, 0x0B}
INVALIDATE = {0x16, 0x17}
PIECE = 16


class Parts:
    """Parts of a fixture's frame that must be replaced, found by code that is independent of
    ndreplay."""

    def __init__(self, frame):
        self.roce = False
        kind = frame[12:14]
        if kind == b"\x08\x00" and frame[23] == 17:
            self.ips, at = [frame[26:30], frame[30:34]], 34
            end = 14 + int.from_bytes(frame[16:18], "big")
        elif kind == b"\x86\xdd" and frame[20] == 17:
            self.ips, at = [frame[22:38], frame[38:54]], 54
            end = 54 + int.from_bytes(frame[18:20], "big")
        else:
            return
        if frame[at + 2 : at + 4] != b"\x12\xb7":
            return
        self.roce = True
        self.macs = [frame[0:6], frame[6:12]]
        self.opcode = frame[at + 8]
        pad = frame[at + 9] >> 4 & 3
        self.qpn = frame[at + 13 : at + 16]
        self.bth = frame[at + 8 : at + 20]
        at += 20
        self.addresses, self.keys, self.values = [], [], []
        if self.opcode == 0x64:
            at += 8
        if self.opcode in RETH:
            self.addresses.append(frame[at : at + 8])
            self.keys.append(frame[at + 8 : at + 12])
            at += 16
        if self.opcode in ATOMIC:
            self.addresses.append(frame[at : at + 8])
            self.keys.append(frame[at + 8 : at + 12])
            self.values += [frame[at + 12 : at + 20], frame[at + 20 : at + 28]]
            at += 28
        if self.opcode in AETH:
            at += 4
        if self.opcode == 0x12:
            self.values.append(frame[at : at + 8])
            at += 8
        if self.opcode in IMMEDIATE:
            self.values.append(frame[at : at + 4])
            at += 4
        if self.opcode in INVALIDATE:
            self.keys.append(frame[at : at + 4])
            at += 4
        self.payload = frame[at : end - 4 - pad]
        self.mad = self.opcode == 0x64 and len(self.payload) == 256


def without_addresses(report):
    """Return the part of a report that anonymizing must not change: all but addresses and names."""
    text = json.dumps({key: report[key] for key in report if key != "file"})
    names = {side["address"] for found in report["connections"] for side in found["sides"]}
    for finding in report["violations"] + report["doubts"]:
        names |= {finding["sender"], finding["receiver"]}
    for name in sorted(names, key=len, reverse=True):
        text = text.replace('"%s"' % name, '"address"')
    return text


class Anonymize(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = os.path.join(self.folder.name, "out.pcapng")

    def write(self, name, data):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as stream:
            stream.write(data)
        return path

    def anonymize(self, path, *options):
        """Return the frames of the output as [(nanoseconds, frame)], and its bytes."""
        status, out, err = run("anonymize", *options, path, self.out)
        self.assertEqual((status, err), (0, ""))
        with open(self.out, "rb") as stream:
            data = stream.read()
        self.text = out
        return [(when, frame) for when, frame, _ in pcapng_frames(data)[1]], data

    def same_report(self, path):
        for options in ((), ("--complete",)):
            status, out, err = run("check", "--json", *options, path, self.out)
            before, after = json.loads(out)
            self.assertEqual(err, "")
            self.assertEqual(without_addresses(after), without_addresses(before), path)

    def judge_frames(self, name, frames, kept, data):
        """Check that the output has nothing of the original, that equal values have equal
        replacements, and that all other data is unchanged."""
        pairs = {}
        for (second, part, frame), (when, anonymous) in zip(frames, kept):
            self.assertEqual(when, (second * 10**6 + part) * 1000)
            before, after = Parts(frame), Parts(anonymous)
            self.assertEqual(before.roce, after.roce)
            if not before.roce:
                self.assertEqual(anonymous, bytes(12) + b"\x88\xb5")
                continue
            self.assertEqual(len(frame), len(anonymous))
            self.assertEqual(before.bth, after.bth)
            for kind in ("macs", "ips", "addresses", "keys", "values"):
                for old, new in zip(getattr(before, kind), getattr(after, kind)):
                    if kind == "addresses":
                        old, new = (before.keys[0][:3], old), (after.keys[0][:3], new)
                    pairs.setdefault(kind, {}).setdefault(old, set()).add(new)
            if before.mad:
                self.judge_mad(before.payload, after.payload, data)
            elif before.payload:
                pairs.setdefault("payload", {}).setdefault(before.payload, set()).add(after.payload)
        for kind, mapped in pairs.items():
            news = [new for new in mapped.values()]
            self.assertTrue(all(len(new) == 1 for new in news), (name, kind))
            if kind != "payload":
                self.assertEqual(len(set.union(*news)), len(mapped), (name, kind))
            for old, new in mapped.items():
                if kind == "payload" and len(old) < PIECE or not any(old):
                    continue
                self.assertNotIn(old, new, (name, kind))
        for kind in ("macs", "ips"):
            for old in pairs.get(kind, ()):
                self.assertNotIn(old, data, (name, kind))
        for old in pairs.get("addresses", ()):
            if old[1][:2] == b"\x00\x00" and len(set(old[1][2:6])) > 2:
                self.assertNotIn(old[1], data, name)
        for payload in pairs.get("payload", ()):
            for at in range(0, len(payload) - PIECE + 1, 97):
                piece = payload[at : at + PIECE]
                if len(set(piece)) > 2:
                    self.assertNotIn(piece, data, name)

    def judge_mad(self, before, after, data):
        self.assertEqual(before[:8], after[:8])
        self.assertEqual(before[16:24], after[16:24])
        self.assertNotIn(before[8:16], data)  # transaction ID
        if before[16:18] == b"\x00\x10":
            message, other = before[24:], after[24:]
            self.assertNotEqual(message[0:4], other[0:4])
            self.assertEqual(message[8:16], other[8:16])  # service
            self.assertNotEqual(message[16:24], other[16:24])
            self.assertNotEqual(message[56:72], other[56:72])
            self.assertNotEqual(message[72:88], other[72:88])
            self.assertEqual(other[140:144], message[140:144])
            application = message[140 + 36 : 232].rstrip(b"\0")
            if len(application) >= 8:
                self.assertNotIn(application[:8], data)

    def test_every_fixture(self):
        for name in sorted(os.listdir(check.FIXTURES)):
            if not name.endswith(".pcap"):
                continue
            path = os.path.join(check.FIXTURES, name)
            kept, data = self.anonymize(path, "--key=every fixture")
            _, frames = records(path)
            self.assertEqual(len(frames), len(kept))
            self.same_report(path)
            self.judge_frames(name, frames, kept, data)

    def test_the_same_by_the_same(self):
        first = self.anonymize(fixture("mixed"), "--key=one")[1]
        self.assertEqual(self.anonymize(fixture("mixed"), "--key=one")[1], first)
        self.assertNotEqual(self.anonymize(fixture("mixed"), "--key=two")[1], first)
        one, other = (
            {ip for _, frame in self.anonymize(fixture(name), "--key=one")[0][2:]
             for ip in Parts(frame).ips}
            for name in ("mixed", "two-connections")
        )
        self.assertEqual(one, other)
        unknown = self.anonymize(fixture("mixed"))[1]
        self.assertNotEqual(self.anonymize(fixture("mixed"))[1], unknown)

    def test_prefixes(self):
        """Common prefixes keep their lengths, and special addresses keep their kinds."""
        _, frames = records(fixture("send-many"))
        frame = next(frame for _, _, frame in frames if frame[42:43] == b"\x04")
        texts = """10.77.0.1 10.77.0.2 10.77.128.1 10.78.0.1 11.0.0.1 126.1.1.1 127.0.0.1 127.9.9.9
            128.0.0.1 172.16.5.4 192.168.1.1 192.168.1.129 198.51.100.7 203.0.113.9 223.255.255.1
            1.1.1.1 100.64.0.1 169.254.3.4""".split()
        made = []
        for text in texts:
            changed = bytearray(frame)
            changed[26:30] = ipaddress.ip_address(text).packed
            made.append((0, 0, icrc_mend(bytes(changed))))
        for key in ("a", "b", "c", "d", "e"):
            kept, _ = self.anonymize(self.write("prefixes.pcap", pcap(made)), "--key", key)
            new = [int.from_bytes(Parts(frame).ips[0], "big") for _, frame in kept]
            old = [int(ipaddress.ip_address(text)) for text in texts]
            for i in range(len(texts)):
                address = ipaddress.ip_address(new[i])
                was = ipaddress.ip_address(old[i])
                self.assertFalse(address.is_multicast or address.is_unspecified, texts[i])
                self.assertLess(new[i] >> 24, 224)
                self.assertEqual(address.is_loopback, was.is_loopback)
                for k in range(i):
                    self.assertEqual((new[i] ^ new[k]).bit_length(), (old[i] ^ old[k]).bit_length())

    def test_tags_tunnels_and_cuts(self):
        _, frames = records(fixture("loss-mixed"))
        tags = bytes.fromhex("88a800648100000a")
        shapes = {
            "tags": [(a, b, frame[:12] + tags + frame[12:]) for a, b, frame in frames],
            "vxlan": [(a, b, tunnel(17, udp(4789, bytes.fromhex("0800000000002a00") + frame)))
                      for a, b, frame in frames],
            "gre": [(a, b, tunnel(47, bytes.fromhex("00006558") + frame))
                    for a, b, frame in frames],
            "gre-options": [(a, b, tunnel(47, bytes.fromhex("b0006558 12340000 00000007 00000009")
                                          + frame)) for a, b, frame in frames],
            "erspan-3": [(a, b, tunnel(47, bytes.fromhex(
                "100022eb 00000001 200000000000000000000000") + frame)) for a, b, frame in frames],
            "mpls": [(a, b, frame[:12] + bytes.fromhex("8847 00010040 00011140") + frame[14:])
                     for a, b, frame in frames],
            "trailer": [(a, b, frame + b"secret trailer of a switch") for a, b, frame in frames],
        }
        for name, shaped in shapes.items():
            path = self.write(name + ".pcap", pcap(shaped))
            kept, data = self.anonymize(path, "--key=x")
            self.same_report(path)
            self.assertNotIn(bytes([10, 77, 0, 1]), data)
            self.assertNotIn(b"secret", data)
            self.assertNotIn(bytes((192, 0, 2, 9)), data)
            for _, frame in kept[2:5] if name == "gre-options" else ():
                packed = frame[34:] + bytes(len(frame) % 2)
                total = sum(struct.unpack(">%dH" % (len(packed) // 2), packed))
                self.assertEqual(total % 0xFFFF, 0)
        for cut in (14, 33, 34, 42, 53, 54, 60, 66, 70, 80, 200):
            path = self.write("cut.pcap", pcap(frames, cut=cut))
            _, data = self.anonymize(path, "--key=x")
            if cut > 42:
                self.same_report(path)
            self.assertNotIn(bytes([10, 77, 0, 1]), data)

    def test_roce_that_is_not_decoded_is_said(self):
        """Frames that cannot be decoded lose all data, and a message reports their number."""
        _, frames = records(fixture("rping-64"))
        geneve = bytes.fromhex("0000655800002a00")
        for shape, count in (
            (lambda frame: tunnel(17, udp(6081, geneve + frame)), 65),
            (lambda frame: tunnel(4, frame[14:]), 65),
            (lambda frame: frame[:12] + b"\x89\x15" + frame[14:], 67),
            (lambda frame: frame, 0),
        ):
            path = self.write("in.pcap", pcap([(a, b, shape(frame)) for a, b, frame in frames]))
            for option, done in (((), "which became empty frames"),
                                 (("--drop-others",), "which were left out"),
                                 (("--keep-others", "--json"), "which were copied AS THEY ARE")):
                status, out, err = run("anonymize", *option, path, self.out)
                said = ("ndreplay anonymize: %d frames are RoCE v1, or RoCEv2 in a tunnel that "
                        "cannot be decoded, %s" % (count, done))
                self.assertEqual(status, 0)
                self.assertEqual(err[:len(said)], said if count else "")
                self.assertEqual(err.count("\n"), count != 0)
                if "--json" in option:
                    self.assertEqual(json.loads(out)["undecoded"], count)

    def test_malformed(self):
        """If a frame has inconsistent headers, the output contains only its headers."""
        _, frames = records(fixture("send-many"))
        frame = bytearray(next(frame for _, _, frame in frames if frame[42:43] == b"\x04"))
        payload = bytes(frame[54:70])
        shapes = []
        for at, value in ((42, 0x0C), (42, 0x1F), (42, 0x70), (43, 0x0F), (44, 0x12), (14, 0x46),
                          (17, 0xFF), (39, 0xFF), (16, 0x00)):
            changed = bytearray(frame)
            changed[at] = value
            shapes.append((0, 0, bytes(changed)))
            try:
                shapes.append((0, 0, icrc_mend(bytes(changed))))
            except (IndexError, ValueError, struct.error):
                pass
        path = self.write("malformed.pcap", pcap(shapes))
        _, data = self.anonymize(path, "--key=x")
        self.same_report(path)
        if len(set(payload)) > 2:
            self.assertNotIn(payload, data)

    def test_checksums(self):
        if shutil.which("tshark") is None:
            print("skipped: tshark is not installed")
            return
        for name in ("ipv6-mixed", "loss-mixed"):
            self.anonymize(fixture(name), "--key=x")
            done = subprocess.run(
                ["tshark", "-r", self.out, "-o", "ip.check_checksum:TRUE", "-o",
                 "udp.check_checksum:TRUE", "-Y",
                 "ip.checksum.status==0 || udp.checksum.status==0 || _ws.malformed"],
                capture_output=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (0, b""))

    def test_udp_checksum(self):
        """A frame keeps a correct, a wrong or a missing UDP checksum."""
        _, frames = records(fixture("send-many"))
        frame = bytearray(next(frame for _, _, frame in frames if frame[42:43] == b"\x04"))

        def right(frame):
            length = int.from_bytes(frame[38:40], "big")
            summed = frame[26:34] + bytes([0, 17]) + frame[38:40] + frame[34:40] + bytes(2)
            summed += frame[42 : 34 + length]
            summed += bytes(len(summed) % 2)
            total = sum(struct.unpack(">%dH" % (len(summed) // 2), summed))
            while total >> 16:
                total = (total & 0xFFFF) + (total >> 16)
            return struct.pack(">H", ~total & 0xFFFF or 0xFFFF)

        made = []
        for checksum in (bytes(2), right(frame), bytes([right(frame)[0] ^ 1, right(frame)[1]])):
            frame[40:42] = checksum
            made.append((0, 0, bytes(frame)))
        kept, _ = self.anonymize(self.write("udp.pcap", pcap(made)), "--key=x")
        new = [frame[40:42] for _, frame in kept]
        self.assertEqual(new[0], bytes(2))
        self.assertEqual(new[1], right(kept[1][1]))
        self.assertNotIn(new[2], (bytes(2), right(kept[2][1])))

    def test_other_frames(self):
        path = fixture("rping-64")
        _, frames = records(path)
        self.anonymize(path)
        self.assertIn("67 frames, 2 of them not RoCEv2, which became empty frames\n", self.text)
        kept, _ = self.anonymize(path, "--drop-others")
        self.assertEqual(len(kept), 65)
        self.assertIn("left out", self.text)
        kept, _ = self.anonymize(path, "--keep-others")
        self.assertEqual([frame for _, frame in kept[:2]], [frame for _, _, frame in frames[:2]])
        self.assertIn("AS THEY ARE", self.text)
        status, out, err = run("anonymize", "--keep-others", "--drop-others", path, self.out)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("choose one of", err)

    def test_pipes(self):
        with open(fixture("rping-64"), "rb") as stream:
            done = subprocess.run([check.NDREPLAY, "anonymize", "--key=x", "-", "-"], stdin=stream,
                                  capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout, self.anonymize(fixture("rping-64"), "--key=x")[1])
        self.assertIn(b"67 frames", done.stderr)

    def json(self, path, *options):
        """Return the output of --json, which must match the schema."""
        schema = Schema("ndreplay.schema.json")
        self.anonymize(path, "--json", *options)
        answer = json.loads(self.text)
        self.assertEqual(schema.wrong(answer, schema.part("anonymize")), [])
        return answer

    def test_json_counts_what_was_replaced(self):
        """Compare the output of --json with independently parsed frames and with the output
        file."""
        for name in ("loss-mixed", "mw2-sendinv", "ipv6-mixed"):
            path = fixture(name)
            answer = self.json(path)
            _, frames = records(path)
            parts = [part for part in (Parts(frame) for _, _, frame in frames) if part.roce]
            self.assertEqual((answer["file"], answer["output"]), (path, self.out))
            self.assertEqual((answer["frames"], answer["frames_written"]),
                             (len(frames), len(frames)))
            self.assertEqual((answer["others"], answer["others_were"], answer["keyed"]),
                             (len(frames) - len(parts), "emptied", False))
            self.assertEqual(answer["connections"], 1)
            self.assertEqual(answer["roce_packets"], len(parts))
            replaced = answer["replaced"]
            data = [part for part in parts if part.opcode != 0x64]
            self.assertEqual(replaced["mac"]["different"],
                             len({mac for part in parts for mac in part.macs}))
            self.assertEqual(replaced["mac"]["fields"], 2 * len(parts))
            family = "ipv6" if name.startswith("ipv6") else "ipv4"
            self.assertEqual(replaced[family]["different"],
                             len({ip for part in parts for ip in part.ips}))
            # Datagrams of the CM have a Q_Key, which must not be 0.
            keys = {key for part in data for key in part.keys}
            self.assertIn(replaced["key"]["different"] - len(keys), (0, 1))
            self.assertEqual(replaced["virtual_address"]["fields"],
                             sum(len(part.addresses) for part in data))
            self.assertEqual(replaced["virtual_address"]["different"],
                             len({address for part in data for address in part.addresses}))
            self.assertEqual(replaced["payload"]["bytes"], sum(len(part.payload) for part in data))

    def test_json_of_other_choices(self):
        path = fixture("rping-64")
        answer = self.json(path, "--drop-others", "--key=x")
        self.assertEqual((answer["others_were"], answer["keyed"]), ("dropped", True))
        self.assertEqual((answer["frames"], answer["frames_written"]), (67, 65))
        self.assertEqual(self.json(path, "--keep-others")["others_were"], "kept")
        self.assertEqual(self.json(fixture("corrupt"))["icrc_bad"], 3)
        # An empty capture is accepted, although it has nothing to replace.
        answer = self.json(self.write("empty.pcap", pcap([])))
        self.assertEqual((answer["frames"], answer["replaced"]), (0, {}))

    def test_json_when_it_goes_wrong(self):
        """If the file is damaged, the output has the earlier frames and the reason. If the output
        cannot be written, there is no JSON."""
        with open(fixture("rping-64"), "rb") as stream:
            cut = self.write("cut.pcap", stream.read()[:-7])
        status, out, err = run("anonymize", "--json", cut, self.out)
        answer = json.loads(out)
        self.assertEqual((status, answer["frames"]), (2, 66))
        self.assertEqual(err, "ndreplay anonymize: %s\n" % answer["error"])
        status, out, err = run("anonymize", "--json", fixture("rping-64"), "/dev/full")
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(err.count("\n"), 1)
        with open(fixture("rping-64"), "rb") as stream:
            done = subprocess.run([check.NDREPLAY, "anonymize", "--json", "-", "-"], stdin=stream,
                                  capture_output=True, timeout=60)
        self.assertEqual(json.loads(done.stderr)["frames"], 67)
        self.assertEqual(len(pcapng_frames(done.stdout)[1]), 67)

    def test_wrong_use(self):
        path = os.path.join(self.folder.name, "in.pcap")
        shutil.copy(fixture("rping-64"), path)
        for arguments, word in (
            ((path,), "two files"),
            ((path, path), "another name is needed"),
            (("--key=", path, self.out), "at least one character"),
            ((path, "/dev/full"), "No space left"),
            ((os.path.join(self.folder.name, "none"), self.out), "No such file"),
            ((path, os.path.join(self.folder.name, "no", "out")), "No such file"),
        ):
            status, out, err = run("anonymize", *arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertRegex(err, r"\Andreplay anonymize: [^\n]+\n\Z")
            self.assertIn(word, err)


if __name__ == "__main__":
    check.NDREPLAY, check.FIXTURES = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
