#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""ndpmd and the Linux network stack as neighbours: ARP, neighbour discovery, gateways, snooping
switches, VLAN tags, ping.

usage: reachability.py NDPMD [GROUP...]

ndpmd uses one end of a veth pair in its own network namespace. The kernel uses the other end, in
other namespaces. Exits with 0, with 1 after printing what was wrong, or with 77 (skipped) when the
machine cannot make namespaces or veth, or DPDK has no af_packet driver.
"""

import contextlib
import ctypes
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

SKIPPED = 77
OURS = {4: "192.0.2.1", 6: "2001:db8::1"}
KERNEL = {4: "192.0.2.2", 6: "2001:db8::2"}
ABSENT = {4: "192.0.2.77", 6: "2001:db8::77"}
PREFIX = {4: 24, 6: 64}
# Network behind a router, and the router's address in ndpmd's network.
FAR = {4: "198.51.100.2", 6: "2001:db8:f::2"}
FAR_ROUTER = {4: "198.51.100.1", 6: "2001:db8:f::1"}
ROUTER = {4: "192.0.2.254", 6: "2001:db8::fe"}
MAC = {"kernel": "02:00:00:00:00:22", "moved": "02:00:00:00:00:33", "ours": "02:00:00:00:00:11"}
EAL = ["--no-huge", "--no-shconf", "--no-pci", "-m", "256", "--no-telemetry", "--log-level=error"]
ROCE_PORT = 4791
ETH_P_ALL = 3
SOLICITED_GROUP = "ff02::1:ff00:1"

failures = []
NDPMD = ""


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED: " + text, flush=True)


def ip(*words):
    subprocess.run(["ip", *words], check=True, stdout=subprocess.DEVNULL)


class Network:
    """Network namespaces with the process ID in their names. All are deleted at the end."""

    def __init__(self):
        self.names = []

    def space(self, name):
        full = "ndr%d-%s" % (os.getpid(), name)
        ip("netns", "add", full)
        self.names.append(full)
        self.inside(name, "ip", "link", "set", "lo", "up")
        return full

    def full(self, name):
        return "ndr%d-%s" % (os.getpid(), name)

    def inside(self, name, *words):
        done = subprocess.run(
            ["ip", "netns", "exec", self.full(name), *words],
            check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        return done.stdout

    def setting(self, name, key, value):
        with self.entered(name):
            path = "/proc/sys/net/" + key
            with open(path, "w", encoding="ascii") as file:
                file.write(str(value))

    def veth(self, name, device, other, other_device):
        words = ["-n", self.full(name), "link", "add", device, "type", "veth", "peer", "name"]
        ip(*words, other_device, "netns", self.full(other))

    def up(self, name, device, mac=None, addresses=()):
        if mac is not None:
            self.inside(name, "ip", "link", "set", device, "address", mac)
        self.inside(name, "ip", "link", "set", device, "up")
        for address in addresses:
            words = ["nodad"] if ":" in address else []
            self.inside(name, "ip", "address", "add", address, "dev", device, *words)

    def ours(self, other, device):
        """Create ndpmd's namespace, in which the kernel sends nothing, and join it to another
        namespace."""
        self.space("ours")
        self.veth("ours", "dpdk0", other, device)
        self.setting("ours", "ipv6/conf/dpdk0/disable_ipv6", 1)
        self.up("ours", "dpdk0", MAC["ours"])

    @contextlib.contextmanager
    def entered(self, name):
        libc = ctypes.CDLL(None, use_errno=True)
        with open("/proc/self/ns/net", "rb") as home, open(
            "/run/netns/" + self.full(name), "rb"
        ) as space:
            for fd in (space.fileno(), None, home.fileno()):
                if fd is None:
                    try:
                        yield
                    except BaseException:
                        libc.setns(home.fileno(), 0)
                        raise
                elif libc.setns(fd, 0) != 0:
                    raise OSError(ctypes.get_errno(), "setns")

    def end(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False)


@contextlib.contextmanager
def direct():
    """Connect ndpmd and the kernel directly."""
    network = Network()
    try:
        network.space("kernel")
        network.ours("kernel", "kern0")
        addresses = ["%s/%d" % (KERNEL[family], PREFIX[family]) for family in (4, 6)]
        network.up("kernel", "kern0", MAC["kernel"], addresses)
        yield network
    finally:
        network.end()


class Ndpmd:
    """ndpmd in its network namespace."""

    def __init__(self, network, *arguments):
        device = "--vdev=net_af_packet0,iface=dpdk0,framesz=2048,blocksz=4096,framecnt=512"
        words = ["ip", "netns", "exec", network.full("ours"), NDPMD, *EAL]
        words += ["--file-prefix=ndr%d" % os.getpid(), "--lcores=0@(%s)" % cpus(), device, "--"]
        self.name = "ndpmd " + " ".join(arguments)
        self.process = subprocess.Popen(
            words + [*arguments, "--counters"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.started = time.monotonic()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def end(self, how=signal.SIGTERM, timeout=60):
        """@return (exit status, {counter: value}, standard error, seconds)"""
        if how is not None:
            self.process.send_signal(how)
        output, errors = self.process.communicate(timeout=timeout)
        counters = dict(re.findall(r"^(?:client|server) (\w+) (\d+)$", output, re.MULTILINE))
        counters = {name: int(value) for name, value in counters.items()}
        return self.process.returncode, counters, errors, time.monotonic() - self.started


def cpus():
    return ",".join(str(cpu) for cpu in sorted(os.sched_getaffinity(0)))


def server(network, family, *arguments):
    address = "--address=%s/%d" % (OURS[family], PREFIX[family])
    return Ndpmd(network, "--server", address, *arguments)


def client(network, family, peer, *arguments):
    address = "--address=%s/%d" % (OURS[family], PREFIX[family])
    return Ndpmd(network, "--client=" + peer, address, *arguments)


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def ping(network, name, family, address, payload_bytes=56, timeout=1.0):
    """Send an echo request. @return whether the reply has the same bytes"""
    with network.entered(name):
        if family == 4:
            sock = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
            sock.setsockopt(socket.IPPROTO_IP, 10, 2)  # IP_MTU_DISCOVER: never fragment
        else:
            sock = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
    request, reply = (8, 0) if family == 4 else (128, 129)
    body = struct.pack("!HH", os.getpid() & 0xFFFF, payload_bytes) + os.urandom(payload_bytes)
    message = struct.pack("!BBH", request, 0, 0) + body
    message = struct.pack("!BBH", request, 0, checksum(message)) + body
    deadline = time.monotonic() + timeout
    with sock:
        sock.sendto(message, (address, 0))
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            sock.settimeout(left)
            try:
                packet = sock.recv(65536)
            except socket.timeout:
                return False
            icmp = packet[20:] if family == 4 else packet
            if icmp[0] == reply and icmp[4:] == body:
                return True


def ping_until(network, name, family, address, seconds=15):
    """Repeat ping until ndpmd has started and replies."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ping(network, name, family, address):
            return True
    return False


class Ear:
    """Receives all frames that arrive at a device of a namespace, and can send frames."""

    def __init__(self, network, name, device):
        with network.entered(name):
            self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            self.socket.bind((device, ETH_P_ALL))
            self.socket.setsockopt(263, 8, 1)  # SOL_PACKET, PACKET_AUXDATA: removed VLAN tags

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def wait(self, wanted, seconds):
        """@return the next frame that matches, with its VLAN tag in place; None: timeout"""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(left)
            try:
                frame, extra, _, address = self.socket.recvmsg(65536, 256)
            except socket.timeout:
                return None
            if address[2] == 4:  # PACKET_OUTGOING
                continue
            for _, _, data in extra:
                status, _, _, _, _, tci, tpid = struct.unpack("=IIIHHHH", data[:20])
                if status & 0x10:  # TP_STATUS_VLAN_VALID
                    frame = frame[:12] + struct.pack("!HH", tpid or 0x8100, tci) + frame[12:]
            if wanted(frame):
                return frame

    def send(self, frame):
        self.socket.send(frame)


def is_request(frame):
    """Return whether a frame is a connection request (CM REQ)."""
    at = 14
    if frame[12:14] == b"\x08\x00":
        at += 20
    elif frame[12:14] == b"\x86\xdd":
        at += 40
    else:
        return False
    return frame[at + 2 : at + 4] == struct.pack("!H", ROCE_PORT) and frame[at + 8] == 0x64


def mac_bytes(text):
    return bytes.fromhex(text.replace(":", ""))


def neighbour_state(network, name, family, address):
    shown = json.loads(network.inside(name, "ip", "-json", "neigh", "show", "to", address))
    return (shown[0].get("lladdr"), shown[0]["state"][0]) if shown else (None, "NONE")


def is_probe(frame):
    """Return whether a frame is a unicast ARP request or neighbour solicitation."""
    if frame[:6] != mac_bytes(MAC["ours"]):
        return False
    if frame[12:14] == b"\x08\x06":
        return frame[20:22] == b"\0\1"
    return frame[12:14] == b"\x86\xdd" and frame[20] == 58 and frame[54] == 135


def probe_provoke(network, family, ear):
    """Make the kernel's neighbour entry stale. On its next use, the kernel sends a unicast
    probe."""
    key = "ipv%d/neigh/kern0/delay_first_probe_time" % family
    network.setting("kernel", key, 1)
    stale = ["ip", "neigh", "replace", OURS[family], "lladdr", MAC["ours"], "dev", "kern0"]
    probed = None
    for _ in range(6):
        network.inside("kernel", *stale, "nud", "stale")
        check(ping(network, "kernel", family, OURS[family]), "IPv%d: no echo, stale" % family)
        probed = ear.wait(is_probe, 1.5)
        if probed is not None:
            break
    check(probed is not None, "IPv%d: the kernel does not probe" % family)
    time.sleep(0.5)
    _, state = neighbour_state(network, "kernel", family, OURS[family])
    check(state == "REACHABLE", "IPv%d: probed, and then %s" % (family, state))


# ---- groups ----


def answers(family):
    """The kernel resolves ndpmd's address, and then sends unicast probes. Pings of all sizes."""
    with direct() as network, server(network, family) as ndpmd:
        with Ear(network, "kernel", "kern0") as ear:
            ours = ear.wait(lambda frame: frame[6:12] == mac_bytes(MAC["ours"]), 20)
            check(ours is not None, "IPv%d: nothing is announced" % family)
        time.sleep(0.2)
        network.inside("kernel", "ip", "neigh", "flush", "dev", "kern0")
        check(ping_until(network, "kernel", family, OURS[family]), "IPv%d: no echo" % family)
        lladdr, _ = neighbour_state(network, "kernel", family, OURS[family])
        check(lladdr == MAC["ours"], "IPv%d: the kernel has %s" % (family, lladdr))
        largest = 1500 - (20 if family == 4 else 40) - 8
        for size in (0, 1, 2, 3, 17, 1000, 1023, largest - 1, largest):
            check(ping(network, "kernel", family, OURS[family], size),
                  "IPv%d: no echo of %d bytes" % (family, size))  # fmt: skip
        with Ear(network, "ours", "dpdk0") as ear:
            probe_provoke(network, family, ear)
        status, counters, errors, _ = ndpmd.end()
        check(status == 0, "status %d: %s" % (status, errors))
        check(counters.get("neigh_rx_requests", 0) >= 2, "requests: %r" % counters)
        check(counters.get("neigh_drop_echo", 0) == 0, "echo: %r" % counters)


def asks(family):
    """ndpmd resolves the kernel's address. Later the kernel changes its MAC address and announces
    it."""
    with direct() as network, Ear(network, "kernel", "kern0") as ear:
        with client(network, family, KERNEL[family]) as ndpmd:
            frame = ear.wait(is_request, 20)
            check(frame is not None, "IPv%d: no request comes" % family)
            if frame is None:
                return
            check(frame[:6] == mac_bytes(MAC["kernel"]), "it goes to " + frame[:6].hex())
            time.sleep(1.2)
            key = "ipv4/conf/kern0/arp_notify" if family == 4 else "ipv6/conf/kern0/ndisc_notify"
            network.setting("kernel", key, 1)
            network.setting("kernel", "ipv6/conf/kern0/keep_addr_on_down", 1)
            network.inside("kernel", "ip", "link", "set", "kern0", "down")
            network.inside("kernel", "ip", "link", "set", "kern0", "address", MAC["moved"])
            network.inside("kernel", "ip", "link", "set", "kern0", "up")
            time.sleep(2.5)
            status, counters, errors, _ = ndpmd.end(signal.SIGINT)
            check(counters.get("neigh_changed", 0) == 1, "IPv%d: changed: %r" % (family, counters))
            check("Traceback" not in errors and status in (0, 1), "%d: %s" % (status, errors))


def absent(family):
    """If no host has the address, the connect call fails in time, with a reason."""
    with direct() as network, client(network, family, ABSENT[family]) as ndpmd:
        status, counters, errors, seconds = ndpmd.end(None)
        check(status == 1, "IPv%d: exit status %d" % (family, status))
        check("--neighbour" in errors, "IPv%d: says %r" % (family, errors))
        check(counters.get("neigh_tx_requests", 0) >= 4, "IPv%d: asked %r" % (family, counters))
        check(3 <= seconds <= 20, "IPv%d: took %.1f s" % (family, seconds))


def silent(family):
    """If the host does not support RDMA, the connect call fails after all retransmissions."""
    with direct() as network, client(network, family, KERNEL[family]) as ndpmd:
        status, counters, errors, seconds = ndpmd.end(None)
        check(status == 1, "IPv%d: exit status %d" % (family, status))
        check(errors.count("\n") == 1 and "--neighbour" not in errors, "says %r" % errors)
        check(counters.get("cm_retransmissions", 0) == 7, "repeated: %r" % counters)
        check(5 <= seconds <= 40, "IPv%d: took %.1f s: %r" % (family, seconds, errors))


def gateway(family):
    """The peer is behind a router, which is the kernel."""
    network = Network()
    try:
        network.space("router")
        network.space("far")
        network.ours("router", "near")
        network.veth("router", "beyond", "far", "far0")
        length = PREFIX[family]
        network.up("router", "near", MAC["kernel"], ["%s/%d" % (ROUTER[family], length)])
        network.up("router", "beyond", None, ["%s/%d" % (FAR_ROUTER[family], length)])
        network.up("far", "far0", None, ["%s/%d" % (FAR[family], length)])
        network.setting("router", "ipv4/ip_forward", 1)
        network.setting("router", "ipv6/conf/all/forwarding", 1)
        network.inside("far", "ip", "route", "add", "default", "via", FAR_ROUTER[family])
        by = "--gateway=" + ROUTER[family]
        with server(network, family, by) as ndpmd:
            check(ping_until(network, "far", family, OURS[family]), "IPv%d: no echo" % family)
            ndpmd.end()
        with Ear(network, "far", "far0") as ear:
            with client(network, family, FAR[family], by) as ndpmd:
                frame = ear.wait(is_request, 20)
                check(frame is not None, "IPv%d: no request passes the router" % family)
                if frame is not None:
                    hops = frame[14 + 8] if family == 4 else frame[14 + 7]
                    check(hops == 63, "IPv%d: %d hops left" % (family, hops))
                ndpmd.end(signal.SIGINT)
    finally:
        network.end()


def snooping():
    """The switch forwards multicast frames only to hosts that have joined the group."""
    network = Network()
    try:
        network.space("switch")
        network.space("kernel")
        network.ours("switch", "p0")
        network.veth("switch", "p1", "kernel", "kern0")
        network.inside(
            "switch", "ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "1",
            "mcast_querier", "1", "mcast_query_interval", "100",
            "mcast_startup_query_interval", "100", "mcast_query_response_interval", "50",
            "mcast_mld_version", "2",
        )  # fmt: skip
        for port in ("p0", "p1"):
            network.inside("switch", "ip", "link", "set", port, "master", "br0")
            # Like most switches, do not forward multicast frames of groups that nobody has joined.
            network.inside("switch", "bridge", "link", "set", "dev", port, "mcast_flood", "off")
            network.up("switch", port)
        network.up("switch", "br0")
        network.up("kernel", "kern0", None, ["%s/64" % KERNEL[6]])
        # The switch relies on reports only after it has been a querier for some time, so wait.
        # Then make the query interval so long that only reports sent at ndpmd's start
        # count.
        time.sleep(5)
        bridge = ["ip", "link", "set", "br0", "type", "bridge"]
        network.inside("switch", *bridge, "mcast_query_interval", "12500")
        time.sleep(1.5)
        with server(network, 6) as ndpmd:
            found = ping_until(network, "kernel", 6, OURS[6])
            check(found, "not found behind the switch")
            groups = network.inside("switch", "bridge", "mdb", "show", "dev", "br0")
            check(re.search(r"port p0 grp %s\b" % SOLICITED_GROUP, groups) is not None,
                  "the switch does not know the group:\n" + groups)  # fmt: skip
            check(re.search(r"port p1 grp ff02::1:ff00:2\b", groups) is not None,
                  "the switch does not snoop:\n" + groups)  # fmt: skip
            # ndpmd must answer queries of the switch, which otherwise forgets the group.
            network.inside("switch", *bridge, "mcast_querier", "0")
            network.inside("switch", *bridge, "mcast_querier", "1")
            time.sleep(2.5)
            status, counters, errors, _ = ndpmd.end()
            check(status == 0, "status %d: %s" % (status, errors))
            check(counters.get("neigh_rx_queries", 0) >= 1, "queries: %r" % counters)
            check(counters.get("neigh_tx_reports", 0) >= 3, "reports: %r" % counters)
    finally:
        network.end()


def conflict(family):
    """Another host has ndpmd's address. ndpmd must detect this at its start."""
    network = Network()
    try:
        network.space("kernel")
        network.ours("kernel", "kern0")
        own = ["%s/%d" % (OURS[family], PREFIX[family])]
        own += ["%s/%d" % (KERNEL[family], PREFIX[family])]
        network.up("kernel", "kern0", MAC["kernel"], own)
        with server(network, family) as ndpmd, Ear(network, "kernel", "kern0") as ear:
            probe = (lambda f: f[12:14] == b"\x08\x06") if family == 4 else (
                lambda f: f[12:14] == b"\x86\xdd")  # fmt: skip
            check(ear.wait(probe, 20) is not None, "IPv%d: nothing is sent" % family)
            time.sleep(2)
            _, counters, _, _ = ndpmd.end()
            check(counters.get("neigh_conflicts", 0) >= 1, "IPv%d: %r" % (family, counters))
    finally:
        network.end()


def arp_question(tag):
    frame = b"\xff" * 6 + mac_bytes(MAC["kernel"]) + tag + b"\x08\x06"
    frame += bytes.fromhex("0001080006040001") + mac_bytes(MAC["kernel"])
    frame += socket.inet_aton("192.0.2.9") + b"\0" * 6 + socket.inet_aton(OURS[4])
    return frame + b"\0" * 18


def arp_answer(tag):
    return lambda frame: frame[12:].startswith(tag + b"\x08\x06") and frame[
        14 + len(tag) + 6 : 14 + len(tag) + 8
    ] == b"\0\2"


def vlan():
    """Send frames with the adapter's VLAN tag, another tag, a priority tag, and no tag."""
    tags = {name: struct.pack("!HH", 0x8100, tci)
            for name, tci in (("own", 7), ("priority", 0xA000), ("other", 8))}  # fmt: skip
    tags["none"] = b""
    cases = [
        # Each row: option, tag of the request, tag of the reply (None: no reply)
        ([], "none", "none"),
        ([], "priority", "none"),
        ([], "other", None),
        (["--vlan=7"], "own", "own"),
        (["--vlan=7"], "none", None),
        (["--vlan=7"], "priority", None),
        (["--vlan=7"], "other", None),
    ]
    for option in ([], ["--vlan=7"]):
        with direct() as network, Ear(network, "kernel", "kern0") as ear:
            network.inside("kernel", "ip", "address", "flush", "dev", "kern0")
            with server(network, 4, *option) as ndpmd:
                check(ear.wait(lambda f: f[6:12] == mac_bytes(MAC["ours"]), 20), "no start")
                for given, asked, answered in cases:
                    if given != option:
                        continue
                    name = "%r: question with tag %s" % (option, asked)
                    ear.send(arp_question(tags[asked]))
                    if answered is None:
                        got = ear.wait(lambda f: any(arp_answer(t)(f) for t in tags.values()), 0.5)
                        check(got is None, name + " is answered")
                    else:
                        got = ear.wait(arp_answer(tags[answered]), 5)
                        check(got is not None, name + " is not answered")
                _, counters, _, _ = ndpmd.end()
                wrong = [c for c in cases if c[0] == option and c[2] is None]
                check(counters.get("drop_foreign", 0) >= len(wrong), "dropped: %r" % counters)


GROUPS = {
    "answers": lambda: [answers(family) for family in (4, 6)],
    "asks": lambda: [asks(family) for family in (4, 6)],
    "absent": lambda: [absent(family) for family in (4, 6)],
    "silent": lambda: silent(4),
    "gateway": lambda: [gateway(family) for family in (4, 6)],
    "snooping": snooping,
    "conflict": lambda: [conflict(family) for family in (4, 6)],
    "vlan": vlan,
}


def obstacle():
    """@return reason why this machine cannot run the test, or None"""
    if os.geteuid() != 0:
        return "namespaces need root"
    network = Network()
    try:
        network.space("kernel")
        network.ours("kernel", "kern0")
        network.up("kernel", "kern0")
        with server(network, 4) as ndpmd, Ear(network, "kernel", "kern0") as ear:
            if ear.wait(lambda frame: frame[6:12] == mac_bytes(MAC["ours"]), 20) is None:
                return "ndpmd does not run on af_packet: " + ndpmd.end()[2]
    except (OSError, subprocess.CalledProcessError) as error:
        return str(error)
    finally:
        network.end()
    return None


def main():
    global NDPMD
    names = sys.argv[2:] or list(GROUPS)
    if len(sys.argv) < 2 or not set(names) <= set(GROUPS):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    NDPMD = os.path.abspath(sys.argv[1])
    reason = obstacle()
    if reason is not None:
        print("skipped: " + reason)
        return SKIPPED
    for name in names:
        start = time.monotonic()
        GROUPS[name]()
        print("%s: %.1f s" % (name, time.monotonic() - start), flush=True)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
