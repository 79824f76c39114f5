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
 * Maximum number of PSNs of one READ request packet. A READ of 2^31 bytes has 2^23 PSNs at the
 * smallest PMTU, one more than may be outstanding (RC-013). A longer READ is split into pieces that
 * start at multiples of this value. A piece is requested when the previous piece is answered. With
 * a PMTU of 512 bytes or more, each READ is one request.
 */
#define RC_READ_REQUEST_PACKETS (1u << 22)

/** In a long message, one packet in this number requests an acknowledgement (RC-007). */
#define RC_ACK_REQUEST_SPACING (LIMIT_SEND_WINDOW / 2 < 64 ? LIMIT_SEND_WINDOW / 2 : 64)

/** Result of the attempt to send one packet. */
enum rc_request_outcome {
	RC_REQUEST_SENT,
	/** closed window or pacing: wait for a response or for the pacing time */
	RC_REQUEST_BLOCKED,
	RC_REQUEST_NO_ROOM, /**< no room or mbuf: call again after the port has accepted packets */
	RC_REQUEST_FAILED,  /**< local memory is not accessible (RC-130) */
};

/** @return number of PSNs from packet `index` of a READ to the end of its piece. */
static inline uint32_t
rc_request_read_packets(const struct rc_send_wqe *wqe, uint32_t index)
{
	uint32_t piece_end = (index | (RC_READ_REQUEST_PACKETS - 1)) + 1;

	return (piece_end < wqe->packet_count ? piece_end : wqe->packet_count) - index;
}

/**
 * Send the packet of send_psn, which the started WQE at send_index owns, for the first time or
 * again. With RC_REQUEST_SENT, send_psn and send_index are advanced; otherwise nothing has changed.
 */
enum rc_request_outcome rc_request_send(struct rc_qp *qp, uint64_t now_ns);

/** A packet to be retransmitted individually. */
struct rc_request_packet {
	uint32_t psn;
	uint32_t wqe_index;    /**< index of the started WQE that owns the PSN */
	uint32_t read_packets; /**< READ: maximum number of PSNs to request again, > 0 */
	bool ack_request;      /**< set AckReq; READs and atomics always set it */
};

/**
 * Retransmit a packet; send_psn does not change. The packet does not count against the window
 * again. Pacing applies as to any packet (RC-102).
 */
enum rc_request_outcome
rc_request_resend(struct rc_qp *qp, const struct rc_request_packet *packet, uint64_t now_ns);

#endif
