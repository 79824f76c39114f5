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
 * Maximum number of PSNs that one READ request packet may request. A READ of 2^31 bytes has 2^23
 * PSNs at the smallest PMTU, but only 2^23 - 1 PSNs may be outstanding (RC-013). A longer READ is
 * split into pieces that start at multiples of this value. A piece is requested when the previous
 * piece is answered. With a PMTU of 512 bytes or more, each READ is one request.
 */
#define RC_READ_REQUEST_PACKETS (1u << 22)

/** Number of packets of a long message per packet with AckReq (RC-007). */
#define RC_ACK_REQUEST_SPACING (LIMIT_SEND_WINDOW / 2 < 64 ? LIMIT_SEND_WINDOW / 2 : 64)

enum rc_request_outcome {
	RC_REQUEST_SENT,
	/** window closed, or pacing; wait for a response or for the time of the next packet */
	RC_REQUEST_BLOCKED,
	/** output queue full or no mbuf; retry after the port has accepted packets */
	RC_REQUEST_NO_ROOM,
	RC_REQUEST_FAILED, /**< local memory is not accessible (RC-130) */
};

/**
 * @return number of PSNs from packet `index` of a READ to the end of its piece
 * (RC_READ_REQUEST_PACKETS)
 */
static inline uint32_t
rc_request_read_packets(const struct rc_send_wqe *wqe, uint32_t index)
{
	uint32_t piece_end = (index | (RC_READ_REQUEST_PACKETS - 1)) + 1;

	return (piece_end < wqe->packet_count ? piece_end : wqe->packet_count) - index;
}

/**
 * Send the packet with PSN send_psn, or retransmit it. The started WQE at send_index owns this PSN.
 * RC_REQUEST_SENT: send_psn and send_index were advanced. Other results: nothing has changed.
 */
enum rc_request_outcome rc_request_send(struct rc_qp *qp, uint64_t now_ns);

struct rc_request_packet {
	uint32_t psn;
	uint32_t wqe_index;    /**< index of the started WQE that owns the PSN */
	uint32_t read_packets; /**< READ: maximum number of PSNs to request, > 0 */
	bool ack_request;      /**< true to set AckReq, which READs and atomics always have */
};

/**
 * Retransmit a packet without a change of send_psn. The packet does not count against the window,
 * but pacing applies (RC-102).
 */
enum rc_request_outcome
rc_request_resend(struct rc_qp *qp, const struct rc_request_packet *packet, uint64_t now_ns);

#endif
