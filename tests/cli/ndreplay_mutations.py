#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""ndreplay respond and request must report a change of one field, and nothing in unchanged
captures.

usage: ndreplay_mutations.py NDREPLAY FIXTURES [--list]

Each row of MUTATIONS changes one field of one packet of a recorded capture. The ICRC is corrected,
so that only this field is wrong. ndreplay must report the frame and the field. Exits with 0, or
with 1 after printing the changes that were not found. --list prints the rows.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib

A, B = "A", "B"
SENDER = {b"\x02\xaa\x00\x00\x00\x01": A, b"\x02\xbb\x00\x00\x00\x02": B}
COMMAND = {A: "request", B: "respond"}


def icrc(packet):
    """@return ICRC of an IP packet. Ignores the last four bytes of the packet"""
    masked = bytearray(packet[:-4])
    if masked[0] >> 4 == 4:
        udp = (masked[0] & 15) * 4
        masked[1] = masked[8] = masked[10] = masked[11] = 0xFF
    else:
        udp = 40
        masked[0] |= 0x0F
        masked[1:4] = b"\xff\xff\xff"
        masked[7] = 0xFF
    masked[udp + 6:udp + 8] = b"\xff\xff"
    masked[udp + 12] = 0xFF
    return struct.pack("<I", zlib.crc32(b"\xff" * 8 + bytes(masked)))


class Frame:
    """A frame of a capture, with Ethernet and IPv4 headers without options."""

    def __init__(self, number, header, data):
        self.number = number
        self.header = header
        self.data = bytearray(data)

    @property
    def sender(self):
        return SENDER.get(bytes(self.data[6:12]))

    @property
    def roce(self):
        return self.data[12:14] == b"\x08\x00" and self.data[23] == 17 and \
            self.data[36:38] == b"\x12\xb7"

    @property
    def opcode(self):
        return self.data[42]

    @property
    def psn(self):
        return int.from_bytes(self.data[51:54], "big")

    @property
    def attribute(self):
        return self.data[79] if self.opcode == 0x64 else None

    def seal(self):
        """Correct the lengths, the header checksum and the ICRC."""
        end = 14 + struct.unpack_from(">H", self.data, 16)[0]
        self.data[24:26] = b"\x00\x00"
        total = sum(struct.unpack(">10H", self.data[14:34]))
        total = (total & 0xFFFF) + (total >> 16)
        struct.pack_into(">H", self.data, 24, ~(total + (total >> 16)) & 0xFFFF)
        self.data[end - 4:end] = icrc(self.data[14:end])


def read(path):
    with open(path, "rb") as file:
        content = file.read()
    order = "<" if content[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    frames = []
    at = 24
    while at < len(content):
        captured = struct.unpack_from(order + "I", content, at + 8)[0]
        frames.append(Frame(len(frames) + 1, content[at:at + 16],
                            content[at + 16:at + 16 + captured]))
        at += 16 + captured
    return content[:24], frames


def write(path, head, frames):
    with open(path, "wb") as file:
        file.write(head)
        for frame in frames:
            file.write(frame.header[:8] + struct.pack("<II", len(frame.data), len(frame.data)) +
                       frame.data)


# ---- changes: functions that modify the frame ----

def flip(at, mask):
    """Invert the bits of mask in the byte at this offset of the frame."""
    def change(frame):
        frame.data[at] ^= mask
    return change


def bth(at, mask):
    return flip(42 + at, mask)


def extension(at, mask):
    return flip(54 + at, mask)


def mad(at, mask):
    """Change a byte of the CM message, at an offset after the MAD header."""
    return flip(62 + 24 + at, mask)


def shorter(frame):
    """Remove four bytes of payload."""
    del frame.data[-8:-4]
    for at in (16, 38):
        length = struct.unpack_from(">H", frame.data, at)[0]
        struct.pack_into(">H", frame.data, at, length - 4)


def opcode_to(opcode):
    def change(frame):
        frame.data[42] = opcode
    return change


# ---- functions (frame, state) that select a frame; each function has its own state ----

def nth(sender, opcodes, index):
    def choose(frames):
        return [f for f in frames if f.roce and f.sender == sender and f.opcode in opcodes][index]
    return choose


def again(sender, opcodes, index):
    """Select frame number `index` among the frames that repeat a PSN of the same sender."""
    def choose(frames):
        seen, repeated = set(), []
        for frame in frames:
            if not frame.roce or frame.sender != sender or frame.opcode not in opcodes:
                continue
            if frame.psn in seen:
                repeated.append(frame)
            seen.add(frame.psn)
        return repeated[index]
    return choose


def cm(sender, attribute):
    def choose(frames):
        return [f for f in frames if f.roce and f.sender == sender and f.opcode == 0x64 and
                f.attribute == attribute][0]
    return choose


def nak(sender, kind, index):
    """Select an acknowledge by the type of its syndrome: 0 ACK, 1 RNR NAK, 3 NAK."""
    def choose(frames):
        return [f for f in frames if f.roce and f.sender == sender and f.opcode == 0x11 and
                f.data[54] >> 5 == kind][index]
    return choose


ACK, ATOMIC_ACK = {0x11}, {0x12}
SENDS, WRITES = {0, 1, 2, 4}, {6, 7, 8, 0xA}
READ_REQUEST, READ_RESPONSES = {0xC}, {0xD, 0xE, 0xF, 0x10}
ATOMICS = {0x13, 0x14}
REQ, REP, RTU, DREQ, DREP, REJ = 0x10, 0x13, 0x14, 0x15, 0x16, 0x12

# Rows have the columns name, capture, sender, frame, change, field.
# ndreplay must report a difference in this field without explanation.
# If the column is (field, reason), the report must give this reason as explanation.
# If the column is (field, number), the difference is this number of frames later.
MUTATIONS = [
    # Ethernet, IP, UDP
    ("source MAC address", "send-many", B, nth(B, ACK, 3), flip(11, 4), "source MAC address"),
    ("destination MAC address", "send-many", B, nth(B, ACK, 3), flip(5, 4),
     "destination MAC address"),
    ("DSCP", "send-many", B, nth(B, ACK, 3), flip(15, 0x28), "DSCP"),
    ("ECN", "send-many", B, nth(B, ACK, 3), flip(15, 2), "ECN"),
    ("TTL", "send-many", A, nth(A, SENDS, 3), flip(22, 1), "TTL"),
    ("do not fragment", "send-many", A, nth(A, SENDS, 3), flip(20, 0x40), "IP fragment flags"),
    ("UDP source port", "send-many", A, nth(A, SENDS, 3), flip(35, 1), "UDP source port"),
    # BTH
    ("opcode of a SEND", "send-65536-mtu1024", A, nth(A, SENDS, 9), opcode_to(2),
     ("request", 1)),
    ("solicited event of an ACK", "send-many", B, nth(B, ACK, 3), bth(1, 0x80),
     "solicited event"),
    ("MigReq", "send-many", B, nth(B, ACK, 3), bth(1, 0x40), "MigReq"),
    ("transport header version", "send-many", A, nth(A, SENDS, 3), bth(1, 1),
     ("connection", "not judged")),
    ("P_Key", "send-many", B, nth(B, ACK, 3), bth(3, 1), ("connection", "not judged")),
    ("FECN", "send-many", B, nth(B, ACK, 3), bth(4, 0x80), "FECN and BECN"),
    ("BECN", "send-many", B, nth(B, ACK, 3), bth(4, 0x40), "FECN and BECN"),
    ("reserved bits of BTH, byte 4", "send-many", B, nth(B, ACK, 3), bth(4, 1),
     "reserved bits before the destination QP"),
    ("destination QP", "send-many", B, nth(B, ACK, 3), bth(7, 0x40),
     ("no frame of the replayed side was captured", "not judged")),
    ("AckReq", "send-many", A, nth(A, SENDS, 3), bth(8, 0x80), ("AckReq", "ack-request")),
    ("reserved bits of BTH, byte 8", "send-many", A, nth(A, SENDS, 3), bth(8, 1),
     "reserved bits before the PSN"),
    ("PSN of an ACK, ahead", "send-many", B, nth(B, ACK, 3), bth(11, 0x40), "MSN"),
    ("PSN of an ACK, by one", "send-many", B, nth(B, ACK, 20), bth(11, 1), "MSN"),
    # No explanation is allowed, because the ACK's MSN shows that no request is missing.
    ("PSN of the last ACK, ahead", "inline", B, nth(B, ACK, -1), bth(11, 2), "ACK"),
    ("PSN of a SEND", "send-65536-mtu1024", A, nth(A, SENDS, 9), bth(10, 4), "request"),
    ("PSN of a READ response", "read-65536-mtu1024", B, nth(B, READ_RESPONSES, 9), bth(10, 4),
     "READ response"),
    # AETH
    ("syndrome: ACK becomes RNR NAK", "send-many", B, nth(B, ACK, 3), extension(0, 0x20),
     "RNR NAK"),
    ("syndrome: ACK becomes NAK", "send-many", B, nth(B, ACK, 3), extension(0, 0x60),
     "AETH syndrome"),
    ("credits of an ACK", "send-many", B, nth(B, ACK, 3), extension(0, 2),
     ("AETH syndrome", "credits")),
    ("MSN of an ACK", "send-many", B, nth(B, ACK, 3), extension(3, 1), "MSN"),
    ("MSN of an ACK, high byte", "send-many", B, nth(B, ACK, 3), extension(1, 1), "MSN"),
    ("MSN of a READ response", "read-65536-mtu1024", B, nth(B, READ_RESPONSES, 0),
     extension(3, 4), "MSN"),
    ("credits of a READ response", "read-65536-mtu1024", B, nth(B, READ_RESPONSES, 0),
     extension(0, 1), ("AETH syndrome", "credits")),
    ("MSN of an atomic's answer", "fadd", B, nth(B, ATOMIC_ACK, 2), extension(3, 8), "MSN"),
    ("code of a NAK", "nak-badrkey-write", B, nak(B, 3, 0), extension(0, 3), "AETH syndrome"),
    ("MSN of a NAK", "nak-badrkey-write", B, nak(B, 3, 0), extension(3, 4), "MSN"),
    ("PSN of a NAK", "loss-send", B, nak(B, 3, 1), bth(11, 2), "NAK"),
    ("MSN of a sequence NAK", "loss-send", B, nak(B, 3, 1), extension(3, 4), "MSN"),
    ("timer of an RNR NAK", "rnr-recover-fast", B, nak(B, 1, 4), extension(0, 2),
     "AETH syndrome"),
    ("MSN of an RNR NAK", "rnr-recover-fast", B, nak(B, 1, 4), extension(3, 4), "MSN"),
    # The next rows change READ responses and responses to atomics.
    ("opcode of a READ response", "read-65536-mtu1024", B, nth(B, READ_RESPONSES, 9),
     opcode_to(0xF), "opcode"),
    ("payload of a READ response", "mixed", B, nth(B, READ_RESPONSES, 1), extension(40, 1),
     ("memory", "memory")),
    ("payload of a repeated READ response", "dup-read", B, again(B, {0xE}, 0), extension(40, 1),
     "payload"),
    ("length of a READ response", "read-65536-mtu1024", B, nth(B, {0xE}, 9), shorter,
     "payload length"),
    ("number that an atomic found", "fadd", B, nth(B, ATOMIC_ACK, 3), extension(11, 1),
     "original remote data"),
    # In retransmitted requests, the first copy defines the expected fields.
    ("payload of a repeated SEND", "loss-send", A, again(A, SENDS, 2), extension(40, 1),
     "payload"),
    ("length of a repeated SEND", "loss-send", A, again(A, {1}, 0), shorter, "payload length"),
    ("opcode of a repeated SEND", "loss-send", A, again(A, {1}, 0), opcode_to(2), "opcode"),
    ("payload of a repeated WRITE", "loss-write", A, again(A, {7, 8}, 1), extension(40, 1),
     "payload"),
    ("virtual address of a repeated WRITE", "reorder-write", A, again(A, {6, 0xA}, 0),
     extension(7, 8), "virtual address"),
    ("R_Key of a repeated WRITE", "reorder-write", A, again(A, {6, 0xA}, 0), extension(11, 1),
     "R_Key"),
    ("DMA length of a repeated WRITE", "reorder-write", A, again(A, {6, 0xA}, 0),
     extension(15, 8), "DMA length"),
    ("virtual address of a repeated READ", "dup-read", A, again(A, READ_REQUEST, 0),
     extension(7, 8), "virtual address"),
    ("R_Key of a repeated READ", "dup-read", A, again(A, READ_REQUEST, 0), extension(11, 1),
     "R_Key"),
    ("DMA length of a repeated READ", "dup-read", A, again(A, READ_REQUEST, 0),
     extension(15, 8), "DMA length"),
    ("swap data of a repeated atomic", "loss-atomic", A, again(A, ATOMICS, 0),
     extension(19, 1), "swap or add data"),
    ("compare data of a repeated atomic", "loss-atomic", A, again(A, ATOMICS, 0),
     extension(27, 1), "compare data"),
    ("virtual address of a repeated atomic", "loss-atomic", A, again(A, ATOMICS, 0),
     extension(7, 8), "virtual address"),
    # connection manager
    ("REP: transaction ID", "send-many", B, cm(B, REP), mad(-9, 1), "transaction ID"),
    ("DREP: MAD class version", "send-many", B, cm(B, DREP), mad(-24, 2),
     ("connection", "not judged")),
    ("REP: remote communication ID", "send-many", B, cm(B, REP), mad(7, 1),
     "remote communication ID"),
    ("REP: local Q_Key", "send-many", B, cm(B, REP), mad(11, 1), "local Q_Key"),
    ("REP: SRQ", "send-many", B, cm(B, REP), mad(27, 0x10), ("SRQ", "cm-setting")),
    ("REP: target ACK delay", "send-many", B, cm(B, REP), mad(26, 0x10),
     ("target ACK delay", "cm-setting")),
    ("REP: starting PSN", "send-many", B, cm(B, REP), mad(22, 1), "starting PSN"),
    ("DREP: local communication ID", "send-many", B, cm(B, DREP), mad(3, 1),
     "local communication ID"),
    ("DREP: transaction ID", "send-many", B, cm(B, DREP), mad(-9, 1), "transaction ID"),
    ("DREP: private data", "send-many", B, cm(B, DREP), mad(40, 1), "private data"),
    ("REQ: local Q_Key", "send-many", A, cm(A, REQ), mad(31, 1), "local Q_Key"),
    ("REQ: transport service", "send-many", A, cm(A, REQ), mad(43, 2), "transport service"),
    ("REQ: P_Key", "send-many", A, cm(A, REQ), mad(49, 1), "P_Key"),
    ("REQ: RDC exists", "send-many", A, cm(A, REQ), mad(50, 8), "RDC exists"),
    ("REQ: SRQ", "send-many", A, cm(A, REQ), mad(51, 8), ("SRQ", "cm-setting")),
    ("REQ: extended transport", "send-many", A, cm(A, REQ), mad(51, 1), "extended transport"),
    ("REQ: local GID", "send-many", A, cm(A, REQ), mad(71, 4), "local GID"),
    ("REQ: remote GID", "send-many", A, cm(A, REQ), mad(87, 4), "remote GID"),
    ("REQ: packet rate", "send-many", A, cm(A, REQ), mad(91, 1), ("packet rate", "cm-setting")),
    ("RTU: remote communication ID", "send-many", A, cm(A, RTU), mad(7, 1),
     "remote communication ID"),
    ("RTU: private data", "send-many", A, cm(A, RTU), mad(40, 1), "private data"),
    ("DREQ: remote QPN", "send-many", A, cm(A, DREQ), mad(10, 1), "remote QPN"),
    ("DREQ: private data", "send-many", A, cm(A, DREQ), mad(40, 1), "private data"),
    ("REJ: message", "rej-user", B, cm(B, REJ), mad(8, 0x40), "message"),
    ("REJ: reason", "rej-no-listener", B, cm(B, REJ), mad(11, 1),
     ("a REJ with a reason that no application can give", "not judged")),
    ("Q_Key of a CM message", "send-many", A, cm(A, DREQ), extension(3, 1), "Q_Key"),
    ("source QP of a CM message", "send-many", A, cm(A, DREQ), extension(7, 2), "source QP"),
]


def findings(ndreplay, command, files):
    """@return {file: set of (frame, field, expected, seen, reason)}"""
    done = subprocess.run([ndreplay, command, "--json", "--explained", *files],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    if done.returncode not in (0, 1, 4):
        sys.exit(f"ndreplay {command}: status {done.returncode}: {done.stderr.decode()}")
    found = {}
    for entry in json.loads(done.stdout):
        rows = {(row["frame"], row["field"], row["expected"], row["seen"], row["reason"])
                for row in entry["differences"]}
        for connection in entry["connections"]:
            rows |= {(frame, why, "", "", "not judged")
                     for why, frame in connection["first_not_judged"].items()}
        if entry["strays"] != 0:
            rows.add((entry["first_stray"], "connection", "", "", "not judged"))
        found[os.path.basename(entry["file"])] = rows
    return found


def mutate(fixtures, folder):
    """Write all changed captures. @return [(row, file, number of the changed frame)]"""
    written = []
    for index, row in enumerate(MUTATIONS):
        _, capture, _, choose, change, _ = row
        head, frames = read(os.path.join(fixtures, capture + ".pcap"))
        frame = choose(frames)
        if change is not None:
            change(frame)
        frame.seal()
        name = f"{index}.pcap"
        write(os.path.join(folder, name), head, frames)
        written.append((row, name, frame.number))
    return written


def check(row, number, rows):
    """@return None, or a description of the failure"""
    name, capture, sender, _, _, field = row
    if not rows:
        return f"{capture}: {name} of frame {number}, sender {sender}: nothing was found"
    reason, later = "unexplained", 0
    if isinstance(field, tuple):
        reason, later = (reason, field[1]) if isinstance(field[1], int) else (field[1], 0)
        field = field[0]
    if not any((frame, found, why) == (number + later, field, reason)
               for frame, found, _, _, why in rows):
        return f"{capture}: {name} of frame {number}: not named, but {sorted(rows)[:4]}"
    return None


def main():
    ndreplay, fixtures = sys.argv[1:3]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        written = mutate(fixtures, folder)
        originals = sorted({row[1] + ".pcap" for row in MUTATIONS})
        for command, sender in (("respond", B), ("request", A)):
            base = findings(ndreplay, command, [os.path.join(fixtures, n) for n in originals])
            copies = []
            for name in originals:
                head, frames = read(os.path.join(fixtures, name))
                for frame in frames:
                    if frame.roce and capture_is_right(name):
                        frame.seal()
                copies.append(os.path.join(folder, name))
                write(copies[-1], head, frames)
            if findings(ndreplay, command, copies) != base:
                wrong.append(f"{command}: copies without a change differ from the originals")
            mine = [entry for entry in written if entry[0][2] == sender]
            found = findings(ndreplay, command, [os.path.join(folder, e[1]) for e in mine])
            for row, name, number in mine:
                rows = found[name] - base[row[1] + ".pcap"]
                if "--list" in sys.argv:
                    print(row[0], row[1], number, sorted(rows)[:3])
                wrong.append(check(row, number, rows))
    wrong = [line for line in wrong if line is not None]
    for line in wrong:
        print(line)
    print(f"{len(MUTATIONS)} changes, {len(wrong)} not found")
    return 1 if wrong else 0


def capture_is_right(name):
    """@return whether all ICRCs in the capture are valid, so that correcting them changes
    nothing"""
    return name != "corrupt.pcap"


if __name__ == "__main__":
    sys.exit(main())
