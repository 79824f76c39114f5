/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_REQUEST_HEADERS_H
#define NDPDK_RC_REQUEST_HEADERS_H

#include <stdbool.h>
#include <stdint.h>

#include <rte_branch_prediction.h>

#include "base/assert.h"
#include "rc/qp.h"
#include "rc/rtt.h"
#include "wire/opcode.h"

/* Headers of request packets, used by the slow path (request.c) and the fast path (burst.c). */

/**
 * Called when a packet with AckReq was sent for the first time. If the packet is selected (rtt.h),
 * start to measure its round trip.
 */
static __rte_always_inline void
rc_request_time(struct rc_qp *qp, uint32_t psn, uint64_t now_ns)
{
	if (unlikely(--qp->requester.time_skip == 0))
		rc_rtt_time(qp, psn, now_ns);
}

/** @return BTH of a request packet. @param solicited true to set the SE bit (RC-008) */
static inline struct wire_bth_value
rc_request_bth(
	const struct rc_qp *qp, uint8_t opcode, uint32_t psn, bool ack_request, bool solicited)
{
	return (struct wire_bth_value){
		.opcode = opcode,
		.migrated = true,
		.pkey = WIRE_PKEY_DEFAULT,
		.dest_qp = qp->remote_qpn,
		.psn = psn,
		.ack_request = ack_request,
		.solicited = solicited,
	};
}

/**
 * Write the extension headers of a packet of a message, or of a READ that one packet requests
 * completely. A RETH describes the whole request (RC-003). No packet has both immediate data and an
 * IETH.
 * @param traits traits of the packet's opcode, which has the kind RC_KIND_MESSAGE or RC_KIND_READ
 */
static inline void
rc_request_extensions_store(
	const struct rc_send_wqe *wqe, const struct wire_opcode_traits *traits, uint8_t *to)
{
	if (traits->has_reth) {
		const struct wire_reth_value reth = {
			.address = wqe->remote_address,
			.rkey = wqe->rkey,
			.length_bytes = wqe->length_bytes,
		};

		wire_reth_store((struct wire_reth *)to, &reth);
		to += sizeof(struct wire_reth);
	}
	BASE_ASSERT(!traits->has_imm || !traits->has_ieth);
	if (unlikely(traits->has_imm | traits->has_ieth))
		be_store32(to, traits->has_imm ? wqe->immediate : wqe->rkey);
}

/** Write the extension header of an atomic. @param operands from rc_send_extra() */
static inline void
rc_request_atomic_store(
	const struct rc_send_wqe *wqe, const struct rc_operands *operands, uint8_t *to)
{
	const struct wire_atomic_value atomic = {
		.address = wqe->remote_address,
		.rkey = wqe->rkey,
		.swap_add = operands->swap_add,
		.compare = operands->compare,
	};

	wire_atomic_store((struct wire_atomic_eth *)to, &atomic);
}

#endif
