/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "packet.h"

#include <string.h>

#include <zlib.h>

#define TYPE_IPV4    0x0800u
#define TYPE_IPV6    0x86DDu
#define TYPE_VLAN    0x8100u
#define TYPE_QINQ    0x88A8u
#define ETHER_BYTES  14u
#define IPV4_BYTES   20u
#define IPV6_BYTES   40u
#define UDP_BYTES    8u
#define BTH_BYTES    12u
#define DETH_BYTES   8u
#define ICRC_BYTES   4u
#define ROCE_PORT    4791u
#define PROTOCOL_UDP 17u
#define CLASS_CM     0x07u
/** Q_Key of queue pair 1 (general services). */
#define QKEY_GSI     0x80010000u

uint64_t
packet_load(const uint8_t *from, size_t bytes)
{
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value = value << 8 | from[i];
	return value;
}

void
packet_store(uint8_t *to, size_t bytes, uint64_t value)
{
	for (size_t i = bytes; i-- > 0; value >>= 8)
		to[i] = (uint8_t)value;
}

/** Parse an IP header. @return size of the IP packet with its header; 0: not UDP, or a fragment */
static size_t
ip_read(const uint8_t *ip, size_t bytes, struct packet *packet)
{
	size_t header = IPV6_BYTES, total;

	if (packet->v6) {
		if (bytes < IPV6_BYTES || ip[0] >> 4 != 6 || ip[6] != PROTOCOL_UDP)
			return 0;
		total = IPV6_BYTES + (size_t)packet_load(ip + 4, 2);
	} else {
		if (bytes < IPV4_BYTES || ip[0] >> 4 != 4 || ip[9] != PROTOCOL_UDP ||
			(packet_load(ip + 6, 2) & 0x3FFF) != 0)
			return 0;
		header = (ip[0] & 15u) * 4u;
		total = (size_t)packet_load(ip + 2, 2);
	}
	if (header < IPV4_BYTES || total > bytes ||
		total < header + UDP_BYTES + BTH_BYTES + ICRC_BYTES)
		return 0;
	packet->udp = packet->ip + header;
	return total;
}

bool
packet_find(uint8_t *frame, size_t bytes, struct packet *packet)
{
	size_t type_at = ETHER_BYTES - 2, total;
	uint64_t type;

	if (bytes < ETHER_BYTES)
		return false;
	type = packet_load(frame + type_at, 2);
	while ((type == TYPE_VLAN || type == TYPE_QINQ) && type_at + 6 <= bytes) {
		type_at += 4;
		type = packet_load(frame + type_at, 2);
	}
	if (type != TYPE_IPV4 && type != TYPE_IPV6)
		return false;
	*packet = (struct packet){.frame = frame, .ip = type_at + 2, .v6 = type == TYPE_IPV6};
	total = ip_read(frame + packet->ip, bytes - packet->ip, packet);
	if (total == 0 || packet_load(frame + packet->udp + 2, 2) != ROCE_PORT)
		return false;
	packet->bytes = packet->ip + total;
	packet->bth = packet->udp + UDP_BYTES;
	packet->icrc = packet->bytes - ICRC_BYTES;
	return true;
}

uint32_t
packet_icrc(const struct packet *packet)
{
	static const uint8_t ones[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
	const size_t header = packet->bth + BTH_BYTES - packet->ip;
	const size_t udp = packet->udp - packet->ip, bth = packet->bth - packet->ip;
	uint8_t masked[60 + UDP_BYTES + BTH_BYTES];
	uLong crc = crc32(0, ones, sizeof(ones));

	memcpy(masked, packet->frame + packet->ip, header);
	if (packet->v6) {
		masked[0] |= 0x0F;
		memset(masked + 1, 0xFF, 3);
		masked[7] = 0xFF;
	} else {
		masked[1] = masked[8] = 0xFF;
		memset(masked + 10, 0xFF, 2);
	}
	memset(masked + udp + 6, 0xFF, 2);
	masked[bth + 4] = 0xFF;
	crc = crc32(crc, masked, (uInt)header);
	return (uint32_t)crc32(crc, packet->frame + packet->bth + BTH_BYTES,
		(uInt)(packet->icrc - packet->bth - BTH_BYTES));
}

void
packet_seal(const struct packet *packet, bool right)
{
	uint32_t icrc = packet_icrc(packet) ^ (right ? 0 : 1);

	for (size_t i = 0; i < ICRC_BYTES; i++)
		packet->frame[packet->icrc + i] = (uint8_t)(icrc >> 8 * i);
}

bool
packet_is_right(const struct packet *packet)
{
	const uint32_t icrc = packet_icrc(packet);
	bool same = true;

	for (size_t i = 0; i < ICRC_BYTES; i++)
		same = same && packet->frame[packet->icrc + i] == (uint8_t)(icrc >> 8 * i);
	return same;
}

uint8_t
packet_opcode(const struct packet *packet)
{
	return packet->frame[packet->bth];
}

uint32_t
packet_psn(const struct packet *packet)
{
	return (uint32_t)packet_load(packet->frame + packet->bth + 9, 3);
}

uint32_t
packet_destination(const struct packet *packet)
{
	return (uint32_t)packet_load(packet->frame + packet->bth + 5, 3);
}

/** @return offset of the header after the BTH; 0: fewer than `bytes` bytes follow the BTH */
static size_t
extension(const struct packet *packet, size_t bytes)
{
	const size_t at = packet->bth + BTH_BYTES;

	return at + bytes <= packet->icrc ? at : 0;
}

size_t
packet_target(const struct packet *packet)
{
	switch (packet_opcode(packet)) {
	case PACKET_WRITE_FIRST:
	case PACKET_WRITE_ONLY:
	case PACKET_WRITE_ONLY_IMMEDIATE:
	case PACKET_READ_REQUEST:
		return extension(packet, 16);
	case PACKET_COMPARE_SWAP:
	case PACKET_FETCH_ADD:
		return extension(packet, 28);
	default:
		return 0;
	}
}

size_t
packet_invalidate(const struct packet *packet)
{
	switch (packet_opcode(packet)) {
	case PACKET_SEND_LAST_INVALIDATE:
	case PACKET_SEND_ONLY_INVALIDATE:
		return extension(packet, 4);
	default:
		return 0;
	}
}

size_t
packet_mad(const struct packet *packet)
{
	const size_t at = packet->bth + BTH_BYTES + DETH_BYTES;

	if (packet_opcode(packet) != PACKET_UD_SEND || packet_destination(packet) != 1 ||
		at + PACKET_MAD_BYTES > packet->icrc || packet->frame[at + 1] != CLASS_CM)
		return 0;
	return at;
}

bool
packet_is_request(uint8_t opcode)
{
	return opcode <= PACKET_READ_REQUEST || opcode == PACKET_COMPARE_SWAP ||
		opcode == PACKET_FETCH_ADD || opcode == PACKET_SEND_LAST_INVALIDATE ||
		opcode == PACKET_SEND_ONLY_INVALIDATE;
}

bool
packet_is_read_response(uint8_t opcode)
{
	return opcode >= PACKET_READ_RESPONSE_FIRST && opcode <= PACKET_READ_RESPONSE_ONLY;
}

const char *
packet_opcode_name(uint8_t opcode)
{
	static const char *const names[] = {"SEND First", "SEND Middle", "SEND Last",
		"SEND Last with Immediate", "SEND Only", "SEND Only with Immediate", "WRITE First",
		"WRITE Middle", "WRITE Last", "WRITE Last with Immediate", "WRITE Only",
		"WRITE Only with Immediate", "READ Request", "READ Response First",
		"READ Response Middle", "READ Response Last", "READ Response Only", "Acknowledge",
		"ATOMIC Acknowledge", "COMPARE SWAP", "FETCH ADD", "0x15",
		"SEND Last with Invalidate", "SEND Only with Invalidate"};

	if (opcode == PACKET_CNP)
		return "CNP";
	if (opcode == PACKET_UD_SEND)
		return "UD SEND Only";
	return opcode < sizeof(names) / sizeof(names[0]) ? names[opcode] : "another opcode";
}

static size_t
ip_make(const struct packet_ends *ends, uint8_t *ip, size_t payload, bool v6)
{
	uint32_t sum = 0;

	if (v6) {
		ip[0] = 0x60;
		packet_store(ip + 4, 2, payload);
		ip[6] = PROTOCOL_UDP;
		ip[7] = 64;
		memcpy(ip + 8, ends->source_ip, 16);
		memcpy(ip + 24, ends->destination_ip, 16);
		return IPV6_BYTES;
	}
	ip[0] = 0x45;
	packet_store(ip + 2, 2, IPV4_BYTES + payload);
	ip[6] = 0x40;
	ip[8] = 64;
	ip[9] = PROTOCOL_UDP;
	memcpy(ip + 12, ends->source_ip + 12, 4);
	memcpy(ip + 16, ends->destination_ip + 12, 4);
	for (size_t i = 0; i < IPV4_BYTES; i += 2)
		sum += (uint32_t)packet_load(ip + i, 2);
	sum = (sum & 0xFFFF) + (sum >> 16);
	packet_store(ip + 10, 2, ~(sum + (sum >> 16)) & 0xFFFF);
	return IPV4_BYTES;
}

size_t
packet_make_mad(const struct packet_ends *ends, const uint8_t mad[PACKET_MAD_BYTES], uint8_t *frame)
{
	static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
	const bool v6 = memcmp(ends->source_ip, mapped, sizeof(mapped)) != 0;
	const size_t payload = UDP_BYTES + BTH_BYTES + DETH_BYTES + PACKET_MAD_BYTES + ICRC_BYTES;
	struct packet packet = {.frame = frame, .v6 = v6};
	size_t at = ETHER_BYTES - 2;

	memset(frame, 0, 512);
	memcpy(frame, ends->destination_mac, 6);
	memcpy(frame + 6, ends->source_mac, 6);
	if (ends->vlan) {
		packet_store(frame + at, 2, TYPE_VLAN);
		packet_store(frame + at + 2, 2, ends->vlan_tci);
		at += 4;
	}
	packet_store(frame + at, 2, v6 ? TYPE_IPV6 : TYPE_IPV4);
	packet.ip = at + 2;
	packet.udp = packet.ip + ip_make(ends, frame + packet.ip, payload, v6);
	packet_store(frame + packet.udp, 2, 0xC000);
	packet_store(frame + packet.udp + 2, 2, ROCE_PORT);
	packet_store(frame + packet.udp + 4, 2, payload);
	packet.bth = packet.udp + UDP_BYTES;
	frame[packet.bth] = PACKET_UD_SEND;
	packet_store(frame + packet.bth + 2, 2, 0xFFFF);
	packet_store(frame + packet.bth + 5, 3, 1);
	packet_store(frame + packet.bth + BTH_BYTES, 4, QKEY_GSI);
	packet_store(frame + packet.bth + BTH_BYTES + 5, 3, 1);
	memcpy(frame + packet.bth + BTH_BYTES + DETH_BYTES, mad, PACKET_MAD_BYTES);
	packet.icrc = packet.bth + BTH_BYTES + DETH_BYTES + PACKET_MAD_BYTES;
	packet_seal(&packet, true);
	return packet.icrc + ICRC_BYTES;
}
