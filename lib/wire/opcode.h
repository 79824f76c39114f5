/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_WIRE_OPCODE_H
#define NDPDK_WIRE_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * BTH opcodes that the code uses (IBTA vol 1, 9.2.1). The table contains all other opcodes as
 * unknown.
 */
enum wire_opcode {
	WIRE_RC_SEND_FIRST = 0x00,
	WIRE_RC_SEND_MIDDLE = 0x01,
	WIRE_RC_SEND_LAST = 0x02,
	WIRE_RC_SEND_LAST_IMM = 0x03,
	WIRE_RC_SEND_ONLY = 0x04,
	WIRE_RC_SEND_ONLY_IMM = 0x05,
	WIRE_RC_WRITE_FIRST = 0x06,
	WIRE_RC_WRITE_MIDDLE = 0x07,
	WIRE_RC_WRITE_LAST = 0x08,
	WIRE_RC_WRITE_LAST_IMM = 0x09,
	WIRE_RC_WRITE_ONLY = 0x0A,
	WIRE_RC_WRITE_ONLY_IMM = 0x0B,
	WIRE_RC_READ_REQUEST = 0x0C,
	WIRE_RC_READ_RESPONSE_FIRST = 0x0D,
	WIRE_RC_READ_RESPONSE_MIDDLE = 0x0E,
	WIRE_RC_READ_RESPONSE_LAST = 0x0F,
	WIRE_RC_READ_RESPONSE_ONLY = 0x10,
	WIRE_RC_ACKNOWLEDGE = 0x11,
	WIRE_RC_ATOMIC_ACKNOWLEDGE = 0x12,
	WIRE_RC_COMPARE_SWAP = 0x13,
	WIRE_RC_FETCH_ADD = 0x14,
	WIRE_RC_SEND_LAST_INV = 0x16,
	WIRE_RC_SEND_ONLY_INV = 0x17,
	WIRE_RC_FLUSH = 0x1C,
	WIRE_RC_ATOMIC_WRITE = 0x1D,
	WIRE_UD_SEND_ONLY = 0x64,
	WIRE_UD_SEND_ONLY_IMM = 0x65,
	WIRE_CNP = 0x81,
};

/** Transport of an opcode: bits 7:5 of the opcode. */
enum wire_transport {
	WIRE_TRANSPORT_RC = 0,
	WIRE_TRANSPORT_UC = 1,
	WIRE_TRANSPORT_RD = 2,
	WIRE_TRANSPORT_UD = 3,
	WIRE_TRANSPORT_CNP = 4,
	WIRE_TRANSPORT_XRC = 5,
	WIRE_TRANSPORT_VENDOR = 6, /**< 6 and 7 */
};

/** Kind of packet. */
enum wire_kind {
	/** reserved opcode, or opcode of a transport that this stack does not implement */
	WIRE_KIND_UNKNOWN = 0,
	WIRE_KIND_SEND,
	WIRE_KIND_WRITE,
	WIRE_KIND_READ_REQUEST,
	WIRE_KIND_READ_RESPONSE,
	WIRE_KIND_ACKNOWLEDGE,
	WIRE_KIND_ATOMIC,
	WIRE_KIND_ATOMIC_ACKNOWLEDGE,
	WIRE_KIND_EXTENSION, /**< FLUSH, ATOMIC WRITE (annex A19): known, but refused */
	WIRE_KIND_DATAGRAM,
	WIRE_KIND_CNP,
};

/** Combinations of extension headers, for the fast path of the parser. */
enum wire_extension {
	WIRE_EXTENSION_NONE = 0,
	WIRE_EXTENSION_RETH, /**< only a RETH, no other extension header */
	WIRE_EXTENSION_AETH,
	WIRE_EXTENSION_OTHER,
};

/**
 * Properties of one opcode. header_bytes is computed from the other members (see opcode.c). A
 * packet that both starts and ends a message is an Only packet.
 */
struct wire_opcode_traits {
	const char *name; /**< name in the specification, e.g. "RC SEND First"; never NULL */
	enum wire_kind kind;
	uint8_t header_bytes; /**< length of BTH and extension headers; 12 for unknown opcodes */
	uint8_t extension;    /**< enum wire_extension */
	bool connected;       /**< true for a known opcode of the RC transport */
	uint16_t payload_max; /**< maximum payload: 0, or 65535, which the datagram limits */
	bool request;         /**< handled by the responder */
	bool response;        /**< handled by the requester */
	bool starts;          /**< First or Only */
	bool ends;            /**< Last or Only */
	bool has_payload;     /**< true if the packet may have a payload */
	/** True if a receive is needed: SEND First or Only, WRITE Last or Only with immediate. */
	bool needs_receive;
	bool has_reth;
	bool has_aeth;
	bool has_imm;
	bool has_ieth;
	bool has_deth;
	bool has_atomic_eth;
	bool has_atomic_ack_eth;
	bool has_feth;
	bool has_cnp_reserved; /**< true if the packet has the 16 reserved zero bytes of a CNP */
};

extern const struct wire_opcode_traits wire_opcode_table[256];

/** @return traits of any opcode; unknown opcodes have kind WIRE_KIND_UNKNOWN */
static inline const struct wire_opcode_traits *
wire_opcode_traits(uint8_t opcode)
{
	return &wire_opcode_table[opcode];
}

static inline enum wire_transport
wire_opcode_transport(uint8_t opcode)
{
	return opcode >> 5 > WIRE_TRANSPORT_VENDOR ? WIRE_TRANSPORT_VENDOR
						   : (enum wire_transport)(opcode >> 5);
}

#endif
