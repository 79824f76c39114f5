/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_UNIT_WIRE_ORACLE_H
#define NDPDK_UNIT_WIRE_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * The oracle computes the correct ICRC and IPv4 checksum in the simplest way: from their
 * definitions, without code of the library. It builds the pseudo packet in memory, and computes its
 * CRC bit by bit.
 */

#define WIRE_ORACLE_MAX_BYTES 10000

static inline uint32_t
wire_oracle_crc(const uint8_t *bytes, size_t count)
{
	uint32_t crc = 0xFFFFFFFF;

	for (size_t i = 0; i < count; i++) {
		crc ^= bytes[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
	}
	return ~crc;
}

static inline size_t
wire_oracle_l3_offset(const uint8_t *frame)
{
	return frame[12] == 0x81 && frame[13] == 0x00 ? 18 : 14;
}

static inline bool
wire_oracle_v6(const uint8_t *frame)
{
	return frame[wire_oracle_l3_offset(frame) - 2] == 0x86;
}

static inline size_t
wire_oracle_bth_offset(const uint8_t *frame)
{
	return wire_oracle_l3_offset(frame) + (wire_oracle_v6(frame) ? 40 : 20) + 8;
}

/*
 * Build the pseudo packet of a frame: the bytes that the ICRC covers, up to `end`. @return length
 * of the pseudo packet
 */
static inline size_t
wire_oracle_pseudo(const uint8_t *frame, size_t end, uint8_t *pseudo)
{
	size_t l3 = wire_oracle_l3_offset(frame);
	uint8_t *ip = pseudo + 8;
	uint8_t *udp = ip + (wire_oracle_v6(frame) ? 40 : 20);

	memset(pseudo, 0xFF, 8);
	memcpy(ip, frame + l3, end - l3);
	if (wire_oracle_v6(frame)) {
		ip[0] = 0x6F;
		ip[1] = ip[2] = ip[3] = ip[7] = 0xFF;
	} else {
		ip[1] = ip[8] = ip[10] = ip[11] = 0xFF;
	}
	udp[6] = udp[7] = 0xFF;
	udp[8 + 4] = 0xFF;
	return 8 + end - l3;
}

static inline uint32_t
wire_oracle_icrc(const uint8_t *frame, size_t end)
{
	uint8_t pseudo[WIRE_ORACLE_MAX_BYTES];

	return wire_oracle_crc(pseudo, wire_oracle_pseudo(frame, end, pseudo));
}

static inline void
wire_oracle_seal_icrc(uint8_t *frame, size_t bytes)
{
	uint32_t icrc = wire_oracle_icrc(frame, bytes - 4);

	for (int i = 0; i < 4; i++)
		frame[bytes - 4 + (size_t)i] = (uint8_t)(icrc >> 8 * i);
}

/* Correct the IPv4 header checksum. Does nothing for IPv6. */
static inline void
wire_oracle_seal_ip(uint8_t *frame)
{
	uint8_t *ip = frame + wire_oracle_l3_offset(frame);
	uint32_t sum = 0;

	if (wire_oracle_v6(frame))
		return;
	ip[10] = ip[11] = 0;
	for (int i = 0; i < 20; i += 2)
		sum += (uint32_t)ip[i] << 8 | ip[i + 1];
	sum = (sum & 0xFFFF) + (sum >> 16);
	sum = ~((sum & 0xFFFF) + (sum >> 16));
	ip[10] = (uint8_t)(sum >> 8);
	ip[11] = (uint8_t)sum;
}

static inline void
wire_oracle_seal(uint8_t *frame, size_t bytes)
{
	wire_oracle_seal_ip(frame);
	wire_oracle_seal_icrc(frame, bytes);
}

static inline void
wire_oracle_seal_udp(uint8_t *frame, size_t bytes)
{
	size_t l3 = wire_oracle_l3_offset(frame), udp = wire_oracle_bth_offset(frame) - 8;
	size_t address = l3 + (wire_oracle_v6(frame) ? 8 : 12);
	uint32_t sum = 17 + (uint32_t)(bytes - udp);

	frame[udp + 6] = frame[udp + 7] = 0;
	for (size_t i = address; i < udp; i += 2)
		sum += (uint32_t)frame[i] << 8 | frame[i + 1];
	for (size_t i = udp; i < bytes; i++)
		sum += (i - udp) % 2 == 0 ? (uint32_t)frame[i] << 8 : frame[i];
	while (sum >> 16)
		sum = (sum & 0xFFFF) + (sum >> 16);
	sum = sum == 0xFFFF ? 0xFFFF : ~sum & 0xFFFF;
	frame[udp + 6] = (uint8_t)(sum >> 8);
	frame[udp + 7] = (uint8_t)sum;
}

#endif
