/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#include "wire/opcode.h"

#include "wire/header.h"

/*
 * Table of all opcodes. A row lists the traits of an opcode. The header length is computed from the
 * headers. Rows of transports that this stack does not implement have only a name, for traces.
 */

enum trait {
	REQUEST = 1 << 0,
	RESPONSE = 1 << 1,
	STARTS = 1 << 2,
	ENDS = 1 << 3,
	PAYLOAD = 1 << 4,
	RECEIVE = 1 << 5,
	RETH = 1 << 6,
	AETH = 1 << 7,
	IMM = 1 << 8,
	IETH = 1 << 9,
	DETH = 1 << 10,
	ATOMIC_ETH = 1 << 11,
	ATOMIC_ACK_ETH = 1 << 12,
	FETH = 1 << 13,
	CNP_RESERVED = 1 << 14,
};

#define ONLY (STARTS | ENDS)

#define HAS(traits, trait) (((traits) & (trait)) != 0)

/* Headers without a struct: AtomicAckETH 8, ImmDt 4, IETH 4, FETH 4, reserved block of a CNP 16. */
#define HEADER_BYTES(traits)                                                                       \
	(sizeof(struct wire_bth) + HAS(traits, RETH) * sizeof(struct wire_reth) +                  \
		HAS(traits, AETH) * sizeof(struct wire_aeth) + HAS(traits, IMM) * 4 +              \
		HAS(traits, IETH) * 4 + HAS(traits, DETH) * sizeof(struct wire_deth) +             \
		HAS(traits, ATOMIC_ETH) * sizeof(struct wire_atomic_eth) +                         \
		HAS(traits, ATOMIC_ACK_ETH) * 8 + HAS(traits, FETH) * 4 +                          \
		HAS(traits, CNP_RESERVED) * 16)

#define EXTENSIONS(traits)                                                                         \
	((traits) &                                                                                \
		(RETH | AETH | IMM | IETH | DETH | ATOMIC_ETH | ATOMIC_ACK_ETH | FETH |            \
			CNP_RESERVED))

#define EXTENSION(traits)                                                                          \
	(EXTENSIONS(traits) == 0                     ? WIRE_EXTENSION_NONE                         \
			: EXTENSIONS(traits) == RETH ? WIRE_EXTENSION_RETH                         \
			: EXTENSIONS(traits) == AETH ? WIRE_EXTENSION_AETH                         \
						     : WIRE_EXTENSION_OTHER)

#define KNOWN(label, what, traits)                                                                 \
	{                                                                                          \
		.name = (label), .kind = WIRE_KIND_##what, .header_bytes = HEADER_BYTES(traits),   \
		.extension = EXTENSION(traits),                                                    \
		.payload_max = HAS(traits, PAYLOAD) ? UINT16_MAX : 0,                              \
		.connected = HAS(traits, REQUEST | RESPONSE) && !HAS(traits, DETH),                \
		.request = HAS(traits, REQUEST), .response = HAS(traits, RESPONSE),                \
		.starts = HAS(traits, STARTS), .ends = HAS(traits, ENDS),                          \
		.has_payload = HAS(traits, PAYLOAD), .needs_receive = HAS(traits, RECEIVE),        \
		.has_reth = HAS(traits, RETH), .has_aeth = HAS(traits, AETH),                      \
		.has_imm = HAS(traits, IMM), .has_ieth = HAS(traits, IETH),                        \
		.has_deth = HAS(traits, DETH), .has_atomic_eth = HAS(traits, ATOMIC_ETH),          \
		.has_atomic_ack_eth = HAS(traits, ATOMIC_ACK_ETH), .has_feth = HAS(traits, FETH),  \
		.has_cnp_reserved = HAS(traits, CNP_RESERVED),                                     \
	}

#define UNKNOWN(label)                                                                             \
	{                                                                                          \
		.name = (label), .kind = WIRE_KIND_UNKNOWN, .header_bytes = HEADER_BYTES(0)        \
	}

/* clang-format off */
/* SEND and WRITE opcodes of a transport, which are the same twelve in every transport. */
#define UNKNOWN_SEND_WRITE(base, transport)                                                        \
	[(base) + 0x00] = UNKNOWN(transport " SEND First"),                                        \
	[(base) + 0x01] = UNKNOWN(transport " SEND Middle"),                                       \
	[(base) + 0x02] = UNKNOWN(transport " SEND Last"),                                         \
	[(base) + 0x03] = UNKNOWN(transport " SEND Last w/ Immediate"),                            \
	[(base) + 0x04] = UNKNOWN(transport " SEND Only"),                                         \
	[(base) + 0x05] = UNKNOWN(transport " SEND Only w/ Immediate"),                            \
	[(base) + 0x06] = UNKNOWN(transport " WRITE First"),                                       \
	[(base) + 0x07] = UNKNOWN(transport " WRITE Middle"),                                      \
	[(base) + 0x08] = UNKNOWN(transport " WRITE Last"),                                        \
	[(base) + 0x09] = UNKNOWN(transport " WRITE Last w/ Immediate"),                           \
	[(base) + 0x0A] = UNKNOWN(transport " WRITE Only"),                                        \
	[(base) + 0x0B] = UNKNOWN(transport " WRITE Only w/ Immediate")

#define UNKNOWN_READ_ATOMIC(base, transport)                                                       \
	[(base) + 0x0C] = UNKNOWN(transport " READ Request"),                                      \
	[(base) + 0x0D] = UNKNOWN(transport " READ Response First"),                               \
	[(base) + 0x0E] = UNKNOWN(transport " READ Response Middle"),                              \
	[(base) + 0x0F] = UNKNOWN(transport " READ Response Last"),                                \
	[(base) + 0x10] = UNKNOWN(transport " READ Response Only"),                                \
	[(base) + 0x11] = UNKNOWN(transport " Acknowledge"),                                       \
	[(base) + 0x12] = UNKNOWN(transport " ATOMIC Acknowledge"),                                \
	[(base) + 0x13] = UNKNOWN(transport " Compare & Swap"),                                    \
	[(base) + 0x14] = UNKNOWN(transport " Fetch & Add")

/*
 * opcode                        name                           kind
 *	request or response | position | payload | needs a receive | headers after the BTH
 */
const struct wire_opcode_traits wire_opcode_table[256] = {
	[WIRE_RC_SEND_FIRST]           = KNOWN("RC SEND First", SEND,
		REQUEST | STARTS | PAYLOAD | RECEIVE),
	[WIRE_RC_SEND_MIDDLE]          = KNOWN("RC SEND Middle", SEND,
		REQUEST |          PAYLOAD),
	[WIRE_RC_SEND_LAST]            = KNOWN("RC SEND Last", SEND,
		REQUEST | ENDS   | PAYLOAD),
	[WIRE_RC_SEND_LAST_IMM]        = KNOWN("RC SEND Last w/ Immediate", SEND,
		REQUEST | ENDS   | PAYLOAD |           IMM),
	[WIRE_RC_SEND_ONLY]            = KNOWN("RC SEND Only", SEND,
		REQUEST | ONLY   | PAYLOAD | RECEIVE),
	[WIRE_RC_SEND_ONLY_IMM]        = KNOWN("RC SEND Only w/ Immediate", SEND,
		REQUEST | ONLY   | PAYLOAD | RECEIVE | IMM),
	[WIRE_RC_WRITE_FIRST]          = KNOWN("RC WRITE First", WRITE,
		REQUEST | STARTS | PAYLOAD |           RETH),
	[WIRE_RC_WRITE_MIDDLE]         = KNOWN("RC WRITE Middle", WRITE,
		REQUEST |          PAYLOAD),
	[WIRE_RC_WRITE_LAST]           = KNOWN("RC WRITE Last", WRITE,
		REQUEST | ENDS   | PAYLOAD),
	[WIRE_RC_WRITE_LAST_IMM]       = KNOWN("RC WRITE Last w/ Immediate", WRITE,
		REQUEST | ENDS   | PAYLOAD | RECEIVE | IMM),
	[WIRE_RC_WRITE_ONLY]           = KNOWN("RC WRITE Only", WRITE,
		REQUEST | ONLY   | PAYLOAD |           RETH),
	[WIRE_RC_WRITE_ONLY_IMM]       = KNOWN("RC WRITE Only w/ Immediate", WRITE,
		REQUEST | ONLY   | PAYLOAD | RECEIVE | RETH | IMM),
	[WIRE_RC_READ_REQUEST]         = KNOWN("RC READ Request", READ_REQUEST,
		REQUEST | ONLY   |                     RETH),
	[WIRE_RC_READ_RESPONSE_FIRST]  = KNOWN("RC READ Response First", READ_RESPONSE,
		RESPONSE | STARTS | PAYLOAD |          AETH),
	[WIRE_RC_READ_RESPONSE_MIDDLE] = KNOWN("RC READ Response Middle", READ_RESPONSE,
		RESPONSE |          PAYLOAD),
	[WIRE_RC_READ_RESPONSE_LAST]   = KNOWN("RC READ Response Last", READ_RESPONSE,
		RESPONSE | ENDS   | PAYLOAD |          AETH),
	[WIRE_RC_READ_RESPONSE_ONLY]   = KNOWN("RC READ Response Only", READ_RESPONSE,
		RESPONSE | ONLY   | PAYLOAD |          AETH),
	[WIRE_RC_ACKNOWLEDGE]          = KNOWN("RC Acknowledge", ACKNOWLEDGE,
		RESPONSE | ONLY   |                    AETH),
	[WIRE_RC_ATOMIC_ACKNOWLEDGE]   = KNOWN("RC ATOMIC Acknowledge", ATOMIC_ACKNOWLEDGE,
		RESPONSE | ONLY   |                    AETH | ATOMIC_ACK_ETH),
	[WIRE_RC_COMPARE_SWAP]         = KNOWN("RC Compare & Swap", ATOMIC,
		REQUEST | ONLY   |                     ATOMIC_ETH),
	[WIRE_RC_FETCH_ADD]            = KNOWN("RC Fetch & Add", ATOMIC,
		REQUEST | ONLY   |                     ATOMIC_ETH),
	[0x15]                         = UNKNOWN("RC reserved"),
	[WIRE_RC_SEND_LAST_INV]        = KNOWN("RC SEND Last w/ Invalidate", SEND,
		REQUEST | ENDS   | PAYLOAD |           IETH),
	[WIRE_RC_SEND_ONLY_INV]        = KNOWN("RC SEND Only w/ Invalidate", SEND,
		REQUEST | ONLY   | PAYLOAD | RECEIVE | IETH),
	[0x18 ... 0x1B]                = UNKNOWN("RC reserved"),
	[WIRE_RC_FLUSH]                = KNOWN("RC FLUSH", EXTENSION,
		REQUEST | ONLY   |                     FETH | RETH),
	[WIRE_RC_ATOMIC_WRITE]         = KNOWN("RC ATOMIC WRITE", EXTENSION,
		REQUEST | ONLY   | PAYLOAD |           RETH),
	[0x1E ... 0x1F]                = UNKNOWN("RC reserved"),

	UNKNOWN_SEND_WRITE(0x20, "UC"),
	[0x2C ... 0x3F]                = UNKNOWN("UC reserved"),

	UNKNOWN_SEND_WRITE(0x40, "RD"),
	UNKNOWN_READ_ATOMIC(0x40, "RD"),
	[0x55]                         = UNKNOWN("RD RESYNC"),
	[0x56 ... 0x5F]                = UNKNOWN("RD reserved"),

	[0x60 ... 0x63]                = UNKNOWN("UD reserved"),
	[WIRE_UD_SEND_ONLY]            = KNOWN("UD SEND Only", DATAGRAM,
		REQUEST | ONLY   | PAYLOAD | RECEIVE | DETH),
	[WIRE_UD_SEND_ONLY_IMM]        = KNOWN("UD SEND Only w/ Immediate", DATAGRAM,
		REQUEST | ONLY   | PAYLOAD | RECEIVE | DETH | IMM),
	[0x66 ... 0x7F]                = UNKNOWN("UD reserved"),

	[0x80]                         = UNKNOWN("CNP reserved"),
	[WIRE_CNP]                     = KNOWN("CNP", CNP,
		                                       CNP_RESERVED),
	[0x82 ... 0x9F]                = UNKNOWN("CNP reserved"),

	UNKNOWN_SEND_WRITE(0xA0, "XRC"),
	UNKNOWN_READ_ATOMIC(0xA0, "XRC"),
	[0xB5]                         = UNKNOWN("XRC reserved"),
	[0xB6]                         = UNKNOWN("XRC SEND Last w/ Invalidate"),
	[0xB7]                         = UNKNOWN("XRC SEND Only w/ Invalidate"),
	[0xB8 ... 0xBF]                = UNKNOWN("XRC reserved"),

	[0xC0 ... 0xFF]                = UNKNOWN("vendor"),
};
/* clang-format on */
