/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_BURST_H
#define NDPDK_RC_BURST_H

#include <stdint.h>

#include "rc/packets.h"

struct rc_qp;

/**
 * Send the next requests on the fast path. These may be new requests or retransmissions. The
 * packets, the state and the counters are the same as with rc_request_send().
 * @param most maximum number of packets, <= RC_BURST_MAX
 * @param most_bytes limit of the payload bytes; a packet that begins before this limit is sent
 *         whole
 * @return number of packets sent. 0 if nothing was changed and the caller must call
 *         rc_request_send()
 */
uint32_t rc_burst_send(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns);

#endif
