/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) 2026 ndpdk authors */
#ifndef NDPDK_RC_RESPONSE_BURST_H
#define NDPDK_RC_RESPONSE_BURST_H

#include <stdint.h>

#include "rc/packets.h"

struct rc_qp;

/**
 * Send the next responses on the fast path. The packets, the state and the counters are the same as
 * if rc_reads_progress() sent the responses one by one.
 *
 * @param most maximum number of packets, <= RC_BURST_MAX
 * @param most_bytes limit of the payload bytes; a packet that begins before this limit is sent
 *         whole
 * @return number of packets sent; 0 if nothing has changed and the slow path (read_response.c) must
 *         handle the next response
 */
uint32_t
rc_response_burst_send(struct rc_qp *qp, uint32_t most, uint32_t most_bytes, uint64_t now_ns);

#endif
