/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "link_type.h"

#include <string.h>

#include <pcap/dlt.h>
#include <pcap/pcap.h>

/*
 * Link type of raw IP in files. libpcap's number for raw IP is different and depends on the system.
 */
#define LINKTYPE_RAW 101

#define ETHERNET_BYTES 14u
#define ADDRESS_BYTES  6u
#define TYPE_IPV4      0x0800
#define TYPE_IPV6      0x86DD

/*
 * Linux cooked header, version 1, with the fields packet type, ARPHRD, address length, address (8
 * bytes), protocol.
 */
#define SLL_BYTES        16u
#define SLL_ADDRESS_LEN  4u
#define SLL_ADDRESS      6u
#define SLL_PROTOCOL     14u
/*
 * Linux cooked header, version 2, with the fields protocol, reserved, interface, ARPHRD, packet
 * type, address length, address.
 */
#define SLL2_BYTES       20u
#define SLL2_ADDRESS_LEN 11u
#define SLL2_ADDRESS     12u

bool
link_type_is_known(int link_type)
{
	return link_type == DLT_EN10MB || link_type == DLT_LINUX_SLL ||
		link_type == DLT_LINUX_SLL2 || link_type == DLT_RAW || link_type == LINKTYPE_RAW ||
		link_type == DLT_IPV4 || link_type == DLT_IPV6;
}

const char *
link_type_name(int link_type)
{
	const char *name = pcap_datalink_val_to_name(link_type);

	return name == NULL ? "unknown" : name;
}

/* Make an Ethernet header from a Linux cooked header, which contains only the sender's address. */
static void
header_from_cooked(uint8_t *frame, const uint8_t *address, bool is_known, const uint8_t *protocol)
{
	memset(frame, 0, 2 * (size_t)ADDRESS_BYTES);
	if (is_known)
		memcpy(frame + ADDRESS_BYTES, address, ADDRESS_BYTES);
	memcpy(frame + 2 * (size_t)ADDRESS_BYTES, protocol, 2);
}

static void
header_from_ip(uint8_t *frame, const uint8_t *packet)
{
	const uint16_t type = packet[0] >> 4 == 6 ? TYPE_IPV6 : TYPE_IPV4;

	memset(frame, 0, 2 * (size_t)ADDRESS_BYTES);
	frame[2 * ADDRESS_BYTES] = (uint8_t)(type >> 8);
	frame[2 * ADDRESS_BYTES + 1] = (uint8_t)type;
}

size_t
link_type_convert(int link_type, const uint8_t *bytes, size_t count, uint8_t *frame, int *growth)
{
	size_t header = 0;

	if (link_type == DLT_LINUX_SLL)
		header = SLL_BYTES;
	else if (link_type == DLT_LINUX_SLL2)
		header = SLL2_BYTES;
	if (count < header || count == 0)
		return 0;
	if (link_type == DLT_LINUX_SLL)
		header_from_cooked(frame, bytes + SLL_ADDRESS,
			bytes[SLL_ADDRESS_LEN] == 0 && bytes[SLL_ADDRESS_LEN + 1] == ADDRESS_BYTES,
			bytes + SLL_PROTOCOL);
	else if (link_type == DLT_LINUX_SLL2)
		header_from_cooked(frame, bytes + SLL2_ADDRESS,
			bytes[SLL2_ADDRESS_LEN] == ADDRESS_BYTES, bytes);
	else
		header_from_ip(frame, bytes);
	memcpy(frame + ETHERNET_BYTES, bytes + header, count - header);
	*growth = (int)ETHERNET_BYTES - (int)header;
	return count - header + ETHERNET_BYTES;
}
