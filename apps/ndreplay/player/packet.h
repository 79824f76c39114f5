/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_PLAYER_PACKET_H
#define NDPDK_PLAYER_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Access to RoCEv2 packets as bytes: offsets of headers, fields that a replay changes, and the
 * ICRC.
 */

/** Maximum size of a frame that a replay creates or changes. */
#define PACKET_BYTES_MAX 9216u
#define PACKET_MAD_BYTES 256u

enum packet_opcode {
	PACKET_SEND_FIRST = 0x00,
	PACKET_SEND_MIDDLE = 0x01,
	PACKET_SEND_LAST = 0x02,
	PACKET_SEND_LAST_IMMEDIATE = 0x03,
	PACKET_SEND_ONLY_IMMEDIATE = 0x05,
	PACKET_WRITE_FIRST = 0x06,
	PACKET_WRITE_MIDDLE = 0x07,
	PACKET_WRITE_LAST = 0x08,
	PACKET_WRITE_LAST_IMMEDIATE = 0x09,
	PACKET_WRITE_ONLY = 0x0A,
	PACKET_WRITE_ONLY_IMMEDIATE = 0x0B,
	PACKET_READ_REQUEST = 0x0C,
	PACKET_READ_RESPONSE_FIRST = 0x0D,
	PACKET_READ_RESPONSE_MIDDLE = 0x0E,
	PACKET_READ_RESPONSE_LAST = 0x0F,
	PACKET_READ_RESPONSE_ONLY = 0x10,
	PACKET_ACKNOWLEDGE = 0x11,
	PACKET_ATOMIC_ACKNOWLEDGE = 0x12,
	PACKET_COMPARE_SWAP = 0x13,
	PACKET_FETCH_ADD = 0x14,
	PACKET_SEND_LAST_INVALIDATE = 0x16,
	PACKET_SEND_ONLY_INVALIDATE = 0x17,
	PACKET_UD_SEND = 0x64,
	PACKET_CNP = 0x81,
};

/** Offsets of a packet's headers, in bytes from the start of its frame. */
struct packet {
	uint8_t *frame;
	size_t bytes; /**< size of the frame, without padding at the end of the frame */
	size_t ip;    /**< IPv4 or IPv6 header */
	size_t udp;
	size_t bth;
	size_t icrc;
	bool v6;
};

/**
 * Find the headers of a packet.
 *
 * @param frame Ethernet frame, with any number of VLAN tags
 * @return false: the frame is not a complete RoCEv2 packet
 */
bool packet_find(uint8_t *frame, size_t bytes, struct packet *packet);

uint64_t packet_load(const uint8_t *from, size_t bytes);
void packet_store(uint8_t *to, size_t bytes, uint64_t value);

/** @return the correct ICRC of a packet; a frame stores it in its last 4 bytes, low byte first */
uint32_t packet_icrc(const struct packet *packet);
/** Write the ICRC of a packet. @param right false: write a wrong ICRC */
void packet_seal(const struct packet *packet, bool right);
/** @return true if the ICRC of the packet is right */
bool packet_is_right(const struct packet *packet);

uint8_t packet_opcode(const struct packet *packet);
uint32_t packet_psn(const struct packet *packet);
uint32_t packet_destination(const struct packet *packet);
/**
 * @return offset of the RETH or AtomicETH, in which the address is at 0 and the key at 8; 0: none
 */
size_t packet_target(const struct packet *packet);
/** @return offset of the key that the packet invalidates; 0: the packet has no such key */
size_t packet_invalidate(const struct packet *packet);
/**
 * @return offset of the MAD if the packet is a message of the connection manager to QP 1; otherwise
 *         0
 */
size_t packet_mad(const struct packet *packet);

bool packet_is_request(uint8_t opcode);
bool packet_is_read_response(uint8_t opcode);
/** @return name of an opcode in the specification; static text */
const char *packet_opcode_name(uint8_t opcode);

/** Source and destination addresses of a packet that a replay creates. */
struct packet_ends {
	uint8_t source_mac[6], destination_mac[6];
	uint8_t source_ip[16], destination_ip[16]; /**< IPv6, or IPv4 mapped */
	uint16_t vlan_tci;
	bool vlan;
};

/**
 * Create a packet with a message of the connection manager, including its ICRC.
 *
 * @param[out] frame array of PACKET_BYTES_MAX bytes
 * @return number of bytes of the frame
 */
size_t packet_make_mad(
	const struct packet_ends *ends, const uint8_t mad[PACKET_MAD_BYTES], uint8_t *frame);

#endif
