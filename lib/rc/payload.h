/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_PAYLOAD_H
#define NDPDK_RC_PAYLOAD_H

#include <stdint.h>

#include <rte_mbuf.h>

#include "base/limits.h"
#include "wire/parse.h"

/* Payloads of packets: number of packets of a message, and payload bytes of a received packet. */

/**
 * @param length_bytes 0 .. LIMIT_MESSAGE_BYTES
 * @return number of packets of a message, 1 .. 2^23; for a READ, number of its responses (RC-001,
 *         RC-005)
 */
static inline uint32_t
rc_payload_packets(uint32_t length_bytes, uint8_t pmtu_shift)
{
	uint32_t pmtu_bytes = UINT32_C(1) << pmtu_shift;

	/* The sum does not wrap, because LIMIT_MESSAGE_BYTES is 2^31. */
	return length_bytes == 0 ? 1 : (length_bytes + pmtu_bytes - 1) >> pmtu_shift;
}

/**
 * Number of payload bytes after which a busy queue pair yields to other queue pairs and to receive
 * processing. With a larger burst, the data would leave the caches before the port or the peer
 * reads them.
 */
#define RC_BYTES_PER_CALL 65536u

/** Buffer for the payload of one packet, if the payload spans several mbuf segments. */
struct rc_bounce {
	uint8_t bytes[LIMIT_PMTU_MAX];
};

/**
 * @return payload of a packet as contiguous bytes, in the mbuf or in the bounce buffer; NULL if the
 * mbuf is shorter than the parsed headers say
 */
static inline const uint8_t *
rc_payload(const struct rte_mbuf *mbuf, const struct wire_view *view, struct rc_bounce *bounce)
{
	return rte_pktmbuf_read(mbuf, view->payload_offset, view->payload_bytes, bounce->bytes);
}

#endif
