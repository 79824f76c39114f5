/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_ASSEMBLY_H
#define NDPDK_TRACE_ASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/violations.h"
#include "wire/opcode.h"

/*
 * Assembles the messages of one direction from request packets in PSN order. The caller has sorted
 * the packets and omitted retransmissions. So a fault that is found here was caused by the sender,
 * not by the network.
 */

/** A stored request packet. */
struct trace_record {
	uint64_t seq; /**< PSN, extended to 64 bits; 0 = empty */
	uint64_t frame;
	uint64_t time_ns;     /**< time of the frame */
	uint32_t fingerprint; /**< hash of all bytes after the BTH, without pad */
	uint32_t reth_bytes;  /**< RETH length of WRITE First and Only */
	/** number of messages that end at or before this packet; valid if assembled */
	uint32_t messages;
	uint16_t payload_bytes;
	uint8_t opcode;
	bool solicited;
};

struct trace_assembly {
	enum wire_kind kind; /**< kind of the message in progress; UNKNOWN = none */
	bool lost;           /**< true after missing packets: position in the message unknown */
	uint64_t reth_bytes; /**< RETH length of the WRITE in progress */
	uint64_t got_bytes;
	uint64_t messages; /**< number of messages that have ended */
};

/** Process the next packet in PSN order; sets record->messages. */
void trace_assembly_packet(struct trace_assembly *assembly, struct trace_record *record,
	struct trace_violations *violations);

/** Process a READ, an atomic or another request that is a message by itself. */
void trace_assembly_single(
	struct trace_assembly *assembly, uint64_t frame, struct trace_violations *violations);

/** Continue after a gap: the missing packets will never arrive. */
void trace_assembly_lose(struct trace_assembly *assembly);

#endif
