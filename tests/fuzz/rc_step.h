/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_FUZZ_RC_STEP_H
#define NDPDK_FUZZ_RC_STEP_H

#include <assert.h>
#include <stdint.h>

#include <rte_common.h>

#include "base/psn.h"
#include "fuzz/fuzzer.h"
#include "rc/wqe.h"
#include "wire/opcode.h"

/* Record of the fuzz targets that feed a queue pair, and functions that interpret its members. */

struct rc_step {
	uint8_t kind; /* kind of step, modulo the number of step kinds of the target */
	uint8_t opcode;
	/* PSN relative to the expected or oldest unacknowledged PSN, see rc_step_psn() */
	int8_t psn;
	uint8_t flags;
	uint16_t bytes;
	uint16_t offset;
	int16_t length; /* difference between the DMA length in the RETH and `bytes` */
	uint8_t key;
	uint8_t syndrome;
	uint32_t number;
};

static_assert(sizeof(struct rc_step) == FUZZ_RECORD_BYTES, "mutations are of whole steps");

/*
 * @return PSN of a packet. Unless flag 0x40 is set, the PSN differs from psn by at most 1, because
 * otherwise few packets would be accepted.
 */
static inline uint32_t
rc_step_psn(const struct rc_step *step, uint32_t psn)
{
	return psn_add(psn, (uint32_t)(step->flags & 0x40 ? step->psn : step->psn % 2));
}

static inline uint8_t
rc_step_response(const struct rc_step *step)
{
	static const uint8_t opcodes[] = {WIRE_RC_ACKNOWLEDGE, WIRE_RC_ACKNOWLEDGE,
		WIRE_RC_READ_RESPONSE_FIRST, WIRE_RC_READ_RESPONSE_MIDDLE,
		WIRE_RC_READ_RESPONSE_LAST, WIRE_RC_READ_RESPONSE_ONLY, WIRE_RC_ATOMIC_ACKNOWLEDGE};

	return opcodes[step->opcode % RTE_DIM(opcodes)];
}

/*
 * @return opcode of a request that sends packets to the peer. The opcode is never a bind or an
 * invalidate, because these send no packets.
 */
static inline enum rc_send_opcode
rc_step_request(const struct rc_step *step)
{
	static const enum rc_send_opcode opcodes[] = {RC_SEND, RC_SEND_INVALIDATE,
		RC_SEND_IMMEDIATE, RC_WRITE, RC_WRITE_IMMEDIATE, RC_READ, RC_FETCH_ADD,
		RC_COMPARE_SWAP};

	return opcodes[step->opcode % RTE_DIM(opcodes)];
}

#endif
