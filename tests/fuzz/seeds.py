#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Make the first inputs of a fuzz target from the captures in pcap_fixtures/.

usage: seeds.py TARGET FOLDER

Writes FOLDER/seed-NAME for each capture NAME that contains traffic for the target. The file has at
most 256 records in the format of the target. A target without a function here gets no first input.
"""

import glob
import os
import struct
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CAPTURES = os.path.join(ROOT, "pcap_fixtures")
RECORDS_MAX = 256
ROCE_PORT = 4791
ACTIVE, PASSIVE = b"\x02\xaa\0\0\0\1", b"\x02\xbb\0\0\0\2"
VECTORS = 32  # at least as many as unit/wire_vectors.h has

ACK, ATOMIC_ACK, READ_REQUEST, COMPARE_SWAP, FETCH_ADD = 0x11, 0x12, 0x0C, 0x13, 0x14
RESPONSES = {0x11: 0, 0x0D: 2, 0x0E: 3, 0x0F: 4, 0x10: 5, 0x12: 6}  # index in the tables
# Index of the request to post, by the opcode of a First, Only or Last packet of a message.
POSTED = {0x00: 0, 0x04: 0, 0x17: 1, 0x05: 2, 0x06: 3, 0x0A: 3, 0x0B: 4, 0x0C: 5, 0x14: 6, 0x13: 7}
ETH_BYTES, UDP_BYTES, BTH_BYTES, ICRC_BYTES = 14, 8, 12, 4


def frames(path):
    """Return the frames of a pcap file (not pcapng)."""
    with open(path, "rb") as stream:
        data = stream.read()
    at = 24
    while at + 16 <= len(data):
        length = struct.unpack_from("<I", data, at + 8)[0]
        yield data[at + 16:at + 16 + length]
        at += 16 + length


class Packet:
    """Fields of a RoCE packet that are used in records."""

    def __init__(self, frame, udp):
        bth = udp + UDP_BYTES
        self.frame = frame
        self.source = frame[6:12]
        self.opcode = frame[bth]
        self.qpn = int.from_bytes(frame[bth + 5:bth + 8], "big")
        self.psn = int.from_bytes(frame[bth + 9:bth + 12], "big")
        self.body = frame[bth + BTH_BYTES:len(frame) - ICRC_BYTES]

    @staticmethod
    def of(frame):
        """Return a Packet, or None if the frame is not RoCE."""
        udp = ETH_BYTES + (20 if frame[12:14] == b"\x08\x00" else 40)
        if frame[12:14] not in (b"\x08\x00", b"\x86\xdd") or len(frame) < udp + 24:
            return None
        if struct.unpack_from(">H", frame, udp + 2)[0] != ROCE_PORT:
            return None
        return Packet(frame, udp)


def packets(path):
    return [packet for packet in map(Packet.of, frames(path)) if packet is not None]


def step(kind, opcode=0, psn=0, flags=0, payload=0, syndrome=0, number=0):
    """Return a record (struct rc_step) of fuzz_rc_input.c and fuzz_requester.c."""
    return struct.pack("<BBbBHHhBBI", kind, opcode, psn, flags, payload & 0xFFFF, 0, 0, 0, syndrome,
                       number)


def response(kind, packet, oldest):
    ahead = (packet.psn - oldest + (1 << 23)) % (1 << 24) - (1 << 23)
    return step(kind, RESPONSES[packet.opcode], max(-128, min(127, ahead)), 0x41,
                len(packet.body), packet.body[0] if packet.body else 0, packet.psn)


def connection_steps(path, ours, kinds):
    """Records of what a host of a capture received and sent. kinds: step numbers of the target."""
    made = [bytes(16)]
    oldest = None
    for packet in packets(path):
        if packet.qpn == 1:
            continue
        if packet.source == ours:
            if packet.opcode in POSTED:
                oldest = packet.psn if oldest is None else oldest
                made.append(step(kinds["post"], POSTED[packet.opcode], 0, 0, len(packet.body)))
                made.append(step(kinds["progress"]))
        elif packet.opcode in RESPONSES:
            made.append(response(kinds["response"], packet, oldest or packet.psn))
        elif "request" in kinds:
            made.append(step(kinds["receive"], 0, 0, 1, 512))
            made.append(step(kinds["request"], packet.opcode, 0, 0x81, len(packet.body)))
            made.append(step(kinds["progress"]))
    return made


def rc_input(path):
    kinds = {"request": 0, "response": 2, "post": 3, "receive": 4, "progress": 5}
    yield "active", connection_steps(path, ACTIVE, kinds)
    yield "passive", connection_steps(path, PASSIVE, kinds)


def requester(path):
    kinds = {"post": 0, "response": 2, "progress": 3}
    yield "active", connection_steps(path, ACTIVE, kinds)
    yield "passive", connection_steps(path, PASSIVE, kinds)


CM_REQUEST, CM_FOLLOW, CM_CONNECT, CM_CALL, CM_TIME, CM_LISTEN = range(6)
CM_FOLLOWS = {0x13: 0, 0x14: 1, 0x12: 2, 0x11: 3, 0x15: 4, 0x16: 5}  # index in attributes[]
CM_CALLS = {0x14: 0, 0x12: 1, 0x15: 2, 0x13: 6}
REQ, MAD_ATTRIBUTE = 0x10, 8 + 16  # after the DETH


def cm_step(kind, what=0):
    """Return a record (struct step) of fuzz_cm.c."""
    return struct.pack("<BBBB9sBH", kind, what, 0, 0, bytes(9), 0, 0)


def cm_steps(path, ours):
    """Records of the MADs that a host of a capture received and sent."""
    made = [struct.pack("<BBBB12x", 0, 5, 3, 15), cm_step(CM_LISTEN)]
    for packet in packets(path):
        if packet.qpn != 1 or len(packet.body) < 264:
            continue
        attribute = int.from_bytes(packet.body[MAD_ATTRIBUTE:MAD_ATTRIBUTE + 2], "big")
        if packet.source != ours:
            made.append(cm_step(CM_REQUEST) if attribute == REQ else
                        cm_step(CM_FOLLOW, CM_FOLLOWS.get(attribute, 6)))
        elif attribute == REQ:
            made.append(cm_step(CM_CONNECT))
        elif attribute in CM_CALLS:
            made.append(cm_step(CM_CALL, CM_CALLS[attribute]))
        if len(made) % 8 == 0:
            made.append(cm_step(CM_TIME, 1))
    return made


def cm(path):
    yield "active", cm_steps(path, ACTIVE)
    yield "passive", cm_steps(path, PASSIVE)


def wire_burst(path):
    """Bursts of four equal vectors, all checksums corrected. Only for one capture."""
    if os.path.basename(path) != "bidir.pcap":
        return
    for vector in range(VECTORS):
        yield "vector-%d" % vector, [bytes((0x80 | vector, 0x0F)) + bytes(14)] * 4


ARP, ARP_OPERATION = b"\x08\x06", ETH_BYTES + 6
NEIGH_FRAME, NEIGH_LOOKUP, NEIGH_TIME = range(3)


def neigh_step(kind, what=0, milliseconds=0):
    """Return a record (struct step) of fuzz_neigh.c for its first host."""
    return struct.pack("<BBBB10xH", kind, what, 0, 2, milliseconds)


def neigh(path):
    """ARP between two hosts, and the same steps over IPv6."""
    made = []
    for frame in frames(path):
        if frame[12:14] == ARP:
            reply = frame[ARP_OPERATION:ARP_OPERATION + 2] == b"\0\2"
            made += [neigh_step(NEIGH_LOOKUP), neigh_step(NEIGH_FRAME, int(reply)),
                     neigh_step(NEIGH_TIME, 0, 900)]
    if made:
        yield "v4", [bytes(16)] + made
        yield "v6", [b"\1" + bytes(15)] + made


TRACE_CAPTURES = 12  # number of captures in damaged.h
TRACE_NEXT = struct.pack("<bBB12xB", 127, 0, 0, 20)


def trace(path):
    """Each capture of the target, without changes. Only for one capture."""
    if os.path.basename(path) == "bidir.pcap":
        for number in range(TRACE_CAPTURES):
            yield str(number), [bytes((number,)) + bytes(15)] + [TRACE_NEXT] * 255


TARGETS = {
    "cm": cm,
    "neigh": neigh,
    "rc_input": rc_input,
    "requester": requester,
    "model": trace,
    "player": trace,
    "trace": trace,
    "wire_burst": wire_burst,
}


def main(arguments):
    if len(arguments) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    target, folder = arguments
    if target not in TARGETS:
        return 0
    for path in sorted(glob.glob(os.path.join(CAPTURES, "*.pcap"))):
        capture = os.path.splitext(os.path.basename(path))[0]
        for name, records in TARGETS[target](path):
            if len(records) > 1:
                with open(os.path.join(folder, "seed-%s-%s" % (capture, name)), "wb") as stream:
                    stream.write(b"".join(records[:RECORDS_MAX]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
