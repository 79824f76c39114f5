# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Two network namespaces whose hosts are connected by this process. The process forwards each frame
between ndpmd's server and client, and may mark or drop the frame."""

import os
import select
import shutil
import socket
import struct
import subprocess
import sys
import threading

from program import EAL, SKIPPED, Process

SERVER, CLIENT = "198.51.100.1", "198.51.100.2"
MACS = {"server": "02:00:00:00:51:01", "client": "02:00:00:00:51:02"}
# Interface indexes. ndpmd_on() explains why they must be far apart.
INDEXES = {"server": 100, "client": 20100}
INSIDE = "NDPDK_BRIDGE_INSIDE"
ENTER = 'mount -t tmpfs tmpfs /run && exec "$@"'  # hides EAL files of other processes
OUTGOING = 4  # PACKET_OUTGOING: a frame that this process sent
ALL_PROTOCOLS = 3
CE, ECT0 = 3, 2
ACK, CNP, MAD = 0x11, 0x81, 0x64
CM_REQ = 0x0010


def enter():
    """Run the test again inside a new namespace, and exit with its status. If the test already
    runs inside, return."""
    if shutil.which("ip") is None:
        print("the program ip is missing: the package iproute2 has it")
        sys.exit(SKIPPED)
    if INSIDE in os.environ:
        return
    for flags in (["-nm"], ["-rnm"]):
        unshare = ["unshare", *flags, "sh", "-c", ENTER, "sh"]
        if subprocess.call([*unshare, "true"], stderr=subprocess.DEVNULL) == 0:
            words = [*unshare, sys.executable, *sys.argv]
            sys.exit(subprocess.call(words, env=dict(os.environ, **{INSIDE: "1"})))
    print("no network namespace can be made here")
    sys.exit(SKIPPED)


class Packet:
    """A RoCEv2 packet over IPv4 that was received from one of the hosts."""

    def __init__(self, sender, frame):
        self.sender = sender
        self.dscp, self.ecn, self.ttl = frame[15] >> 2, frame[15] & 3, frame[22]
        self.source_port = struct.unpack_from("!H", frame, 34)[0]
        self.opcode = frame[42]
        self.qpn = int.from_bytes(frame[47:50], "big")
        self.payload = frame[54:-4]  # after the BTH
        self.is_data = self.opcode < 0x20 and self.opcode != ACK

    def cm(self):
        """Return the CM message without the MAD header."""
        if self.opcode != MAD or len(self.payload) < 8 + 24:
            return None, b""
        mad = self.payload[8:]
        return struct.unpack_from("!H", mad, 16)[0], mad[24:]


def is_roce(frame):
    return (len(frame) >= 58 and frame[12:14] == b"\x08\x00" and frame[23] == 17
            and struct.unpack_from("!H", frame, 36)[0] == 4791)


def marked(frame):
    """Return the frame with CE set. The ICRC does not cover CE, but the checksum of the IP header
    does."""
    header = bytearray(frame[14:34])
    header[1] |= CE
    header[10:12] = b"\0\0"
    total = sum(struct.unpack("!10H", header))
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    struct.pack_into("!H", header, 10, total ^ 0xFFFF)
    return frame[:14] + bytes(header) + frame[34:]


class Bridge:
    """The link between both namespaces. mark: set CE in all ECN packets. lose: drop all packets."""

    def __init__(self, mark=False, lose=False):
        self.mark, self.lose = mark, lose
        self.packets = []
        self.sockets = {}
        for name in MACS:
            subprocess.run(["ip", "link", "add", name, "index", str(INDEXES[name]),
                            "address", MACS[name], "type", "veth",
                            "peer", "name", name + "-far"], check=True)
            for end in (name, name + "-far"):
                subprocess.run(["ip", "link", "set", end, "up"], check=True)
            far = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PROTOCOLS))
            far.bind((name + "-far", ALL_PROTOCOLS))
            self.sockets[name] = far
        self.over = False
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()

    def carry(self):
        names = {far: name for name, far in self.sockets.items()}
        while not self.over:
            for far in select.select(list(names), [], [], 0.1)[0]:
                frame, address = far.recvfrom(65536)
                if address[2] != OUTGOING:
                    self.pass_on(names[far], frame)

    def pass_on(self, sender, frame):
        if is_roce(frame):
            self.packets.append(Packet(sender, frame))
            if self.mark and frame[15] & 3 == ECT0:
                frame = marked(frame)
        if not self.lose:
            other = "client" if sender == "server" else "server"
            self.sockets[other].send(frame)

    def close(self):
        self.over = True
        self.thread.join()
        for name, far in self.sockets.items():
            far.close()
            subprocess.run(["ip", "link", "del", name], check=True)

    def of(self, sender, opcode=None):
        return [packet for packet in self.packets
                if packet.sender == sender and opcode in (None, packet.opcode)]

    def requests(self):
        """Return the connection requests of the client."""
        found = [packet.cm() for packet in self.of("client", MAD)]
        return [message for attribute, message in found if attribute == CM_REQ]


def ndpmd_on(program, role, *own):
    """Start ndpmd at one end of the wire.

    net_af_packet computes the ID of its fanout group as process ID XOR interface index. For two
    successive process IDs and two successive interface indexes, both IDs can be equal, and then the
    second process fails."""
    cpus = sorted(os.sched_getaffinity(0))
    cpu = cpus[0] if role == "server" else cpus[-1]
    address = "--address=%s/24" % (SERVER if role == "server" else CLIENT)
    where = "--server" if role == "server" else "--client=" + SERVER
    return Process(program, EAL + [
        "--file-prefix=" + role, "--lcores=0@%d" % cpu, "--vdev=net_af_packet0,iface=" + role,
        "--", where, address, *own])
