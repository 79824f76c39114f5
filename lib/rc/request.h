/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_REQUEST_H
#define NDPDK_RC_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"
#include "rc/wqe.h"

struct rc_qp;

/**
 * PSNs that one READ request packet asks for at the most. A READ of 2^31 bytes has 2^23 of them at
 * the smallest PMTU, one more than may be outstanding (RC-013); a longer READ is asked for in
 * pieces that start at multiples of this, the next when the previous is answered. For every PMTU
 * from 512 a READ is one request.
 */
#define RC_READ_REQUEST_PACKETS (1u << 22)

/** Packets between two that ask for an acknowledgement, in a long message (RC-007). */
#define RC_ACK_REQUEST_SPACING (LIMIT_SEND_WINDOW / 2 < 64 ? LIMIT_SEND_WINDOW / 2 : 64)

/** Result of the attempt to send one packet. */
enum rc_request_outcome {
	RC_REQUEST_SENT,
	RC_REQUEST_BLOCKED, /**< window or pacing: only a response or time helps */
	RC_REQUEST_NO_ROOM, /**< no place or mbuf: call again when packets were taken */
	RC_REQUEST_FAILED,  /**< local memory is not accessible (RC-130) */
};

/** @return PSNs from packet `index` of a READ to the end of the piece it lies in. */
static inline uint32_t
rc_request_read_packets(const struct rc_send_wqe *wqe, uint32_t index)
{
	uint32_t piece_end = (index | (RC_READ_REQUEST_PACKETS - 1)) + 1;

	return (piece_end < wqe->packet_count ? piece_end : wqe->packet_count) - index;
}

/**
 * Send the packet of send_psn, which the started WQE at send_index owns, for the first time or
 * again; on RC_REQUEST_SENT, send_psn and send_index are behind it, otherwise nothing has changed.
 */
enum rc_request_outcome rc_request_send(struct rc_qp *qp, uint64_t now_ns);

/** One packet that was sent before, and is sent again by itself. */
struct rc_request_packet {
	uint32_t psn;
	uint32_t wqe_index;    /**< of the started WQE that owns it */
	uint32_t read_packets; /**< PSNs that a READ asks for again at most, > 0 */
	bool ack_request;      /**< READs and atomics ask in any case */
};

/**
 * Send a packet again: send_psn does not move. The window does not count it a second time; pacing
 * holds it like any other (RC-102).
 */
enum rc_request_outcome
rc_request_resend(struct rc_qp *qp, const struct rc_request_packet *packet, uint64_t now_ns);

#endif
