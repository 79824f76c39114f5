/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_OPERATION_H
#define NDPDK_RC_OPERATION_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "rc/wqe.h"

/*
 * Traits of the operations of the send queue: one row per enum rc_send_opcode (operation.c). The
 * code that posts, sends, acknowledges and completes requests looks at the row and not at the
 * opcode, so that a new operation of an existing kind needs only a new row.
 */

enum rc_operation_kind {
	RC_KIND_MESSAGE, /**< the request packets carry data, and the peer acknowledges them */
	RC_KIND_READ,    /**< responses carry data and use the PSNs of the request */
	/** one request packet with the operands in its header, and one response with 8 bytes */
	RC_KIND_ATOMIC,
	RC_KIND_LOCAL, /**< local execution in posting order, without packet, PSN and data */
};

/** Position of a packet in its message, used as index of rc_operation.wire. */
enum rc_position {
	RC_POSITION_MIDDLE = 0,
	RC_POSITION_FIRST = 1 << 0,
	RC_POSITION_LAST = 1 << 1,
	RC_POSITION_ONLY = RC_POSITION_FIRST | RC_POSITION_LAST,
};

struct rc_operation {
	/** wire opcodes of the packets, indexed by enum rc_position; not used for RC_KIND_LOCAL */
	alignas(8) uint8_t wire[4];
	uint8_t kind;       /**< enum rc_operation_kind */
	uint8_t flags;      /**< flags of enum rc_send_flags that posting accepts */
	uint8_t completion; /**< enum rc_completion_kind */
};

#define RC_OPERATIONS (RC_INVALIDATE_REGION + 1)

extern const struct rc_operation rc_operations[RC_OPERATIONS];

static inline const struct rc_operation *
rc_operation(enum rc_send_opcode opcode)
{
	return &rc_operations[opcode];
}

static inline enum rc_operation_kind
rc_opcode_kind(enum rc_send_opcode opcode)
{
	return (enum rc_operation_kind)rc_operation(opcode)->kind;
}

/**
 * @return true if the request needs a response, because an acknowledgement alone cannot complete it
 * (RC-047). These requests count as outstanding READs (RC-009, RC-142)
 */
static inline bool
rc_opcode_is_answered(enum rc_send_opcode opcode)
{
	enum rc_operation_kind kind = rc_opcode_kind(opcode);

	return kind == RC_KIND_READ || kind == RC_KIND_ATOMIC;
}

#endif
