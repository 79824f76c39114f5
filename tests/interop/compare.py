#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 ndpdk authors
"""Compare the headers of ndpdk with the headers of Linux Soft-RoCE, field by field.

usage: compare.py [--write | --check] OURS FIXTURES DOCUMENT
       compare.py --sides ADDRESS CAPTURE

OURS is a folder with captures of ndpdk (tests/e2e/test_capture.c), FIXTURES is pcap_fixtures.
tshark reads the captures of the same operation. Every field that tshark knows is compared.
Identifiers (addresses, queue pairs, sequence numbers, keys, lengths) are compared by rules, all
other fields by their values. Without option the tables are printed; --write writes them into the
document between its markers, and --check fails if the document has different tables. compare.py
also fails if a difference has no explanation in the document (a heading that begins with its name,
W1, W2, ...), or if an explanation has no difference.

--sides compares the two ends of one capture instead: ADDRESS is ndpdk's, the other is the kernel's.

Exits with 0, with 1 after printing what was wrong, or with 77 (skipped) if there is no tshark.
"""

import collections
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

SKIPPED = 77
BEGIN = "<!-- tables: written by tests/interop/compare.py -->"
END = "<!-- end of tables -->"

# Pairs of captures with the same operation: capture of ndpdk, capture of Soft-RoCE.
PAIRS = [
    ("SENDs of 65536 bytes, path MTU 1024", "send", "send-65536-mtu1024"),
    ("SENDs of 65536 bytes, path MTU 256", "send_mtu256", "send-65536-mtu256"),
    ("SENDs of 1 to 1025 bytes", "send_odd", "send-odd-sizes"),
    ("SENDs of no bytes", "send_zero", "send-zero"),
    ("SENDs, every other one solicited", "solicited", "solicit"),
    ("WRITEs of 65536 bytes, path MTU 4096", "write", "write-65536-mtu4096"),
    ("WRITEs of no bytes", "write_zero", "write-zero"),
    ("READs of 65536 bytes, path MTU 1024", "read", "read-65536-mtu1024"),
    ("READs of 1 to 1025 bytes", "read_odd", "read-odd-sizes"),
    ("window: use, SEND with invalidate, refused WRITE", "window", "mw2-sendinv"),
    ("window for reading: refused WRITE", "window_read_only", "mw2-readonly"),
    ("SEND before a receive", "receiver_not_ready", "rnr-recover"),
    ("SENDs with loss", "lost_send", "loss-send"),
    ("READs with loss", "lost_read", "loss-read"),
    ("passive side disconnects", "passive_disconnects", "server-disconnects"),
    ("SENDs with immediate, 1500 bytes, path MTU 1024", "send_imm", "sendimm"),
    ("WRITEs with immediate, 9000 bytes", "write_imm", "writeimm-multi"),
    ("WRITEs with immediate of no bytes", "write_imm_zero", "writeimm-zero"),
    ("fetch-add", "fetch_add", "fadd"),
    ("compare-swap", "compare_swap", "cswap"),
    ("request is rejected", "reject", "rej-user"),
    ("request is rejected, IPv6", "reject_v6", "ipv6-rej"),
    ("nobody listens", "nobody_listens", "rej-no-listener"),
    ("request is answered late", "slow_accept", "cm-slow-accept"),
    ("WRITEs, IPv6", "mixed_v6", "ipv6-write-mtu1024"),
]

# Fields that are not compared: tshark derives them, or they repeat bytes of other fields.
DERIVED = re.compile(
    r"(eth\.(addr|lg|ig|padding|trailer|.*(_resolved|\.oui|\.lg|\.ig))"
    r"|ip\.(addr|host|src_host|dst_host|checksum\.status|dsfield|flags)"
    r"|ipv6\.(addr|host|src_host|dst_host|tclass)"
    r"|udp\.(port|stream|time_.*|payload|checksum\.(status|zero))"
    r"|infiniband\.((bth|deth|reth|aeth|atomiceth|ieth|mad)|bth\.opcode|mad\.data|payload"
    r"|smplid\.smpdata|aeth\.syndrome)"
    r"|.*\.serviceid\.(prefix|protocol|dport)"
    r"|(data|frame|_ws|arp|icmpv6).*|num|len|caplen|timestamp)$"
)
# Identifiers, which are not compared by value. RULES and `ndreplay check` check them by rules.
# Their correct values follow from the peer, the operation, or other packets.
NAMES = re.compile(
    r"(eth\.(dst|src)|ip\.(len|id|checksum|src|dst)|ipv6\.(plen|src|dst)|udp\.(srcport|length)"
    r"|infiniband\.(bth\.(a|destqp|psn)|deth\.srcqp|reth\.(va|r_key|dmalen)|aeth\.msn"
    r"|ieth.*|immdt.*|atomic(ack)?eth.*"
    r"|invariant\.crc|mad\.transactionid|cm\.(req|rep|rtu|rej|mra|dreq|drsp)"
    r"(\.(.*commid|localqpn|startpsn|localcaguid|serviceid|prim_.*gid.*|remoteqpneecn"
    r"|prim_flowlabel|prim_reserved0|prim_pktrate|private.*"
    r"|ip_cm|ip_cm\.(sport|[sd]ip[46]|private)))?))$"
)
# Disabled protocols: tshark might decode payload and private data of InfiniBand by them.
GUESSES = ["smb_direct_infiniband", "rpcrdma_infiniband", "nvme_rdma", "nvme_rdma_cm_private"]
GUESSES += ["lnet_ib", "iser_infiniband", "sdp_infiniband", "eth_over_ib", "fc_infiniband"]
GUESSES += ["mellanox_eoib"]
CM = {"0x0010": "REQ", "0x0011": "MRA", "0x0012": "REJ", "0x0013": "REP", "0x0014": "RTU"}
CM.update({"0x0015": "DREQ", "0x0016": "DREP"})

Packet = collections.namedtuple("Packet", "capture number kind fields raw layers experts")


def read_pcap(path):
    """Return the frames of a pcap file: (bytes, length on the wire)."""
    with open(path, "rb") as file:
        content = file.read()
    order = "<" if content[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1") else ">"
    frames, at = [], 24
    while at < len(content):
        captured, length = struct.unpack(order + "II", content[at + 8 : at + 16])
        frames.append((content[at + 16 : at + 16 + captured], length))
        at += 16 + captured
    return frames


def write_pcap(file, frames):
    file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for number, (frame, length) in enumerate(frames):
        file.write(struct.pack("<IIII", number, 0, len(frame), length) + frame)


def tshark_xml(path, output):
    """Decode a capture. Disables tshark's heuristics for protocols above InfiniBand."""
    command = ["tshark", "-n", "-r", path, "-T", "pdml"]
    for guess in GUESSES:
        command += ["--disable-heuristic", guess]
    done = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit("tshark failed: " + done.stderr)


def packet_of(element, capture, number):
    fields, raw, layers, experts = {}, {}, [], []
    for proto in element.iter("proto"):
        layers.append(proto.get("name"))
    fields["opcode"] = ""
    for field in element.iter("field"):
        name = field.get("name")
        if name == "infiniband.bth.opcode":
            fields["opcode"] = field.get("showname")
        if name == "_ws.expert":
            experts.append(field.get("showname"))
        if name and not DERIVED.match(name):
            fields.setdefault(name, field.get("show"))
            raw.setdefault(name, field.get("value"))
    kind = next(layer for layer in reversed(layers) if layer != "fake-field-wrapper")
    if "infiniband" in layers:
        kind = packet_kind(fields)
    return Packet(capture, number, kind, fields, raw, layers, experts)


def packet_kind(fields):
    """Return the kind of a RoCE packet: name of the CM message, or opcode."""
    attribute = fields.get("infiniband.mad.attributeid")
    if attribute is not None:
        return CM.get(attribute, "MAD " + attribute)
    name = re.sub(r"^.*\) - | \(\d+\)$", "", fields["opcode"])
    return name.replace("RDMA ", "").replace("response", "Response")


def decode(paths):
    """Decode all captures with one run of tshark. Return {path: [Packet]}."""
    frames, origin = [], []
    for path in paths:
        for number, frame in enumerate(read_pcap(path)):
            frames.append(frame)
            origin.append((path, number + 1))
    packets = {path: [] for path in paths}
    with tempfile.TemporaryDirectory() as folder:
        joined = os.path.join(folder, "all.pcap")
        with open(joined, "wb") as file:
            write_pcap(file, frames)
        decoded = os.path.join(folder, "all.xml")
        with open(decoded, "w", encoding="utf-8") as file:
            tshark_xml(joined, file)
        index = 0
        for _, element in xml.etree.ElementTree.iterparse(decoded):
            if element.tag != "packet":
                continue
            path, number = origin[index]
            packets[path].append(packet_of(element, path, number))
            element.clear()
            index += 1
    if index != len(frames):
        raise SystemExit("tshark decoded %d of %d frames" % (index, len(frames)))
    return packets


# ---- values ----


def sides(packets, ours):
    """Return packets from the address ours, and packets from all other addresses."""
    mine, others = [], []
    for packet in packets:
        if "infiniband" in packet.layers:
            source = packet.fields.get("ip.src", packet.fields.get("ipv6.src"))
            (mine if source == ours else others).append(packet)
    return mine, others


def values_of(packets):
    """Return {(kind, field): set of values} for fields that are compared by value."""
    found = collections.defaultdict(set)
    for packet in packets:
        if "infiniband" not in packet.layers:
            continue
        for name, value in packet.fields.items():
            if name != "opcode" and not NAMES.match(name):
                found[packet.kind, name].add(value)
    return found


def compare_values(pairs):
    """Compare the values of each field in packets of the same kind. Return the differences: {field:
    {(ours, theirs): set of kinds}}."""
    rows = collections.defaultdict(lambda: collections.defaultdict(set))
    gathered = [collections.defaultdict(set), collections.defaultdict(set)]
    for ours, theirs in pairs:
        found = [values_of(ours), values_of(theirs)]
        for key in set(found[0]) | set(found[1]):
            # A kind of packet that only one side sent is not a difference.
            # A field that only one side has is a difference.
            if all(any(key[0] == kind for kind, _ in one) for one in found):
                for i in range(2):
                    gathered[i][key] |= found[i].get(key, set())
    for kind, name in set(gathered[0]) | set(gathered[1]):
        both = tuple(text_of(gathered[i][kind, name]) for i in range(2))
        rows[name][both].add(kind)
    return rows


def text_of(values):
    def order(value):
        try:
            return (0, int(value, 0), value)
        except ValueError:
            return (1, 0, value)

    if len(values) > 8:
        return "%d values" % len(values)
    return ", ".join(sorted(map(short, values), key=order)) if values else "absent"


def short(value):
    return "%d zeroes" % len(value.split(":")) if re.fullmatch(r"00(:00){7,}", value) else value


# ---- rules for identifiers ----


def first_ones(packets):
    """Remove retransmissions: keep only the first packet of each sender, PSN and kind."""
    seen, kept = set(), []
    for packet in packets:
        sender = packet.fields.get("ip.src", packet.fields.get("ipv6.src"))
        key = (sender, packet.kind, packet.fields["infiniband.bth.psn"])
        key += (packet.raw.get("infiniband.aeth.msn"),)
        if key not in seen:
            seen.add(key)
            kept.append(packet)
    return kept


def is_cm(packet):
    return "infiniband.mad.attributeid" in packet.fields


def number(packet, name):
    return int(packet.fields[name], 0)


def by_sender(packets):
    found = collections.defaultdict(list)
    for packet in packets:
        found[packet.fields.get("ip.src", packet.fields.get("ipv6.src"))].append(packet)
    return found.values()


def steps_text(numbers, modulus):
    """Describe the differences between successive numbers. Lost packets, and packets to other
    destinations, cause gaps."""
    steps = {(after - before) % modulus for before, after in zip(numbers, numbers[1:])}
    if not steps:
        return set()
    if steps == {0}:
        return {"the same in all"}
    return {"counts up"} if all(0 < step < 64 for step in steps) else {"any"}


def rule_cm_port(packets):
    ports = {number(packet, "udp.srcport") for packet in packets if is_cm(packet)}
    if not ports or ports == {55410}:
        return set(map(str, ports))
    return {"one per adapter, from 0xC000" if min(ports) >= 0xC000 else "below 0xC000"}


def rule_rc_port(packets):
    ports = collections.defaultdict(set)
    for packet in packets:
        if not is_cm(packet):
            ports[by_address(packet)].add(number(packet, "udp.srcport"))
    found = set()
    for (source, destination), numbers in ports.items():
        found.add("from 0xC000" if min(numbers) >= 0xC000 else "below 0xC000")
        if (destination, source) in ports:
            same = numbers == ports[destination, source]
            found.add("the same in both directions" if same else "others in the other direction")
    return found


def by_address(packet):
    for family in ("ip", "ipv6"):
        if family + ".src" in packet.fields:
            return packet.fields[family + ".src"], packet.fields[family + ".dst"]
    return ()


def rule_ip_id(packets):
    found = set()
    for sent in by_sender(packets):
        ids = [number(packet, "ip.id") for packet in sent if "ip.id" in packet.fields]
        found |= steps_text(ids, 1 << 16)
    return found


def rule_cm_psn(packets):
    found = set()
    for sent in by_sender(packets):
        found |= steps_text([number(p, "infiniband.bth.psn") for p in sent if is_cm(p)], 1 << 24)
    return found


def rule_first_psn(packets):
    """Rule: the first PSN of a side's requests is compared with the PSN in the other side's REQ
    or REP."""
    said, found = {}, set()
    for packet in packets:
        source, destination = by_address(packet)
        for message in ("req", "rep"):
            name = "infiniband.cm.%s.startpsn" % message
            if name in packet.fields:
                said[destination] = number(packet, name)
        if source in said and re.match("SEND|WRITE|READ Request|Fetch|Compare", packet.kind):
            same = said.pop(source) == number(packet, "infiniband.bth.psn")
            found.add("that of the other side's REQ or REP" if same else "another")
    return found


def rule_destination(packets):
    """Rule: destination QPs are compared with the QPNs in REQ and REP."""
    known = {}
    for sent in by_sender(packets):
        for packet in sent:
            for message in ("req", "rep"):
                name = "infiniband.cm.%s.localqpn" % message
                if name in packet.fields:
                    known.setdefault(by_address(packet)[0], set()).add(number(packet, name))
    found = set()
    for packet in packets:
        if is_cm(packet) or by_address(packet)[1] not in known:
            continue
        right = number(packet, "infiniband.bth.destqp") in known[by_address(packet)[1]]
        found.add("that of REQ and REP" if right else "another")
    return found


def rule_guid(packets):
    found = set()
    for packet in packets:
        for message in ("req", "rep"):
            name = "infiniband.cm.%s.localcaguid" % message
            if name in packet.fields:
                mac = bytes.fromhex(packet.raw["eth.src"])
                eui = bytes([mac[0] ^ 2]) + mac[1:3] + b"\xff\xfe" + mac[3:]
                right = bytes.fromhex(packet.raw[name]) == eui
                found.add("EUI-64 of the MAC address" if right else "another")
    return found


def rule_transaction(packets):
    """Rule: a reply has the transaction ID of its request."""
    opened, found = collections.defaultdict(set), set()
    for packet in packets:
        if not is_cm(packet):
            continue
        transaction = packet.fields["infiniband.mad.transactionid"]
        if packet.kind in ("REQ", "DREQ"):
            opened[packet.kind].add(transaction)
            continue
        asked = opened["DREQ" if packet.kind == "DREP" else "REQ"]
        found.add("repeated by the answer" if transaction in asked else "another")
    return found


def rule_ack_request(pattern):
    def rule(packets):
        found = set()
        for sent in by_sender(first_ones(packets)):
            chosen = [p for p in sent if re.match(pattern, p.kind) and not is_cm(p)]
            set_ones = [p for p in chosen if p.fields["infiniband.bth.a"] == "1"]
            if not chosen:
                continue
            some = "in some" if set_ones else "not set"
            found.add("set" if len(set_ones) == len(chosen) else some)
        return found

    return rule


def rule_ack_gap(packets):
    """Rule: highest number of packets of a message before the next AckReq."""
    longest = 0
    for sent in by_sender(first_ones(packets)):
        run = 0
        for packet in sent:
            if not re.match("(SEND|WRITE) ", packet.kind):
                continue
            run = 0 if packet.fields["infiniband.bth.a"] == "1" else run + 1
            longest = max(longest, run)
    return {str(longest)} if longest else set()


def rule_cm_ack_request(packets):
    bits = {packet.fields["infiniband.bth.a"] for packet in packets if is_cm(packet)}
    return {"set" if bit == "1" else "not set" for bit in bits}


def rule_msn(packets):
    """Rule: MSNs in the acknowledgements of a connection, in order."""
    last, found = {}, set()
    for packet in packets:
        if "infiniband.aeth.msn" not in packet.fields:
            continue
        key = (by_address(packet), packet.fields["infiniband.bth.destqp"])
        msn = number(packet, "infiniband.aeth.msn")
        found.add("counts messages from 1" if msn >= last.get(key, 0) else "falls")
        if key not in last and msn > 8:
            found.add("begins with %d" % msn)
        last[key] = msn
    return found


# For packets with a full payload: number of bytes between UDP header and payload and after the
# payload.
OVERHEAD = {"SEND": 12 + 4, "WRITE First": 12 + 16 + 4, "WRITE": 12 + 4}
OVERHEAD.update({"READ Response First": 12 + 4 + 4, "READ Response": 12 + 4})


def rule_full(packets):
    """Rule: path MTU, compared with its code in REQ."""
    pmtu, found = None, set()
    for packet in packets:
        code = packet.fields.get("infiniband.cm.req.pppmtu")
        pmtu = 128 << int(code, 0) if code is not None else pmtu
        part = re.match(r"(.*) (First|Middle)$", packet.kind)
        if part and pmtu is not None:
            overhead = OVERHEAD.get(packet.kind, OVERHEAD[part.group(1)])
            payload = number(packet, "udp.length") - 8 - overhead
            found.add("the path MTU of REQ" if payload == pmtu else "%d bytes" % payload)
    return found


RULES = [
    ("UDP source port, connection manager", rule_cm_port),
    ("UDP source port, connection", rule_rc_port),
    ("IPv4 identification", rule_ip_id),
    ("PSN of the connection manager", rule_cm_psn),
    ("first PSN of requests", rule_first_psn),
    ("destination queue pair", rule_destination),
    ("CA GUID", rule_guid),
    ("MAD transaction ID", rule_transaction),
    ("AckReq, First", rule_ack_request(r"(SEND|WRITE) First")),
    ("AckReq, Middle", rule_ack_request(r"(SEND|WRITE) Middle")),
    ("most packets without AckReq in a row", rule_ack_gap),
    ("AckReq, Last and Only", rule_ack_request(r"(SEND|WRITE) (Last|Only)")),
    ("AckReq, READ Request", rule_ack_request(r"READ Request")),
    ("AckReq, responses", rule_ack_request(r"READ Response|Acknowledge")),
    ("AckReq, connection manager", rule_cm_ack_request),
    ("MSN", rule_msn),
    ("payload of First and Middle", rule_full),
]


def rule_text(found):
    """Return the text of a set of values: all values, but only the maximum of numbers."""
    return str(max(map(int, found))) if found and all(map(str.isdigit, found)) else text_of(found)


def compare_rules(pairs):
    """Return the results of all rules: [(rule, ours, theirs)]."""
    rows = []
    for name, rule in RULES:
        found = [set(), set()]
        for pair in pairs:
            got = [rule([p for p in one if "infiniband" in p.layers]) for one in pair]
            if got[0] and got[1]:
                for i in range(2):
                    found[i] |= got[i]
        rows.append((name, rule_text(found[0]), rule_text(found[1])))
    return rows


# ---- explanations in the document ----

# Maps each difference to the number of its explanation in the document.
EXPLAINED = [
    (r"infiniband\.bth\.m$", "W1"),
    (r"AckReq, connection manager$", "W2"),
    (r"most packets without AckReq in a row$", "W3"),
    (r"UDP source port, connection manager$", "W4"),
    (r"IPv4 identification$", "W5"),
    (r"infiniband\.aeth\.syndrome\.timer$", "W6"),
    (r"infiniband\.cm\.re[pq]\.e2eflowctrl$", "W7"),
    (r"infiniband\.cm\.re[pq]\.(initdepth|respres|responderres)$", "W8"),
    (r"infiniband\.cm\.re[pq]\.rnrretrcount$", "W9"),
    (r"infiniband\.cm\.req\.(localresptout|remoteresptout|maxcmretr)$", "W10"),
    (r"infiniband\.cm\.req\.prim_localacktout$", "W11"),
    (r"infiniband\.cm\.rep\.tgtackdelay$", "W12"),
]


def explanation_of(name):
    for pattern, mark in EXPLAINED:
        if re.match(pattern, name):
            return mark
    return None


def kinds_text(kinds, rows):
    everything = set().union(*rows.values())
    managing = everything & set(CM.values())
    if kinds == everything and len(kinds) > 3:
        return "all"
    if kinds == managing and len(kinds) > 3:
        return "connection manager"
    if kinds == everything - managing and len(kinds) > 3:
        return "connection"
    others = len(everything - kinds)
    if 0 < others <= 4 and others < len(kinds):
        return "all but " + ", ".join(sorted(everything - kinds))
    return ", ".join(sorted(kinds))


def row_text(cells):
    return "| " + " | ".join(cells) + " |"


def tables(pairs):
    """Return (text of the tables, differences without explanation, explanations that were used)."""
    lines = ["### Compared by rule", "", "| what | ndpdk | Soft-RoCE | |"]
    lines += ["| --- | --- | --- | --- |"]
    missing, used = [], set()

    def mark_of(name, ours, theirs):
        if ours == theirs:
            return "same"
        mark = explanation_of(name)
        if mark is None:
            missing.append("%s is %s, that of Soft-RoCE %s" % (name, ours, theirs))
            return "?"
        used.add(mark)
        return mark

    for name, ours, theirs in compare_rules(pairs):
        lines.append(row_text([name, ours, theirs, mark_of(name, ours, theirs)]))
    different, same = [], []
    for name, rows in sorted(compare_values(pairs).items()):
        for (ours, theirs), kinds in sorted(rows.items()):
            cells = ["`%s`" % name, kinds_text(kinds, rows), ours]
            if ours == theirs:
                same.append(row_text(cells))
            else:
                different.append(row_text(cells + [theirs, mark_of(name, ours, theirs)]))
    lines += ["", "### Values that differ", "", "| field | packets | ndpdk | Soft-RoCE | |"]
    lines += ["| --- | --- | --- | --- | --- |"] + different
    lines += ["", "### Values that are the same", "", "| field | packets | both |"]
    lines += ["| --- | --- | --- |"] + same
    lines += ["", "### Captures that were compared", ""]
    lines += ["| operation | packets of ndpdk | of Soft-RoCE |", "| --- | --- | --- |"]
    for title, ours, theirs in PAIRS:
        lines.append(row_text([title, "`%s`" % ours, "`%s`" % theirs]))
    return "\n".join(lines), missing, used


def captures_compare(ours_folder, fixtures):
    paths = [os.path.join(ours_folder, ours + ".pcap") for _, ours, _ in PAIRS]
    others = [os.path.join(fixtures, theirs + ".pcap") for _, _, theirs in PAIRS]
    packets = decode(paths + others)
    return [(packets[ours], packets[theirs]) for ours, theirs in zip(paths, others)]


def document_split(document):
    with open(document, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN + "\n", 1)
    return before, rest.split(END, 1)[0], END + rest.split(END, 1)[1]


def explanations(document):
    """Return the explanations (W numbers) for which the document has a heading."""
    with open(document, encoding="utf-8") as file:
        return set(re.findall(r"^### (W\d+) ", file.read(), re.MULTILINE))


def judge(text, missing, used, document):
    """Return sentences about the errors in the tables or the document."""
    wrong = ["no explanation: " + one for one in missing]
    known = explanations(document)
    wrong += ["%s has no section about a difference" % mark for mark in sorted(used - known)]
    wrong += ["%s explains what is no difference" % mark for mark in sorted(known - used)]
    _, there, _ = document_split(document)
    if there.strip() != text.strip():
        old, new = set(there.splitlines()), set(text.splitlines())
        wrong += ["not in the document: " + line for line in text.splitlines() if line not in old]
        wrong += ["only in the document: " + line for line in old - new if line]
    return wrong


def differences(ours, theirs):
    """Return the differences between packets of the same kind that have no explanation."""
    wrong = []
    for name, rows in sorted(compare_values([(ours, theirs)]).items()):
        for (mine, other), kinds in sorted(rows.items()):
            if mine != other and explanation_of(name) is None:
                text = "%s of %s is %s, the other end's %s"
                wrong.append(text % (name, ", ".join(sorted(kinds)), mine, other))
    return wrong


def main(arguments):
    if shutil.which("tshark") is None:
        print("skipped: there is no tshark")
        return SKIPPED
    if len(arguments) == 3 and arguments[0] == "--sides":
        wrong = differences(*sides(decode([arguments[2]])[arguments[2]], arguments[1]))
        print("\n".join(wrong) or "no difference without explanation")
        return 1 if wrong else 0
    option = arguments.pop(0) if arguments and arguments[0].startswith("--") else None
    if len(arguments) != 3 or option not in (None, "--write", "--check"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    ours, fixtures, document = arguments
    text, missing, used = tables(captures_compare(ours, fixtures))
    if option == "--write":
        before, _, after = document_split(document)
        with open(document, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + "\n\n" + text + "\n\n" + after)
    elif option is None:
        print(text)
    wrong = judge(text, missing, used, document)
    if option is None:
        wrong = [one for one in wrong if not re.match("not in|only in", one)]
    for one in wrong:
        print(one)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
