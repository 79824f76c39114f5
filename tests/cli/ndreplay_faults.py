#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""ndreplay check must find each kind of fault in many recorded captures, and nothing in unchanged
captures.

usage: ndreplay_faults.py NDREPLAY FIXTURES [--list]

Each row of FAULTS makes one fault in each capture that has the necessary frames. The ICRC is
correct, except in the fault of the ICRC. ndreplay must name the rule and the frame. The network may
reorder packets, so a fault in their order is made only where the IP identifications prove the
order. Each fault must be possible in at least 3 captures. Exits with 0, or with 1 after printing
what was wrong. --list prints the captures of each fault.
"""

import collections
import glob
import json
import os
import struct
import subprocess
import sys
import tempfile

from ndreplay_mutations import A, ACK, ATOMIC_ACK, ATOMICS, B, DREP, DREQ, Frame, READ_REQUEST
from ndreplay_mutations import REJ, REQ, SENDS, WRITES, read, write

CAPTURES_MIN = 3
NUMBERED_MIN = 9  # number of steps of the IP identification in a row that prove the order
MIDDLE_RESPONSE = {0xE}
REQUESTS = SENDS | WRITES | READ_REQUEST | ATOMICS


def packets(frames, opcodes):
    return [frame for frame in frames if frame.roce and frame.opcode in opcodes]


def messages(frames, attribute):
    """@return the first CM message of this kind, as a list of one or none"""
    return [f for f in packets(frames, {0x64}) if f.attribute == attribute][:1]


def psn_set(frame, psn):
    frame.data[51:54] = (psn & 0xFFFFFF).to_bytes(3, "big")
    frame.seal()


def ip_id(frame):
    return int.from_bytes(frame.data[18:20], "big")


def is_numbered(frames, frame):
    """@return whether the IP identifications prove the order of the flow up to this packet"""
    sent = [one for one in frames[:frames.index(frame) + 1] if one.roce and
            one.data[6:12] + one.data[47:50] == frame.data[6:12] + frame.data[47:50]]
    sent = sent[-NUMBERED_MIN - 1:]
    steps = [ip_id(second) - ip_id(first) for first, second in zip(sent, sent[1:])]
    return len(steps) == NUMBERED_MIN and all(0 < step < 1024 for step in steps)


def pairs(frames, opcodes):
    """Yield pairs of packets of one flow with consecutive PSNs, the last pair first. Each PSN
    occurs once."""
    found = packets(frames, opcodes)
    count = collections.Counter((bytes(one.data[47:50]), one.psn) for one in found)
    for first, second in reversed(list(zip(found, found[1:]))):
        if first.data[47:50] == second.data[47:50] and second.psn == first.psn + 1 and \
                all(count[bytes(one.data[47:50]), one.psn] == 1 for one in (first, second)):
            yield first, second


def numbered(frames, opcodes):
    """Yield neighbours whose order is proven."""
    for first, second in pairs(frames, opcodes):
        if is_numbered(frames, first) and is_numbered(frames, second):
            yield first, second


def acks(frames):
    """Yield neighbours without error. The PSN before the first is that of a SEND or WRITE."""
    requests = {one.psn for one in packets(frames, SENDS | WRITES)}
    for first, second in numbered(frames, ACK):
        if first.data[54] >> 5 == second.data[54] >> 5 == 0 and first.psn - 1 in requests:
            yield first, second


def changed(frame, at, value):
    frame.data[at] = value
    frame.seal()
    return frame


# ---- faults: functions that change the frames, and return the frame to be named, or None ----

def response_lost(frames):
    for first, second in numbered(frames, MIDDLE_RESPONSE):
        frames.remove(first)
        return second
    return None


def icrc_wrong(frames):
    for frame in packets(frames, SENDS | WRITES)[1:]:
        frame.data[-5] ^= 1
        return frame
    return None


def ack_goes_back(frames):
    for first, second in acks(frames):
        second.data[54:58] = first.data[54:58]
        psn_set(second, first.psn - 1)
        return second
    return None


def nak_of_acknowledged(frames):
    for first, second in acks(frames):
        second.data[54] = 0x60
        psn_set(second, first.psn)
        return second
    return None


def nak_msn(frames):
    """Raise the MSN of a NAK."""
    for frame in packets(frames, ACK) if messages(frames, REQ) else ():
        if frame.data[54] >> 5 != 0:
            return changed(frame, 56, frame.data[56] ^ 4)
    return None


def ack_refuses(frames):
    """Change the last ACK of a SEND or WRITE into a fatal NAK. Its MSN counts the request."""
    found = packets(frames, ACK) if messages(frames, REQ) else []
    requests = {(one.sender, one.psn) for one in packets(frames, SENDS | WRITES)}
    for frame in reversed(found):
        other = B if frame.sender == A else A
        is_repeated = any(one.psn == frame.psn for one in found if one is not frame)
        if frame.data[54] >> 5 == 0 and (other, frame.psn) in requests and not is_repeated:
            return changed(frame, 54, 0x62)
    return None


def atomic_msn(frames):
    """Lower the MSN of an atomic response. Without the REQ, the number of messages is unknown."""
    for _, second in pairs(frames, ATOMIC_ACK) if messages(frames, REQ) else ():
        return changed(second, 57, second.data[57] - 1 & 0xFF)
    return None


def responses_swapped(frames):
    for first, second in numbered(frames, MIDDLE_RESPONSE):
        psn_set(first, second.psn)
        psn_set(second, first.psn - 1)
        return second
    return None


def response_twice(frames):
    for first, second in numbered(frames, MIDDLE_RESPONSE):
        psn_set(second, first.psn)
        return second
    return None


def data_after(frames, attribute):
    """Append a request of the sender of the message, one second after the last frame."""
    for message in messages(frames, attribute):
        for frame in reversed(packets(frames, SENDS | WRITES)):
            if frame.sender == message.sender:
                seconds = struct.unpack_from("<I", frames[-1].header)[0] + 1
                late = Frame(len(frames) + 1, struct.pack("<I", seconds) + frames[-1].header[4:],
                             frame.data)
                psn_set(late, frame.psn + 1)
                frames.append(late)
                return late
    return None


def data_after_dreq(frames):
    return data_after(frames, DREQ)


def data_after_drep(frames):
    return data_after(frames, DREP)


def mad_byte(attribute, at, value):
    """@return fault that sets the upper 4 bits of a byte, at an offset after the MAD header"""
    def fault(frames):
        for message in messages(frames, attribute):
            return changed(message, 62 + 24 + at, value | message.data[62 + 24 + at] & 0x0F)
        return None
    return fault


def req_transport(frames):
    for message in messages(frames, REQ):
        return changed(message, 62 + 24 + 43, message.data[62 + 24 + 43] | 6)
    return None


def rej_other(frames):
    for message in messages(frames, REJ):
        return changed(message, 62 + 24 + 8, message.data[62 + 24 + 8] ^ 0x40)
    return None


# Rows have the columns fault, member of the report, rule.
FAULTS = [
    (response_lost, "violations", "RC-073"),
    (icrc_wrong, "damages", "ICRC"),
    (ack_goes_back, "violations", "RC-055"),
    (nak_of_acknowledged, "violations", "RC-023"),
    (atomic_msn, "violations", "RC-041"),
    (nak_msn, "violations", "RC-041"),
    (ack_refuses, "violations", "RC-041"),
    (responses_swapped, "violations", "RC-073"),
    (response_twice, "violations", "RC-073"),
    (data_after_dreq, "violations", "CM-STATE"),
    (data_after_drep, "violations", "CM-STATE"),
    (mad_byte(REQ, 4, 0x10), "violations", "CM-002"),
    (req_transport, "violations", "CM-TYPE"),
    (mad_byte(REQ, 140, 0x10), "violations", "CM-IP"),
    (rej_other, "violations", "CM-REJ"),
]


def reports_of(ndreplay, files):
    ended = subprocess.run([ndreplay, "check", "--complete", "--json", *files],
                           stdout=subprocess.PIPE, text=True)
    return {os.path.basename(one["file"]): one for one in json.loads(ended.stdout)}


def main():
    ndreplay, fixtures = sys.argv[1:3]
    wrong, made = [], 0
    originals = sorted(glob.glob(os.path.join(fixtures, "*.pcap")))
    clean = reports_of(ndreplay, originals)
    for name, report in clean.items():
        if report["violations"] or report["doubts"]:
            wrong.append("%s: something was found in an unchanged capture" % name)
    with tempfile.TemporaryDirectory() as folder:
        for number, (fault, member, rule) in enumerate(FAULTS):
            named = {}
            for original in originals:
                name = os.path.basename(original)
                head, frames = read(original)
                frame = fault(frames)
                if frame is not None and not clean[name]["damages"]:
                    named["%d-%s" % (number, name)] = frames.index(frame) + 1
                    write(os.path.join(folder, "%d-%s" % (number, name)), head, frames)
            if len(named) < CAPTURES_MIN:
                wrong.append("fault %d, %s: only in %d captures" % (number, rule, len(named)))
                continue
            made += len(named)
            found = reports_of(ndreplay, [os.path.join(folder, name) for name in named])
            for name, frame in named.items():
                if not any((one["rule"], one["frame"]) == (rule, frame)
                           for one in found[name][member]):
                    wrong.append("fault %s: %s of frame %d: not found, but %s" % (
                        name, rule, frame, [(one["rule"], one["frame"], one["text"]) for key in
                                            ("violations", "doubts", "damages")
                                            for one in found[name][key]][:3]))
            if "--list" in sys.argv:
                print(rule, sorted(named))
    print("\n".join(wrong))
    print("%d faults, %d not found" % (made, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
