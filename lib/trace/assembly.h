/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_TRACE_ASSEMBLY_H
#define NDPDK_TRACE_ASSEMBLY_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/violations.h"
#include "wire/opcode.h"

/*
 * Messages of one direction, put together from its request packets in PSN order. The caller has
 * sorted the packets and left out the retransmissions, so a fault found here is the sender's and
 * not the network's.
 */

/** A request packet as it is remembered. */
struct trace_record {
	uint64_t seq; /**< PSN, unwrapped; 0 = empty */
	uint64_t frame;
	uint64_t time_ns;     /**< of that frame */
	uint32_t fingerprint; /**< of everything behind the BTH, without pad */
	uint32_t reth_bytes;  /**< of WRITE First and Only */
	uint32_t messages;    /**< message ends up to here; valid when assembled */
	uint16_t payload_bytes;
	uint8_t opcode;
	bool solicited;
};

struct trace_assembly {
	enum wire_kind kind; /**< of the message in progress; UNKNOWN = none */
	bool lost;           /**< where in a message we are is not known */
	uint64_t reth_bytes; /**< of the WRITE in progress */
	uint64_t got_bytes;
	uint64_t messages; /**< ended */
};

/** Take the next packet in PSN order; sets record->messages. */
void trace_assembly_packet(struct trace_assembly *assembly, struct trace_record *record,
	struct trace_violations *violations);

/** Take a READ, an atomic or another request that is a message of its own. */
void trace_assembly_single(
	struct trace_assembly *assembly, uint64_t frame, struct trace_violations *violations);

/** Packets are missing for good; go on behind them. */
void trace_assembly_lose(struct trace_assembly *assembly);

#endif
